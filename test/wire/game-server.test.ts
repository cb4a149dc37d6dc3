// A game server of a few lines with `@muster/client/server`, as its build starts it: it reads its match, lets
// players in by their tickets, and reports the result while Muster restarts.

import { connect } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Match, MusterPlayer } from '../../packages/js/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnMuster, ownMuster } from './own-muster.ts';

const ENTRY = fileURLToPath(new URL('../../packages/js/src/server.ts', import.meta.url));

/** Each line that comes is a ticket; `end` ends the match. */
const SERVER = `
import { createServer } from 'node:net';
import { readMatch, reportResult, seatOf } from ${JSON.stringify(ENTRY)};

const match = readMatch();
createServer((socket) => {
  socket.on('data', async (data) => {
    const text = data.toString().trim();
    if (text === 'match') {
      socket.write(JSON.stringify({ ...match, told: match.told.instance_id }) + '\\n');
    } else if (text === 'end') {
      socket.write('reporting\\n');
      const { result } = await reportResult([{ team: 0, score: 13 }, { team: 1, score: 7 }], { data: { map: 'dunes' } });
      socket.write(JSON.stringify(result.teams) + '\\n');
    } else {
      socket.write(JSON.stringify(seatOf(text)) + '\\n');
    }
  });
  socket.on('error', () => {});
}).listen(match.port, match.host);
`;

let muster: OwnMuster;

beforeAll(async () => {
  muster = await ownMuster('game-server');
  const file = join(muster.folder, 'server.mjs');
  await writeFile(file, SERVER);
  await muster.operator.ok('PUT', '/builds/game', {
    ports: [{ name: 'game', internal_port: 7000, protocol: 'tcp' }],
    launch: { command: process.execPath, args: ['--no-warnings', file] },
  });
  await muster.operator.ok('PUT', '/lobby-configs/arena', {
    serverSettings: { gameBuild: 'game' },
    matchmaking: {
      modes: {
        duel: { teamComposition: { red: { tank: 1 }, blue: { scout: 1 } }, timeout: 60 },
      },
    },
  });
});

afterAll(async () => {
  await muster.stop();
});

/** What the server answers, line by line. */
async function asked({ host, port }: Match, text: string, lines = 1): Promise<readonly unknown[]> {
  const socket = connect(port, host);
  let heard = '';
  socket.on('data', (data) => (heard += data.toString()));
  socket.write(`${text}\n`);
  try {
    return await eventually('an answer', () => {
      const found = heard.split('\n').filter((line) => line !== '');
      return found.length >= lines && found.map((line) => JSON.parse(line) as unknown);
    });
  } finally {
    socket.destroy();
  }
}

it('knows its match and its players, and its result outlasts a restart of Muster', async () => {
  const [ann, ben] = await Promise.all(
    ['ann', 'ben'].map(async (player) => {
      const { url } = muster.running;
      const one = new MusterPlayer({ url, key: 'client_dev_key', config: 'arena', player });
      const role = player === 'ann' ? 'tank' : 'scout';
      await one.createLobby({ name: player, state: { role } });
      return one;
    }),
  );
  if (ann === undefined || ben === undefined) {
    throw new Error('two were made');
  }
  const [one, other] = await Promise.all([ann.playMatch('duel'), ben.playMatch('duel')]);
  const { matchId, server } = one.lobby;
  expect(await asked(one, 'match')).toMatchObject([
    {
      id: matchId,
      mode: 'duel',
      players: [
        { id: 'ann', lobby: one.lobby.id, team: 0, role: 'tank', state: { role: 'tank' } },
        { id: 'ben', lobby: other.lobby.id, team: 1, role: 'scout' },
      ],
      told: server?.instance_id,
    },
  ]);
  const seat = { match: matchId, lobby: other.lobby.id, team: 1, team_name: 'blue', late: false };
  expect(await asked(one, other.ticket ?? '')).toEqual([{ player: 'ben', ...seat, role: 'scout' }]);
  const [head, body, signature = ''] = (other.ticket ?? '').split('.');
  const flipped = signature.startsWith('A') ? `B${signature.slice(1)}` : `A${signature.slice(1)}`;
  expect(await asked(one, [head, body, flipped].join('.'))).toEqual([null]);
  expect(await asked(one, 'no ticket')).toEqual([null]);

  await muster.running.service.kill();
  const socket = connect(one.port, one.host);
  let heard = '';
  socket.on('data', (data) => (heard += data.toString()));
  socket.write('end\n');
  await eventually('the server reports', () => heard.includes('reporting'));
  await muster.running.service.start();
  await eventually('the report is taken', () => heard.includes('"score":13'));
  socket.destroy();
  const { result } = await muster.operator.ok<{ result: object }>('GET', `/matches/${matchId}`);
  expect(result).toMatchObject({ teams: [{ score: 13 }, { score: 7 }], data: { map: 'dunes' } });
  await ann.endMatch();
  await Promise.all([one.ended, other.ended]);
});
