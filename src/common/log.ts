// The service's log: one JSON object on each line, with its time, its level and its facts.

import { metrics } from './metrics';

export type Facts = Readonly<Record<string, string | number | boolean>>;

/** Events that need somebody's attention. Those in neither list may resolve themselves. */
const ERRORS: ReadonlySet<string> = new Set([
  'request_failed',
  'storage_failed',
  'background_failed',
  'object_aborted',
  'actor_aborted',
  'sweep_found',
  'limits_invalid',
  'fleets_invalid',
  'fleet_invalid',
]);

/** Events that say what went on, and need nobody. */
const INFOS: ReadonlySet<string> = new Set(['operator_acted', 'server_started', 'server_ended']);

let damagedSince: string | null = null;

/** When a line of the log first named a damaged database, as ISO time. Null: never. A restart forgets it. */
export function damageSeen(): string | null {
  return damagedSince;
}

/** Writes a line to the log. */
export function logEvent(event: string, facts: Facts): void {
  const level = ERRORS.has(event) ? 'error' : INFOS.has(event) ? 'info' : 'warn';
  metrics.count('muster_log_events_total', { event, level });
  const time = new Date().toISOString();
  const line = JSON.stringify({ time, level, event, ...facts });
  // This catches damage that any request, alarm or background task ran into.
  if (line.includes('SQLITE_CORRUPT') || line.includes('SQLITE_NOTADB')) {
    damagedSince ??= time;
  }
  if (level === 'error') {
    console.error(line);
  } else {
    console.log(line);
  }
}
