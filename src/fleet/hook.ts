// Tells a studio's backend of its matches: an event is a POST to the address that the project set, signed as the
// calls to fleets are (rest.ts), with an empty path. Projects choose the address, so a call is limited in time,
// no redirect is followed, and the body of the answer is not read.
//
// Calls of an isolate to one address have a limited number of slots. The others wait in a line, and a call that ends
// hands its slot to the next: no timer runs for those who wait. At the edge no object can wake another one, so nobody
// waits there. Always: no more calls than slots are under way; no project has more than its places in the line, and
// projects take turns; a slot is lost for no longer than its deadline, even if its object is evicted in mid-fetch; a call
// that is not served in time is refused, and its outbox makes it again later.

import { inTime } from '../common/later';
import { signedHeaders } from './rest';

/** Where a project's events go. Nobody reads the secret back. */
export interface Hook {
  readonly url: string;
  /** Absent: calls are not signed. */
  readonly secret?: string;
  /** A chat, which takes sentences, and is told only what rings the bell. Its URL is a secret. Absent: a backend. */
  readonly format?: 'discord' | 'slack';
}

/** Resolves once the receiver has acknowledged the event with a 2xx. Throws otherwise. */
export type TellHook = (hook: Hook, body: string, project: string) => Promise<void>;

type FetchHook = (url: string, init: RequestInit) => Promise<Response>;

/** How long a receiver may take to answer. */
const HOOK_LIMIT_MS = 5_000;
/** How long a slot may be taken: a little longer than a call lasts. */
const SLOT_LIMIT_MS = HOOK_LIMIT_MS + 1_000;
/** Calls to one address that may be under way. */
const MOST_AT_ONCE = 32;
/** Calls of one project that may wait for an address. */
const MOST_WAITING = 256;
/** How long a call waits for its turn at most: with the call itself, less than the outbox waits for both. */
const TURN_LIMIT_MS = 9_000;

interface Slot {
  /** From then on it is free, whatever has become of its call. Epoch ms. */
  readonly until: number;
}

interface WaitingCall {
  readonly until: number;
  readonly go: (slot: Slot) => void;
  readonly refuse: (why: Error) => void;
}

export interface HookOptions {
  readonly now?: () => number;
  /** Whether all callers live in one object, so that one can wake another. */
  readonly waits?: boolean;
}

class HookLine {
  readonly #now: () => number;
  readonly #mostWaiting: number;
  readonly #slots = new Set<Slot>();
  /** Those who wait, by project, oldest first. The project whose turn is next comes first. */
  readonly #waiting = new Map<string, WaitingCall[]>();

  constructor({ now = Date.now, waits = true }: HookOptions) {
    this.#now = now;
    this.#mostWaiting = waits ? MOST_WAITING : 0;
  }

  get isIdle(): boolean {
    return this.#slots.size === 0 && this.#waiting.size === 0;
  }

  /** Takes a slot, at once or when its turn comes. Rejects if the line is full, or if its turn does not come in time. */
  async enter(project: string): Promise<Slot> {
    this.#handOn();
    if (this.#slots.size < MOST_AT_ONCE) {
      return this.#take();
    }
    const line = this.#waiting.get(project) ?? [];
    if (line.length >= this.#mostWaiting) {
      throw new Error('too many other calls wait for this receiver');
    }
    const until = this.#now() + TURN_LIMIT_MS;
    return new Promise((go, refuse) => {
      line.push({ until, go, refuse });
      this.#waiting.set(project, line);
    });
  }

  leave(slot: Slot): void {
    this.#slots.delete(slot);
    this.#handOn();
  }

  #take(): Slot {
    const slot = { until: this.#now() + SLOT_LIMIT_MS };
    this.#slots.add(slot);
    return slot;
  }

  #handOn(): void {
    const now = this.#now();
    for (const slot of this.#slots) {
      if (slot.until <= now) {
        this.#slots.delete(slot);
      }
    }
    for (const [project, line] of this.#waiting) {
      while (line[0] !== undefined && line[0].until <= now) {
        line.shift()?.refuse(new Error('its turn did not come in time'));
      }
      if (line.length === 0) {
        this.#waiting.delete(project);
      }
    }
    while (this.#slots.size < MOST_AT_ONCE) {
      const [turn] = this.#waiting;
      if (turn === undefined) {
        return;
      }
      const [project, line] = turn;
      const next = line.shift();
      this.#waiting.delete(project);
      if (line.length > 0) {
        this.#waiting.set(project, line);
      }
      next?.go(this.#take());
    }
  }
}

const lines = new Map<string, HookLine>();

export function hookTeller(fetch: FetchHook, options: HookOptions = {}): TellHook {
  return async ({ url, secret }, body, project) => {
    const line = lines.get(url) ?? new HookLine(options);
    lines.set(url, line);
    const slot = await line.enter(project);
    try {
      const request = { method: 'POST', path: '', body } as const;
      const signed = secret === undefined ? {} : await signedHeaders(secret, request);
      const headers = { 'content-type': 'application/json', ...signed };
      const response = await inTime(HOOK_LIMIT_MS, (signal) =>
        fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal }),
      );
      await response.body?.cancel();
      if (!response.ok) {
        throw new Error(`status ${response.status}`);
      }
    } finally {
      line.leave(slot);
      if (line.isIdle) {
        lines.delete(url);
      }
    }
  };
}
