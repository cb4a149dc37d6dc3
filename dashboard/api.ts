// Requests to the service, with the server or viewer key of this session. The key is kept in this tab's
// sessionStorage, and only sent in the `api-key` header.

import type { KeyListed } from '../packages/js/src/identity-types.ts';
import type { JsonObject } from '../src/common/json';
import { forgetDrafts } from './kept-drafts';

const KEY = 'muster.serverKey';
const KIND = 'muster.keyKind';

export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A probable mistake in something that would be saved anyway. */
export interface Warning extends Issue {
  readonly didYouMean: string | null;
}

/** A refusal of the service (spec: Error body), or status 0 when it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly issues: readonly Issue[];

  constructor(status: number, body: Readonly<Record<string, unknown>>) {
    const { detail, code } = body;
    super(typeof detail === 'string' ? detail : `The service answered ${status}`);
    this.status = status;
    this.code = typeof code === 'string' ? code : '';
    this.issues = (body['issues'] as readonly Issue[] | undefined) ?? [];
  }
}

export function savedKey(): string | null {
  return sessionStorage.getItem(KEY);
}

/** The key of a link that `npm start` prints, `#key=…`; it leaves the address, and so the history. */
export function takeOfferedKey(): string | null {
  const [, key = null] = /^#key=(.+)$/.exec(location.hash) ?? [];
  if (key !== null) {
    history.replaceState(null, '', location.pathname);
  }
  return key;
}

export interface SignedIn {
  readonly key: string;
  readonly kind: KeyListed['kind'];
}

export function saveKey(signed: SignedIn | null): void {
  if (signed === null) {
    sessionStorage.removeItem(KEY);
    sessionStorage.removeItem(KIND);
    forgetDrafts();
  } else {
    sessionStorage.setItem(KEY, signed.key);
    sessionStorage.setItem(KIND, signed.kind);
  }
}

/** Whether this session only looks. The service refuses all else; the pages do not offer it. */
export function isViewer(): boolean {
  return sessionStorage.getItem(KIND) === 'viewer';
}

export interface Asked {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Answered<T> {
  readonly body: T;
  readonly etag: string | null;
}

/** Sends with these headers; `line` is a method and a path after `/v3`. Throws ApiError. */
export async function send<T>(
  line: string,
  headers: Readonly<Record<string, string>>,
  { body, signal }: Asked = {},
): Promise<Answered<T>> {
  const [method = 'GET', path = ''] = line.split(' ');
  let response: Response;
  try {
    response = await fetch(`/v3${path}`, {
      method,
      headers,
      signal: signal ?? null,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    if (signal?.aborted === true) {
      throw error;
    }
    throw new ApiError(0, { detail: 'The service cannot be reached' });
  }
  const answer = (await response.json().catch((error: unknown) => {
    // The page was left while the answer was arriving, which is not an empty answer.
    signal?.throwIfAborted();
    if (response.ok) {
      throw error;
    }
    return {};
  })) as T & JsonObject;
  if (!response.ok) {
    throw new ApiError(response.status, answer);
  }
  return { body: answer, etag: response.headers.get('etag') };
}

/** As an operator. */
export function ask<T>(line: string, asked: Asked = {}): Promise<Answered<T>> {
  return send<T>(line, { ...asked.headers, 'api-key': savedKey() ?? '' }, asked);
}

/** The error in words. */
export function saying(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A path of encoded parts. */
export function pathOf(...parts: readonly string[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('');
}
