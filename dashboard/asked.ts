// Data that a page polls because there is no stream of it, for as long as the tab is visible.

import { useEffect, useState } from 'preact/hooks';
import { ApiError, ask } from './api';

export interface Asked<T> {
  /** The last answer. Null before the first. */
  readonly data: T | null;
  /** The error of the last request. Null if it succeeded. */
  readonly refusal: ApiError | null;
  /** Asks again at once. */
  readonly again: () => void;
}

export interface Again<T> {
  /** For as long as it answers a time. */
  readonly every?: (data: T | null) => number | undefined;
  /** Asks again whenever this is another one: a snapshot of the page's stream. */
  readonly when?: unknown;
}

/** `line` is as in `ask`. Another line is another question, and forgets the last answer. */
export function useAsked<T>(line: string, { every, when }: Again<T> = {}): Asked<T> {
  const [round, setRound] = useState(0);
  const [seen, setSeen] = useState<{
    readonly line: string;
    readonly data: T | null;
    readonly refusal: ApiError | null;
  }>({ line, data: null, refusal: null });
  const everyMs = every?.(seen.line === line ? seen.data : null);
  useEffect(() => {
    const abort = new AbortController();
    const look = async (): Promise<void> => {
      try {
        const { body } = await ask<T>(line, { signal: abort.signal });
        setSeen({ line, data: body, refusal: null });
      } catch (error) {
        if (!abort.signal.aborted) {
          const refusal = error instanceof ApiError ? error : new ApiError(0, {});
          setSeen((before) => ({ line, data: before.line === line ? before.data : null, refusal }));
        }
      }
    };
    void look();
    const timer =
      everyMs === undefined ? null : setInterval(() => void (document.hidden || look()), everyMs);
    return () => {
      abort.abort();
      clearInterval(timer ?? undefined);
    };
  }, [line, everyMs, when, round]);
  const isSame = seen.line === line;
  return {
    data: isSame ? seen.data : null,
    refusal: isSame ? seen.refusal : null,
    again: () => setRound((before) => before + 1),
  };
}
