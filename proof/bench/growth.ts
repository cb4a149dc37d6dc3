// What requests, memory and a start cost a box with many lobbies, half of them in a queue where nobody ever fits
// them, and each with an alarm. No cost may grow faster than the number of lobbies.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, word } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';
import { cpuMs, folderKiB, memoryMiB } from './cpu.ts';
import { DATA, keep, keepChart, KEEPING } from './keep.ts';
import { Target } from './latency/http.ts';
import { spread } from './latency/trial.ts';
import { lines, type Panel } from './lines.ts';

const { flags } = commandLine({
  command: 'npm run bench:growth --',
  about: 'What a request, memory and a start cost a box by the lobbies it holds.',
  flags: { sizes: word('1000,10000,100000', 'lobbies, one run each'), data: DATA, ...KEEPING },
});
const SIZES = flags.sizes.split(',').map(Number);
const AT_ONCE = 32;
/** Number of requests behind each figure. */
const SAMPLE = 1_000;
const PATH = '/lobbies/growth';

/** Processor time of the service and the duration of each of `count` requests. */
async function timed(
  service: Service,
  count: number,
  ask: (index: number) => Promise<unknown>,
): Promise<{ readonly cpuMs: number; readonly p50: number; readonly p99: number }> {
  const before = (await cpuMs(service.pid)).all;
  const times: number[] = [];
  let next = 0;
  const asking = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const begun = performance.now();
      await ask(next);
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, asking));
  const cpu = (await cpuMs(service.pid)).all - before;
  const { p50, p99 } = spread(times);
  return { cpuMs: Math.round((cpu / count) * 100) / 100, p50, p99 };
}

async function measured(size: number): Promise<Readonly<Record<string, number>>> {
  const dataDir = await mkdtemp(join(flags.data ?? tmpdir(), 'muster-growth-'));
  const env = { FLEET: 'simulated', LIMITS: 'off' };
  let service = await startService({ port: 0, dataDir, devKeys: true, env });
  try {
    const operator = new Target(service.url, service.serverKey);
    const rules = [{ type: 'equals', field: 'own' }];
    const modes = { far: { teams: 2, playersPerTeam: 1, timeout: 24 * 3_600, rules } };
    await operator.ok('PUT', '/lobby-configs/growth', 'operator', {
      timeout: 24 * 3_600,
      inviteCodeConfig: { type: 'alphanumeric', length: 8 },
      matchmaking: { modes },
    });
    let target = new Target(service.url, 'client_dev_key');
    const create = (index: number): Promise<void> =>
      target.patiently('POST', PATH, `p${index}`, { name: 'den', state: { own: `p${index}` } });
    const enter = (index: number): Promise<void> =>
      target.patiently('POST', `${PATH}/me/matchmaking`, `p${index}`, { mode: 'far' });
    const begun = performance.now();
    await timed(service, size - SAMPLE, create);
    const created = await timed(service, SAMPLE, (index) => create(size - SAMPLE + index));
    const createSeconds = (performance.now() - begun) / 1_000;
    const half = Math.floor(size / 2);
    await timed(service, half - SAMPLE / 2, enter);
    const entered = await timed(service, SAMPLE / 2, (index) => enter(half - SAMPLE / 2 + index));
    const read = await timed(service, SAMPLE, (index) =>
      target.ok('GET', `${PATH}/me`, `p${size + 1 - index}`),
    );
    const memory = await memoryMiB(service.pid);
    const onDisk = Math.round((await folderKiB(join(dataDir, 'storage'))) / 1024);
    await service.stop();
    const stopped = performance.now();
    service = await startService({ port: 0, dataDir, devKeys: true, env });
    target = new Target(service.url, 'client_dev_key');
    await target.ok('GET', `${PATH}/me`, `p${size}`);
    const startMs = Math.round(performance.now() - stopped);
    const pauses: number[] = [];
    for (let index = 0; index < 200; index += 1) {
      const asked = performance.now();
      await target.ok('GET', `${PATH}/me`, `p${size - index}`);
      pauses.push(performance.now() - asked);
    }
    return {
      size,
      createCpuMs: created.cpuMs,
      createP99Ms: created.p99,
      createsASecond: Math.round(size / createSeconds),
      enterCpuMs: entered.cpuMs,
      readCpuMs: read.cpuMs,
      memoryMiB: memory,
      onDiskMiB: onDisk,
      startMs,
      longestReadAfterStartMs: Math.round(Math.max(...pauses)),
    };
  } finally {
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const rows: Readonly<Record<string, number>>[] = [];
for (const size of SIZES) {
  const row = await measured(size);
  rows.push(row);
  console.log(
    Object.entries(row)
      .map(([name, value]) => `${name} ${value}`)
      .join(', '),
  );
}
await keep(flags, 'growth.json', rows);
const panel = (name: string, key: string): Panel => ({
  name,
  values: rows.map((row) => row[key] ?? 0),
});
await keepChart(flags, 'bench-growth.svg', () =>
  lines({
    title: 'A box by the lobbies it holds, half of them queued (logarithmic)',
    xs: SIZES,
    scale: 'logarithmic',
    nameOf: (size) => size.toLocaleString('en-US'),
    panels: [
      panel('create, ms of processor', 'createCpuMs'),
      panel('enter, ms of processor', 'enterCpuMs'),
      panel('read, ms of processor', 'readCpuMs'),
      panel('memory, MiB', 'memoryMiB'),
      panel('start, ms until the first answer', 'startMs'),
      panel('longest read after a start, ms', 'longestReadAfterStartMs'),
    ],
  }),
);
// Open keep-alive connections would keep this process alive.
process.exit(0);
