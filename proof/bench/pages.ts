// What a match costs a bucket: a cluster ships whole pages of the database, so this counts the pages that each commit of a box
// writes, from the write-ahead log that the runtime itself keeps. `npm run bench:pages`

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import { DATABASE } from '../../scripts/database.ts';
import { freePort } from '../../agent/ports.ts';
import { clusterOf } from '../../scripts/cluster.ts';
import { commandLine, given, number, word } from '../../scripts/flags.ts';
import { startService } from '../../scripts/service.ts';
import { Target } from './latency/http.ts';
import { offer, saveBenchConfig } from './latency/trial.ts';
import { startBucket } from '../torture/s3.ts';

const { flags } = commandLine({
  command: 'npm run bench:pages --',
  about: 'Pages of the database that a 1v1 writes, and commits, from the write-ahead log of a box.',
  flags: {
    rate: number(5, 'pairs a second'),
    seconds: number(10, 'how long'),
    bucket: given('as one instance of a cluster, with a simulated bucket: what it is sent'),
    delay: number(2, 'how long the bucket takes to answer, ms'),
    worker: word(null, 'a bundle that was made before'),
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

/** Longer rows of an index have the rest on pages of their own. */
const LONG = 1_002;

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

/** What lies on a page, by its first row. */
function kindOf({ page, content }: Frame): string {
  if (page === 1) {
    return 'first page';
  }
  if (content[0] === 2 || content[0] === 5) {
    return 'inner';
  }
  if (content[0] !== 10 || content.readUInt16BE(3) === 0) {
    return content[0] === 10 || content[0] === 13 ? 'other' : 'long rows, or free';
  }
  const [payload, at] = varint(content, content.readUInt16BE(8));
  const text = content.subarray(at, at + Math.min(payload, LONG)).toString('latin1');
  // The type of a record's first column: texts are odd, from 13 on.
  const [first] = varint(content, at + 1);
  return text.includes('>') ? 'rows' : first < 13 ? 'alarms by time' : 'alarms';
}

const counts = new Map<string, [pages: number, deflated: number]>();

function explain(frame: Frame): void {
  const kind = kindOf(frame);
  const [pages, deflated] = counts.get(kind) ?? [0, 0];
  counts.set(kind, [pages + 1, deflated + deflateSync(frame.content).length]);
}

const dataDir = await mkdtemp(join(tmpdir(), 'muster-pages-'));
const env = { FLEET: 'simulated', LIMITS: 'off' };
const stored = flags.bucket ? await startBucket() : null;
if (stored !== null) {
  stored.bucket.delayMs = flags.delay;
}
const cluster =
  stored === null
    ? undefined
    : (clusterOf({
        CLUSTER: 's3://bench/pages',
        CLUSTER_ADDRESS: `127.0.0.1:${await freePort()}`,
        CLUSTER_KEY: 'a key of at least thirty-two bytes',
        ...stored.access,
      }) ?? undefined);
const worker = flags.worker === null ? {} : { worker: flags.worker };
const service = await startService({ port: 0, dataDir, devKeys: true, env, cluster, ...worker });
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
  const sentBefore = { ...stored?.bucket.counts };
  const { timings, failures } = await offer(target, { rate, seconds, name: 'pair' });
  await sleep(1_500);
  clearInterval(looking);
  look(true);
  const each = (value: number): number => Math.round((value / timings.length) * 10) / 10;
  const { bytesUp = 0, puts = 0 } = stored?.bucket.counts ?? {};
  const sent = stored && {
    sentKilobytesAPair: each((bytesUp - (sentBefore.bytesUp ?? 0)) / 1_000),
    putsAPair: each(puts - (sentBefore.puts ?? 0)),
  };
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
      ...sent,
      p50: Math.round(latencies[latencies.length >> 1] ?? 0),
    }),
  );
  for (const [kind, [times, deflated]] of counts) {
    console.log(`${kind}: ${each(times)} pages a pair, ${each(deflated / 1_000)} KB deflated`);
  }
} finally {
  await service.stop();
  await stored?.close();
  await rm(dataDir, { recursive: true, force: true });
}
// Open keep-alive connections would keep this process alive.
process.exit(0);
