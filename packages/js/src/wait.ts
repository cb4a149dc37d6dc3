// Signals, pauses, and how long to wait after failures.

/**
 * Full jitter: a random wait below a ceiling that doubles with each failure, so that clients that
 * were cut off together do not come back together. `failures` counts from 1, and `random` is in [0,
 * 1).
 */
export function backoffMs(
  failures: number,
  { firstMs, maxMs }: { readonly firstMs: number; readonly maxMs: number },
  random: () => number = Math.random,
): number {
  return random() * Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30));
}

/** Resolves after `ms`; rejects with the signal's reason as soon as that is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(reasonOf(signal));
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end);
      resolve();
    }, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Like `pause`, but ends as soon as a browser says that it is online again. */
export async function pauseUnlessOnline(ms: number, signal: AbortSignal): Promise<void> {
  const link = linked(signal);
  const online = new Promise<void>((resolve) => {
    const page = globalThis as unknown as Partial<Pick<EventTarget, 'addEventListener'>>;
    page.addEventListener?.('online', () => resolve(), { signal: link.signal });
  });
  try {
    await Promise.race([pause(ms, link.signal), online]);
  } finally {
    link.free();
    link.abort(new DOMException('The pause is over', 'AbortError'));
  }
}

/** The reason of an aborted signal, as an Error. */
export function reasonOf(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new DOMException(String(reason), 'AbortError');
}

/** A controller that follows an outer signal until it is let go. */
export interface Linked {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
  /** Stops following. Call it when done, because the outer signal keeps a reference until then. */
  free(): void;
}

export function linked(outer: AbortSignal | undefined): Linked {
  const controller = new AbortController();
  const follow = (): void => controller.abort(outer?.reason);
  if (outer?.aborted === true) {
    follow();
  }
  outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    free: () => outer?.removeEventListener('abort', follow),
  };
}
