// Can these parties fill every role of the teams exactly? They are given to teams one by one, those that must play
// first, and of these the most restricted. Single players are only counted. Hall's theorem says what the others could
// still fill, which dismisses most states. No state that failed is tried twice.

import { type BySet, isPossible, plus, type Seated, seatedOn, touching, withinSets } from './hall';
import { type RoleBook, shapeOf } from './role-book';
import type { Shape } from './solver';
import type { Slices, Steps } from './steps';

/** Parties of one shape, or single players: how many must play, and how many more may. */
export type Unit = { readonly shape: Shape; readonly must: number; readonly may: number };

type SeatedParty = { readonly shape: Shape; readonly team: number };
/** Null if the teams cannot be filled. */
export type Seats = readonly SeatedParty[] | null;

/** How many states one search remembers. This bounds memory, not what is found. */
const REMEMBERED = 20_000;

/** Parties of two or more of one shape. */
interface ShapedParty {
  readonly shape: Shape;
  readonly isMust: boolean;
  readonly inside: BySet;
  readonly touched: BySet;
}

/** What is on a team, and what that leaves to others. Teams with equal places and members are one object. */
interface SearchTeam extends Seated {
  /** The order in which the search came to know the teams. */
  readonly number: number;
  readonly places: BySet;
  readonly members: Shape;
  /** How many more players it takes. */
  readonly room: number;
  /** The team with one more party; null if the members do not all find a role. */
  readonly next: Map<Shape, SearchTeam | null>;
}

interface State extends Seated {
  readonly teams: readonly SearchTeam[];
  /** How many are left of each party. */
  readonly left: readonly number[];
  /** How many of the players left need not play. */
  readonly slack: number;
  readonly seats: readonly SeatedParty[];
}

export class RoleSearch {
  readonly #book: RoleBook;
  readonly #steps: Steps;
  readonly #known = new Map<string, SearchTeam>();
  readonly #failed = new Set<string>();
  #parties: readonly ShapedParty[] = [];

  constructor(book: RoleBook, steps: Steps) {
    this.#book = book;
    this.#steps = steps;
  }

  /** The seats of all parties of two or more that play; null if the teams cannot be filled. */
  *run(units: readonly Unit[]): Slices<Seats> {
    const teams = this.#book.places.map((places) => this.#teamOf(places, ''));
    const sets = 2 ** this.#book.roles.length;
    const all = units.map(({ shape, must, may }) => shape.repeat(must + may)).join('');
    const forced = units.map(({ shape, must }) => shape.repeat(must)).join('');
    let fills = touching(withinSets(all, sets));
    let holds = withinSets(forced, sets);
    for (const team of teams) {
      fills = plus(fills, team.fills, 1);
      holds = plus(holds, team.holds, 1);
    }
    if (!isPossible({ fills, holds })) {
      return null;
    }
    this.#steps.left -= (units.length * sets) / 64;
    const counted = units.flatMap(({ shape, must, may }) => {
      const party = { shape, inside: withinSets(shape, sets) };
      const touched = touching(party.inside);
      return [
        { ...party, touched, isMust: true, count: must },
        { ...party, touched, isMust: false, count: may },
      ];
    });
    const parties = counted.filter(({ shape, count }) => shape.length > 1 && count > 0);
    const left = parties.map(({ count }) => count);
    this.#parties = parties;
    const slack = all.length - this.#book.players;
    return yield* this.#from({ teams, left, slack, seats: [], fills, holds });
  }

  *#from(state: State): Slices<Seats> {
    this.#steps.left -=
      2 + (this.#parties.length + state.teams.length) / 2 + state.fills.length / 16;
    if (this.#steps.left <= 0) {
      yield;
    }
    const key = stateKey(state);
    if (this.#failed.has(key)) {
      return null;
    }
    const choice = yield* this.#choose(state);
    if (choice === null) {
      // Only single players are left, and they can fill what is left.
      return state.seats;
    }
    for (const next of choice) {
      const found = next.slack >= 0 && isPossible(next) ? yield* this.#from(next) : null;
      if (found !== null) {
        return found;
      }
    }
    if (this.#failed.size < REMEMBERED) {
      this.#failed.add(key);
    }
    return null;
  }

