// A warm server under a real agent: a real process waits for its match with `@muster/client/server`, and the first match that
// forms is played on it (record 0073).

import { connect } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ServerPage } from '../../packages/js/src/admin-types.ts';
import { type Match, MusterPlayer } from '../../packages/js/src/index.ts';
import type { MusterJson } from '../../packages/js/src/game-server-types.ts';
import type { GameRoster } from '../../packages/js/src/journal-types.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnMuster, ownMuster } from './own-muster.ts';

const ENTRY = fileURLToPath(new URL('../../packages/js/src/server.ts', import.meta.url));

/** Answers each connection with what it knows. */
const SERVER = `
import { createServer } from 'node:net';
import { env, pid } from 'node:process';
import { readMatch, waitForMatch } from ${JSON.stringify(ENTRY)};

const { id: before, told, host, port } = readMatch();
let match = null;
void waitForMatch().then(({ id, players }) => (match = { id, players: players.map((each) => each.id) }));
createServer((socket) => {
  socket.on('error', () => {});
  const { MUSTER_CONFIG: config, MUSTER_ROSTER: roster, MUSTER_WARM: warm = null } = env;
  socket.end(JSON.stringify({ pid, before, first: 'match' in told ? told.match : 'none', warm, match, config, roster }));
}).listen(port, host);
`;

interface Knows {
  readonly pid: number;
  readonly before: string | null;
  /** Its match at the start, by `muster.json`. */
  readonly first: string | null;
  readonly warm: string | null;
  readonly match: { readonly id: string; readonly players: readonly string[] } | null;
  readonly config: string;
  readonly roster: string;
}

let muster: OwnMuster;
let launch: object;

beforeAll(async () => {
  muster = await ownMuster('warm');
  const file = join(muster.folder, 'server.mjs');
  await writeFile(file, SERVER);
  launch = { command: process.execPath, args: ['--no-warnings', file], roster: true };
  await keep(1);
  await muster.operator.ok('PUT', '/lobby-configs/arena', {
    serverSettings: { gameBuild: 'game' },
    matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } } },
  });
});

afterAll(async () => {
  await muster.stop();
});

async function keep(warm: number): Promise<void> {
  await muster.operator.ok('PUT', '/builds/game', {
    ports: [{ name: 'game', internal_port: 7000, protocol: 'tcp' }],
    launch: { ...launch, warm: { 'us-east': warm } },
  });
}

/** The ids of the servers that run and wait for a match. */
async function ready(): Promise<readonly string[]> {
  const { servers } = await muster.operator.ok<ServerPage>('GET', '/servers');
  const warm = servers.filter((each) => each.is_pool_server && each.pool_claimed_at === null);
  return warm.map(({ instance_id: id }) => id);
}

function ask({ host, port }: Pick<Match, 'host' | 'port'>): Promise<Knows> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let heard = '';
    socket.on('data', (data) => (heard += data.toString()));
    socket.on('error', reject);
    socket.on('end', () => resolve(JSON.parse(heard) as Knows));
  });
}

it('is played on by the first match, whose roster reaches it, and is followed by another', async () => {
  const [id = ''] = await eventually('a warm server', async () => {
    const all = await ready();
    return all.length === 1 ? all : null;
  });
  const { network_ports: ports } = await muster.operator.ok<{
    network_ports: readonly { host: string; external_port: number }[];
  }>('GET', `/servers/${id}`);
  const [at] = ports.map(({ host, external_port: port }) => ({ host, port }));
  const before = await ask(at ?? { host: '', port: 0 });
  expect(before).toMatchObject({ before: null, first: null, warm: '1', match: null });
  const { url } = muster.running;
  const plays = async (player: string): Promise<Match> => {
    const one = new MusterPlayer({ url, key: 'client_dev_key', config: 'arena', player });
    await one.createLobby({ name: player });
    return one.playMatch('duel');
  };
  const [game] = await Promise.all([plays('ann'), plays('ben')]);
  expect(game.lobby.server?.instance_id).toBe(id);
  const after = await eventually('the match in its hands', async () => {
    const knows = await ask(game);
    return knows.match === null ? null : knows;
  });
  expect(after.pid).toBe(before.pid);
  expect(after.match?.id).toBe(game.lobby.matchId);
  expect(after.match?.players.toSorted()).toEqual(['ann', 'ben']);
  const told = JSON.parse(await readFile(after.config, 'utf8')) as MusterJson;
  expect([told.match, told.custom_data['match_id']]).toEqual([after.match?.id, after.match?.id]);
  await eventually('the roster in its file', async () => {
    const { players } = JSON.parse(await readFile(after.roster, 'utf8')) as GameRoster;
    return players.length === 2;
  });
  const [next] = await eventually('another one', async () => {
    const all = await ready();
    return all.length === 1 ? all : null;
  });
  expect(next).not.toBe(id);
  await keep(0);
  await eventually('nobody is kept any more', async () => (await ready()).length === 0);
  expect((await ask(game)).pid).toBe(before.pid);
});
