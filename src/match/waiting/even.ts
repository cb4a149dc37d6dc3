// Even teams: the set of an anchor in a mode with a balance rule (docs/internals/design.md A18). Sets are tried in the
// order of age, and the first whose teams are even enough by now is taken. The others say when they will be.

import { firstMs } from '../rules/reach';
import type { Evenness } from '../rules/rule-type';
import { type Slices, untilAnswered } from '../teams/steps';
import type { TicketId } from '../../common/ids';
import { chooseSet, type Choosing, eachSet } from './choice';
import { byAge, type Entry } from './entry';
import type { Found, Propose } from './proposals';

/** Sets of one anchor. */
const SETS = 500;
/** Sets of one event besides the first of each anchor. */
const SETS_OF_EVENT = 5_000;
/** What judging a set costs besides splitting it, in steps. */
const JUDGE = 16;
/** Candidates of each class beyond what one match can use, so that there are sets to choose from. */
export const SPARE = 12;

export class EvenSets {
  readonly #evenness: Evenness;
  readonly #propose: Propose;
  /** Something may become possible for the entry at that instant. */
  readonly #opens: (entry: Entry, at: number) => void;
  #left = 0;

  constructor(evenness: Evenness, propose: Propose, opens: (entry: Entry, at: number) => void) {
    this.#evenness = evenness;
    this.#propose = propose;
    this.#opens = opens;
  }

  /** An event begins, with sets of its own. */
  begin(): void {
    this.#left = SETS_OF_EVENT;
  }

  /** As `chooseSet`. `at`: when the rules were asked. */
  *choose(
    anchor: Entry,
    candidates: readonly Entry[],
    choosing: Choosing,
    at: number,
  ): Slices<readonly Entry[] | null> {
    const { startedAt } = anchor.ticket;
    const { reach } = this.#evenness;
    const bound = reach.at(Math.max(0, at - startedAt));
    let least = Infinity;
    const isEven = (gap: number): boolean => {
      least = Math.min(least, gap);
      return gap <= bound;
    };
    const first = yield* chooseSet(anchor, candidates, choosing);
    if (first === null || isEven(yield* this.#gapOf(anchor, first, choosing, at))) {
      return first;
    }
    let found: readonly Entry[] | null = null;
    let sets = 0;
    yield* eachSet(
      anchor,
      candidates,
      choosing,
      function* (this: EvenSets, set: readonly Entry[]) {
        if (sets > 0) {
          this.#left -= 1;
          found = isEven(yield* this.#gapOf(anchor, set, choosing, at)) ? [...set] : null;
        }
        sets += 1;
        return found !== null || sets >= SETS || this.#left <= 0;
      }.bind(this),
    );
    if (found === null) {
      const gap = least;
      const opens = firstMs(
        startedAt,
        startedAt + reach.when(gap),
        (now) => gap <= reach.at(now - startedAt),
      );
      anchor.evenAt = opens;
      this.#opens(anchor, opens);
    }
    return found;
  }

  *#gapOf(anchor: Entry, set: readonly Entry[], { steps }: Choosing, at: number): Slices<number> {
    const found: Found = { anchor, entries: [anchor, ...set].sort(byAge), at };
    const proposal = yield* untilAnswered(() => this.#propose(found));
    steps.left -= JUDGE;
    const tickets = new Map<TicketId, Entry['ticket']>(
      found.entries.map(({ ticket }) => [ticket.id, ticket]),
    );
    const teams = proposal?.teams.map((team) =>
      team.tickets.flatMap((id) => tickets.get(id) ?? []),
    );
    return teams === undefined ? Infinity : this.#evenness.gapOf(teams);
  }
}
