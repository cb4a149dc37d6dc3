// A game server that steers its places with `@muster/client/server`, under a real agent, which keeps its roster in a file.

import { connect } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Match, MusterPlayer } from '../../packages/js/src/index.ts';
import type { GameRoster } from '../../packages/js/src/journal-types.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnMuster, ownMuster } from './own-muster.ts';

const ENTRY = fileURLToPath(new URL('../../packages/js/src/server.ts', import.meta.url));

/** Takes orders, each a line, and tells where its roster is and what it hears of it. */
const SERVER = `
import { createServer } from 'node:net';
import { env } from 'node:process';
import { followRoster, readMatch, setPlaces } from ${JSON.stringify(ENTRY)};

const { host, port } = readMatch();
const heard = [];
void (async () => {
  for await (const { changed } of followRoster()) {
    heard.push(...changed.map(({ id, status }) => ({ id, status, at: Date.now() })));
  }
})();
createServer((socket) => {
  socket.on('data', async (data) => {
    const text = data.toString().trim();
    const answer = text === 'heard' ? heard : text === 'where' ? env.MUSTER_ROSTER : await setPlaces(JSON.parse(text));
    socket.end(JSON.stringify(answer));
  });
  socket.on('error', () => {});
}).listen(port, host);
`;

let muster: OwnMuster;

beforeAll(async () => {
  muster = await ownMuster('places');
  const file = join(muster.folder, 'server.mjs');
  await writeFile(file, SERVER);
  await muster.operator.ok('PUT', '/builds/game', {
    ports: [{ name: 'game', internal_port: 7000, protocol: 'tcp' }],
    launch: { command: process.execPath, args: ['--no-warnings', file], roster: true },
  });
  const duo = { teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1, timeout: 60 };
  await muster.operator.ok('PUT', '/lobby-configs/arena', {
    serverSettings: { gameBuild: 'game' },
    matchmaking: { modes: { duo: { ...duo, allowBackfill: true } } },
  });
});

afterAll(async () => {
  await muster.stop();
});

function tell<T>({ host, port }: Pick<Match, 'host' | 'port'>, line: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let heard = '';
    socket.on('data', (data) => (heard += data.toString()));
    socket.on('error', reject);
    socket.on('end', () => resolve(JSON.parse(heard) as T));
    socket.write(`${line}\n`);
  });
}

type Heard = readonly { readonly id: string; readonly status: string; readonly at: number }[];

it('opens a place, and has the player who takes it in its hands and in its file', async () => {
  const { url } = muster.running;
  const plays = async (player: string): Promise<Match> => {
    const one = new MusterPlayer({ url, key: 'client_dev_key', config: 'arena', player });
    await one.createLobby({ name: player });
    return one.playMatch('duo');
  };
  const [game] = await Promise.all([plays('ann'), plays('ben')]);
  const where = await tell<string>(game, 'where');
  const inFile = async (): Promise<readonly string[]> => {
    const { players } = JSON.parse(await readFile(where, 'utf8')) as GameRoster;
    return players.map(({ id, team, status }) => `${id} ${team} ${status}`).toSorted();
  };
  await eventually('the first roster', async () => (await inFile()).length === 2);
  expect((await tell<GameRoster>(game, '{"open": 0}')).open).toEqual([]);
  const cat = plays('cat');
  expect((await tell<GameRoster>(game, '{"open": 1, "team": 1}')).open).toHaveLength(1);
  expect((await cat).lobby.matchId).toBe(game.lobby.matchId);
  await eventually('cat in the file', async () => (await inFile()).includes('cat 1 here'));
  const heard = await tell<Heard>(game, 'heard');
  expect(heard.map(({ id, status }) => `${id} ${status}`)).toContain('cat here');
  await tell(game, '{"kick": "cat"}');
  await eventually('cat is out', async () => (await inFile()).includes('cat 1 kicked'));
  expect(await inFile()).toHaveLength(3);
});
