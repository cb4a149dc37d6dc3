// One trial: a fresh service, pairs that come at a steady rate whether or not earlier ones have been served, and what
// that cost.

import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { startService } from '../../../scripts/service.ts';
import type { Placement } from '../../../scripts/service.ts';
import { cpuMs, diskSyncs } from '../cpu.ts';
import { startFloor } from '../floor/start.ts';
import { Target } from './http.ts';
import { block, CONFIG, measurePair, MODE } from './pair.ts';
import type { Timing } from './pair.ts';

export interface TrialOptions {
  /** Pairs a second. */
  readonly rate: number;
  readonly seconds: number;
  /** Lobbies that are queued all the time and fit nobody. */
  readonly blocked: number;
  /** The bundle. Absent: it is made. */
  readonly worker?: string;
  /** The service's placement. The floor always has one object. */
  readonly placement?: Placement;
  /** Where the data folder is made. Absent: in the folder for temporary files. */
  readonly data?: string;
  /** Further settings of the service. */
  readonly env?: Readonly<Record<string, string>>;
  readonly tell?: (line: string) => void;
}

/** All times in milliseconds. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface Trial {
  readonly rate: number;
  readonly seconds: number;
  readonly blocked: number;
  readonly pairs: number;
  readonly failed: number;
  /** The reason of the first failure. */
  readonly failure: string | null;
  /** From the second player's request to queue until both players saw `in_game`. */
  readonly inGame: Spread;
  readonly matched: Spread;
  readonly create: Spread;
  readonly connect: Spread;
  readonly queue: Spread;
  /** Processor time of the service for everything a pair does: two lobbies, two streams, match, launch, leaving. */
  readonly cpuMsPerMatch: number;
  /** The part of it that the kernel spent on files and sockets. */
  readonly kernelMsPerMatch: number;
  /** Flushes of the disk, by everything that runs on the machine. */
  readonly syncsPerMatch: number;
  /** Processor time of the service divided by wall time. 1 is one core. */
  readonly serviceCores: number;
  readonly generatorCores: number;
  /** Duration of one fsync of 4 KiB on the disk with the data. The service makes many for each match. */
  readonly diskSync: Spread;
  /** How late the generator itself was, which must be far below what it measures. */
  readonly generatorLag: Spread;
}

const WARM_UP_SECONDS = 2;
/** How many of the lobbies that fit nobody are created at once. */
const FOUNDERS = 16;

