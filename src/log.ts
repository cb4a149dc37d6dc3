// The service's log: one JSON object a line, each with its time, its level and what it is about.

import { metrics } from './metrics';

export type Facts = Readonly<Record<string, string | number | boolean>>;

/** What somebody has to look at; all else that is logged may pass by itself. */
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

let damagedSince: string | null = null;

/** When the log first told of a damaged database, as ISO time; null: never. A restart forgets it. */
export function damageSeen(): string | null {
  return damagedSince;
}

/** One JSON object a line, for whoever reads the logs. */
export function logEvent(event: string, facts: Facts): void {
  const level = ERRORS.has(event) ? 'error' : 'warn';
  metrics.count('muster_log_events_total', { event, level });
  const time = new Date().toISOString();
  const line = JSON.stringify({ time, level, event, ...facts });
  // Whoever met it: a request, an alarm, work that nobody waits for.
  if (line.includes('SQLITE_CORRUPT') || line.includes('SQLITE_NOTADB')) {
    damagedSince ??= time;
  }
  if (level === 'error') {
    console.error(line);
  } else {
    console.log(line);
  }
}
