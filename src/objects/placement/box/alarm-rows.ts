// The alarms of all actors of a box, in a table with an index by time. Arming an alarm and finding the next one
// need not scan the others.

import { writing } from '../platform';
import type { AlarmRows } from './ground';

const ORDER = { oldest: 'ASC', newest: 'DESC' } as const;

/** `refused` is called when a write was refused. `wake` sets the object's alarm. */
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
    due: (now, limit, first) =>
      sql
        .exec<{ actor: string }>(
          `SELECT actor FROM alarms WHERE at <= ? ORDER BY at ${ORDER[first]} LIMIT ?`,
          now,
          limit,
        )
        .toArray()
        .map(({ actor }) => actor),
    earliest: () => sql.exec<{ at: number | null }>('SELECT min(at) AS at FROM alarms').one().at,
    wake,
  };
}
