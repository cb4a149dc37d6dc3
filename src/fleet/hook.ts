// Tells a studio's backend of its matches: an event is a POST to the address that the project set, signed as the
// calls to fleets are (webhook.ts), with an empty path. Projects choose the address, so a call is limited in time,
// no redirect is followed, and the body of the answer is not read.

import { pause } from '../common/later';
import { signedHeaders } from './webhook';

/** Where a project's events go. Nobody reads the secret back. */
export interface Hook {
  readonly url: string;
  readonly secret: string;
}

/** Resolves once the receiver has acknowledged the event with a 2xx. Throws otherwise. */
export type TellHook = (hook: Hook, body: string) => Promise<void>;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How long a receiver may take to answer. */
export const HOOK_LIMIT_MS = 5_000;
/** Calls of an isolate that wait for one address. A receiver that hangs must not hold up those of other projects. */
const MOST_WAITING = 32;
const waiting = new Map<string, number>();
/** How long a call waits for its turn. Without a limit, a backlog would be retried as a whole, of which 32 get through. */
const TURN_LIMIT_MS = 9_000;
/** How often it looks whether it is its turn. Objects of an isolate share no promises, so the call before cannot wake it. */
const LOOK_MS = 50;

export function hookTeller(fetch: Fetch): TellHook {
  return async ({ url, secret }, body) => {
    const others = (): number => waiting.get(url) ?? 0;
    for (let waited = 0; others() >= MOST_WAITING; waited += LOOK_MS) {
      if (waited >= TURN_LIMIT_MS) {
        throw new Error('too many other calls wait for this receiver');
      }
      await pause(LOOK_MS);
    }
    waiting.set(url, others() + 1);
    try {
      const signed = await signedHeaders(secret, { method: 'POST', path: '', body });
      const response = await fetch(url, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...signed },
        redirect: 'manual',
        signal: AbortSignal.timeout(HOOK_LIMIT_MS),
      });
      await response.body?.cancel();
      if (!response.ok) {
        throw new Error(`status ${response.status}`);
      }
    } finally {
      const left = others() - 1;
      if (left > 0) {
        waiting.set(url, left);
      } else {
        waiting.delete(url);
      }
    }
  };
}
