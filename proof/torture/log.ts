// Everything that was asked, answered and seen, in the order in which it came, under the lobbies
// and players it is about; and what was found to be wrong. A violation prints with its time line.

import { readFile } from 'node:fs/promises';

/** A tag that belongs to every time line: kills and restarts. */
export const EVERYWHERE = '*';

export interface Violation {
  readonly at: number;
  readonly what: string;
  readonly tags: readonly string[];
}

interface Line {
  readonly at: number;
  readonly tags: readonly string[];
  readonly text: string;
}

const LONGEST_TIMELINE = 120;

export class Log {
  readonly violations: Violation[] = [];
  readonly #lines: Line[] = [];
  readonly #begun = performance.now();
  /** A finding is reported once, however often it occurs. */
  readonly #known = new Set<string>();

  note(tags: readonly string[], text: string, at = performance.now()): void {
    this.#lines.push({ at, tags, text });
  }

  /** `key` names the finding, so that it is not reported again. */
  violation(what: string, tags: readonly string[], key = what): void {
    if (!this.#known.has(key)) {
      this.#known.add(key);
      const at = performance.now();
      this.violations.push({ at, what, tags });
      this.note(tags, `VIOLATION ${what}`, at);
    }
  }

  /** The evidence of one violation: the lines of its lobbies and players, newest last. */
  timeline({ tags, at }: Violation): readonly string[] {
    const wanted = new Set([...tags, EVERYWHERE]);
    const lines = this.#lines.filter((line) => line.tags.some((tag) => wanted.has(tag)));
    const upTo = lines.filter((line) => line.at <= at + 2_000);
    // Waiting clients repeat the same request.
    const told = upTo.filter(
      ({ text }, index) => !upTo.slice(Math.max(0, index - 8), index).some((b) => b.text === text),
    );
    return told
      .slice(-LONGEST_TIMELINE)
      .map((line) => `${((line.at - this.#begun) / 1000).toFixed(3).padStart(9)} s  ${line.text}`);
  }
}

/** How often each event is in the log of a service. */
export async function loggedEvents(path: string): Promise<ReadonlyMap<string, number>> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const events = new Map<string, number>();
  for (const line of text.split('\n')) {
    const event = /"event":"([a-z_]+)"/.exec(line)?.[1] ?? (line === '' ? null : 'other lines');
    if (event !== null) {
      events.set(event, (events.get(event) ?? 0) + 1);
    }
  }
  return events;
}
