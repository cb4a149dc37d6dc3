// The role of every player of a chosen match (docs/internals/design.md A14): those who accept the fewest roles
// choose first, then those who wait longest, each the dearest role with which the match can still be
// completed. Nearly always that is seen on the teams found before; else the parties are searched for
// other teams, as far as a budget reaches: a match that is known to be possible is not held back for the
// sake of dearer roles. Holds always: between two questions the choice may stop and go on later.

import type { Steps } from '../sets/steps';
import { RoleFlow } from './flow';
import { RoleSearch } from './search';
import type { RoleBook, Wish } from './wishes';

/** Steps for searches of other teams; then the dearest roles that the teams found allow are taken. */
const BETTER_STEPS = 20_000;

export interface Seat {
  readonly party: number;
  /** Numbers of the roles accepted, dearest first. */
  readonly preferences: readonly number[];
  /** What is still open to the player; in the end one role. */
  wish: Wish;
}

export interface ChosenRoles {
  /** Of each party, its members' roles. */
  readonly roles: readonly (readonly number[])[];
  /** Of each party of two and more, a team on which it can have them; -1 for single players. */
  readonly teams: readonly number[];
}

export class RoleChoice {
  readonly #book: RoleBook;
  readonly #seats: readonly Seat[];
  readonly #parties: number;
  /** Those yet to choose, in their order; the first chooses, from the preference `#at` on. */
  readonly #waiting: Seat[];
  #at = 0;
  #better = BETTER_STEPS;
  /** Teams found for the wishes as they are. */
  #teams: number[] | null = null;
  #flow: RoleFlow | null = null;
  #search: { readonly run: RoleSearch; readonly parties: readonly number[][] } | null = null;
  readonly #wishes: readonly Wish[];
  readonly #classOf: ReadonlyMap<string, number>;

  constructor(book: RoleBook, seats: readonly Seat[]) {
    this.#book = book;
    this.#seats = seats;
    this.#parties = seats.reduce((most, { party }) => Math.max(most, party + 1), 0);
    // Stable: parties come eldest first, members in the order in which they joined.
    this.#waiting = seats
      .filter(({ preferences }) => preferences.length > 1)
      .sort((a, b) => a.preferences.length - b.preferences.length);
    const wishes = new Map<string, Wish>();
    for (const wish of [
      ...seats.map((seat) => seat.wish),
      ...book.roles.map((_, role) => book.wish([role])),
    ]) {
      wishes.set(wish.key, wish);
    }
    this.#wishes = [...wishes.values()];
    this.#classOf = new Map(this.#wishes.map(({ key }, at) => [key, at]));
  }

  /** Null when the parties cannot fill the teams at all. */
  run(steps: Steps): ChosenRoles | null | 'open' {
    if (this.#teams === null) {
      const answer = this.#searched(steps);
      if (answer !== 'yes') {
        return answer === 'open' ? 'open' : null;
      }
    }
    for (let [seat] = this.#waiting; seat !== undefined; [seat] = this.#waiting) {
      if (steps.left <= 0) {
        return 'open';
      }
      const role = seat.preferences[this.#at] ?? 0;
      const open = seat.wish;
      const only = this.#book.wish([role]);
      if (this.#search === null && this.#narrow(seat, only, steps)) {
        seat.wish = only;
      } else {
        seat.wish = only;
        const answer = this.#searchedBetter(steps);
        if (answer !== 'yes') {
          seat.wish = open;
          if (answer === 'open') {
            return 'open';
          }
          this.#at += 1;
          continue;
        }
      }
      this.#waiting.shift();
      this.#at = 0;
    }
    return {
      roles: this.#byParty().map((seats) => seats.map(({ wish }) => wish.accepts.indexOf(true))),
      teams: this.#teams ?? [],
    };
  }

  /** Whether the player can have the role with all parties on the teams found. */
  #narrow(seat: Seat, only: Wish, steps: Steps): boolean {
    this.#flow ??= this.#seated();
    const saved = this.#flow.save();
    const from = this.#classOf.get(seat.wish.key) ?? 0;
    const to = this.#classOf.get(only.key) ?? 0;
    const team = this.#teams?.[seat.party] ?? -1;
    let fits = true;
    if (team < 0) {
      this.#flow.remove(from, 1, 0);
      this.#flow.add(to, 1, 0);
    } else {
      fits = this.#flow.unbind(from, team) && this.#flow.bind(to, team);
    }
    fits = fits && this.#flow.settle() === 'yes';
    if (!fits) {
      this.#flow.restore(saved);
    }
    steps.left -= this.#flow.cost;
    this.#flow.cost = 0;
    return fits;
  }

  #seated(): RoleFlow {
    const flow = new RoleFlow(this.#book, this.#wishes);
    const classOf = (seat: Seat): number => this.#classOf.get(seat.wish.key) ?? 0;
    for (const seat of this.#seats) {
      const team = this.#teams?.[seat.party] ?? -1;
      if (team < 0) {
        flow.add(classOf(seat), 1, 0);
      } else {
        flow.bind(classOf(seat), team);
      }
    }
    flow.settle();
    return flow;
  }

  /** Whether other teams allow the wishes as they are; no, once the budget for that is spent. */
  #searchedBetter(steps: Steps): 'yes' | 'no' | 'open' {
    const granted = Math.min(steps.left, this.#better);
    const better = { left: granted };
    const answer = this.#better > 0 ? this.#searched(better) : 'no';
    steps.left -= granted - better.left;
    this.#better -= granted - better.left;
    if (answer === 'open' && this.#better <= 0) {
      // Cut at a count of its own, and so at the same place whatever the slices are.
      this.#search = null;
      return 'no';
    }
    return answer;
  }

  /** Looks for teams with the wishes as they are. */
  #searched(steps: Steps): 'yes' | 'no' | 'open' {
    if (this.#search === null) {
      const units = new Map<string, { readonly wishes: Wish[]; readonly parties: number[] }>();
      for (const [party, seats] of this.#byParty().entries()) {
        const wishes = seats.map(({ wish }) => wish);
        const key = wishes
          .map((wish) => wish.key)
          .sort()
          .join(' ');
        const unit = units.get(key) ?? { wishes, parties: [] };
        unit.parties.push(party);
        units.set(key, unit);
      }
      const all = [...units.values()];
      this.#search = {
        run: new RoleSearch(
          this.#book,
          all.map(({ wishes, parties }) => ({ wishes, must: parties.length, may: 0 })),
        ),
        parties: all.map(({ parties }) => parties),
      };
    }
    const { run, parties } = this.#search;
    const answer = run.run(steps);
    if (answer !== 'open') {
      this.#search = null;
    }
    if (answer === 'yes') {
      const teams = Array.from({ length: this.#parties }, () => -1);
      for (const { unit, team } of run.seats) {
        teams[parties[unit]?.pop() ?? 0] = team;
      }
      this.#teams = teams;
      this.#flow = null;
    }
    return answer;
  }

  #byParty(): readonly (readonly Seat[])[] {
    const parties: Seat[][] = Array.from({ length: this.#parties }, () => []);
    for (const seat of this.#seats) {
      parties[seat.party]?.push(seat);
    }
    return parties;
  }
}
