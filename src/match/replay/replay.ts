// Replays a queue's journal on a fresh pool: the same calls, each with its own instant. The pool is pure, so the same
// mode gives the same matches. Runs in browsers and in Node.

import type { TicketId } from '../../common/ids';
import { makePool } from '../waiting/make-pool';
import type { BackfillProposal } from '../waiting/proposal';
import type { Pool, PoolOutcome } from '../pool';
import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';
import type { JournalHead, JournalLine, PoolCall } from './lines';
import { tell } from './tell';

export interface Journal {
  readonly head: JournalHead;
  /** The mode in force where the lines begin. */
  readonly mode: Mode;
  readonly lines: Iterable<JournalLine>;
}

/** Throws if the text is no journal. A last line that was cut off is ignored. */
export function parseJournal(text: string): Journal & { readonly lines: readonly JournalLine[] } {
  const lines: JournalLine[] = [];
  for (const line of text.split('\n')) {
    try {
      lines.push(JSON.parse(line) as JournalLine);
    } catch {
      // The journal was still being written.
    }
  }
  const [head] = lines;
  if (head?.k !== 'journal') {
    throw new Error('this is no journal of a queue: its first line says what it is');
  }
  const changed = lines.find((line) => line.k === 'anew' && line.before !== null);
  const mode = changed?.k === 'anew' && changed.before !== null ? changed.before : head.rules;
  return { head, mode, lines: lines.slice(1) };
}

/** The part from `since` on, before `until`. Tickets that entered before are unknown to it. */
export function partOf(
  journal: ReturnType<typeof parseJournal>,
  { since, until }: { readonly since: number; readonly until: number },
): ReturnType<typeof parseJournal> {
  const all = journal.lines.filter((line) => line.k !== 'journal');
  const before = all.findLast((line) => line.k === 'anew' && line.t < since);
  const mode = before?.k === 'anew' ? before.mode : journal.mode;
  return { ...journal, mode, lines: all.filter(({ t }) => t >= since && t < until) };
}

export interface Compared {
  /** Matches of the journal that were compared. */
  readonly matches: number;
  /** Matches that only one of the two has. */
  readonly differences: number;
  /** Tickets that no line tells of: they entered before the journal begins, or within a lost second. */
  readonly gaps: number;
}

/** A new match, or the place in a running one. */
type Taken = 'match' | BackfillProposal;

/** The tickets that the queue held. */
class Held {
  readonly tickets = new Map<TicketId, { ticket: Ticket; takenBy: Taken | null }>();

  take(ids: readonly TicketId[], takenBy: Taken | null): void {
    for (const id of ids) {
      const known = this.tickets.get(id);
      if (known !== undefined) {
        known.takenBy = takenBy;
      }
    }
  }

  drop(ids: readonly TicketId[]): void {
    ids.forEach((id) => this.tickets.delete(id));
  }

  /** A pool of these tickets, as the queue makes one when it wakes or its mode changes. */
  pool(mode: Mode): Pool {
    const pool = makePool(mode);
    for (const { ticket, takenBy } of this.tickets.values()) {
      if (takenBy === null) {
        pool.restore(ticket);
      } else {
        pool.restoreReserved(ticket, takenBy === 'match' ? null : takenBy);
      }
    }
    return pool;
  }

  /** Sorts by wait: the queue reads its rows by id and sorts them when it wakes. */
  sort(): void {
    const sorted = [...this.tickets].sort(
      ([a, { ticket: x }], [b, { ticket: y }]) => x.startedAt - y.startedAt || (a < b ? -1 : 1),
    );
    this.tickets.clear();
    sorted.forEach(([id, held]) => this.tickets.set(id, held));
  }
}

/** Whether the journal's own mode gives the journal's own matches. */
export function compare({ head, mode, lines }: Journal): Compared {
  const held = new Held();
  const told = new Map<string, number>();
  let gaps = head.waiting;
  let pool = held.pool(mode);
  let last = 0;
  let matches = 0;
  const note = (name: string, count: 1 | -1): void => {
    told.set(name, (told.get(name) ?? 0) + count);
  };
  const came = ({ matches: made, backfills, dropped }: PoolOutcome): void => {
    made.forEach(({ tickets }) => note(nameOf(tickets), -1));
    backfills.forEach(({ matchId, ticket }) => note(nameOf([ticket, matchId]), -1));
    dropped.forEach(({ ticket }) => held.drop([ticket]));
  };
  for (const line of lines) {
    switch (line.k) {
      case 'journal':
      case 'formed':
      case 'refused':
      case 'failed':
        break;
      case 'anew': {
        if (line.before === null) {
          held.sort();
        }
        const all = [...held.tickets.values()];
        gaps += Math.abs(all.length - line.free - line.taken);
        pool = held.pool(line.mode);
        last = 0;
        break;
      }
      case 'match':
        matches += 1;
        note(nameOf(line.tickets), 1);
        held.take(line.tickets, 'match');
        break;
      case 'fill':
        matches += 1;
        note(nameOf([line.ticket, line.matchId]), 1);
        held.take([line.ticket], line);
        break;
      case 'drop':
        held.drop([line.id]);
        break;
      default:
        if (line.late !== true) {
          catchUp(pool, line.t, last, came);
        }
        came(tell(pool, line));
        keep(held, line);
        last = line.t;
    }
  }
  const differences = [...told.values()].reduce((sum, count) => sum + Math.abs(count), 0);
  return { matches, differences, gaps };
}

function nameOf(ids: readonly string[]): string {
  return ids.toSorted().join(' ');
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

function keep(held: Held, call: PoolCall): void {
  switch (call.k) {
    case 'enter':
      held.tickets.set(call.ticket.id, { ticket: call.ticket, takenBy: null });
      return;
    case 'refresh': {
      const known = held.tickets.get(call.ticket.id);
      if (known !== undefined) {
        known.ticket = call.ticket;
      }
      return;
    }
    case 'leave':
      held.drop([call.id]);
      return;
    case 'commit':
      held.drop(call.ids);
      return;
    case 'release':
      held.take(call.ids, null);
      return;
    default:
  }
}
