// Takes the rows of another box into an empty one (scripts/import.ts). A batch is a commit, and a cluster takes none that is large.

import type { AlarmRows } from './ground';

export interface ImportBatch {
  /** Nothing was taken before it. */
  readonly isFirst: boolean;
  readonly rows: readonly (readonly [key: string, value: unknown])[];
  readonly alarms: readonly (readonly [actor: string, at: number])[];
}

/** A box that only looked whether it can write has these rows alone. */
const OF_PROBES = 'project|health%20probe>';

/** A key of the box's data. Null: it has none. */
export function anyKey(kv: SyncKvStorage): string | null {
  for (const [key] of kv.list()) {
    if (!key.startsWith(OF_PROBES)) {
      return key;
    }
  }
  return null;
}

/** Why the rows are refused. Null: they are taken. The actors must be made anew afterwards. */
export function take(kv: SyncKvStorage, alarms: Pick<AlarmRows, 'put'>, batch: ImportBatch) {
  const known = batch.isFirst ? anyKey(kv) : null;
  if (known !== null) {
    return `it has data already, such as ${known}`;
  }
  batch.rows.forEach(([key, value]) => kv.put(key, value));
  batch.alarms.forEach(([actor, at]) => alarms.put(actor, at));
  return null;
}
