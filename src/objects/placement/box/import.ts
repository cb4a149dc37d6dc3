// Takes the rows of another box into an empty one (scripts/import.ts). A batch is a commit, and a cluster takes none that is large.

import type { AlarmRows } from './ground';

export interface Batch {
  /** Nothing was taken before it. */
  readonly isFirst: boolean;
  readonly rows: readonly (readonly [key: string, value: unknown])[];
  readonly alarms: readonly (readonly [actor: string, at: number])[];
}

/** A box that only looked whether it can write has these rows alone. */
const OF_PROBES = 'project|health%20probe>';

/** Why the rows are refused. Null: they are taken. The actors must be made anew afterwards. */
export function take(kv: SyncKvStorage, alarms: Pick<AlarmRows, 'put'>, batch: Batch) {
  if (batch.isFirst) {
    for (const [key] of kv.list()) {
      if (!key.startsWith(OF_PROBES)) {
        return `it has data already, such as ${key}`;
      }
    }
  }
  batch.rows.forEach(([key, value]) => kv.put(key, value));
  batch.alarms.forEach(([actor, at]) => alarms.put(actor, at));
  return null;
}
