// Timers, and waiting with a limit.

/**
 * Runs a function after `ms` milliseconds. Returns a function that cancels it. `early`: it may run before its time, if the object
 * leaves its machine; others are forgotten then (src/objects/kit/timers.ts).
 */
export type Later = (ms: number, run: () => void, how?: 'early') => () => void;

export interface Clock {
  /** Epoch ms. */
  readonly now: () => number;
  readonly later: Later;
}

/** Uses a timer of the platform. A long-lived object has its own timers (src/objects/kit/timers.ts). */
export const later: Later = (ms, run) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/** The timers of the object that this isolate is for, if another machine may take it over: one of the platform would hold it. */
const own: { later: Later | null } = { later: null };

export function useTimersOf(object: Pick<Clock, 'later'>): void {
  own.later = object.later;
}

/** Resolves after `ms`, by the timers of `on`. Default: those of the isolate's object, or of the platform. */
export function pause(
  ms: number,
  on: Pick<Clock, 'later'> = { later: own.later ?? later },
): Promise<void> {
  return new Promise((resolve) => {
    on.later(ms, resolve, 'early');
  });
}

/** Does work of the network, with a signal that aborts it after `ms`. The timer of `AbortSignal.timeout` outlives the work. */
export async function inTime<T>(
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (own.later === null) {
    return work(AbortSignal.timeout(ms));
  }
  const late = new AbortController();
  const why = new DOMException(`no answer within ${ms} ms`, 'TimeoutError');
  const cancel = own.later(ms, () => late.abort(why));
  try {
    return await work(late.signal);
  } finally {
    cancel();
  }
}

/** Resolves like the work, or rejects once the limit has passed. The work itself goes on. */
export async function within<T>(host: Pick<Clock, 'later'>, ms: number, work: Promise<T>) {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const cancel = host.later(ms, () => reject(new Error(`no answer within ${ms} ms`)));
  try {
    return await Promise.race([work, limit]);
  } finally {
    cancel();
  }
}

/** A wait that somebody may end before its time. */
export interface Wait {
  readonly over: Promise<void>;
  /** Ends the wait. Of a wait that is over, it changes nothing. */
  readonly end: () => void;
}

export function waitOf(host: Pick<Clock, 'later'>, ms: number): Wait {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const cancel = host.later(ms, resolve, 'early');
  const end = (): void => {
    cancel();
    resolve();
  };
  return { over, end };
}

/** The waits between tries: the first, which doubles with each try, and the longest. Milliseconds. */
export interface Backoff {
  readonly first: number;
  readonly last: number;
}

/** The wait after try `step`, from 0. `chance`: the part of it to take, so that those who failed together come apart. */
export function backoff(step: number, { first, last }: Backoff, chance = 1): number {
  return Math.min(last, first * 2 ** step) * chance;
}
