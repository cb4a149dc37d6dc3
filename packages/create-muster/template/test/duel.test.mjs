// Two players meet, play on the real game server, and see the result.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MusterPlayer } from '@muster/client';

const [PORT, PAGE_PORT] = ['18787', '18080'];
const url = `http://127.0.0.1:${PORT}`;

async function play(player) {
  const muster = new MusterPlayer({ url, key: 'client_dev_key', config: 'game', player });
  const match = await muster.play('duel');
  const socket = new WebSocket(`ws://${match.host}:${match.port}`);
  await once(socket, 'open');
  socket.send(JSON.stringify({ ticket: match.ticket }));
  for (let taps = 0; taps < 10 && match.team === 0; taps += 1) {
    socket.send(JSON.stringify({ tap: true }));
  }
  return match.ended;
}

void test('two players meet and play', { timeout: 60_000 }, async () => {
  const data = await mkdtemp(join(tmpdir(), 'game-'));
  const env = { ...process.env, PORT, PAGE_PORT, MUSTER_DATA: data };
  const all = spawn(process.execPath, ['start.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    for await (const line of all.stdout.iterator({ destroyOnReturn: false })) {
      if (String(line).includes('The game:')) {
        break;
      }
    }
    all.stdout.resume();
    const lobbies = await Promise.all([play('ann'), play('ben')]);
    for (const { status, lastResult } of lobbies) {
      assert.equal(status, 'waiting');
      assert.deepEqual(
        lastResult.teams.map(({ score }) => score),
        [10, 0],
      );
    }
  } finally {
    all.kill('SIGTERM');
    await once(all, 'exit');
    await rm(data, { recursive: true, force: true });
  }
});
