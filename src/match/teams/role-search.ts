// Can these parties fill the teams of a mode with roles, every role exactly? Parties are given to teams one by one, the
// most restricted first. Single players are only counted. Hall's theorem says what the others could still fill, which
// dismisses most states. No state that failed is tried twice.

import { type BySet, isPossible, plus, type Seated, touching, within } from './hall';
import type { RoleBook } from './role-book';
import { membersOf, SeatedTeams, type Team } from './seated';
import type { Shape } from './solver';
import type { Slices, Steps } from './steps';

/** Parties of one shape, or single players: how many must play, and how many more may. */
export interface Unit {
  readonly shape: Shape;
  readonly must: number;
  readonly may: number;
}

/** A party on a team. */
export interface Seat {
  readonly shape: Shape;
  readonly team: number;
}

/** How many states one search remembers. This bounds memory, not what is found. */
const REMEMBERED = 20_000;

interface Party {
  readonly shape: Shape;
  readonly inside: BySet;
  readonly touched: BySet;
  /** How hard it is to fill a role that a member can take; the hardest member counts. */
  readonly scarcity: number;
}

interface State extends Seated {
  readonly teams: readonly Team[];
  /** For each party: how many are left that must play, and that may. */
  readonly must: readonly number[];
  readonly may: readonly number[];
  /** How many of the players left need not play. */
  readonly slack: number;
  readonly seats: readonly Seat[];
}

export class RoleSearch {
  readonly #steps: Steps;
  readonly #teams: SeatedTeams;
  readonly #parties: readonly Party[];
  readonly #start: State;
  readonly #failed = new Set<string>();

