// Can these parties fill the teams of a mode without roles? Exact bin packing of party sizes, mostly in microseconds; the
// rare long question can be cut. Parties are seated one by one, largest first; singles are only counted. Teams are alike,
// so a state says how many teams hold how many players: fewer than 190,000 for a hundred players, and none that failed is
// tried twice.

import type { SizedMode } from '../rules/sizes';
import { Answers, type Counts, type Shape, type Solver } from './solver';
import type { Verdict, Counters, Slices, Steps } from './steps';

export type SymmetricMode = Pick<
  SizedMode,
  'teams' | 'playersPerTeam' | 'minTeams' | 'minPlayersPerTeam' | 'sameSize' | 'minHumans'
>;

/** The bounds of all matches that the mode lets start. */
export function shortOf(mode: SymmetricMode): Bounds {
  const { teams, minTeams: fewest, minPlayersPerTeam: least, playersPerTeam: most } = mode;
  return { teams, fewest, least, most, players: mode.minHumans ?? 0 };
}

export class Packing implements Solver {
  readonly players: number;
  readonly fewest: number;
  readonly bots: boolean;
  readonly #full: Bounds;
  /** No party of any size. Copying it is faster than making another. */
  readonly #none: Sizes;
  readonly #short: Bounds;
  readonly #sameSize: boolean;
  readonly #counters: Counters;
  readonly #answers: Answers;

  constructor(mode: SymmetricMode, counters: Counters) {
    this.#counters = counters;
    this.#answers = new Answers(counters);
    this.players = mode.teams * mode.playersPerTeam;
    this.fewest = mode.minHumans ?? mode.minTeams * mode.minPlayersPerTeam;
    this.bots = mode.minHumans !== undefined;
    this.#full = fullOf(mode.teams, mode.playersPerTeam);
    this.#none = Array.from({ length: mode.playersPerTeam + 1 }, () => 0);
    this.#short = shortOf(mode);
    this.#sameSize = mode.sameSize === true;
  }

  /** Parties of one size are alike. */
  shapeOf({ members }: { readonly members: readonly unknown[] }): Shape | null {
    return members.length === 0 || members.length > this.#full.most
      ? null
      : '*'.repeat(members.length);
  }

