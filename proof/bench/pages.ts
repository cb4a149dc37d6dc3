// What a match costs a bucket: a cluster ships whole pages of the database, so this counts the pages that each commit of a box
// writes, from the write-ahead log that the runtime itself keeps. `npm run bench:pages`

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DATABASE } from '../../scripts/database.ts';
import { commandLine, given, number } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import { Target } from './latency/http.ts';
import { offer, saveBenchConfig } from './latency/trial.ts';

const { flags } = commandLine({
  command: 'npm run bench:pages --',
  about: 'Pages of the database that a 1v1 writes, and commits, from the write-ahead log of a box.',
  flags: {
    rate: number(5, 'pairs a second'),
    seconds: number(10, 'how long'),
    rows: given('which rows the pages are written for'),
  },
});
/** Often enough that no log begins anew twice in between. */
const LOOK_MS = 50;

const HEAD = 32;
const FRAME_HEAD = 24;

interface Frame {
  readonly page: number;
  readonly isLast: boolean;
  readonly content: Buffer;
}

/** The frames of a log that are valid: those with its salt. */
function framesOf(log: Buffer, pageBytes: number): readonly Frame[] {
  const frames: Frame[] = [];
  const salt = log.subarray(16, 24);
  const size = FRAME_HEAD + pageBytes;
  for (let at = HEAD; at + size <= log.length; at += size) {
    if (!log.subarray(at + 8, at + 16).equals(salt)) {
      break;
    }
    frames.push({
      page: log.readUInt32BE(at),
      isLast: log.readUInt32BE(at + 4) !== 0,
      content: log.subarray(at + FRAME_HEAD, at + size),
    });
  }
  return frames;
}

const KINDS: Readonly<Record<number, string>> = { 2: 'inner', 5: 'inner', 10: 'leaf', 13: 'leaf' };

/** A varint of SQLite, and where it ends. */
function varint(page: Buffer, at: number): [number, number] {
  let value = 0;
  for (let index = 0; index < 8; index += 1) {
    const byte = page[at + index] ?? 0;
    value = value * 128 + (byte & 127);
    if (byte < 128) {
      return [value, at + index + 1];
    }
  }
  return [value, at + 9];
}

/** What lies in a leaf: each row's key, as text, and its bytes there. */
function cellsOf(page: Buffer): ReadonlyMap<string, string> {
  const cells = new Map<string, string>();
  const isTable = page[0] === 13;
  for (let index = 0; index < page.readUInt16BE(3); index += 1) {
    const begin = page.readUInt16BE(8 + 2 * index);
    const [payload, afterSize] = varint(page, begin);
    const at = isTable ? varint(page, afterSize)[1] : afterSize;
    const local = page.subarray(at, at + Math.min(payload, page.length - at));
    const text = /[a-z]+\|[^>\0]*>?[A-Za-z:]*/.exec(local.subarray(0, 300).toString('latin1'));
    const name = text?.[0] ?? `row of ${payload} bytes`;
    cells.set(`${name} ${payload > 1002 && !isTable ? 'long' : ''}`, local.toString('latin1'));
  }
  return cells;
}

/** Kinds of rows, without what tells one actor from another. */
function plain(key: string): string {
  return key.replace(/\|[^>]*/, '').replaceAll(/:.*? /g, ': ');
}

const counts = new Map<string, number>();
const known = new Map<number, Buffer>();

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function explain({ page, content }: Frame): void {
  const before = known.get(page);
  known.set(page, Buffer.from(content));
  const kind = page === 1 ? 'first page' : (KINDS[content[0] ?? 0] ?? 'overflow or free');
  if (kind !== 'leaf') {
    count(kind);
    return;
  }
  const old = before === undefined || KINDS[before[0] ?? 0] !== 'leaf' ? null : cellsOf(before);
  const cells = cellsOf(content);
  const changed = [...cells].filter(([key, bytes]) => old?.get(key) !== bytes).map(([key]) => key);
  const gone = [...(old?.keys() ?? [])].filter((key) => !cells.has(key));
  const named = [...changed.map(plain), ...gone.map((key) => `-${plain(key)}`)];
  count(`leaf: ${old === null ? 'new' : [...new Set(named)].toSorted().join(', ')}`);
}

const dataDir = await mkdtemp(join(tmpdir(), 'muster-pages-'));
const env = { FLEET: 'simulated', LIMITS: 'off' };
const service = await startService({ port: 0, dataDir, devKeys: true, env });
try {
  await saveBenchConfig(service);
  const target = new Target(service.url, 'client_dev_key');
  await offer(target, { rate: flags.rate, seconds: 2, name: 'warm' });
  await sleep(500);
  const file = `${join(dataDir, DATABASE)}-wal`;
  const pageBytes = readFileSync(file).readUInt32BE(8);
  let [salt, read] = ['', 0];
  let [pages, commits, largest, within] = [0, 0, 0, 0];
  const look = (isCounted: boolean): void => {
    const log = readFileSync(file);
    const now = log.subarray(16, 24).toString('hex');
    read = now === salt ? read : 0;
    salt = now;
    const frames = framesOf(log, pageBytes);
    for (const frame of isCounted ? frames.slice(read) : []) {
      explain(frame);
      pages += 1;
      within += 1;
      if (frame.isLast) {
        commits += 1;
        largest = Math.max(largest, within);
        within = 0;
      }
    }
    read = frames.length;
  };
  look(false);
  const looking = setInterval(() => look(true), LOOK_MS);
  const { rate, seconds } = flags;
  const { timings, failures } = await offer(target, { rate, seconds, name: 'pair' });
  await sleep(1_500);
  clearInterval(looking);
  look(true);
  const each = (value: number): number => Math.round((value / timings.length) * 10) / 10;
  const latencies = timings.map(({ latencyMs }) => latencyMs).toSorted((a, b) => a - b);
  console.log(
    JSON.stringify({
      rate,
      pairs: timings.length,
      failed: failures.length,
      pageBytes,
      pagesAPair: each(pages),
      commitsAPair: each(commits),
      kilobytesAPair: each((pages * pageBytes) / 1_000),
      largestCommitPages: largest,
      p50: Math.round(latencies[latencies.length >> 1] ?? 0),
    }),
  );
  if (flags.rows) {
    const all = [...counts].toSorted(([, a], [, b]) => b - a);
    all.forEach(([what, times]) => console.log(`${each(times).toFixed(1).padStart(6)}  ${what}`));
  }
} finally {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
// Open keep-alive connections would keep this process alive.
process.exit(0);
