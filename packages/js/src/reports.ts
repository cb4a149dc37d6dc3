// What a game server that is written in JavaScript says of itself, with its own token instead of a key.

import type { StatusReport } from './admin-types.ts';
import type { Seat } from './identity-types.ts';
import { type CallOptions, part, Service, type ServiceOptions } from './http.ts';
import type { Match } from './journal-types.ts';
import type { ResultReport } from './result-types.ts';
import type { Server } from './types.ts';

export interface ReportOptions extends CallOptions, Pick<ServiceOptions, 'url' | 'fetch'> {
  readonly instanceId: string;
  /** The instance's own token, which the game server gets at launch. */
  readonly token: string;
}

function asServer<T>(
  { url, fetch: own, instanceId, token, signal }: ReportOptions,
  what: 'status' | 'result' | 'seats',
  body: object,
): Promise<T> {
  const service = new Service({ url, key: '', fetch: own });
  const headers = { authorization: `Bearer ${token}` };
  return service.call('POST', `/v3/servers/${part(instanceId)}/${what}`, { signal, headers, body });
}

/** Reports the status of a game server that is written in JavaScript. */
export function reportServerStatus(options: ReportOptions, report: StatusReport): Promise<Server> {
  return asServer(options, 'status', report);
}

/**
 * The seat of a player's ticket, for a game server that cannot verify it. Rejects with `FORBIDDEN` if it is no valid
 * ticket for this server. In Node, `seatOf` of `@muster/client/server` asks nobody.
 */
export function readSeat(options: ReportOptions, ticket: string): Promise<Seat> {
  return asServer(options, 'seats', { ticket });
}

/** Reports the result of the match that a game server runs. */
export function reportServerResult(options: ReportOptions, result: ResultReport): Promise<Match> {
  return asServer(options, 'result', result);
}
