// What a box does with its one database beside the rows of its actors: the table of their alarms, the room that is set
// aside for when the disk is full, and the reason why a row cannot be read.

import { damageSeen, isInternal } from '../../../common/storage-error';
import { disk, SET_ASIDE } from '../../kit/disk';
import { writing } from '../platform';
import type { AlarmRows } from './ground';

/** How alarms lie in earlier versions: by actor, whose ids are random, so each was on a page of its own. */
const BY_ACTOR = "SELECT 1 FROM sqlite_schema WHERE name = 'alarms' AND sql LIKE '%WITHOUT ROWID%'";

/**
 * The alarms of all actors, in the order in which they were first set: what is under way lies on the last pages. `refused`: a
 * write was refused. `wake` sets the object's alarm.
 */
export function alarmTable(
  storage: DurableObjectStorage,
  wake: AlarmRows['wake'],
  refused: () => void,
): AlarmRows {
  const { sql } = storage;
  const ids = new Map<string, number>();
  let last = 0;
  const create =
    'CREATE TABLE IF NOT EXISTS alarms (id INTEGER PRIMARY KEY, actor TEXT, at INTEGER)';
  if (sql.exec(BY_ACTOR).toArray().length > 0) {
    storage.transactionSync(() => {
      sql.exec('DROP INDEX IF EXISTS alarms_by_time');
      sql.exec('ALTER TABLE alarms RENAME TO alarms_by_actor');
      sql.exec(create);
      sql.exec('INSERT INTO alarms (actor, at) SELECT actor, at FROM alarms_by_actor ORDER BY at');
      sql.exec('DROP TABLE alarms_by_actor');
    });
  }
  sql.exec(create);
  const known = (id: number, actor: string): void => {
    ids.set(actor, id);
    last = Math.max(last, id);
  };
  return {
    put: (actor, at) => {
      const id = ids.get(actor) ?? last + 1;
      const set = 'INSERT INTO alarms VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET at = ?3';
      writing(() => sql.exec(set, id, actor, at), refused);
      known(id, actor);
    },
    delete: (actor) => {
      const id = ids.get(actor);
      if (id !== undefined) {
        writing(() => sql.exec('DELETE FROM alarms WHERE id = ?', id), refused);
        ids.delete(actor);
      }
    },
    // Reads all of them, and is asked only after a transaction was rolled back.
    get: (actor) => {
      const [row] = sql.exec<Row>('SELECT * FROM alarms WHERE actor = ?', actor);
      if (row !== undefined) {
        known(row.id, actor);
      }
      return row?.at ?? null;
    },
    all: () => {
      const rows = sql.exec<Row>('SELECT * FROM alarms ORDER BY at').toArray();
      rows.forEach(({ id, actor }) => known(id, actor));
      return rows.map(({ actor, at }) => [actor, at] as const);
    },
    wake,
  };
}

type Row = Readonly<{ id: number; actor: string; at: number }>;

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
