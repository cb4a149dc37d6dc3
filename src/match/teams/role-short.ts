// Short matches of modes with roles (decision 61): teams lack places of any role, as many as the minimum allows, but
// never the one place of a role. Parties go to teams one by one, and each state is asked whether everybody still finds
// a role (role-flow.ts), which dismisses most. Exact: no state that failed is tried twice.

import { leastOf, type Minima } from '../rules/sizes';
import { type RoleBook, shapeOf } from './role-book';
import { filled, type Free, type TeamRoom } from './role-flow';
import type { Unit } from './role-search';
import type { Slices, Steps } from './steps';

/** The teams that a match can use, fewest first. Of teams that want the same, the first stand for all. */
function usable({ demand }: RoleBook, { minTeams }: Minima): readonly (readonly number[])[] {
  let sets: readonly (readonly number[])[] = [[]];
  for (const alike of Map.groupBy(demand.keys(), (team) => demand[team]?.join()).values()) {
    const some = [...alike.keys(), alike.length].map((count) => alike.slice(0, count));
    sets = sets.flatMap((set) => some.map((more) => [...set, ...more]));
  }
  return sets
    .filter(({ length }) => length >= minTeams)
    .map((set) => set.toSorted((a, b) => a - b))
    .sort((a, b) => a.length - b.length);
}

/** The places that the players take, by team of the book and then by role. */
export type Taken = readonly (readonly number[])[];

export class ShortSearch {
  /** Bots take what is left. */
  readonly bots: boolean;
  readonly #book: RoleBook;
  readonly #minima: Minima;
  readonly #used: readonly (readonly number[])[];

  constructor(book: RoleBook, minima: Minima) {
    this.#book = book;
    this.#minima = minima;
    this.bots = minima.minHumans !== undefined;
    this.#used = usable(book, minima);
  }

  /** Any match of all who must play and some who may; null if there is none. */
  *any(units: readonly Unit[], steps: Steps): Slices<Taken | null> {
    if (this.#minima.sameSize === true) {
      return yield* this.even(units, steps);
    }
    for (const teams of this.#used) {
      const found = yield* this.#seated(teams, units, [0, Infinity], steps);
      if (found !== null) {
        return found;
      }
    }
    return null;
  }

  /** As even as possible, then with as few teams as possible, as without roles (docs/internals/design.md A6). */
  *even(units: readonly Unit[], steps: Steps): Slices<Taken | null> {
    const most = Math.max(...this.#book.teamSizes);
    const furthest = this.#minima.sameSize === true ? 0 : most;
    for (let spread = 0; spread <= furthest; spread += 1) {
      for (const teams of this.#used) {
        for (let lack = 0; lack + spread <= most; lack += 1) {
          const found = yield* this.#seated(teams, units, [lack, lack + spread], steps);
          if (found !== null) {
            return found;
          }
        }
      }
    }
    return null;
  }

  /** Tries these teams, each of which may lack as many players as its minimum allows. */
  *#seated(
    teams: readonly number[],
    units: readonly Unit[],
    [fewest, most]: readonly [number, number],
    steps: Steps,
  ): Slices<Taken | null> {
    let isSame = true;
    const rooms = teams.map((team): TeamRoom => {
      const demand = this.#book.demand[team] ?? [];
      const size = this.#book.teamSizes[team] ?? 0;
      const floor = leastOf(demand, this.#minima);
      isSame &&= size - fewest >= floor;
      const sizes = { least: Math.max(floor, size - most), most: Math.max(floor, size - fewest) };
      return { ...sizes, demand, members: '', bots: this.bots };
    });
    if (!isSame && this.#minima.sameSize === true) {
      return null;
    }
    const found = yield* seated(rooms, units, steps, this.#minima.minHumans);
    const none = this.#book.roles.map(() => 0);
    return found && this.#book.demand.map((_, team) => found[teams.indexOf(team)] ?? none);
  }
}

/** How many states one search remembers. This bounds memory, not what is found. */
const REMEMBERED = 20_000;

/** Parties of two or more players that have the same shape. */
type PartyKind = { readonly shape: string; readonly isMust: boolean };

/** How many players of each role each team has when all parties are seated. Null if they cannot be. */
function* seated(empty: readonly TeamRoom[], units: readonly Unit[], steps: Steps, enough = 0) {
  const kinds: PartyKind[] = [];
  const counts: number[] = [];
  // Those that must play first, and of these the largest.
  for (const which of ['must', 'may'] as const) {
    const ofKind = units.filter((unit) => unit.shape.length > 1 && unit[which] > 0);
    for (const unit of ofKind.toSorted((a, b) => b.shape.length - a.shape.length)) {
      kinds.push({ shape: unit.shape, isMust: which === 'must' });
      counts.push(unit[which]);
    }
  }
  const singles = units.filter(({ shape }) => shape.length === 1);
  const failed = new Set<string>();

  function* place(rooms: readonly TeamRoom[], left: readonly number[]): Slices<Taken | null> {
    const key = `${rooms.map(alikeAs).sort().join()}|${left.join()}`;
    const found = failed.has(key)
      ? null
      : filled(rooms, freeOf(singles, kinds, left), steps, enough);
    if (steps.left <= 0) {
      yield;
    }
    const next = left.findIndex((count) => count > 0);
    const kind = kinds[next];
    if (found === null || kind === undefined) {
      return found;
    }
    const fewer = left.with(next, (left[next] ?? 0) - 1);
    const tried = new Set<string>();
    for (const [team, room] of rooms.entries()) {
      const isOpen = room.members.length + kind.shape.length <= room.most;
      if (isOpen && !tried.has(alikeAs(room))) {
        tried.add(alikeAs(room));
        const all = Array.from(room.members + kind.shape, (member) => member.charCodeAt(0));
        const fuller = rooms.with(team, { ...room, members: shapeOf(all) });
        const done = yield* place(fuller, fewer);
        if (done !== null) {
          return done;
        }
      }
    }
    const without = kind.isMust ? null : yield* place(rooms, left.with(next, 0));
    if (without === null && failed.size < REMEMBERED) {
      failed.add(key);
    }
    return without;
  }

  return yield* place(empty, counts);
}

/** Equal for teams that may change places. */
function alikeAs({ least, most, demand, members }: TeamRoom): string {
  return `${least},${most},${demand.join(' ')},${Array.from(members, (one) => one.charCodeAt(0)).join(' ')}`;
}

/** Everybody who is on no team yet, as if each had come alone. */
function freeOf(
  singles: readonly Unit[],
  kinds: readonly PartyKind[],
  left: readonly number[],
): Free {
  const free = new Map<number, { must: number; may: number }>();
  const add = (shape: string, must: number, may: number): void => {
    for (let member = 0; member < shape.length; member += 1) {
      const set = shape.charCodeAt(member);
      const known = free.get(set) ?? { must: 0, may: 0 };
      free.set(set, { must: known.must + must, may: known.may + may });
    }
  };
  singles.forEach(({ shape, must, may }) => add(shape, must, may));
  kinds.forEach(({ shape, isMust }, at) => {
    const count = left[at] ?? 0;
    add(shape, isMust ? count : 0, isMust ? 0 : count);
  });
  return free;
}
