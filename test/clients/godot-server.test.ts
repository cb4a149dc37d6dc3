// Godot as a game server that Muster launches, with the sample of packages/godot on both sides, and what a release export, the
// editor and WebSocketPeer do.

import { execFile } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { GODOT_RELEASE, LOADED, LOADER } from '../../scripts/engine-places.ts';
import { Player } from '../../scripts/player.ts';
import { fileIn } from '../browser/page.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';
import { type OwnMuster, ownMuster } from '../wire/own-muster.ts';
import { Engine, godotProject } from './godot.ts';

const HAS_GODOT = needs('godot');
const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

let muster: OwnMuster;
let project: string;
const engines: Engine[] = [];

interface Match {
  readonly result: {
    readonly teams: readonly { readonly team: number; readonly rank: number }[];
  } | null;
}

function start(env: Readonly<Record<string, string>> = {}, args?: readonly string[]): Engine {
  const one = new Engine(project, args, env);
  engines.push(one);
  return one;
}

/** A player with the sample's screen. */
async function player(id: string, config = 'race'): Promise<Engine> {
  const one = start();
  await one.until('driver', 'ready');
  const set = { base_url: muster.running.url, player_id: id, config };
  one.order({ do: 'set', id: 'Muster', set });
  one.order({ do: 'screen' });
  return one;
}

async function shows(one: Engine, text: RegExp): Promise<void> {
  let labels: readonly string[] = [];
  const isThere = async (): Promise<boolean> => {
    labels = await one.labels();
    return labels.some((each) => text.test(each));
  };
  await eventually(`a label shows ${String(text)}`, isThere, { everyMs: 100 }).catch(
    (error: unknown) => {
      throw new Error(
        `${String(error)}; there are ${JSON.stringify(labels)}; ${one.printed.slice(-3).join(' | ')}`,
      );
    },
  );
}

async function logs(server: string): Promise<string> {
  const said = await muster.operator.ok<unknown>('GET', `/servers/${server}/logs`);
  return JSON.stringify(said);
}

beforeAll(async () => {
  if (HAS_GODOT) {
    muster = await ownMuster('godot-server');
    project = await godotProject(muster.folder);
    await appendFile(join(project, 'project.godot'), `\n[muster]\n\nurl="${muster.running.url}"\n`);
    const { operator } = muster;
    const duel = { teams: 2, playersPerTeam: 1, timeout: 300 };
    const modes = { duel, alone: { ...duel, timeout: 1 } };
    await operator.ok('PUT', '/lobby-configs/race', { heartbeat: true, matchmaking: { modes } });
    const args = ['--headless', '--path', project];
    const command = pathOf('godot');
    await operator.ok('PUT', '/builds/default', { launch: { command, args } });
    const crashing = [...args, 'res://test/crashing.tscn'];
    await operator.ok('PUT', '/builds/crashing', { launch: { command, args: crashing } });
    const serverSettings = { gameBuild: 'crashing' };
    await operator.ok('PUT', '/lobby-configs/crash', { serverSettings, matchmaking: { modes } });
  }
});

afterEach(async () => {
  await Promise.all(engines.splice(0).map((one) => one.kill()));
});

afterAll(() => muster?.stop());

