// The rows of one object in SQLite, as an actor's ports keep them.

import type { DatabaseSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import type { Page, Store } from '../../../src/objects/kit/ports';

/** Creates the table of rows: one value for each key, in the order of keys. Alarms are not kept. */
export function storeIn(db: DatabaseSync): Store {
  db.exec('CREATE TABLE rows (key TEXT PRIMARY KEY, value BLOB) WITHOUT ROWID');
  const put = db.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?)');
  const get = db.prepare('SELECT value FROM rows WHERE key = ?');
  const remove = db.prepare('DELETE FROM rows WHERE key = ?');
  const list = db.prepare('SELECT key, value FROM rows WHERE key >= ? AND key < ? ORDER BY key');
  const part = db.prepare(
    'SELECT key, value FROM rows WHERE key > ? AND key < ? ORDER BY key LIMIT ?',
  );
  const read = <T>(value: unknown): T => deserialize(value as Uint8Array) as T;
  return {
    get: <T>(key: string) => {
      const row = get.get(key);
      return row === undefined ? undefined : read<T>(row['value']);
    },
    put: (key, value) => void put.run(key, serialize(value)),
    delete: (key) => void remove.run(key),
    list: function* <T>(prefix: string, page?: Page): Iterable<readonly [string, T]> {
      const rows =
        page === undefined
          ? list.iterate(prefix, `${prefix}\uffff`)
          : part.iterate(page.after, `${prefix}\uffff`, page.limit);
      for (const row of rows) {
        yield [String(row['key']), read<T>(row['value'])] as const;
      }
    },
    atomically: (run) => run(),
    clear: () => db.exec('DELETE FROM rows'),
    setAlarm: () => {},
  };
}