  constructor(book: RoleBook, units: readonly Unit[], steps: Steps) {
    this.#steps = steps;
    this.#teams = new SeatedTeams(book, steps);
    const sets = 2 ** book.roles.length;
    const counted = units.map((unit) => {
      const inside = within(unit.shape, sets);
      return { ...unit, inside, touched: touching(inside) };
    });
    const all = sum(counted.map(({ shape, must, may }) => shape.length * (must + may)));
    let { fills, holds } = everySet(sets);
    for (const { inside, touched, must, may } of counted) {
      fills = plus(fills, touched, must + may);
      holds = plus(holds, inside, must);
    }
    /** Places for each player who accepts the role. */
    const scarce = book.roles.map((_, role) => {
      const wanted = sum(book.demand.map((team) => team[role] ?? 0));
      return wanted / Math.max(1, fills[2 ** role] ?? 0);
    });
    for (const team of this.#teams.empty) {
      fills = plus(fills, team.fills, 1);
      holds = plus(holds, team.holds, 1);
    }
    const parties = counted
      .filter(({ shape }) => shape.length > 1)
      .sort((a, b) => b.shape.length - a.shape.length);
    this.#parties = parties.map((party) => ({
      ...party,
      scarcity: scarcityOf(party.shape, scarce),
    }));
    this.#start = this.#promoted({
      teams: this.#teams.empty,
      must: parties.map(({ must }) => must),
      may: parties.map(({ may }) => may),
      slack: all - book.players,
      seats: [],
      fills,
      holds,
    });
  }

  /** The seats of all parties of two or more that play; null if the teams cannot be filled. */
  *run(): Slices<readonly Seat[] | null> {
    return isPossible(this.#start) ? yield* this.#from(this.#start) : null;
  }

  *#from(state: State): Slices<readonly Seat[] | null> {
    this.#steps.left -=
      2 + (this.#parties.length + state.teams.length) / 2 + state.fills.length / 16;
    if (this.#steps.left <= 0) {
      yield;
    }
    const key = keyOf(state);
    if (this.#failed.has(key)) {
      return null;
    }
    if (this.#isFilledBySingles(state)) {
      return state.seats;
    }
    const choice = this.#choose(state);
    for (const team of choice?.teams ?? []) {
      const next = this.#seat(state, choice?.party ?? 0, team);
      const found = isPossible(next) ? yield* this.#from(next) : null;
      if (found !== null) {
        return found;
      }
    }
    if (choice !== null && (state.must[choice.party] ?? 0) === 0) {
      const next = this.#leaveOut(state, choice.party);
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

  /** True if single players alone can fill what is left. */
  #isFilledBySingles({ must, may, fills }: State): boolean {
    if (must.some((count) => count > 0)) {
      return false;
    }
    let left = fills;
    for (const [at, { touched }] of this.#parties.entries()) {
      const count = may[at] ?? 0;
      left = count > 0 ? plus(left, touched, -count) : left;
    }
    return left.every((spare) => spare >= 0);
  }

  /** The party with the fewest teams open to it. If every party may be left out, the one most needed. */
  #choose({
    teams,
    must,
    may,
  }: State): { readonly party: number; readonly teams: readonly Team[] } | null {
    const distinct = [...new Set(teams)];
    const isForced = must.some((count) => count > 0);
    const left = isForced ? must : may;
    let best: { readonly party: number; readonly teams: readonly Team[] } | null = null;
    let bestScore = Infinity;
    for (const [at, { shape, scarcity }] of this.#parties.entries()) {
      if (left[at] === 0) {
        continue;
      }
      const open = distinct.filter((team) => this.#teams.with(team, shape) !== null);
      if (open.length === 0 && isForced) {
        return null;
      }
      const urgency = isForced
        ? open.length * 100 - shape.length
        : open.length - shape.length * 10 - scarcity * 1000;
      const score = open.length === 0 ? -Infinity : urgency;
      if (score < bestScore) {
        bestScore = score;
        best = { party: at, teams: open };
      }
    }
    // The fullest team first, so that the others stay open to more parties.
    return best === null
      ? null
      : { ...best, teams: [...best.teams].sort((a, b) => a.room - b.room || a.number - b.number) };
  }

  #seat(state: State, at: number, team: Team): State {
    const party = this.#parties[at];
    const next = party === undefined ? null : this.#teams.with(team, party.shape);
    if (party === undefined || next === null) {
      return state;
    }
    const index = state.teams.indexOf(team);
    const isMust = (state.must[at] ?? 0) > 0;
    const { fills, holds } = state;
    return {
      ...state,
      teams: state.teams.with(index, next),
      must: isMust ? less(state.must, at, 1) : state.must,
      may: isMust ? state.may : less(state.may, at, 1),
      seats: [...state.seats, { shape: party.shape, team: index }],
      fills: fills.map(
        (spare, set) =>
          spare - (party.touched[set] ?? 0) + (next.fills[set] ?? 0) - (team.fills[set] ?? 0),
      ),
      holds: holds.map(
        (excess, set) =>
          excess -
          (isMust ? (party.inside[set] ?? 0) : 0) +
          (next.holds[set] ?? 0) -
          (team.holds[set] ?? 0),
      ),
    };
  }

  #leaveOut(state: State, at: number): State {
    const party = this.#parties[at];
    const count = state.may[at] ?? 0;
    return party === undefined
      ? state
      : this.#promoted({
          ...state,
          may: less(state.may, at, count),
          slack: state.slack - count * party.shape.length,
          fills: plus(state.fills, party.touched, -count),
        });
  }

  /** Parties that there are too few players to leave out must play. */
  #promoted(state: State): State {
    let { must, may, holds } = state;
    for (const [at, { shape, inside }] of this.#parties.entries()) {
      const excess = (may[at] ?? 0) - Math.floor(state.slack / shape.length);
      if (excess > 0 && state.slack >= 0) {
        may = less(may, at, excess);
        must = less(must, at, -excess);
        holds = plus(holds, inside, excess);
      }
    }
    return { ...state, must, may, holds };
  }
}

function keyOf({ teams, must, may }: State): string {
  const numbers = teams.map((team) => team.number).sort((a, b) => a - b);
  return `${numbers.join()}|${must.join()}|${may.join()}`;
}

function less(counts: readonly number[], at: number, count: number): readonly number[] {
  return counts.with(at, (counts[at] ?? 0) - count);
}

function scarcityOf(shape: Shape, scarce: readonly number[]): number {
  const ofMember = (accepted: number): number =>
    Math.min(...scarce.filter((_, role) => ((accepted >> role) & 1) === 1));
  return Math.max(...membersOf(shape).map(ofMember));
}

function everySet(sets: number): Seated {
  const none = Array.from({ length: sets }, () => 0);
  return { fills: none, holds: none };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
