// Requests a second and processor time of each endpoint, with its floor beside it: a bare worker on the same runtime
// and disk, in the same run, which takes the same request, makes the same hop and as many durable writes.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, number } from '../../../scripts/flags.ts';
import { startService } from '../../../scripts/service.ts';
import { cpuMs, diskSyncs } from '../cpu.ts';
import { startFloor } from '../floor/start.ts';
import { keep, KEEPING, PLACEMENT } from '../keep.ts';
import { Target } from '../latency/http.ts';
import type { Reply } from '../latency/http.ts';

const { flags } = commandLine({
  command: 'npm run bench:requests --',
  about: 'Requests a second and processor time of each endpoint, with its floor in brackets.',
  flags: {
    requests: number(3_000, 'requests of each endpoint'),
    at: number(16, 'requests at once'),
    placement: PLACEMENT,
    ...KEEPING,
  },
});
const REQUESTS = flags.requests;
const AT_ONCE = flags.at;

type Ask = (target: Target, index: number) => Promise<Reply>;

const body = (value: object): string => JSON.stringify(value);
const some = (index: number): string => `member${index % AT_ONCE}`;

/** In this order, because the lobbies that the first endpoints create are left by the later ones. */
const ENDPOINTS: Readonly<Record<string, Ask>> = {
  'GET me': (target, index) => target.ask('GET', '/lobbies/rate/me', some(index)),
  'PATCH me': (target, index) =>
    target.ask('PATCH', '/lobbies/rate/me', some(index), body({ state: { index } })),
  heartbeat: (target, index) => target.ask('POST', '/lobbies/rate/me/heartbeat', some(index)),
  browse: (target) => target.ask('GET', '/lobbies/rate?limit=10', 'anyone'),
  create: (target, index) =>
    target.ask('POST', '/lobbies/rates', `p${index}`, body({ name: 'den', maxPlayers: 2 })),
  queue: (target, index) =>
    target.ask('POST', '/lobbies/rates/me/matchmaking', `p${index}`, body({ mode: 'far' })),
  cancel: (target, index) => target.ask('DELETE', '/lobbies/rates/me/matchmaking', `p${index}`),
  leave: (target, index) => target.ask('DELETE', '/lobbies/rates/me', `p${index}`),
};

interface Figure {
  readonly perSecond: number;
  readonly cpuMs: number;
  /** Flushes of the disk for each request. Requests that wait at the same time share one flush. */
  readonly syncs: number;
}

interface Subject {
  readonly url: string;
  readonly serverKey: string;
  readonly pid: number;
}

async function measured(subject: Subject): Promise<ReadonlyMap<string, Figure>> {
  const operator = new Target(subject.url, subject.serverKey);
  const rules = [
    { type: 'equals', field: 'nobody' },
    { type: 'not_equals', field: 'nobody' },
  ];
  const modes = { far: { teams: 2, playersPerTeam: 1, timeout: 3_600, rules } };
  await operator.ok('PUT', '/lobby-configs/rates', 'operator', {
    inviteCodeConfig: { type: 'alphanumeric', length: 8 },
    matchmaking: { modes },
  });
  const target = new Target(subject.url, 'client_dev_key');
  for (let index = 0; index < AT_ONCE; index += 1) {
    await target.ok('POST', '/lobbies/rate', some(index), { name: 'den' });
  }
  const figures = new Map<string, Figure>();
  for (const [name, ask] of Object.entries(ENDPOINTS)) {
    const before = {
      cpu: await cpuMs(subject.pid),
      syncs: await diskSyncs(),
      at: performance.now(),
    };
    let next = 0;
    const asking = async (): Promise<void> => {
      while (next < REQUESTS) {
        next += 1;
        const { status, text } = await ask(target, next);
        if (status >= 300) {
          throw new Error(`${name} answered ${status} ${text}`);
        }
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, asking));
    const seconds = (performance.now() - before.at) / 1_000;
    const cpu = (await cpuMs(subject.pid)).all - before.cpu.all;
    const syncs = (await diskSyncs()) - before.syncs;
    const perSecond = Math.round(REQUESTS / seconds);
    figures.set(name, { perSecond, cpuMs: cpu / REQUESTS, syncs: syncs / REQUESTS });
  }
  return figures;
}

async function withFolder<T>(run: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-requests-'));
  try {
    return await run(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

const ofService = (): Promise<ReadonlyMap<string, Figure>> =>
  withFolder(async (dataDir) => {
    const env = { FLEET: 'simulated', LIMITS: 'off' };
    const { placement } = flags;
    const service = await startService({ port: 0, dataDir, devKeys: true, env, placement });
    try {
      return await measured(service);
    } finally {
      await service.stop();
    }
  });

const ofFloor = (): Promise<ReadonlyMap<string, Figure>> =>
  withFolder(async (dataDir) => {
    const floor = await startFloor(dataDir);
    try {
      return await measured(floor);
    } finally {
      await floor.stop();
    }
  });

const service = await ofService();
const floor = await ofFloor();
const rows = [...service].map(([name, figure]) => {
  const under = floor.get(name) ?? { perSecond: 0, cpuMs: 0, syncs: 0 };
  return { name, ...figure, floorPerSecond: under.perSecond, floorCpuMs: under.cpuMs };
});
console.log(`${REQUESTS} requests each, ${AT_ONCE} at once, ${flags.placement}`);
for (const { name, perSecond, cpuMs: cpu, syncs, floorPerSecond, floorCpuMs } of rows) {
  const part = (floorCpuMs / cpu).toFixed(2);
  console.log(
    `  ${name.padEnd(10)} ${String(perSecond).padStart(6)} [${floorPerSecond}] a second, ${cpu.toFixed(2)} [${floorCpuMs.toFixed(2)}] ms of CPU: ${part} of the floor, ${syncs.toFixed(2)} syncs`,
  );
}
await keep(flags, `requests-${flags.placement}-${AT_ONCE}.json`, {
  requests: REQUESTS,
  atOnce: AT_ONCE,
  rows,
});
// Open keep-alive connections would keep this process alive.
process.exit(0);
