// From `POST /matches` until both players see the match and its server, beside the same from the second of two searches, in turns
// on one service with a simulated fleet.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, number } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import { Target } from './latency/http.ts';
import { CONFIG, measurePair, MODE, type Timing } from './latency/pair.ts';
import { spread } from './latency/trial.ts';

const { flags } = commandLine({
  command: 'npm run bench:made --',
  about: 'A match that a backend makes, beside one of a queue.',
  flags: { pairs: number(100, 'pairs of each kind'), warm: number(20, 'pairs before those') },
});

const nothing = (): Promise<void> => Promise.resolve();

const dataDir = await mkdtemp(join(tmpdir(), 'muster-made-'));
const service = await startService({
  port: 0,
  dataDir,
  devKeys: true,
  env: { FLEET: 'simulated', LIMITS: 'off' },
});
try {
  const players = new Target(service.url, 'client_dev_key');
  const backend = new Target(service.url, service.serverKey);
  const rules = [{ type: 'equals', field: 'pair' }];
  const matchmaking = { modes: { [MODE]: { rules } } };
  await backend.ok('PUT', `/lobby-configs/${CONFIG}`, 'nobody', { matchmaking });
  const makes = ([one, other]: readonly [string, string]): Promise<unknown> =>
    backend.ok('POST', '/matches', 'nobody', {
      config: CONFIG,
      mode: MODE,
      ref: one,
      teams: [{ players: [one] }, { players: [other] }],
    });
  const timings: Record<'queue' | 'made', Timing[]> = { queue: [], made: [] };
  for (let turn = 0; turn < flags.warm + flags.pairs; turn += 1) {
    const queue = await measurePair(players, `q${turn}`);
    const made = await measurePair(players, `m${turn}`, { begins: nothing, ends: nothing, makes });
    if (turn >= flags.warm) {
      timings.queue.push(queue);
      timings.made.push(made);
    }
  }
  for (const [kind, all] of Object.entries(timings)) {
    const of = (pick: (each: Timing) => number): string => {
      const { p50, p99 } = spread(all.map(pick));
      return `p50 ${p50}, p99 ${p99} ms`;
    };
    const shown = [of(({ matchedMs }) => matchedMs), of(({ latencyMs }) => latencyMs)];
    console.log(`${kind.padEnd(6)} to matched ${shown[0]}; to in_game ${shown[1]}`);
  }
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
