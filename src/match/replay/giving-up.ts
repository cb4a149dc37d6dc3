// When the lobbies of a journal would have given up. Only those that left before a match show it. A lobby that was
// matched, or timed out, is only known to have waited so long, so its patience is drawn from the waits of those that
// stayed longer (Kaplan-Meier).

import type { TicketId } from '../../common/ids';
import type { JournalLine } from './lines';

interface Stay {
  readonly from: number;
  /** How long it stayed in the queue, ms. Null: still there where the journal ends. */
  ms: number | null;
  gaveUp: boolean;
}

/** One draw of the instants, epoch ms, at which lobbies give up; absent for those who never do. */
export type GivingUp = ReadonlyMap<TicketId, number>;

/** Draws what the journal leaves open; the same `seed` (1 or more) gives the same draw. */
export function givingUp(lines: Iterable<JournalLine>): (seed: number) => GivingUp {
  const stays = new Map<TicketId, Stay>();
  let last = 0;
  const ends = (id: TicketId, at: number, gaveUp: boolean): void => {
    const stay = stays.get(id);
    if (stay?.ms === null) {
      stay.ms = Math.max(0, at - stay.from);
      stay.gaveUp = gaveUp;
    }
  };
  for (const line of lines) {
    last = 't' in line ? line.t : last;
    switch (line.k) {
      case 'enter':
        stays.set(line.ticket.id, { from: line.ticket.startedAt, ms: null, gaveUp: false });
        break;
      case 'leave':
      case 'drop':
        ends(line.id, line.t, line.k === 'leave');
        break;
      case 'match':
        line.tickets.forEach((id) => ends(id, line.t, false));
        break;
      case 'fill':
        ends(line.ticket, line.t, false);
        break;
      default:
    }
  }
  [...stays.keys()].forEach((id) => ends(id, last, false));
  const curve = survival([...stays.values()]);
  return (seed) => {
    let state = seed;
    const drawn = new Map<TicketId, number>();
    for (const [id, { from, ms, gaveUp }] of stays) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const patience = gaveUp ? ms : beyond(curve, ms ?? 0, state / 2 ** 32);
      if (patience !== null && patience < Infinity) {
        drawn.set(id, from + Math.ceil(patience));
      }
    }
    return drawn;
  };
}

interface Curve {
  /** The waits at which lobbies gave up, ms, ascending. */
  readonly at: readonly number[];
  /** The part of all lobbies that still waits after each. */
  readonly part: readonly number[];
  /** How many give up in a millisecond, on average. */
  readonly rate: number;
}

function survival(stays: readonly Stay[]): Curve {
  const waits = stays.map(({ ms, gaveUp }) => ({ ms: ms ?? 0, gaveUp }));
  waits.sort((a, b) => a.ms - b.ms);
  const [at, part]: [number[], number[]] = [[], []];
  for (const [index, { ms, gaveUp }] of waits.entries()) {
    if (gaveUp) {
      part.push((part.at(-1) ?? 1) * (1 - 1 / (waits.length - index)));
      at.push(ms);
    }
  }
  return { at, part, rate: at.length / waits.reduce((sum, { ms }) => sum + ms, 0) };
}

/**
 * The patience, ms, of a lobby that has stayed so long: that of which the part `chance` of those that stay as long is
 * left. Beyond the longest wait at which somebody gave up, lobbies are taken to give up at the average rate.
 */
function beyond({ at, part, rate }: Curve, stayed: number, chance: number): number {
  const passed = firstOf(at, (each) => each > stayed);
  const share = (part[passed - 1] ?? 1) * chance;
  const step = Math.max(
    passed,
    firstOf(part, (each) => each <= share),
  );
  const rest = (): number => Math.log((part.at(-1) ?? 1) / share) / rate;
  return at[step] ?? Math.max(stayed, at.at(-1) ?? 0) + rest();
}

/** The first index whose value passes; all after it pass too. The length if none does. */
function firstOf(values: readonly number[], passes: (value: number) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    [low, high] = passes(values[middle] ?? NaN) ? [low, middle] : [middle + 1, high];
  }
  return low;
}
