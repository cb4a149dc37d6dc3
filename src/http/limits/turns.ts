// Projects that share a box take turns: of each only so many requests are under way at once, and the
// others of the same project wait in their order. So one that asks a thousand things at once delays
// itself. A request that waits for something else (a fleet, a match) gives its turn up after a moment.

import type { Refusal } from '../../lobby/refusals';
import { limited } from './admission';

const AT_ONCE = 8;
const TURN_MS = 100;
const MAX_WAITING = 2_000;
const RETRY_SECONDS = 2;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

const lines = new Map<string, Line>();

/** Runs `work` when the project has a turn; RATE_LIMITED where too much of it waits. */
export async function inTurn<T>(
  project: string,
  work: () => Promise<T>,
): Promise<{ readonly value: T } | { readonly refused: Refusal }> {
  const line = lines.get(project) ?? { running: 0, waiting: [] };
  lines.set(project, line);
  if (line.running >= AT_ONCE) {
    if (line.waiting.length >= MAX_WAITING) {
      const detail = 'Too many requests of this project at once; ask again after Retry-After';
      return { refused: limited('turns.project', detail, { retryAfter: RETRY_SECONDS }) };
    }
    await new Promise<void>((resume) => line.waiting.push(resume));
  } else {
    line.running += 1;
  }
  let isOver = false;
  const over = (): void => {
    if (!isOver) {
      isOver = true;
      passOn(project, line);
    }
  };
  const timer = setTimeout(over, TURN_MS);
  try {
    return { value: await work() };
  } finally {
    clearTimeout(timer);
    over();
  }
}

/** Who waits takes the turn as it is; else it is free. */
function passOn(project: string, line: Line): void {
  const next = line.waiting.shift();
  if (next !== undefined) {
    next();
    return;
  }
  line.running -= 1;
  if (line.running === 0) {
    lines.delete(project);
  }
}
