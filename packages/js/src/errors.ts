// Every failure is a MusterError. Its `code` says what happened, and a code never changes its
// meaning.

import type { CloseReason, ReturnReason } from './types.ts';

/** Codes of the service. */
export const SERVICE_CODES = [
  'VALIDATION_ERROR',
  'LOBBY_FULL',
  'LOBBY_NOT_ACCEPTING',
  'INVALID_ACTION',
  'NO_MATCHMAKING_MODES',
  'MODE_NOT_FOUND',
  'PARTY_SIZE_EXCEEDED',
  'ALREADY_IN_QUEUE',
  'UNAUTHORIZED',
  'PLAYER_TOKEN_MISSING',
  'PLAYER_TOKEN_INVALID',
  'PLAYER_TOKEN_EXPIRED',
  'LOGIN_REFUSED',
  'FORBIDDEN',
  'FIELD_NOT_YOURS',
  'BANNED',
  'COOLDOWN',
  'NOT_HOST',
  'LOBBY_NOT_FOUND',
  'PLAYER_NOT_FOUND',
  'SERVER_NOT_FOUND',
  'CONFIG_NOT_FOUND',
  'BUILD_NOT_FOUND',
  'LOGS_NOT_AVAILABLE',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'ALREADY_IN_LOBBY',
  'GAME_ALREADY_RUNNING',
  'LOBBY_NOT_MOVED',
  'MATCH_NOT_MADE',
  'REF_EXISTS',
  'RESULT_EXISTS',
  'NOT_HOST_ANY_MORE',
  'INVALID_STATE',
  'PRECONDITION_FAILED',
  'PAYLOAD_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'INTERNAL',
  'CLOSED',
  'LAUNCH_FAILED',
  'CODES_EXHAUSTED',
  'SERVERS_EXHAUSTED',
  'STORAGE_FULL',
  'OVERLOADED',
  'UNAVAILABLE',
] as const;

export type ServiceCode = (typeof SERVICE_CODES)[number];

/**
 * Codes of the client. `INVALID_OPTION`: nothing was sent, because an option such as `url` cannot
 * work. `NETWORK`: no answer came. `TIMEOUT`: no answer came in time. `BAD_ANSWER`:
 * something other than the service answered, such as a proxy. `NO_MATCH`: a search ended without a
 * match, and `reason` says why.
 */
export type ErrorCode =
  | ServiceCode
  | 'INVALID_OPTION'
  | 'NETWORK'
  | 'TIMEOUT'
  | 'BAD_ANSWER'
  | 'NO_MATCH';

export interface ErrorFacts {
  readonly code: ErrorCode;
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly detail: string;
  /** Seconds to wait before a retry, if the service said so. */
  readonly retryAfter: number | null;
  /** With `VALIDATION_ERROR`: what is wrong, and where. */
  readonly issues?: readonly Issue[];
  /** With `BANNED`: when the ban ends, ISO 8601; null: not by itself, or not known. */
  readonly until?: string | null;
  readonly requestId?: string | null;
  /** With `NO_MATCH`: why; null if unknown, as while polling. */
  readonly reason?: ReturnReason | CloseReason | null;
}

export interface Issue {
  /** From the top of the body: `rules[1].field`. */
  readonly path: string;
  readonly message: string;
}

/** Codes after which the same request may succeed, with nothing changed by the caller. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'NETWORK',
  'TIMEOUT',
  'REQUEST_TIMEOUT',
  'RATE_LIMITED',
  'STORAGE_FULL',
  'OVERLOADED',
  'UNAVAILABLE',
  'BAD_ANSWER',
  'INTERNAL',
]);

export class MusterError extends Error {
  override readonly name = 'MusterError';
  readonly code: ErrorCode;
  readonly status: number;
  /** What exactly was wrong. */
  readonly detail: string;
  readonly retryAfter: number | null;
  readonly issues: readonly Issue[];
  /** With `BANNED`: when the ban ends, ISO 8601; null: not by itself, or not known. */
  readonly until: string | null;
  /** The id of the request, by which its operator finds it in the log; null if no answer of the service came. */
  readonly requestId: string | null;
  /** With `NO_MATCH`: why the search ended; null if unknown. */
  readonly reason: ReturnReason | CloseReason | null;

  constructor(message: string, facts: ErrorFacts, options?: ErrorOptions) {
    super(message, options);
    this.code = facts.code;
    this.status = facts.status;
    this.detail = facts.detail;
    this.retryAfter = facts.retryAfter;
    this.issues = facts.issues ?? [];
    this.until = facts.until ?? null;
    this.requestId = facts.requestId ?? null;
    this.reason = facts.reason ?? null;
  }

  /** Whether a retry may help. The call may still have worked. */
  get isPassing(): boolean {
    return PASSING.has(this.code);
  }
}

/** Whether this is a MusterError with one of these codes, or with any code if none are given. */
export function isMusterError(
  error: unknown,
  ...codes: readonly ErrorCode[]
): error is MusterError {
  return error instanceof MusterError && (codes.length === 0 || codes.includes(error.code));
}

function isCode(code: unknown): code is ServiceCode {
  return SERVICE_CODES.some((known) => known === code);
}

/** An unknown code, from a newer service, is read as what its status means. */
function codeOf(code: unknown, status: number): ErrorCode {
  if (isCode(code)) {
    return code;
  }
  const byStatus: Readonly<Record<number, ErrorCode>> = {
    400: 'VALIDATION_ERROR',
    401: 'UNAUTHORIZED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    409: 'INVALID_STATE',
    429: 'RATE_LIMITED',
    503: 'UNAVAILABLE',
  };
  return byStatus[status] ?? (status >= 500 ? 'INTERNAL' : 'BAD_ANSWER');
}

interface Told {
  readonly error?: unknown;
  readonly detail?: unknown;
  readonly code?: unknown;
  readonly issues?: unknown;
  readonly until?: unknown;
  readonly requestId?: unknown;
}

/** The error for an answer that is not 2xx. */
export async function errorOf(response: Response): Promise<MusterError> {
  const { status } = response;
  const header = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retryAfter = header >= 0 ? header : null;
  let told: Told;
  try {
    told = ((await response.json()) ?? {}) as Told;
  } catch {
    // The answer is not JSON, so it comes from something in front of the service.
    told = {};
  }
  if (typeof told.error !== 'string') {
    const code = status === 503 || status === 429 ? codeOf(undefined, status) : 'BAD_ANSWER';
    const detail = `HTTP ${status} from something in front of the service`;
    return new MusterError(detail, { code, status, detail, retryAfter });
  }
  const detail = typeof told.detail === 'string' ? told.detail : told.error;
  const message = detail === told.error ? detail : `${told.error}: ${detail}`;
  const issues = Array.isArray(told.issues) ? (told.issues as readonly Issue[]) : [];
  const until = typeof told.until === 'string' ? told.until : null;
  const requestId = typeof told.requestId === 'string' ? told.requestId : null;
  const code = codeOf(told.code, status);
  const facts = { code, status, detail, retryAfter, issues, until, requestId };
  return new MusterError(message, facts);
}
