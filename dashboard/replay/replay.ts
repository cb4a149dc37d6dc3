// Replays a queue's journal on a fresh pool: the same calls, each with its own instant. The pool is pure, so the same
// mode gives the same matches. Runs in browsers and in Node.

import type { TicketId } from '../../src/common/ids';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import type { PoolOutcome } from '../../src/match/pool';
import type { Mode } from '../../src/match/rules/mode';
import type { Ticket } from '../../src/match/ticket/ticket';
import type { JournalHead, Line, PoolAnswer } from '../../src/match/journal/lines';
import { tell } from '../../src/match/journal/tell';
import { readJournal } from './reading';

export interface Journal {
  readonly head: JournalHead;
  /** The mode in force where the lines begin. */
  readonly mode: Mode;
  readonly lines: readonly Line[];
}

/** A part of a journal: from `since` on, before `until`, epoch ms. Tickets that entered before are unknown to it. */
export interface Part {
  readonly since: number;
  readonly until: number;
}

export const ALL: Part = { since: -Infinity, until: Infinity };

/** Throws if the text is no journal, or a line of it is spoilt. A last line that was cut off is ignored. */
export function parseJournal(text: string, { since, until } = ALL): Journal {
  const { head, lines } = readJournal(text);
  const rebuilt = lines.filter((line) => line.k === 'anew');
  const changed = rebuilt.find(({ before }) => before !== null);
  const mode = rebuilt.findLast(({ t }) => t < since)?.mode ?? changed?.before ?? head.rules;
  return { head, mode, lines: lines.filter(({ t }) => t >= since && t < until) };
}

export interface Compared {
  /** Matches of the journal that were compared. */
  readonly matches: number;
  /** Matches that only one of the two has. */
  readonly differences: number;
  /** Tickets that no line tells of: they entered before the journal begins, or within a lost second. */
  readonly gaps: number;
}

/** A ticket that the queue held. */
interface Held {
  readonly ticket: Ticket;
  /** The match or the place for which it is reserved. */
  readonly takenBy: PoolAnswer | null;
}

/** Whether the journal's own mode gives the journal's own matches. */
export function compare({ head, mode, lines }: Journal): Compared {
  let held = new Map<TicketId, Held>();
  let pool: Pool = makePool(mode);
  let [matches, gaps, last] = [0, head.waiting, 0];
  /** How much more often the journal has a match than the replay. */
  const told = new Map<string, number>();
  const note = (ids: readonly string[], count: 1 | -1): void => {
    const name = ids.toSorted().join(' ');
    told.set(name, (told.get(name) ?? 0) + count);
  };
  const came = ({ matches: made, backfills, dropped }: PoolOutcome): void => {
    made.forEach(({ tickets }) => note(tickets, -1));
    backfills.forEach(({ matchId, ticket }) => note([ticket, matchId], -1));
    dropped.forEach(({ ticket }) => held.delete(ticket));
  };
  const due = stepsOf(lines, came);
  for (const line of lines) {
    keep(held, line);
    switch (line.k) {
      case 'formed':
      case 'made':
      case 'refused':
      case 'failed':
      case 'drop':
        break;
      case 'anew':
        held = line.before === null ? byWait(held) : held;
        gaps += Math.abs(held.size - line.free - line.taken);
        pool = poolOf(line.mode, held.values());
        last = 0;
        break;
      case 'match':
      case 'fill':
        matches += 1;
        note(line.k === 'match' ? line.tickets : [line.ticket, line.matchId], 1);
        break;
      default:
        if (line.late !== true) {
          catchUp(pool, line.t, last, due);
        }
        came(tell(pool, line));
        last = line.t;
    }
  }
  const differences = [...told.values()].reduce((sum, count) => sum + Math.abs(count), 0);
  return { matches, differences, gaps };
}

function keep(held: Map<TicketId, Held>, line: Line): void {
  const change = (ids: readonly TicketId[], to: Partial<Held>): void => {
    for (const id of ids) {
      const known = held.get(id);
      if (known !== undefined) {
        held.set(id, { ...known, ...to });
      }
    }
  };
  switch (line.k) {
    case 'enter':
      held.set(line.ticket.id, { ticket: line.ticket, takenBy: null });
      return;
    case 'refresh':
      change([line.ticket.id], { ticket: line.ticket });
      return;
    case 'leave':
    case 'drop':
      held.delete(line.id);
      return;
    case 'commit':
      line.ids.forEach((id) => held.delete(id));
      return;
    case 'release':
      change(line.ids, { takenBy: null });
      return;
    case 'match':
      change(line.tickets, { takenBy: line });
      return;
    case 'fill':
      change([line.ticket], { takenBy: line });
      return;
    default:
  }
}

/** The queue reads its rows by id, and sorts them by wait when it wakes. */
function byWait(held: ReadonlyMap<TicketId, Held>): Map<TicketId, Held> {
  return new Map(
    [...held].sort(
      ([a, { ticket: x }], [b, { ticket: y }]) => x.startedAt - y.startedAt || (a < b ? -1 : 1),
    ),
  );
}

/** A pool of these tickets, as the queue makes one when it wakes or its mode changes. */
function poolOf(mode: Mode, held: Iterable<Held>): Pool {
  const pool = makePool(mode);
  for (const { ticket, takenBy } of held) {
    if (takenBy === null) {
      pool.restore(ticket);
    } else {
      pool.restoreReserved(ticket, takenBy.k === 'fill' ? takenBy : null);
    }
  }
  return pool;
}

/**
 * The steps of one replay: so many, and so many more for each line. Where waits matter, a queue takes one each second in
 * which somebody waits. A journal that somebody made up could ask for one in every second since 1970.
 */
const STEPS = { always: 250_000, aLine: 1_000 };

/** Counts what is due, and throws once a journal asks for more than a queue would have done. */
export function stepsOf(
  lines: readonly Line[],
  came: (outcome: PoolOutcome, at: number) => void,
): (outcome: PoolOutcome, at: number) => void {
  const most = STEPS.always + STEPS.aLine * lines.length;
  let taken = 0;
  return (outcome, at) => {
    taken += 1;
    if (taken > most) {
      throw new Error(`this journal takes more than ${most} steps: replay a shorter part of it`);
    }
    came(outcome, at);
  };
}

/** Does what is due between two calls, each at its instant, as the queue's timer does. */
export function catchUp(
  pool: Pool,
  until: number,
  last: number,
  came: (outcome: PoolOutcome, at: number) => void,
): void {
  let reached = last;
  for (let next = pool.nextAt(); next !== null && next <= until; next = pool.nextAt()) {
    // A pool that is behind continues in slices, and the journal has their calls.
    if (next <= reached) {
      return;
    }
    reached = next;
    came(pool.advance(next), next);
  }
}
