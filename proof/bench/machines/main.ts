// Two instances and a bucket: how fast they are beside a box, in turns; or what pairs of players see while the owner is
// killed again and again, or both instances are upgraded as docs/several-machines.md says.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../../agent/ports.ts';
import { bundle } from '../../../scripts/bundle.ts';
import { commandLine, given, number, word } from '../../../scripts/flags.ts';
import { mintKeys } from '../../../scripts/keys.ts';
import { startService } from '../../../scripts/service.ts';
import { startProxy } from '../../../test/support/proxies.ts';
import { WORKER } from '../keep.ts';
import { Target } from '../latency/http.ts';
import { offer, saveBenchConfig, spread } from '../latency/trial.ts';
import { newTally, playPair } from './pairs.ts';
import type { Place, Tally } from './pairs.ts';
import { ENV, startTwo } from './two.ts';
import type { Two } from './two.ts';

const { flags } = commandLine({
  command: 'npm run bench:machines --',
  about:
    'A box and two instances with a bucket in turns; or with --kills or --upgrades, what pairs see meanwhile.',
  flags: {
    rate: number(10, 'pairs a second'),
    seconds: number(20, 'how long a turn takes'),
    turns: number(3, 'turns of a box and of two instances'),
    delay: number(2, 'how long the simulated bucket takes to answer, ms'),
    real: given('the bucket of CLUSTER and AWS_* in place of a simulated one, below its prefix'),
    kills: number(0, 'how often the owner is killed, players having both addresses'),
    upgrades: number(
      0,
      'how often both are stopped and started one after the other, behind a proxy',
    ),
    proxy: word(
      'caddy',
      'that proxy: caddy, which looks whether they are ready, or nginx, which does not',
    ),
    worker: WORKER,
    next: word(null, 'with --upgrades: the bundle of the next version, made before'),
  },
});

const WARM_SECONDS = 3;
/** Between a start and the next blow, so that streams and proxies know of it. */
const SETTLE_MS = 3_000;
const LOOK_MS = 100;
/** Pairs that have just come. */
const UNDER_WAY = 3;
/** A proxy has to have seen one ready before the other may stop (docs/several-machines.md). */
const SEEN_MS = 5_000;

const keys = mintKeys('game');
const env = { ...ENV, API_KEYS: JSON.stringify(keys.entries) };
const folder = await mkdtemp(join(tmpdir(), 'muster-machines-'));
const worker = flags.worker ?? (await bundle());

function two(name: string): Promise<Two> {
  const { CLUSTER } = process.env;
  const real = flags.real ? { ...process.env, CLUSTER: `${CLUSTER}/${name}` } : null;
  return startTwo({ folder: join(folder, name), real, delayMs: flags.delay, worker, env });
}

/** From the second search until both are in the game, while pairs come at the rate. */
async function turn(url: string): Promise<ReturnType<typeof spread> & { readonly failed: number }> {
  await saveBenchConfig({ url, serverKey: keys.server });
  const target = new Target(url, keys.client);
  const { rate, seconds } = flags;
  await offer(target, { rate, seconds: WARM_SECONDS, name: 'warm' });
  const { timings, failures } = await offer(target, { rate, seconds, name: 'pair' });
  return { ...spread(timings.map(({ latencyMs }) => latencyMs)), failed: failures.length };
}

async function inTurns(): Promise<void> {
  const ratios: (readonly [p50: number, p99: number])[] = [];
  for (let count = 1; count <= flags.turns; count += 1) {
    const dataDir = join(folder, `box-${count}`);
    const box = await startService({ port: 0, dataDir, env, worker });
    const alone = await turn(box.url);
    await box.stop();
    const both = await two(`two-${count}`);
    const shared = await turn((await both.owner()).service.url);
    await both.end();
    const ratio = [shared.p50 / alone.p50, shared.p99 / alone.p99] as const;
    ratios.push(ratio);
    console.log(
      `turn ${count}, ${flags.rate} pairs/s: a box p50 ${alone.p50}, p99 ${alone.p99} ms (${alone.failed} failed); ` +
        `two with a ${flags.real ? 'real bucket' : `bucket at ${flags.delay} ms`} p50 ${shared.p50}, p99 ${shared.p99} ms (${shared.failed} failed); ${said(ratio)}`,
    );
  }
  const middle = (at: 0 | 1): number =>
    ratios.map((each) => each[at]).toSorted((a, b) => a - b)[ratios.length >> 1] ?? NaN;
  console.log(`medians: ${said([middle(0), middle(1)])}`);
}

