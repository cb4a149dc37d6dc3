// Watches the disk that the data of a box lies on, and tells the service how full it is: a Worker cannot look
// (src/objects/kit/disk.ts).

import { stat, statfs } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** A disk can fill within a second. */
const LOOK_MS = 250;
/** The service is told so often also when nothing has changed: it makes its object anew if that has ended. */
const TELL_MS = 10_000;
const ANSWER_MS = 5_000;
/** With less than this share free, each change is told; */
const TIGHT = 1 / 10;
/** otherwise one that is larger than this. */
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

/** Settled when the service was told for the first time; goes on until `over`. Never rejects. */
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
  // The service may be ending, or too busy to answer: it is told at the next look.
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
