// When the lobbies of a journal would have given up. Only those that left before a match show it. A lobby that was
// matched, or timed out, is only known to have waited so long, so it gets the patience of a random one that stayed
// longer. On average that is the estimate of Kaplan and Meier.

import type { TicketId } from '../../src/common/ids';
import type { Line } from '../../src/match/journal/lines';

interface Stay {
  readonly id: TicketId;
  readonly from: number;
  /** How long it stayed in the queue, ms. Null: still there where the journal ends. */
  ms: number | null;
  gaveUp: boolean;
}

/** One draw of the instants, epoch ms, at which lobbies give up; absent for those who never do. */
export type GivingUp = ReadonlyMap<TicketId, number>;

/** Draws what the journal leaves open; the same `seed` (1 or more) gives the same draw. */
export function givingUp(lines: readonly Line[]): (seed: number) => GivingUp {
  const stays = new Map<TicketId, Stay>();
  const ends = (id: TicketId, at: number, gaveUp: boolean): void => {
    const stay = stays.get(id);
    if (stay?.ms === null) {
      stay.ms = Math.max(0, at - stay.from);
      stay.gaveUp = gaveUp;
    }
  };
  for (const line of lines) {
    switch (line.k) {
      case 'enter': {
        const { id, startedAt: from } = line.ticket;
        stays.set(id, { id, from, ms: null, gaveUp: false });
        break;
      }
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
  const last = lines.at(-1)?.t ?? 0;
  stays.forEach(({ id }) => ends(id, last, false));
  const longestFirst = [...stays.values()].map((stay) => ({ ...stay, ms: stay.ms ?? 0 }));
  longestFirst.sort((a, b) => b.ms - a.ms);
  /** How many give up in a millisecond, on average. */
  const rate =
    longestFirst.filter(({ gaveUp }) => gaveUp).length /
    longestFirst.reduce((sum, { ms }) => sum + ms, 0);
  return (seed) => {
    let state = seed;
    const chance = (): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state / 2 ** 32;
    };
    const patience: number[] = [];
    const drawn = new Map<TicketId, number>();
    let isKnown = false;
    for (const { id, from, ms, gaveUp } of longestFirst) {
      isKnown ||= gaveUp;
      // Beyond the longest wait at which somebody gave up, lobbies are taken to give up at the average rate.
      const other = isKnown
        ? (patience[Math.floor(chance() * patience.length)] ?? ms)
        : ms - Math.log(1 - chance()) / rate;
      const own = gaveUp ? ms : other;
      patience.push(own);
      if (own < Infinity) {
        drawn.set(id, from + Math.ceil(own));
      }
    }
    return drawn;
  };
}
