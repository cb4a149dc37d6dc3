// Every refusal: its code, HTTP status and short message (spec: Errors; decision 3). Whoever refuses adds details.

import type { Rate } from '../common/buckets';
import { refuse, type Result } from '../common/result';

export const REFUSALS = {
  VALIDATION_ERROR: { status: 400, message: 'Validation error' },
  LOBBY_FULL: { status: 400, message: 'Lobby is full' },
  LOBBY_NOT_ACCEPTING: { status: 400, message: 'Lobby is not accepting players' },
  INVALID_ACTION: { status: 400, message: 'Invalid action' },
  NO_MATCHMAKING_MODES: { status: 400, message: 'No matchmaking modes configured' },
  MODE_NOT_FOUND: { status: 400, message: 'Mode not found' },
  PARTY_SIZE_EXCEEDED: { status: 400, message: 'Party size exceeded' },
  ALREADY_IN_QUEUE: { status: 400, message: 'Already in queue' },
  UNAUTHORIZED: { status: 401, message: 'Unauthorized' },
  PLAYER_TOKEN_MISSING: { status: 401, message: 'Player token missing' },
  PLAYER_TOKEN_INVALID: { status: 401, message: 'Player token invalid' },
  PLAYER_TOKEN_EXPIRED: { status: 401, message: 'Player token expired' },
  LOGIN_REFUSED: { status: 401, message: 'Login refused' },
  FORBIDDEN: { status: 403, message: 'Forbidden' },
  FIELD_NOT_YOURS: { status: 403, message: 'Field not yours' },
  NOT_HOST: { status: 403, message: 'Not host' },
  BANNED: { status: 403, message: 'Banned' },
  COOLDOWN: { status: 403, message: 'Cooling down' },
  LOBBY_NOT_FOUND: { status: 404, message: 'Lobby not found' },
  PLAYER_NOT_FOUND: { status: 404, message: 'Player not found' },
  SERVER_NOT_FOUND: { status: 404, message: 'Server not found' },
  CONFIG_NOT_FOUND: { status: 404, message: 'Config not found' },
  BUILD_NOT_FOUND: { status: 404, message: 'Build not found' },
  LOGS_NOT_AVAILABLE: { status: 404, message: 'Logs not available' },
  NOT_FOUND: { status: 404, message: 'Not found' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'Method not allowed' },
  REQUEST_TIMEOUT: { status: 408, message: 'Request timeout' },
  ALREADY_IN_LOBBY: { status: 409, message: 'Already in another lobby' },
  GAME_ALREADY_RUNNING: { status: 409, message: 'Game already running' },
  LOBBY_NOT_MOVED: { status: 409, message: 'Lobby not moved' },
  MATCH_NOT_MADE: { status: 409, message: 'Match not made' },
  REF_EXISTS: { status: 409, message: 'Ref exists' },
  RESULT_EXISTS: { status: 409, message: 'Result exists' },
  NOT_HOST_ANY_MORE: { status: 409, message: 'No longer host' },
  INVALID_STATE: { status: 409, message: 'Invalid state' },
  PRECONDITION_FAILED: { status: 412, message: 'Precondition failed' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'Payload too large' },
  RATE_LIMITED: { status: 429, message: 'Rate limited' },
  INTERNAL: { status: 500, message: 'Internal error' },
  CLOSED: { status: 503, message: 'Closed' },
  LAUNCH_FAILED: { status: 503, message: 'Launch failed' },
  CODES_EXHAUSTED: { status: 503, message: 'Invite codes exhausted' },
  SERVERS_EXHAUSTED: { status: 503, message: 'Servers exhausted' },
  STORAGE_FULL: { status: 503, message: 'Storage full' },
  OVERLOADED: { status: 503, message: 'Overloaded' },
  UNAVAILABLE: { status: 503, message: 'Temporarily unavailable' },
} as const satisfies Record<string, { readonly status: number; readonly message: string }>;

export type RefusalCode = keyof typeof REFUSALS;

/** A refusal as it crosses RPC. `http/problem` turns it into the error body. */
export interface Refusal {
  readonly code: RefusalCode;
  readonly detail: string;
  /** Seconds, with RATE_LIMITED, COOLDOWN, CLOSED, OVERLOADED, STORAGE_FULL and UNAVAILABLE. */
  readonly retryAfter?: number;
  /** With BANNED and COOLDOWN: when it ends, ISO 8601. Null: not by itself. */
  readonly until?: string | null;
  /** With LAUNCH_FAILED, for a server key: the server, whose record says more. */
  readonly instanceId?: string;
  /** With RATE_LIMITED: the limit that was reached. */
  readonly rate?: Rate;
  /** With VALIDATION_ERROR, MATCH_NOT_MADE and LOBBY_NOT_MOVED: every issue, and where it is (decision 33). */
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
  /** Of a move: how many seats were claimed in vain. It is not shown. */
  readonly claimed?: number;
}

export type Reply<T> = Result<T, Refusal>;

export function refusal(code: RefusalCode, detail: string = REFUSALS[code].message) {
  return refuse<Refusal>({ code, detail });
}

/** `chance`: in [0, 1). It spreads the retries of clients that are refused at the same time. */
export function overloaded(chance: number): Refusal {
  const detail = 'The service is overloaded; wait as long as Retry-After says';
  return { code: 'OVERLOADED', detail, retryAfter: 1 + Math.floor(chance * 3) };
}
