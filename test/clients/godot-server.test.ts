// Godot as a game server that Muster launches, with the sample of packages/godot on both sides, and what a release export, the
// editor and WebSocketPeer do.

import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';
import { type OwnMuster, ownMuster } from '../wire/own-muster.ts';
import { Engine, godotProject } from './godot.ts';

const HAS_GODOT = needs('godot');
const run = promisify(execFile);

let muster: OwnMuster;
let project: string;
const engines: Engine[] = [];

interface Match {
  readonly result: { readonly teams: readonly { readonly team: number; readonly rank: number }[] } | null;
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
      throw new Error(`${String(error)}; there are ${JSON.stringify(labels)}; ${one.printed.slice(-3).join(' | ')}`);
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
    const { operator } = muster;
    const duel = { teams: 2, playersPerTeam: 1, timeout: 30 };
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
      /ann plays in team.*ben plays in team|ben plays in team.*ann plays in team/.test(await logs(server)),
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
async function seats(): Promise<{ url: string; asked: string[]; release: () => void; close: () => void }> {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  const server = createServer((request, answer) => {
    asked.push(request.url ?? '');
    request.resume();
    held.push(() => {
      answer.writeHead(200, { 'content-type': 'application/json' });
      answer.end('{"player":"ann","match":"m","lobby":"l","team":1,"team_name":null,"role":null,"late":false}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v3/servers/s/`,
    asked,
    release: () => held.splice(0).forEach((go) => go()),
    close: () => void server.close().closeAllConnections(),
  };
}

async function told(url: string): Promise<Record<string, string>> {
  const path = join(muster.folder, `${Math.random()}.json`);
  const match = { instance_id: "s", report_url: `${url}status`, result_url: `${url}result`, token: 't', custom_data: {} };
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
    await eventually('the server knows', async () => (await server.get<number[]>('driver', 'peers')).length === 0);
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