  cap(shape: Shape): number {
    return Math.floor(this.#full.most / shape.length) * this.#full.teams;
  }

  full(must: Counts, may: Counts, steps: Steps): Verdict {
    return this.#ask(must, may, this.#full, steps);
  }

  short(must: Counts, may: Counts, steps: Steps): Verdict {
    if (!this.#sameSize) {
      return this.#ask(must, may, this.#short, steps);
    }
    for (let size = this.#short.most; size >= this.#short.least; size -= 1) {
      const answer = this.#ask(must, may, { ...this.#short, least: size, most: size }, steps);
      if (answer !== 'no') {
        return answer;
      }
    }
    return 'no';
  }

  #ask(must: Counts, may: Counts, bounds: Bounds, steps: Steps): Verdict {
    this.#counters.checks += 1;
    const { teams, most, players = 0 } = bounds;
    const [needed, free] = [this.#sizes(must), this.#sizes(may)];
    for (let size = most + 1; size < needed.length; size += 1) {
      if ((needed[size] ?? 0) > 0) {
        return 'no';
      }
    }
    needed.length = most + 1;
    free.length = most + 1;
    let [seated, more] = [0, 0];
    for (let size = 1; size <= most; size += 1) {
      const cap = Math.floor(most / size) * teams;
      if ((needed[size] ?? 0) > cap) {
        return 'no';
      }
      free[size] = Math.min(cap, free[size] ?? 0);
      seated += size * (needed[size] ?? 0);
      more += size * (free[size] ?? 0);
    }
    const least = Math.max(bounds.least * bounds.fewest, players);
    if (seated > teams * most || seated + more < least) {
      return 'no';
    }
    if (most === 1) {
      return 'yes';
    }
    if (teams === 1) {
      return addsUp(free, least - seated, most - seated) ? 'yes' : 'no';
    }
    const question = `${bounds.least},${bounds.fewest}|${needed.join()}|${free.join()}`;
    return this.#answers.of(question, steps, (own) => packed([needed, free], bounds, own));
  }

  #sizes(counts: Counts): number[] {
    const sizes = [...this.#none];
    for (const [shape, count] of counts) {
      sizes[shape.length] = count;
    }
    return sizes;
  }
}

/** For one team: do some of the parties add up to a number from `least` to `most`? */
function addsUp(parties: Sizes, least: number, most: number): boolean {
  const singles = parties[1] ?? 0;
  if (least <= singles) {
    return true;
  }
  const reached = Array.from({ length: most + 1 }, (_, sum) => sum === 0);
  for (let size = 2; size <= most; size += 1) {
    for (let copy = parties[size] ?? 0; copy > 0; copy -= 1) {
      for (let sum = most; sum >= size; sum -= 1) {
        reached[sum] ||= reached[sum - size] === true;
      }
    }
  }
  return reached.includes(true, Math.max(0, least - singles));
}

/** How many parties of each size; index 0 is unused. */
export type Sizes = readonly number[];

/** What makes a match: at least `fewest` of the teams are used, and each of these has `least` to `most` players. */
export interface Bounds {
  readonly teams: number;
  readonly fewest: number;
  readonly least: number;
  readonly most: number;
  /** The fewest players of all teams together, where a team may have nobody. */
  readonly players?: number;
}

export function fullOf(teams: number, size: number): Bounds {
  return { teams, fewest: teams, least: size, most: size };
}

/** How many states one search remembers. This bounds memory, not what is found. */
const REMEMBERED = 40_000;

/** A party of two or more, and what is known of it and all parties after it. */
interface SizedParty {
  readonly size: number;
  readonly isMust: boolean;
  /** Where the next smaller size begins. */
  readonly nextSize: number;
  /** Players of all of them, and of those that must play. */
  readonly players: number;
  readonly needed: number;
  /** How many players can be added to one team, as a flag for each number; singles included. */
  readonly sums: readonly boolean[];
  /** States in which they cannot be seated. */
  readonly failed: Set<string>;
}

/** Party sizes of each used team, with all of `must` and some of `may`, or null. `loads`: players already on teams. */
export function* packed(
  [must, may]: readonly [must: Sizes, may: Sizes],
  bounds: Bounds,
  steps: Steps,
  loads: readonly number[] = [],
): Slices<readonly (readonly number[])[] | null> {
  const { teams, fewest, least, most, players: enough = 0 } = bounds;
  const mustSingles = must[1] ?? 0;
  const singles = mustSingles + (may[1] ?? 0);
  const parties = partiesOf(must, may, most);
  /** How many players each team holds, and the sizes of the parties that were given to it. */
  const held = Array.from({ length: teams }, () => 0);
  const sizes = held.map((): number[] => []);
  /** Teams by how many players they hold. */
  const holding = Array.from({ length: most + 1 }, (_, load) => (load === 0 ? teams : 0));
  let [seated, used, lacking, remembered] = [0, 0, 0, 0];
  const change = (team: number, to: number): void => {
    const from = held[team] ?? 0;
    held[team] = to;
    holding[from] = (holding[from] ?? 0) - 1;
    holding[to] = (holding[to] ?? 0) + 1;
    seated += to - from;
    used += (to > 0 ? 1 : 0) - (from > 0 ? 1 : 0);
    lacking += lackOf(to, least) - lackOf(from, least);
  };
  loads.forEach((load, team) => change(team, load));

  /** True if the parties from this one on cannot complete the teams. */
  const isHopeless = ({ players, needed, sums }: SizedParty): boolean => {
    const missing = lacking + Math.max(0, fewest - used) * least;
    if (missing > players || needed > teams * most - seated || seated + players < enough) {
      return true;
    }
    for (let load = used < fewest ? 0 : 1; load < least; load += 1) {
      const reached = (holding[load] ?? 0) > 0 ? sums.indexOf(true, least - load) : 0;
      if (reached < 0 || reached > most - load) {
        return true;
      }
    }
    return false;
  };

  /** With only singles left: how many teams to use so that everybody plays who must; null if that is impossible. */
  const usable = (): number | null => {
    for (let count = Math.max(fewest, used); count <= teams; count += 1) {
      if (lacking + (count - used) * least > singles) {
        return null;
      }
      if (mustSingles <= count * most - seated) {
        return count;
      }
    }
    return null;
  };

  function* place(at: number): Slices<boolean> {
    steps.left -= 1;
    if (steps.left <= 0) {
      yield;
    }
    const party = parties[at];
    if (party === undefined) {
      return usable() !== null && seated + singles >= enough;
    }
    // Teams are alike.
    const state = holding.join();
    if (isHopeless(party) || party.failed.has(state)) {
      return false;
    }
    const { size } = party;
    // The fullest team first.
    for (let load = most - size; load >= 0; load -= 1) {
      const team = held.indexOf(load);
      if (team >= 0) {
        sizes[team]?.push(size);
        change(team, load + size);
        if (yield* place(at + 1)) {
          return true;
        }
        sizes[team]?.pop();
        change(team, load);
      }
    }
    if (!party.isMust && (yield* place(party.nextSize))) {
      return true;
    }
    if (remembered < REMEMBERED) {
      remembered += 1;
      party.failed.add(state);
    }
    return false;
  }

  if (!(yield* place(0))) {
    return null;
  }
  // The singles that each team lacks, then those who must play, to the fullest first.
  const order = [...held.keys()].sort((a, b) => (held[b] ?? 0) - (held[a] ?? 0) || a - b);
  const playing = order.slice(0, usable() ?? fewest);
  let left = mustSingles;
  for (const goal of [least, most]) {
    for (const team of playing) {
      const load = held[team] ?? 0;
      const room = Math.max(0, goal - load);
      const added = goal === least ? room : Math.min(room, left);
      sizes[team]?.push(...Array.from({ length: added }, () => 1));
      change(team, load + added);
      left -= added;
    }
  }
  return sizes.filter((team) => team.length > 0);
}

/** Parties of two or more, largest first. Of each size, those that must play come first. */
function partiesOf(must: Sizes, may: Sizes, most: number): readonly SizedParty[] {
  const parties: SizedParty[] = [];
  const all = must.map((fixed, size) => fixed + (may[size] ?? 0));
  let players = all[1] ?? 0;
  let needed = must[1] ?? 0;
  let sums: readonly boolean[] = Array.from({ length: most + 1 }, (_, sum) => sum <= players);
  const count = all.slice(2).reduce((sum, each) => sum + each, 0);
  // From the last one to the first, so that the smaller ones are known.
  for (let size = 2; size <= most; size += 1) {
    const nextSize = count - parties.length;
    for (let copy = all[size] ?? 0; copy > 0; copy -= 1) {
      const isMust = copy <= (must[size] ?? 0);
      const before = sums;
      players += size;
      needed += isMust ? size : 0;
      sums = before.map((isReached, sum) => isReached || before[sum - size] === true);
      parties.push({ size, isMust, nextSize, players, needed, sums, failed: new Set() });
    }
  }
  return parties.toReversed();
}

function lackOf(load: number, least: number): number {
  return load > 0 && load < least ? least - load : 0;
}
