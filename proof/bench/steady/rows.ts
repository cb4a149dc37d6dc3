// What lies in the one database of a box, by kind. Read while the service writes it.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { DATABASE } from '../../../scripts/database.ts';

export interface Kept {
  /** Rows of each kind, and KiB of their keys and values. */
  readonly rows: Readonly<Record<string, readonly [number, number]>>;
  readonly alarms: number;
  /** How many pages of the file are free for new rows. */
  readonly freeKiB: number;
}

/** A key is `kind|actor>row`. What follows a colon in a row's name tells rows of one kind apart. */
const KINDS = `
  SELECT substr(key, 1, instr(key, '|') - 1) || ' ' ||
         rtrim(substr(row, 1, coalesce(nullif(instr(row, ':'), 0), 99)), ':') AS kind,
         count(*) AS count, sum(bytes) / 1024 AS kib
  FROM (SELECT key, substr(key, instr(key, '>') + 1) AS row, length(key) + length(value) AS bytes
        FROM _cf_KV)
  GROUP BY kind ORDER BY kib DESC`;

export function keptIn(dataDir: string): Kept {
  const database = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true });
  try {
    const one = (sql: string): number =>
      Number(Object.values(database.prepare(sql).get() ?? {})[0]);
    const rows = database.prepare(KINDS).all();
    return {
      rows: Object.fromEntries(
        rows.map(({ kind, count, kib }) => [String(kind), [Number(count), Number(kib)]]),
      ),
      alarms: one('SELECT count(*) FROM alarms'),
      freeKiB: (one('PRAGMA freelist_count') * one('PRAGMA page_size')) / 1024,
    };
  } finally {
    database.close();
  }
}