/** The same on the floor: a bare worker with the same requests, hops and durable writes. */
export async function runFloor(options: TrialOptions): Promise<Trial> {
  const dataDir = await mkdtemp(join(options.data ?? tmpdir(), 'muster-floor-'));
  const diskSync = await syncTimes(dataDir);
  const floor = await startFloor(dataDir);
  try {
    return { ...(await measure(floor, { ...options, tell: () => undefined })), diskSync };
  } finally {
    await floor.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

export async function runTrial(options: TrialOptions): Promise<Trial> {
  const dataDir = await mkdtemp(join(options.data ?? tmpdir(), 'muster-latency-'));
  const diskSync = await syncTimes(dataDir);
  const service = await startService({
    port: 0,
    dataDir,
    devKeys: true,
    env: { FLEET: 'simulated', LIMITS: 'off', ...options.env },
    ...(options.worker === undefined ? {} : { worker: options.worker }),
    ...(options.placement === undefined ? {} : { placement: options.placement }),
  });
  try {
    return { ...(await measure(service, options)), diskSync };
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

type Measured = Omit<Trial, 'diskSync'>;

interface Subject {
  readonly url: string;
  readonly serverKey: string;
  readonly pid: number;
}

/** The config of `measurePair`. Only the two lobbies of a pair fit each other. */
export async function saveBenchConfig(subject: Omit<Subject, 'pid'>): Promise<void> {
  const operator = new Target(subject.url, subject.serverKey);
  const rules = [{ type: 'equals', field: 'pair' }];
  const modes = { [MODE]: { teams: 2, playersPerTeam: 1, timeout: 3_600, rules } };
  const config = { timeout: 24 * 3_600, matchmaking: { modes } };
  await operator.ok('PUT', `/lobby-configs/${CONFIG}`, 'operator', config);
}

async function measure(service: Subject, options: TrialOptions): Promise<Measured> {
  const { rate, seconds, blocked, tell = () => undefined } = options;
  await saveBenchConfig(service);
  const target = new Target(service.url, 'client_dev_key');
  if (blocked > 0) {
    const begun = performance.now();
    await blockMany(target, blocked);
    tell(`${blocked} lobbies queued that fit nobody, in ${seconds3(performance.now() - begun)} s`);
  }
  await offer(target, { rate, seconds: WARM_UP_SECONDS, name: 'warm' });
  const lag = monitorEventLoopDelay({ resolution: 2 });
  lag.enable();
  const before = {
    syncs: await diskSyncs(),
    cpu: await cpuMs(service.pid),
    own: process.cpuUsage(),
    at: performance.now(),
  };
  const { timings, failures } = await offer(target, { rate, seconds, name: 'pair' });
  const wall = performance.now() - before.at;
  const after = await cpuMs(service.pid);
  const cpu = after.all - before.cpu.all;
  const kernel = after.kernel - before.cpu.kernel;
  const own = process.cpuUsage(before.own);
  lag.disable();
  const of = (pick: (timing: Timing) => number): Spread => spread(timings.map(pick));
  return {
    rate,
    seconds,
    blocked,
    pairs: timings.length,
    failed: failures.length,
    failure: failures[0] ?? null,
    inGame: of(({ latencyMs }) => latencyMs),
    matched: of(({ matchedMs }) => matchedMs),
    create: of(({ createMs }) => createMs),
    connect: of(({ connectMs }) => connectMs),
    queue: of(({ queueMs }) => queueMs),
    cpuMsPerMatch: tenths(cpu / Math.max(1, timings.length)),
    kernelMsPerMatch: tenths(kernel / Math.max(1, timings.length)),
    syncsPerMatch: tenths(((await diskSyncs()) - before.syncs) / Math.max(1, timings.length)),
    serviceCores: hundredths(cpu / wall),
    generatorCores: hundredths((own.user + own.system) / 1_000 / wall),
    generatorLag: {
      p50: tenths(Math.max(0, lag.percentile(50) / 1e6 - 2)),
      p99: tenths(Math.max(0, lag.percentile(99) / 1e6 - 2)),
      max: tenths(Math.max(0, lag.max / 1e6 - 2)),
    },
  };
}

export interface Offer {
  readonly rate: number;
  readonly seconds: number;
  readonly name: string;
}

/** Starts each pair at its own instant, whatever happens to the others. Resolves when all have ended. */
export async function offer(
  target: Target,
  { rate, seconds, name }: Offer,
): Promise<{ readonly timings: readonly Timing[]; readonly failures: readonly string[] }> {
  const timings: Timing[] = [];
  const failures: string[] = [];
  const under: Promise<void>[] = [];
  const begun = performance.now();
  const count = Math.round(rate * seconds);
  for (let index = 0; index < count; index += 1) {
    const wait = begun + (index * 1_000) / rate - performance.now();
    if (wait > 0) {
      await sleep(wait);
    }
    under.push(
      measurePair(target, `${name}${index}`).then(
        (timing) => void timings.push(timing),
        (error: unknown) => void failures.push(String(error)),
      ),
    );
  }
  await Promise.all(under);
  return { timings, failures };
}

async function blockMany(target: Target, count: number): Promise<void> {
  let next = 0;
  const founder = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await block(target, `blocked${next}`);
    }
  };
  await Promise.all(Array.from({ length: FOUNDERS }, founder));
}

const SYNCS = 100;

async function syncTimes(dataDir: string): Promise<Spread> {
  const file = await open(join(dataDir, 'sync'), 'w');
  const page = Buffer.alloc(4_096);
  const times: number[] = [];
  try {
    for (let count = 0; count < SYNCS; count += 1) {
      const begun = performance.now();
      await file.write(page);
      await file.sync();
      times.push(performance.now() - begun);
    }
  } finally {
    await file.close();
  }
  return spread(times);
}

export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (part: number): number =>
    tenths(sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? 0);
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

function seconds3(ms: number): string {
  return (ms / 1_000).toFixed(1);
}
