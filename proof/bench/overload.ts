// Pairs come at a rate that the service cannot serve, whether or not earlier pairs have been served. Accepted
// requests must stay fast, nothing accepted may be lost, no lobby may be stuck afterwards, and then the service must
// be as fast as before.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { commandLine, number } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import { Target } from './latency/http.ts';
import { CONFIG, measurePair, MODE } from './latency/pair.ts';
import { spread } from './latency/trial.ts';

const { flags } = commandLine({
  command: 'npm run bench:overload --',
  about:
    'Pairs come faster than they can be served: what is accepted stays fast, and nothing is lost.',
  flags: { rate: number(300, 'pairs a second'), seconds: number(60, 'how long they come') },
});
const RATE = flags.rate;
const SECONDS = flags.seconds;
const PATH = `/lobbies/${CONFIG}`;
/** Statuses in which the service still owes the lobby a step. */
const PASSING = ['starting', 'matched', 'match_found'];

interface Asked {
  readonly what: string;
  readonly status: number;
  readonly ms: number;
}

const asked: Asked[] = [];
/** Players whose lobby was accepted and who have not been able to leave. */
const left = new Set<string>();

const dataDir = await mkdtemp(join(tmpdir(), 'muster-overload-'));
const env = { FLEET: 'simulated', LIMITS: 'off' };
const service = await startService({ port: 0, dataDir, devKeys: true, env });
const target = new Target(service.url, 'client_dev_key');
const operator = new Target(service.url, service.serverKey);

async function ask(method: string, path: string, player: string, body?: object): Promise<Asked> {
  const at = performance.now();
  const sent = body === undefined ? null : JSON.stringify(body);
  const status = await target.ask(method, path, player, sent).then(
    (reply) => reply.status,
    () => 0,
  );
  const done = { what: `${method} ${path}`, status, ms: performance.now() - at };
  asked.push(done);
  return done;
}

/** A pair without streams. Each request is sent once, however the one before it ended. */
async function pair(name: string): Promise<void> {
  const players = [`${name}-a`, `${name}-b`];
  await Promise.all(
    players.map(async (player) => {
      const state = { pair: name };
      if ((await ask('POST', PATH, player, { name: player, state })).status !== 201) {
        return;
      }
      left.add(player);
      await ask('POST', `${PATH}/me/matchmaking`, player, { mode: MODE });
      await sleep(200);
      if ((await ask('DELETE', `${PATH}/me`, player)).status === 200) {
        left.delete(player);
      }
    }),
  );
}

async function offered(rate: number, seconds: number): Promise<void> {
  const under: Promise<void>[] = [];
  const begun = performance.now();
  for (let index = 0; index < rate * seconds; index += 1) {
    const wait = begun + (index * 1_000) / rate - performance.now();
    if (wait > 0) {
      await sleep(wait);
    }
    under.push(pair(`over${index}`));
  }
  await Promise.all(under);
}

/** Pairs one after another, on a service that does nothing else. */
async function quiet(name: string): Promise<string> {
  const times: number[] = [];
  for (let index = 0; index < 40; index += 1) {
    times.push((await measurePair(target, `${name}${index}`)).latencyMs);
  }
  const { p50, p99 } = spread(times);
  return `p50 ${p50}, p99 ${p99} ms`;
}

try {
  const rules = [{ type: 'equals', field: 'pair' }];
  const modes = { [MODE]: { teams: 2, playersPerTeam: 1, timeout: 3_600, rules } };
  await operator.ok('PUT', `/lobby-configs/${CONFIG}`, 'operator', { matchmaking: { modes } });
  await quiet('warm');
  console.log(`a pair alone, before: ${await quiet('before')}`);
  const own = monitorEventLoopDelay();
  own.enable();
  await offered(RATE, SECONDS);
  own.disable();
  const ended = performance.now();
  // The generator shares the machine with the service, so its own delay is part of each figure.
  console.log(`the bench itself was p99 ${(own.percentile(99) / 1e6).toFixed(0)} ms late`);
  for (const [what, all] of Object.entries(Object.groupBy(asked, (each) => each.what))) {
    const times = (all ?? [])
      .filter(({ status }) => status > 0 && status < 300)
      .map(({ ms }) => ms);
    const refused = (all ?? []).filter(({ status }) => status === 503).length;
    const other = (all ?? []).length - times.length - refused;
    const { p50, p99 } = spread(times);
    console.log(
      `  ${what}: ${times.length} accepted (p50 ${p50}, p99 ${p99} ms), ${refused} refused, ${other} otherwise`,
    );
  }
  await sleep(Math.max(0, 5_000 - (performance.now() - ended)));
  console.log(`a pair alone, 5 s after the end: ${await quiet('after')}`);
  let lost = 0;
  let stuck = 0;
  for (const player of left) {
    const { status, text } = await target.ask('GET', `${PATH}/me`, player);
    lost += status === 200 ? 0 : 1;
    stuck += PASSING.some((name) => text.includes(`"status":"${name}"`)) ? 1 : 0;
  }
  console.log(`${left.size} lobbies whose leaving was refused: ${lost} lost, ${stuck} stuck`);
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
// Open keep-alive connections would keep this process alive.
process.exit(0);
