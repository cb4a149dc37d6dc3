// What a box does with its one database beside the rows of its actors: the table of their alarms, the room that is set
// aside for when the disk is full, and the reason why a row cannot be read.

import { damageSeen, isInternal } from '../../../common/storage-error';
import { disk, SET_ASIDE } from '../../kit/disk';
import { writing } from '../platform';
import type { AlarmRows } from './ground';

/** The alarms of all actors, with an index by time. `refused`: a write was refused. `wake` sets the object's alarm. */
export function alarmTable(
  { sql }: DurableObjectStorage,
  wake: AlarmRows['wake'],
  refused: () => void,
): AlarmRows {
  sql.exec(
    'CREATE TABLE IF NOT EXISTS alarms (actor TEXT PRIMARY KEY, at INTEGER NOT NULL) WITHOUT ROWID',
  );
  sql.exec('CREATE INDEX IF NOT EXISTS alarms_by_time ON alarms (at)');
  return {
    put: (actor, at) => {
      const set = 'INSERT INTO alarms VALUES (?1, ?2) ON CONFLICT (actor) DO UPDATE SET at = ?2';
      writing(() => sql.exec(set, actor, at), refused);
    },
    delete: (actor) => {
      writing(() => sql.exec('DELETE FROM alarms WHERE actor = ?', actor), refused);
    },
    due: (now, limit, first) => {
      const order = first === 'oldest' ? 'ASC' : 'DESC';
      const due = `SELECT actor FROM alarms WHERE at <= ? ORDER BY at ${order} LIMIT ?`;
      return Array.from(sql.exec<{ actor: string }>(due, now, limit), ({ actor }) => actor);
    },
    earliest: () => sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM alarms').one().at,
    wake,
  };
}

const PREFIX = 'set aside|';
/** Size of a row that makes room. All other work waits for its commit. */
const ROW_BYTES = 2 ** 18;
/** The most random bytes that the platform makes at once. */
const RANDOM_BYTES = 2 ** 16;

/** Free pages for when the disk is full, and a write-ahead log of full length: by rows that are written and deleted again. */
export class DiskRoom {
  readonly #storage: DurableObjectStorage;
  #isMaking = false;
  /** Whether this object set the room aside. A database that was closed has lost its log. */
  #wasMade = false;

  readonly #isNeeded: boolean;

  /** `isNeeded`: false in a cluster, whose bucket has the data, and where so large a commit fails. */
  constructor(storage: DurableObjectStorage, isNeeded: boolean) {
    this.#storage = storage;
    this.#isNeeded = isNeeded;
  }

  /** Call after the disk was measured. */
  async look(): Promise<void> {
    disk.holds(this.#storage.sql.databaseSize);
    if (disk.isShort && !this.#wasMade) {
      // A process that died in the middle of making room left these rows.
      this.#clear();
    }
    const lacks =
      this.#isNeeded && (!this.#wasMade || (disk.setAside ?? SET_ASIDE) < SET_ASIDE / 2);
    if (lacks && !this.#isMaking && disk.hasRoomFor(2 * SET_ASIDE)) {
      this.#isMaking = true;
      await this.#make().finally(() => (this.#isMaking = false));
      this.#wasMade = true;
    }
  }

  async #make(): Promise<void> {
    for (let made = 0; made < SET_ASIDE; made += ROW_BYTES) {
      // Random bytes, because some file systems keep no room for zeros.
      const bytes = new Uint8Array(ROW_BYTES);
      for (let at = 0; at < ROW_BYTES; at += RANDOM_BYTES) {
        crypto.getRandomValues(bytes.subarray(at, at + RANDOM_BYTES));
      }
      this.#storage.kv.put(`${PREFIX}${made}`, bytes);
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

/** A check reads the whole database while all other work waits. If it finds nothing, it is not repeated this soon. */
const CHECK_AGAIN_MS = 60_000;

/** Makes a read's error name the damage. The platform only says "internal error", but SQLite says more if asked. */
export function damageExplainer(sql: SqlStorage): (error: unknown) => unknown {
  let checkedAt = -Infinity;
  return (error) => {
    const now = Date.now();
    const isKnown = damageSeen() !== null;
    const isSoon = !isKnown && Math.abs(now - checkedAt) < CHECK_AGAIN_MS;
    if (!isInternal(error) || isSoon) {
      return error;
    }
    checkedAt = now;
    const damage = isKnown ? 'as seen before' : damageIn(sql);
    return damage === null
      ? error
      : new Error(`the database is damaged: SQLITE_CORRUPT (${damage})`, { cause: error });
  };
}

function damageIn(sql: SqlStorage): string | null {
  try {
    const { quick_check: found } = sql.exec<{ quick_check: string }>('PRAGMA quick_check(1)').one();
    return found === 'ok' ? null : found;
  } catch (error) {
    return String(error);
  }
}