describe.runIf(HAS_GODOT)('the sample', () => {
  it('plays a whole game between two players and a server that Muster has started', async () => {
    const [ann, ben] = await Promise.all([player('ann'), player('ben')]);
    for (const one of [ann, ben]) {
      await shows(one, /^$/);
      one.order({ do: 'press', text: 'Create a lobby' });
      await shows(one, /My lobby .*: waiting\n· /);
      one.order({ do: 'press', text: 'Ready' });
      await shows(one, /\n✓ /);
      one.order({ do: 'press', text: 'Find a match' });
    }
    await Promise.all([ann, ben].map((one) => shows(one, /^In the game at 127.0.0.1:\d+$/)));
    const lobby = await new Player(muster.running.url, 'ann').ok('GET', '/lobbies/race/me');
    const server = lobby.server?.instance_id ?? '';
    await eventually('both have shown their tickets', async () =>
      /ann plays in team.*ben plays in team|ben plays in team.*ann plays in team/.test(
        await logs(server),
      ),
    );
    for (let taps = 0; taps < 10; taps += 1) {
      ann.order({ do: 'press', text: 'Tap' });
    }
    await Promise.all([ann, ben].map((one) => shows(one, /^The game is over: ended$/)));
    const { result } = await muster.operator.ok<Match>('GET', `/matches/${lobby.matchId}`);
    expect(result?.teams.map(({ rank }) => rank).toSorted()).toEqual([1, 2]);
    const said = await logs(server);
    expect(said).toContain('players: ');
    expect(said).toMatch(/team [01] has won: reported/);
    // The text stays, whatever is drawn afterwards.
    ann.order({ do: 'call', id: 'Muster', method: 'start_matchmaking', args: ['alone'] });
    await shows(ann, /^No match: timeout$/);
    await shows(ann, /: waiting\n/);
  });

  it('tells players a server that crashed from a game that ended', async () => {
    const [ann, ben] = await Promise.all([player('cat', 'crash'), player('dan', 'crash')]);
    for (const one of [ann, ben]) {
      one.order({ do: 'call', id: 'Muster', method: 'play', args: ['duel'] });
    }
    await Promise.all([ann, ben].map((one) => shows(one, /^The game is over: server_crashed$/)));
  });
});

