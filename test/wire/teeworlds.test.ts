// A dedicated server of a real game, end to end: Debian's teeworlds-server as builds of the local
// fleet, versioned, in a mode of two teams of two.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player, shows, type Lobby } from '../../scripts/player.ts';
import { startAll, type Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';
import { gameServersOf } from '../support/processes.ts';
import { needs, pathOf } from '../support/tools.ts';
import { teeworldsInfo } from '../../scripts/servers/teeworlds-info.ts';

function build(version: string): object {
  const args = [
    'bindaddr {host}',
    'sv_port {port}',
    'sv_register 0',
    'sv_gametype tdm',
    `sv_name teeworlds ${version} {instance_id}`,
  ];
  return {
    version,
    launch: { command: pathOf('teeworlds-server'), args },
  };
}

const MODE = {
  teams: 2,
  playersPerTeam: 2,
  useVersionFromState: 'version',
  rules: [{ type: 'equals', field: 'version' }],
  timeout: 120,
};

describe.runIf(needs('teeworlds-server'))('teeworlds on the local fleet', () => {
  let dataDir: string;
  let running: Running;
  let operator: Player;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-teeworlds-'));
    running = await startAll({ port: 0, dataDir });
    operator = new Player(running.url, 'operator', running.serverKey);
    await operator.ok('PUT', '/builds/teeworlds-a', build('a'));
    await operator.ok('PUT', '/builds/teeworlds-b', build('b'));
    await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes: { tdm: MODE } } });
  });
  afterAll(async () => {
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** A lobby of two that asks for a version; its host. */
  async function party(name: string, version: string): Promise<Player> {
    const [host, guest] = [`${name}-1`, `${name}-2`].map((id) => new Player(running.url, id));
    if (host === undefined || guest === undefined) {
      throw new Error('no players');
    }
    const state = { version };
    const { code } = await host.ok('POST', '/lobbies/arena', { name, state });
    await guest.ok('POST', '/lobbies/arena/join', { code, state });
    return host;
  }

  async function queued(name: string, version: string): Promise<Player> {
    const host = await party(name, version);
    await host.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'tdm' });
    return host;
  }

  function mine(players: readonly Player[]): Promise<readonly Lobby[]> {
    return Promise.all(players.map((player) => player.ok('GET', '/lobbies/arena/me')));
  }

  /** What all of them play on, once they do. */
  async function played(players: readonly Player[]): Promise<NonNullable<Lobby['server']>> {
    const lobbies = await eventually('all play', async () => {
      const all = await mine(players);
      return all.every(({ server }) => server?.status === 'running') ? all : null;
    });
    expect(new Set(lobbies.map(({ server }) => server?.instance_id)).size).toBe(1);
    const server = lobbies[0]?.server;
    if (server === null || server === undefined) {
      throw new Error('no server');
    }
    return server;
  }

  async function infoOf({ network_ports: ports }: NonNullable<Lobby['server']>): Promise<string> {
    const [port] = ports;
    const place = { host: port?.host ?? '', port: port?.external_port ?? 0 };
    return (await teeworldsInfo(place)).name;
  }

  async function waitAgain(players: readonly Player[]): Promise<void> {
    const lobbies = await eventually('all wait again', async () => {
      const all = await mine(players);
      return all.every(({ status }) => status === 'waiting') ? all : null;
    });
    expect(lobbies.map(({ players: each, server }) => [each.length, server])).toEqual(
      players.map(() => [2, null]),
    );
  }

  it('two lobbies match, its own query answers where they are sent, and its death sends them back', async () => {
    const red = await party('red', 'teeworlds-a');
    const stream = await red.events('arena');
    await red.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'tdm' });
    const players = [red, await queued('blue', 'teeworlds-a')];
    const server = await played(players);
    expect(await infoOf(server)).toBe(`teeworlds a ${server.instance_id}`);
    const info = await teeworldsInfo({
      host: '127.0.0.1',
      port: server.network_ports[0]?.external_port ?? 0,
    });
    expect(info).toMatchObject({ version: expect.stringMatching(/^0\.7\./), gameType: 'TDM' });

    const pids = await gameServersOf(server.instance_id);
    expect(pids).toHaveLength(1);
    process.kill(pids[0] ?? 0, 'SIGKILL');
    await waitAgain(players);
    await stream.until(shows('waiting'), 10_000, stream.seen.findIndex(shows('in_game')));
    stream.close();
  });

  it('two versions run side by side; of one that was removed no match comes about', async () => {
    const [one, two] = [
      [await queued('one', 'teeworlds-a'), await queued('two', 'teeworlds-a')],
      [await queued('three', 'teeworlds-b'), await queued('four', 'teeworlds-b')],
    ];
    const [first, second] = [await played(one), await played(two)];
    expect(await infoOf(first)).toBe(`teeworlds a ${first.instance_id}`);
    expect(await infoOf(second)).toBe(`teeworlds b ${second.instance_id}`);

    await operator.ok('DELETE', '/builds/teeworlds-b');
    expect(await infoOf(second)).toBe(`teeworlds b ${second.instance_id}`);
    await one[0]?.ok('POST', '/lobbies/arena/me/end-match');
    await two[0]?.ok('POST', '/lobbies/arena/me/end-match');
    await waitAgain([...one, ...two]);
    await eventually('no process is left', async () => {
      const left = await Promise.all(
        [first, second].map((each) => gameServersOf(each.instance_id)),
      );
      return left.flat().length === 0;
    });

    const [three] = two;
    const stream = await (three ?? operator).events('arena');
    for (const host of two) {
      await host.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'tdm' });
    }
    const { data } = await stream.until(({ event }) => event === 'matchmaking_timeout');
    expect(data).toMatchObject({ mode: 'tdm', reason: 'launch_failed' });
    await waitAgain(two);
    stream.close();
  });
});
