// Players who fill lobbies with large states and open streams that they do not read must not fill a box's memory.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fatLobbies } from '../../proof/bench/attacks/fat-lobbies.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { memoryOf } from '../support/memory.ts';

const MB = 1024 * 1024;

let dataDir: string;
let service: Service;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-fat-'));
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  service = await startService({ port: 0, dataDir, devKeys: true, env });
});

afterEach(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('streams of large lobbies that nobody reads', () => {
  it.each(['stream', 'socket'] as const)('hold a bounded part of memory, each a %s', async (as) => {
    const attack = await fatLobbies(service.url, { lobbies: 4, players: 50, state: 8_900, as });
    const before = await memoryOf(service.pid);
    for (let round = 0; round < 10; round += 1) {
      await attack.patch();
    }
    const after = await memoryOf(service.pid);
    console.log(`${as}: ${Math.round(before / MB)} MiB, then ${Math.round(after / MB)} MiB`);
    // With a copy for each of the 200 streams, as characters and as bytes, it was over 500 MiB.
    expect(Math.max(before, after)).toBeLessThan(240 * MB);
    attack.stop();
  });
});
