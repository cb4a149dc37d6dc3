// The whole way of a seat ticket: from the lobby to a real game server, which lets its player in by it.

import { createSocket } from 'node:dgram';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addressOf, MusterPlayer } from '../../packages/js/src/index.ts';
import type { Lobby } from '../../packages/js/src/index.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';

let dataDir: string;
let running: Running;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-seat-'));
  running = await startAll({ port: 0, dataDir });
});

afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** What the game server answers to a join; asked again while a datagram is lost. */
function joined(lobby: Lobby, ticket: string | undefined): Promise<Record<string, unknown>> {
  const address = addressOf(lobby);
  return eventually('the server answers', async () => {
    const socket = createSocket('udp4');
    try {
      return await new Promise<Record<string, unknown> | null>((resolve) => {
        const ask = (cookie?: unknown): void => {
          const asked = JSON.stringify({ type: 'join', player: 'mallory', ticket, cookie });
          socket.send(asked, address?.port ?? 0, address?.host ?? '');
        };
        socket.on('message', (text) => {
          const answer = JSON.parse(text.toString()) as Record<string, unknown>;
          if ('cookie' in answer) {
            ask(answer['cookie']);
          } else {
            resolve(answer);
          }
        });
        ask();
        setTimeout(() => resolve(null), 500);
      });
    } finally {
      socket.close();
    }
  });
}

it('lets a player in as whom the ticket names, and nobody by a ticket that was changed', async () => {
  const player = new MusterPlayer({
    url: running.url,
    key: 'client_dev_key',
    config: 'seats',
    player: 'ann',
  });
  await player.createLobby({ name: 'Den' });
  await player.startGame();
  const lobby = await eventually('the server runs', async () => {
    const now = await player.getMyLobby();
    return addressOf(now) === null ? null : now;
  });
  const ticket = lobby.server?.ticket ?? '';
  expect(await joined(lobby, ticket)).toMatchObject({
    type: 'welcome',
    players: ['ann'],
    you: { player: 'ann', team: null, role: null },
  });
  const [head, , signature] = ticket.split('.');
  const body = Buffer.from(
    JSON.stringify({ sub: 'eve', aud: lobby.server?.instance_id, exp: 9e9 }),
  );
  const changed = [head, body.toString('base64url'), signature].join('.');
  expect(await joined(lobby, changed)).toEqual({ type: 'refused' });
  await player.endMatch();
});
