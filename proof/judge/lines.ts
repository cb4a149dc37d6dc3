// A history: what the clients of one service saw, a line of JSON each (docs/internals/judge.md). Nothing here or beside it
// may be shared with the service or with whoever wrote the history: what both got wrong, neither would notice.

import { ledBy } from './changes.ts';

export interface Call {
  readonly id: number;
  /** The player; null: an operator or a backend, with the server key. */
  readonly who: string | null;
  readonly does: string;
  readonly body: unknown;
  readonly from: number;
  /** When it was answered. A call without an answer takes effect until the service rests, or never. */
  readonly to: number;
  /** Null: no answer came. */
  readonly status: number | null;
  readonly answer: unknown;
}

interface Event {
  readonly stream: number;
  readonly who: string;
  readonly at: number;
  readonly event: string;
  /** With `lobby_changed`, the lobby that the change leads to. */
  readonly data: unknown;
}

/** What the backend was told of a match. */
interface Told {
  readonly at: number;
  readonly body: unknown;
  /** The backend did not acknowledge it. */
  readonly refused: boolean;
}

export interface History {
  readonly of: string;
  readonly calls: readonly Call[];
  readonly events: readonly Event[];
  readonly told: readonly Told[];
  /** From here on nothing fails, nothing is on its way, and every deadline is over. Infinity: it never rested. */
  readonly restAt: number;
  /** From here on nothing fails any more. Infinity: nobody says so. */
  readonly calmAt: number;
  /** How far the clocks of the service were moved in all, in ms. */
  readonly clockMs: number;
}

type Line = Readonly<Record<string, unknown>>;

/** One that a line of the file is no line of a history. */
export class Unreadable extends Error {}

function numberOf(line: Line, key: string, at: number): number {
  const value = line[key];
  if (typeof value !== 'number') {
    throw new Unreadable(`line ${at}: \`${key}\` must be a number`);
  }
  return value;
}

function lineOf(text: string, at: number): Line {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new Unreadable(`line ${at} is no JSON`);
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) {
    throw new Unreadable(`line ${at} is no object`);
  }
  return line as Line;
}

/** Events that show a lobby, or lead to one. */
const LOBBIES = new Set(['connected', 'lobby_updated', 'lobby_changed']);

class Reader {
  readonly #calls = new Map<number, Call>();
  readonly #streams = new Map<number, string>();
  readonly #events: Event[] = [];
  /** The lobby that each stream showed last. */
  readonly #shown = new Map<number, unknown>();
  readonly #told: Told[] = [];
  #of = '';
  #restAt = Infinity;
  #calmAt = Infinity;
  #clockMs = 0;

  take(line: Line, row: number): void {
    if (row === 1) {
      if (line['history'] !== 1) {
        throw new Unreadable('line 1 must have `"history": 1`');
      }
      this.#of = typeof line['of'] === 'string' ? line['of'] : '';
      return;
    }
    const at = numberOf(line, 'at', row);
    if ('call' in line) {
      this.#call(line, at, row);
    } else if ('stream' in line) {
      this.#stream(line, at, row);
    } else if ('told' in line) {
      this.#told.push({ at, body: line['told'], refused: line['refused'] === true });
    } else if ('calm' in line) {
      this.#calmAt = Math.min(this.#calmAt, at);
    } else if ('rest' in line) {
      this.#restAt = Math.min(this.#restAt, at);
    } else if ('clock' in line) {
      this.#clockMs += Math.abs(numberOf(line, 'clock', row));
    } else if (!('note' in line)) {
      throw new Unreadable(`line ${row} is of no known kind`);
    }
  }

  #call(line: Line, at: number, row: number): void {
    const id = numberOf(line, 'call', row);
    const asked = this.#calls.get(id);
    if (typeof line['does'] === 'string') {
      const who = typeof line['who'] === 'string' ? line['who'] : null;
      const { does, body = null } = line;
      const open = { status: null, answer: null, to: Infinity };
      this.#calls.set(id, { id, who, does, body, from: at, ...open });
    } else if (asked === undefined) {
      throw new Unreadable(`line ${row} answers the call ${id}, which nobody made`);
    } else if (line['gone'] !== true) {
      const status = numberOf(line, 'status', row);
      this.#calls.set(id, { ...asked, to: at, status, answer: line['body'] ?? null });
    }
  }

  #stream(line: Line, at: number, row: number): void {
    const stream = numberOf(line, 'stream', row);
    if (typeof line['who'] === 'string') {
      this.#streams.set(stream, line['who']);
    } else if (typeof line['event'] === 'string') {
      const who = this.#streams.get(stream);
      if (who === undefined) {
        throw new Unreadable(`line ${row} is of the stream ${stream}, which nobody opened`);
      }
      const { event } = line;
      const data =
        event === 'lobby_changed'
          ? ledBy(this.#shown.get(stream), line['data'])
          : (line['data'] ?? null);
      if (LOBBIES.has(event)) {
        this.#shown.set(stream, data);
      }
      this.#events.push({ stream, who, at, event, data });
    }
  }

  all(): History {
    // One that was answered with an error of the service may still be under way.
    const isOpen = ({ status, from }: Call): boolean =>
      (status === null || status >= 500) && from < this.#restAt;
    const calls = [...this.#calls.values()].map((call) =>
      isOpen(call) ? { ...call, to: this.#restAt } : call,
    );
    return {
      of: this.#of,
      calls,
      events: this.#events,
      told: this.#told,
      restAt: this.#restAt,
      calmAt: this.#calmAt,
      clockMs: this.#clockMs,
    };
  }
}

/** Throws `Unreadable`. */
export function historyOf(text: string): History {
  const reader = new Reader();
  text
    .split('\n')
    .map((line, index) => [line, index + 1] as const)
    .filter(([line]) => line.trim() !== '')
    .forEach(([line, row]) => reader.take(lineOf(line, row), row));
  return reader.all();
}