function said([p50, p99]: readonly [number, number]): string {
  return `${p50.toFixed(2)} × p50, ${p99.toFixed(2)} × p99`;
}

/** Plays pairs at the rate until `work` ends, and until all of them have played. */
async function whilePlaying(place: Place, tally: Tally, work: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const under: Promise<void>[] = [];
  const playing = (async () => {
    for (let count = 0; !over.signal.aborted; count += 1) {
      under.push(playPair(place, `pair${count}`, tally));
      await sleep(1_000 / flags.rate);
    }
    await Promise.all(under);
  })();
  await work().finally(() => over.abort());
  await playing;
}

function report(tally: Tally): void {
  const { pairs, failed, lost, split, doubled } = tally;
  const [wait, call] = [spread(tally.waits), spread(tally.calls)];
  console.log(
    `${pairs} pairs: ${lost} lost, ${doubled} doubled, ${split} split; ${failed} of ${tally.calls.length + failed} calls failed; ` +
      `to the game p50 ${wait.p50}, p99 ${wait.p99}, max ${wait.max} ms; a call p50 ${call.p50}, p99 ${call.p99}, max ${call.max} ms`,
  );
  process.exitCode = lost + split + doubled > 0 ? 1 : 0;
}

async function killed(both: Two): Promise<Tally> {
  const tally = newTally((line) => console.log(line));
  const gaps: number[] = [];
  await saveBenchConfig({ url: (await both.owner()).service.url, serverKey: keys.server });
  await whilePlaying({ url: both.urls, key: keys.client }, tally, async () => {
    for (let kill = 1; kill <= flags.kills; kill += 1) {
      await sleep(SETTLE_MS);
      // Whoever came while nobody served has a game by then. Else the next blow would find an ever longer line, and some whose stream
      // is in a back-off of half a minute would never meet the service between two blows.
      while (tally.pairs - tally.over > UNDER_WAY) {
        await sleep(LOOK_MS);
      }
      const owner = await both.owner();
      tally.longestGapMs = 0;
      await both.strike(owner, 'kill');
      await both.owner();
      await sleep(SETTLE_MS);
      gaps.push(tally.longestGapMs);
      await both.startAgain(owner);
      console.log(
        `kill ${kill}: ${(tally.longestGapMs / 1_000).toFixed(1)} s without an acknowledged change; ` +
          `${tally.pairs} pairs, ${tally.lost} lost, ${tally.doubled} doubled, ${tally.split} split`,
      );
    }
  });
  const { p50, max } = spread(gaps);
  console.log(`gaps of ${flags.kills} kills: p50 ${p50}, max ${max} ms`);
  return tally;
}

async function upgraded(both: Two): Promise<Tally> {
  const tally = newTally((line) => console.log(line));
  const port = await freePort();
  const program = flags.proxy === 'nginx' ? 'nginx' : 'caddy';
  const end = await startProxy(program, { program, folder, port, instances: both.ports });
  const url = `http://127.0.0.1:${port}`;
  try {
    await saveBenchConfig({ url, serverKey: keys.server });
    await whilePlaying({ url, key: keys.client }, tally, async () => {
      await sleep(SETTLE_MS);
      for (let count = 1; count <= flags.upgrades; count += 1) {
        const bundleNow = count % 2 === 1 ? (flags.next ?? worker) : worker;
        const first = await both.owner();
        for (const each of [first, both.other(first)]) {
          await both.strike(each, 'stop');
          await both.startAgain(each, bundleNow);
          await sleep(SEEN_MS);
        }
        const { p99, max } = spread(tally.calls);
        console.log(
          `upgrade ${count}: ${tally.failed} of ${tally.calls.length} calls failed, p99 ${p99}, max ${max} ms`,
        );
      }
      await sleep(SETTLE_MS);
    });
  } finally {
    await end();
  }
  return tally;
}

try {
  if (flags.kills === 0 && flags.upgrades === 0) {
    await inTurns();
  } else {
    const both = await two('two');
    try {
      report(await (flags.kills > 0 ? killed(both) : upgraded(both)));
    } finally {
      await both.end();
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
// Open keep-alive connections would keep this process alive.
process.exit();
