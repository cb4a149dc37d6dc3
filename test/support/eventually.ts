// Waits for other processes: asks until the condition holds, or reports the last value at the
// deadline.

/** For whatever is awaited: only a fault makes a test wait so long, and its message is then better than that of vitest. */
export const PATIENCE_MS = 120_000;

export interface Deadline {
  readonly withinMs?: number;
  readonly everyMs?: number;
}

/**
 * The first answer of `ask` that is neither null, undefined nor false. An error of `ask` counts as
 * not yet. Throws at the deadline, with the last answer or error.
 */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  { withinMs = PATIENCE_MS, everyMs = 20 }: Deadline = {},
): Promise<Exclude<T, null | undefined | false>> {
  const end = performance.now() + withinMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) {
        return answer as Exclude<T, null | undefined | false>;
      }
      last = answer;
    } catch (error) {
      last = error;
    }
    if (performance.now() > end) {
      throw new Error(`not within ${withinMs} ms: ${what} (last: ${String(last)})`);
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