  /** What may become of the party with the fewest teams open to it, and of these the largest. Null if no party is left. */
  *#choose(state: State): Slices<Iterable<State> | null> {
    const distinct = [...new Set(state.teams)];
    const isForced = this.#parties.some(({ isMust }, at) => isMust && state.left[at] !== 0);
    let best: { readonly at: number; readonly open: readonly SearchTeam[] } | null = null;
    let bestScore = Infinity;
    for (const [at, { shape, isMust }] of this.#parties.entries()) {
      if (state.left[at] === 0 || isMust !== isForced) {
        continue;
      }
      // A team that is seen with the party for the first time has its price.
      if (this.#steps.left <= 0) {
        yield;
      }
      const open = distinct.filter((team) => this.#with(team, shape) !== null);
      const score = open.length * 100 - shape.length;
      if (open.length === 0 || score < bestScore) {
        bestScore = open.length === 0 ? -Infinity : score;
        best = { at, open };
      }
    }
    return best && this.#nexts(state, best.at, best.open);
  }

  /** The party on each team, the fullest first, so that the others stay open to more parties; then left out. */
  *#nexts(
    state: State,
    at: number,
    open: readonly SearchTeam[],
  ): Generator<State, void, undefined> {
    const { shape, isMust, inside, touched } = this.#parties[at] ?? NOBODY;
    const count = state.left[at] ?? 0;
    for (const team of [...open].sort((a, b) => a.room - b.room || a.number - b.number)) {
      const next = this.#with(team, shape) ?? team;
      const index = state.teams.indexOf(team);
      yield {
        ...state,
        teams: state.teams.with(index, next),
        left: state.left.with(at, count - 1),
        seats: [...state.seats, { shape, team: index }],
        fills: state.fills.map(
          (spare, set) =>
            spare - (touched[set] ?? 0) + (next.fills[set] ?? 0) - (team.fills[set] ?? 0),
        ),
        holds: state.holds.map(
          (excess, set) =>
            excess -
            (isMust ? (inside[set] ?? 0) : 0) +
            (next.holds[set] ?? 0) -
            (team.holds[set] ?? 0),
        ),
      };
    }
    if (!isMust) {
      const slack = state.slack - count * shape.length;
      const fills = plus(state.fills, touched, -count);
      yield { ...state, left: state.left.with(at, 0), slack, fills };
    }
  }

  /** The team with this party as well; null if the members do not all find a role. */
  #with(team: SearchTeam, party: Shape): SearchTeam | null {
    if (party.length > team.room) {
      return null;
    }
    let next = team.next.get(party);
    if (next === undefined) {
      const members = Array.from(team.members + party, (member) => member.charCodeAt(0));
      const made = this.#teamOf(team.places, shapeOf(members));
      next = (made.holds[0] ?? 0) > 0 ? null : made;
      team.next.set(party, next);
    }
    return next;
  }

  #teamOf(places: BySet, members: Shape): SearchTeam {
    const key = `${this.#book.places.indexOf(places)}|${members}`;
    let team = this.#known.get(key);
    if (team === undefined) {
      const empty = members === '' ? this.#book.empty.get(places) : undefined;
      this.#steps.left -= empty === undefined ? 1 + places.length / 32 : 0;
      const seated = empty ?? seatedOn(withinSets(members, places.length), places);
      const room = (places.at(-1) ?? 0) - members.length;
      team = { ...seated, number: this.#known.size, places, members, room, next: new Map() };
      this.#known.set(key, team);
    }
    return team;
  }
}

const NONE = new Int32Array();
const NOBODY: ShapedParty = { shape: '', isMust: true, inside: NONE, touched: NONE };

function stateKey({ teams, left }: State): string {
  const numbers = teams.map((team) => team.number).sort((a, b) => a - b);
  return `${numbers.join()}|${left.join()}`;
}
