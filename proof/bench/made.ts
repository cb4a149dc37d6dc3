// From `POST /matches` until both players see the match and its server, beside the same from the second of two searches, in turns
// on one service with a simulated fleet. With `--outside`, the searches are paired by examples/matcher/matcher.py.

import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { commandLine, given, number } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import { Target } from './latency/http.ts';
import { CONFIG, measurePair, MODE, type Timing } from './latency/pair.ts';
import { spread } from './latency/trial.ts';

const { flags } = commandLine({
  command: 'npm run bench:made --',
  about: 'A match that a backend makes, beside one of a queue.',
  flags: {
    pairs: number(100, 'pairs of each kind'),
    warm: number(20, 'pairs before those'),
    outside: given('the example of a matcher pairs the searches; needs python3'),
  },
});

const EXAMPLE = fileURLToPath(new URL('../../examples/matcher/matcher.py', import.meta.url));

const nothing = (): Promise<void> => Promise.resolve();

const dataDir = await mkdtemp(join(tmpdir(), 'muster-made-'));
const service = await startService({
  port: 0,
  dataDir,
  devKeys: true,
  env: { FLEET: 'simulated', LIMITS: 'off' },
});
const searched = flags.outside ? 'outside' : 'queue';
let matcher: ReturnType<typeof spawn> | undefined;
try {
  const players = new Target(service.url, 'client_dev_key');
  const backend = new Target(service.url, service.serverKey);
  const rules = [{ type: 'equals', field: 'pair' }];
  const mode = flags.outside ? { matcher: 'external' } : { rules };
  const matchmaking = { modes: { [MODE]: mode } };
  await backend.ok('PUT', `/lobby-configs/${CONFIG}`, 'nobody', { matchmaking });
  if (flags.outside) {
    const env = { ...process.env, SERVER_KEY: service.serverKey };
    const args = [EXAMPLE, `${service.url}/v3`, CONFIG, MODE];
    matcher = spawn('python3', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  const makes = ([one, other]: readonly [string, string]): Promise<unknown> =>
    backend.ok('POST', '/matches', 'nobody', {
      config: CONFIG,
      mode: MODE,
      ref: one,
      teams: [{ players: [one] }, { players: [other] }],
    });
  const timings: Record<string, Timing[]> = { [searched]: [], made: [] };
  for (let turn = 0; turn < flags.warm + flags.pairs; turn += 1) {
    const queue = await measurePair(players, `q${turn}`);
    const made = await measurePair(players, `m${turn}`, { begins: nothing, ends: nothing, makes });
    if (turn >= flags.warm) {
      timings[searched]?.push(queue);
      timings['made']?.push(made);
    }
  }
  for (const [kind, all] of Object.entries(timings)) {
    const of = (pick: (each: Timing) => number): string => {
      const { p50, p99 } = spread(all.map(pick));
      return `p50 ${p50}, p99 ${p99} ms`;
    };
    const shown = [of(({ matchedMs }) => matchedMs), of(({ latencyMs }) => latencyMs)];
    console.log(`${kind.padEnd(7)} to matched ${shown[0]}; to in_game ${shown[1]}`);
  }
} finally {
  matcher?.kill('SIGKILL');
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
