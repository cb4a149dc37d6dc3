// Watches the disk with the data of a box and reports to the service how full it is, because a Worker cannot
// measure it (src/objects/kit/disk.ts).

import { stat, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often the disk is measured. A disk can fill within a second. */
const LOOK_MS = 250;
/**
 * How often the service gets a report without a change. A report recreates the service's object if that has ended.
 */
const TELL_MS = 10_000;
const ANSWER_MS = 5_000;
/** If less than this share is free, each change is reported. */
const TIGHT = 1 / 10;
/** Otherwise only changes above this share are. */
const NEWS = 1 / 100;

export interface Watched {
  readonly url: string;
  /** STARTER_KEY of the service. */
  readonly key: string;
  /** The file of the database. */
  readonly database: string;
  /** Any path on the disk. */
  readonly folder: string;
}

/** In bytes: DiskReading in src/objects/kit/disk.ts. */
interface Seen {
  readonly total: number;
  readonly free: number;
  readonly database: number;
  readonly log: number;
}

/** Resolves after the first report, and watches until `over`. Never rejects. */
export async function watchDisk(watched: Watched, over: AbortSignal): Promise<void> {
  let told: Seen | null = null;
  let toldAt = -Infinity;
  const look = async (): Promise<void> => {
    const seen = await seenNow(watched);
    const isDue = performance.now() - toldAt > TELL_MS;
    if (told === null || isDue || isNews(told, seen)) {
      await tell(watched, seen);
      told = seen;
      toldAt = performance.now();
    }
  };
  // The service may be ending, or too busy to answer. The next measurement is reported again.
  const lookAgain = async (): Promise<void> => {
    while (!over.aborted) {
      await sleep(LOOK_MS, undefined, { signal: over, ref: false }).catch(() => undefined);
      await look().catch(() => undefined);
    }
  };
  await look().catch(() => undefined);
  void lookAgain();
}

async function seenNow({ folder, database }: Watched): Promise<Seen> {
  const { bsize, blocks, bfree, bavail } = await statfs(folder);
  return {
    total: (blocks - (bfree - bavail)) * bsize,
    free: bavail * bsize,
    database: await sizeOf(database),
    log: await sizeOf(`${database}-wal`),
  };
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

function isNews(told: Seen, seen: Seen): boolean {
  const changed = Math.abs(seen.free - told.free);
  const isTight = Math.min(told.free, seen.free) < seen.total * TIGHT;
  return (
    seen.database !== told.database ||
    (isTight ? changed > 0 || seen.log !== told.log : changed > seen.total * NEWS)
  );
}

async function tell({ url, key }: Watched, seen: Seen): Promise<void> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'x-starter-key': key },
    body: JSON.stringify(seen),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  await answer.body?.cancel();
}
