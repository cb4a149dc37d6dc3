// A box was down for longer than it keeps ended lobbies and matches, so everything is due at once after the start.
// How long do requests wait meanwhile? Instead of waiting for hours, the bench moves every alarm back before the
// start, and the started service keeps things only for seconds.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';

import { DATABASE } from '../../scripts/database.ts';
import { commandLine, number } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import { DATA, keep, KEEPING } from './keep.ts';
import { Target } from './latency/http.ts';
import { CONFIG } from './latency/pair.ts';
import { offer, saveBenchConfig, spread } from './latency/trial.ts';

const { flags } = commandLine({
  command: 'npm run bench:downtime --',
  about: 'A start after a long downtime: how long do requests wait while all that ended is due?',
  flags: {
    matches: number(9_000, 'matches that were played before it'),
    rate: number(30, 'pairs a second that play them'),
    seconds: number(120, 'how long requests are sent after the start, at most'),
    data: DATA,
    ...KEEPING,
  },
});
const DOWN_MS = 48 * 3_600_000;
/** Interval between requests, whether or not earlier ones have been answered. */
const EVERY_MS = 25;
const PATH = `/lobbies/${CONFIG}`;

const dataDir = await mkdtemp(join(flags.data ?? tmpdir(), 'muster-downtime-'));
const env = { FLEET: 'simulated', LIMITS: 'off' };

function inDatabase<T>(readOnly: boolean, act: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(dataDir, DATABASE), { readOnly });
  try {
    return act(database);
  } finally {
    database.close();
  }
}

function overdue(): number {
  return inDatabase(true, (database) => {
    const row = database
      .prepare('SELECT count(*) AS due FROM alarms WHERE at <= ?')
      .get(Date.now());
    return Number(row?.['due']);
  });
}

/** Reads and creates in turn while `goesOn`, which is asked once a second, returns true. */
async function requests(target: Target, name: string, goesOn: (ms: number) => boolean) {
  const times = { read: [] as number[], create: [] as number[] };
  const failures: string[] = [];
  const under: Promise<void>[] = [];
  const begun = performance.now();
  for (let index = 0; index % 40 !== 0 || goesOn(performance.now() - begun); index += 1) {
    const player = `${name}${index}`;
    const what = index % 2 === 0 ? 'read' : 'create';
    const asked = performance.now();
    const asking =
      what === 'read'
        ? target.ok('GET', `${PATH}?limit=10`, player)
        : target.ok('POST', PATH, player, { name: 'den' });
    under.push(
      asking.then(
        () => void times[what].push(performance.now() - asked),
        (error: unknown) => void failures.push(String(error)),
      ),
    );
    await sleep(EVERY_MS);
  }
  const ms = Math.round(performance.now() - begun);
  await Promise.all(under);
  return {
    ms,
    over250Ms: [...times.read, ...times.create].filter((each) => each > 250).length,
    read: spread(times.read),
    create: spread(times.create),
    failed: failures.length,
    failure: failures[0] ?? null,
  };
}

let service = await startService({ port: 0, dataDir, devKeys: true, env });
try {
  await saveBenchConfig(service);
  const { rate, matches } = flags;
  const played = await offer(new Target(service.url, 'client_dev_key'), {
    rate,
    seconds: matches / rate,
    name: 'before',
  });
  await service.stop();
  inDatabase(false, (database) => database.exec(`UPDATE alarms SET at = at - ${DOWN_MS}`));
  const due = overdue();
  const begun = performance.now();
  const settings = { ...env, JOURNAL_HOURS: '0.001' };
  service = await startService({ port: 0, dataDir, devKeys: true, env: settings });
  const startMs = Math.round(performance.now() - begun);
  const target = new Target(service.url, 'client_dev_key');
  const most = flags.seconds * 1_000;
  let left = due;
  const meanwhile = await requests(target, 'meanwhile', (ms) => {
    left = overdue();
    return left > 0 && ms < most;
  });
  // The delay of requests on this machine when nothing is due.
  const afterwards = await requests(target, 'afterwards', (ms) => ms < meanwhile.ms);
  const told = {
    matches: played.timings.length,
    due,
    startMs,
    stillDue: left,
    meanwhile,
    afterwards,
  };
  console.log(JSON.stringify(told));
  await keep(flags, 'downtime.json', told);
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
// Open keep-alive connections would keep this process alive.
process.exit(0);
