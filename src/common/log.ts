// The service's log: one JSON object on each line, with its time, its level and its facts.

import { metrics } from './metrics';

export type Facts = Readonly<Record<string, string | number | boolean>>;

/** Events that need somebody's attention. Those in neither list may resolve themselves. */
const ERRORS: ReadonlySet<string> = new Set([
  'request_failed',
  'storage_failed',
  'background_failed',
  'object_aborted',
  'invariant_failed',
  'actor_aborted',
  'sweep_found',
  'limits_invalid',
  'fleets_invalid',
  'fleet_invalid',
]);

/** Events that only say what happened: nobody has to do anything. */
const INFOS: ReadonlySet<string> = new Set(['operator_acted', 'server_started', 'server_ended']);

/** Writes a line to the log. Its text decides nothing anywhere: others choose some of it. */
export function logEvent(event: string, facts: Facts): void {
  const level = ERRORS.has(event) ? 'error' : INFOS.has(event) ? 'info' : 'warn';
  metrics.count('muster_log_events_total', { event, level });
  const time = new Date().toISOString();
  const line = JSON.stringify({ time, level, event, ...facts });
  console[level === 'error' ? 'error' : 'log'](line);
}
