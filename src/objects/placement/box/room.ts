// The room that a box sets aside in its database for when the disk is full: free pages, so that rows can be written
// without growing the file, and a write-ahead log that already has its full length. Both come from rows that are
// written and deleted again while there is room.

import { disk, SET_ASIDE } from '../../kit/disk';

const PREFIX = 'set aside|';
/** Size of such a row. All other work waits for its commit. */
const ROW_BYTES = 2 ** 18;
/** The most random bytes that the platform makes at once. */
const RANDOM_BYTES = 2 ** 16;

export class Room {
  readonly #storage: DurableObjectStorage;
  #isMaking = false;
  /** Whether this object set the room aside. A database that was closed has lost its log. */
  #wasMade = false;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Call after the disk was measured. */
  async look(): Promise<void> {
    disk.holds(this.#storage.sql.databaseSize);
    if (disk.isShort && !this.#wasMade) {
      // A process that died in the middle of making room left these rows.
      this.#clear();
    }
    const lacks = !this.#wasMade || (disk.setAside ?? SET_ASIDE) < SET_ASIDE / 2;
    if (lacks && !this.#isMaking && disk.hasRoomFor(2 * SET_ASIDE)) {
      this.#isMaking = true;
      await this.#make().finally(() => (this.#isMaking = false));
      this.#wasMade = true;
    }
  }

  async #make(): Promise<void> {
    for (let made = 0; made < SET_ASIDE; made += ROW_BYTES) {
      this.#storage.kv.put(`${PREFIX}${made}`, filler());
      // The first time, all rows go into one commit, which makes the log longer than it would become by itself.
      if (this.#wasMade) {
        await this.#storage.sync();
      }
    }
    await this.#storage.sync();
    this.#clear();
  }

  #clear(): void {
    for (const [key] of this.#storage.kv.list({ prefix: PREFIX })) {
      this.#storage.kv.delete(key);
    }
  }
}

/** Random bytes, because some file systems keep no room for zeros. */
function filler(): Uint8Array {
  const bytes = new Uint8Array(ROW_BYTES);
  for (let at = 0; at < ROW_BYTES; at += RANDOM_BYTES) {
    crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES));
  }
  return bytes;
}