/** What answers in Muster's place, for one server: the seat after `release`. */
async function seats(): Promise<{
  url: string;
  asked: string[];
  release: () => void;
  close: () => void;
}> {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '');
    request.resume();
    held.push(() => {
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.end(
        '{"player":"ann","match":"m","lobby":"l","team":1,"team_name":null,"role":null,"late":false}',
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v3/servers/s/`,
    asked,
    release: () => held.splice(0).forEach((go) => go()),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function told(url: string): Promise<Record<string, string>> {
  const path = join(muster.folder, `${Math.random()}.json`);
  const match = {
    instance_id: 's',
    report_url: `${url}status`,
    result_url: `${url}result`,
    token: 't',
    custom_data: {},
  };
  await writeFile(path, JSON.stringify(match));
  const port = String(await freePort());
  return { MUSTER_CONFIG: path, MUSTER_PORT: port, MUSTER_HOST: '127.0.0.1' };
}

describe.runIf(HAS_GODOT)('a server', () => {
  it('ends with its reason where it cannot listen, or has no match', async () => {
    const env = await told('http://127.0.0.1:1/');
    const taken = createSocket('udp4').bind(Number(env['MUSTER_PORT']), '127.0.0.1');
    await once(taken, 'listening');
    const deaf = start(env, []);
    const blind = start({ ...env, MUSTER_CONFIG: '/nowhere/muster.json' }, []);
    expect(await Promise.all([deaf.exited(), blind.exited()])).toEqual([1, 1]);
    expect(deaf.printed.join('\n')).toContain(`cannot listen on 127.0.0.1:${env['MUSTER_PORT']}`);
    expect(blind.printed.join('\n')).toContain('/nowhere/muster.json: no match can be read there');
    taken.close();
  });

  it('listens where it is told, keeps no seat of a peer that has left, and lets nobody in without a ticket', async () => {
    const muster = await seats();
    const env = await told(muster.url);
    const server = start(env);
    await server.until('driver', 'ready');
    expect((await server.call('MusterServer', 'listen')).values).toEqual([0]);
    const hex = Number(env['MUSTER_PORT']).toString(16).toUpperCase().padStart(4, '0');
    expect(await readFile('/proc/net/udp', 'utf8')).toContain(` 0100007F:${hex} `);
    const peer = async (): Promise<Engine> => {
      const one = start();
      await one.until('driver', 'ready');
      one.order({ do: 'join', port: Number(env['MUSTER_PORT']), ticket: 'a.b.c' });
      return one;
    };
    const gone = await peer();
    await eventually('its ticket is asked for', () => muster.asked.length === 1);
    gone.order({ do: 'part' });
    await eventually(
      'the server knows',
      async () => (await server.get<number[]>('driver', 'peers')).length === 0,
    );
    muster.release();
    const stays = await peer();
    await eventually('its ticket is asked for', () => muster.asked.length === 2);
    expect(await server.get('MusterServer', 'seats')).toEqual({});
    muster.release();
    await stays.until('driver', 'connected');
    const seat = Object.values(await server.get<object>('MusterServer', 'seats'));
    expect(seat).toMatchObject([{ player: 'ann', team: 1 }]);
    expect(server.printed.join('\n')).toContain('whole team: true');
    muster.close();
  });
});

describe.runIf(HAS_GODOT)('what the README promises', () => {
  it.runIf(existsSync(GODOT_RELEASE))(
    'holds: a release export has a log while it runs, by the setting that the plugin makes',
    async () => {
      const program = join(muster.folder, 'game');
      await copyFile(LOADER, program);
      await writeFile(join(project, 'export_presets.cfg'), PRESET);
      await run(pathOf('godot'), [
        '--headless',
        '--path',
        project,
        '--export-pack',
        'Linux',
        `${program}.pck`,
      ]);
      const launch = { command: program, args: [...LOADED, GODOT_RELEASE, '--headless'] };
      const { operator } = muster;
      await operator.ok('PUT', '/builds/release', { launch });
      const serverSettings = { gameBuild: 'release' };
      await operator.ok('PUT', '/lobby-configs/released', { serverSettings });
      const host = new Player(muster.running.url, 'eve');
      await host.ok('POST', '/lobbies/released', { name: 'den' });
      const { server } = await host.ok('POST', '/lobbies/released/me/start');
      const id = server?.instance_id ?? '';
      await eventually('its log is there', async () => (await logs(id)).includes('players: '));
      await host.ok('POST', '/lobbies/released/me/end-match');
    },
  );

  it('holds: the plugin adds its autoloads, by the ids of its files, and the setting', async () => {
    const fresh = join(muster.folder, 'fresh');
    await mkdir(join(fresh, 'addons/switch'), { recursive: true });
    await cp(join(project, 'addons/muster'), join(fresh, 'addons/muster'), { recursive: true });
    const settings =
      'config_version=5\n[editor_plugins]\nenabled=PackedStringArray("res://addons/switch/plugin.cfg")\n';
    const plugin =
      '[plugin]\nname="Switch"\ndescription=""\nauthor=""\nversion="1"\nscript="switch.gd"\n';
    await writeFile(join(fresh, 'project.godot'), settings);
    await writeFile(join(fresh, 'addons/switch/plugin.cfg'), plugin);
    await writeFile(join(fresh, 'addons/switch/switch.gd'), SWITCH);
    await run(pathOf('godot'), ['--headless', '--editor', '--path', fresh]);
    const saved = await readFile(join(fresh, 'project.godot'), 'utf8');
    // The engine writes the ids of the files, so the addon brings them: with new ones a game needs an import before it starts.
    for (const [name, file] of [
      ['Muster', 'player'],
      ['MusterServer', 'server'],
    ]) {
      const uid = await readFile(join(project, `addons/muster/muster_${file}.gd.uid`), 'utf8');
      expect(saved).toContain(`${name}="*${uid.trim()}"`);
    }
    expect(saved).toContain('run/flush_stdout_on_print=true');
  });

  it('holds: two copies of the program of the quickstart find each other, and hear of the end', async () => {
    await program('duel.gd', await fileOf('docs/quickstarts/godot.md', 'duel.gd'));
    const { operator } = muster;
    const duel = { teams: 2, playersPerTeam: 1, timeout: 300 };
    const config = { heartbeat: true, matchmaking: { modes: { duel } } };
    await operator.ok('PUT', '/lobby-configs/quickstart', config);
    const both = [start({}, ['res://duel.tscn']), start({}, ['res://duel.tscn'])];
    const said = both.map((one) =>
      eventually('it has an address', () =>
        one.printed.find((line) => line.startsWith('Connect to ')),
      ),
    );
    const [address, other] = await Promise.all(said);
    expect(address).toMatch(/^Connect to 127\.0\.0\.1:\d+$/);
    expect(other).toBe(address);
    type Servers = { servers: readonly { instance_id: string; name: string }[] };
    const game = await eventually('it is listed', async () =>
      (await operator.ok<Servers>('GET', '/servers')).servers.find(
        ({ name }) => name === 'quickstart duel',
      ),
    );
    await operator.ok('DELETE', `/servers/${game.instance_id}`);
    for (const one of both) {
      await eventually('it is over', () => one.printed.includes('The game is over: ended'));
    }
  });

  it('holds: a link that invites leads into the lobby', async () => {
    const page = await readFile(join(ROOT, 'docs/invites.md'), 'utf8');
    await program('invited.gd', /```gdscript\n(.*?)```/s.exec(page)?.[1] ?? '');
    const host = new Player(muster.running.url, 'ivy');
    const { code } = await host.ok('POST', '/lobbies/arena', { name: 'den' });
    start({}, ['res://invited.tscn', `mygame://join/${code}`]);
    await eventually(
      'it is in',
      async () => (await host.ok('GET', '/lobbies/arena/me')).players.length === 2,
    );
  });

  it('holds: a WebSocketPeer needs a larger buffer for large lobbies', async () => {
    const host = new Player(muster.running.url, 'big-0');
    const state = { text: 'x'.repeat(15_000) };
    const { code } = await host.ok('POST', '/lobbies/race', { name: 'den', maxPlayers: 6, state });
    for (const guest of [1, 2, 3, 4, 5]) {
      await new Player(muster.running.url, `big-${guest}`).ok('POST', '/lobbies/race/join', {
        code,
        state,
      });
    }
    const url = `${muster.running.url.replace('http', 'ws')}/v3/lobbies/race/me/events?api-key=client_dev_key&x-player-id=`;
    const one = start();
    await one.until('driver', 'ready');
    one.order({ do: 'socket', url: `${url}big-0`, buffer: 65535 });
    one.order({ do: 'socket', url: `${url}big-1`, buffer: 1 << 20 });
    await one.until('driver', 'socket', ([buffer, what]) => buffer === 65535 && what === 1009);
    await one.until(
      'driver',
      'socket',
      ([buffer, what]) => buffer === 1 << 20 && what === 'connected',
    );
  });
});

async function fileOf(page: string, file: string): Promise<string> {
  return fileIn(await readFile(join(ROOT, page), 'utf8'), file);
}

/** A scene with a script of a page, in the project, which finds Muster by its settings. */
async function program(name: string, script: string): Promise<void> {
  const scene = await readFile(join(project, 'test/driver.tscn'), 'utf8');
  await writeFile(join(project, name), script);
  await writeFile(
    join(project, name.replace('.gd', '.tscn')),
    scene.replace('test/driver.gd', name),
  );
}

/** An export needs a target. */
const PRESET = `[preset.0]

name="Linux"
platform="Linux"
runnable=true
export_filter="all_resources"
export_path="game.pck"

[preset.0.options]
`;

/** A plugin that turns Muster's on, as its user does in the project's settings, and ends the editor. */
const SWITCH = `@tool
extends EditorPlugin


func _process(_delta: float) -> void:
	if not EditorInterface.get_resource_filesystem().is_scanning():
		set_process(false)
		EditorInterface.set_plugin_enabled("muster", true)
		get_tree().quit()
`;
