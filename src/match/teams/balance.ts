// Splits the parties of a match into the teams of a mode without roles. No party is divided, teams have the sizes that
// the mode asks for (docs/internals/design.md A6 for short matches), and their means are as close as can be found.

import { type Bounds, packed, shortOf, type SymmetricMode } from './packing';
import { OpenQuestions, type Slices, type Steps } from './steps';

export interface Party {
  readonly size: number;
  /** Its value of the first difference field; 0 if the mode has none. */
  readonly value: number;
  /** Parties of one kind may change places: those of one size, if it is absent. */
  readonly kind?: string;
  /** The places, in the list of all, of parties that share no team with it. Absent: there are none. */
  readonly foes?: ReadonlySet<number> | undefined;
}

/** With up to this many parties every split is tried (462 for twelve singles in two teams). */
const TRIED_ALL = 12;
const STEP_LIMIT = 50_000;
/** With more parties, where some share no team, the best of the first splits is taken. */
const FIRST_STEPS = 2_000;
const SWAP_ROUNDS = 64;

/** What a party adds to the sum of its team, in millionths: whole numbers add up to the same in any order. */
export function worthOf({ size, value }: Party): number {
  return Math.round(size * value * 1e6);
}

/** Splits whose spreads differ by no more than this, in millionths, are equally even. The first of them counts. */
const TIE = 0.5;

/** Indices of the parties of each team. */
export type Split = readonly (readonly number[])[];

/** Splits the sets of one mode. A split that was cut continues when it is asked for again. */
export class TeamSplits {
  readonly #short: Bounds;
  readonly #sameSize: boolean;
  readonly #open = new OpenQuestions<SizeChoice | null>();

  constructor(mode: SymmetricMode) {
    this.#short = shortOf(mode);
    this.#sameSize = mode.sameSize === true;
  }

  /**
   * The most even split of a full match. For a short one sizes as equal as possible come first, then as few teams as
   * that allows (fuller teams are nearer to the mode), then values. Null: no split, as when some share no team.
   */
  assign(parties: readonly Party[], steps: Steps): Split | null | 'open' {
    const counts: number[] = [0];
    for (const { size } of parties) {
      counts[size] = (counts[size] ?? 0) + 1;
    }
    const sizes = Array.from(counts, (count) => count ?? 0);
    const tried = evenFirst(total(parties), this.#short);
    if (parties.some(({ foes }) => foes !== undefined)) {
      const left = steps.left - STEP_LIMIT;
      const found = tried
        .filter(({ least, most }) => steps.left >= left && (least === most || !this.#sameSize))
        .map((bounds) => bestOfAll(parties, bounds, steps))
        .find((split) => split !== null);
      return found === undefined ? null : this.#inOrder(found);
    }
    const found = this.#open.ask(sizes.join(), steps, (own) => sizesOf(sizes, tried, own));
    if (found === 'open' || found === null) {
      return found;
    }
    const best = parties.length <= TRIED_ALL ? bestOfAll(parties, found.bounds, steps) : null;
    return this.#inOrder(best ?? improved(parties, dealt(parties, found.sizes), steps));
  }

  /** Teams of bots alone come last. */
  #inOrder(split: Split): Split {
    const { least, teams } = this.#short;
    const alone = Array.from({ length: least > 0 ? 0 : teams - split.length }, () => []);
    return [...split, ...alone]
      .map((team) => team.toSorted((a, b) => a - b))
      .sort((a, b) => (a[0] ?? Infinity) - (b[0] ?? Infinity) || 0);
  }
}

type SizeChoice = { readonly bounds: Bounds; readonly sizes: readonly (readonly number[])[] };

/** The first of the bounds that all parties can keep to. */
function* sizesOf(
  counts: readonly number[],
  tried: Iterable<Bounds>,
  steps: Steps,
): Slices<SizeChoice | null> {
  const none = counts.map(() => 0);
  for (const bounds of tried) {
    if (counts.findLastIndex((count) => count > 0) <= bounds.most) {
      const sizes = yield* packed([counts, none], bounds, steps);
      if (sizes !== null) {
        return { bounds, sizes };
      }
    }
  }
  return null;
}

/** The bounds of a short match that the number of players allows, in order of preference. */
function* evenFirst(players: number, { fewest, least, ...bounds }: Bounds): Generator<Bounds> {
  for (let spread = 0; spread <= bounds.most - least; spread += 1) {
    for (let teams = fewest; teams <= bounds.teams; teams += 1) {
      for (let lowest = bounds.most - spread; lowest >= least; lowest -= 1) {
        const most = lowest + spread;
        if (teams * lowest <= players && players <= teams * most) {
          yield { teams, fewest: teams, least: lowest, most };
        }
      }
    }
  }
}

/** Tries every split. Teams are alike, so a party tries at most one empty team. */
function bestOfAll(parties: readonly Party[], bounds: Bounds, counter: Steps): Split | null {
  // Large parties first, since they have the fewest places to go to.
  const order = [...parties.keys()].sort(
    (a, b) => (parties[b]?.size ?? 0) - (parties[a]?.size ?? 0) || a - b,
  );
  const teams: number[][] = Array.from({ length: bounds.teams }, () => []);
  const sizes = teams.map(() => 0);
  const sums = teams.map(() => 0);
  const limit = parties.length <= TRIED_ALL ? STEP_LIMIT : FIRST_STEPS;
  let best: Split | null = null;
  let bestSpread = Infinity;
  let steps = 0;
  const place = (at: number, missing: number, left: number): void => {
    steps += 1;
    const index = order[at];
    const party = index === undefined ? undefined : parties[index];
    if (steps > limit || missing > left || bestSpread <= TIE) {
      return;
    }
    if (index === undefined || party === undefined) {
      const means = sums.flatMap((sum, team) => (sizes[team] ? [sum / sizes[team]] : []));
      const spread = Math.max(...means) - Math.min(...means);
      if (spread < bestSpread - TIE) {
        bestSpread = spread;
        best = teams.map((team) => [...team]);
      }
      return;
    }
    for (const [team, size] of sizes.entries()) {
      const now = size + party.size;
      const isFree =
        party.foes === undefined || !teams[team]?.some((each) => party.foes?.has(each));
      if (now <= bounds.most && isFree) {
        sizes[team] = now;
        sums[team] = (sums[team] ?? 0) + worthOf(party);
        teams[team]?.push(index);
        const closed = Math.max(0, bounds.least - size) - Math.max(0, bounds.least - now);
        place(at + 1, missing - closed, left - party.size);
        teams[team]?.pop();
        sums[team] = (sums[team] ?? 0) - worthOf(party);
        sizes[team] = size;
      }
      if (size === 0) {
        return;
      }
    }
  };
  place(0, bounds.teams * bounds.least, total(parties));
  counter.left -= steps;
  return best;
}

/** Deals parties to teams of given party sizes: the most valued of a size to the team with the lowest mean so far. */
function dealt(parties: readonly Party[], sizes: readonly (readonly number[])[]): Split {
  const teams: number[][] = sizes.map(() => []);
  const open = sizes.map((team) => [...team]);
  const sums = sizes.map(() => 0);
  const players = sizes.map((team) => team.reduce((sum, size) => sum + size, 0));
  const order = [...parties.keys()].sort((a, b) => {
    const [one, other] = [parties[a] ?? NOBODY, parties[b] ?? NOBODY];
    return other.size - one.size || worthOf(other) - worthOf(one) || a - b;
  });
  for (const index of order) {
    const party = parties[index] ?? NOBODY;
    const meanOf = (team: number): number => (sums[team] ?? 0) / (players[team] ?? 1);
    const [team = 0] = [...open.keys()]
      .filter((each) => open[each]?.includes(party.size))
      .sort((a, b) => meanOf(a) - meanOf(b) || a - b);
    open[team]?.splice(open[team].indexOf(party.size), 1);
    sums[team] = (sums[team] ?? 0) + worthOf(party);
    teams[team]?.push(index);
  }
  return teams;
}

/** Swaps parties of one kind between teams as long as that brings the means closer together. */
export function improved(parties: readonly Party[], split: Split, steps: Steps): Split {
  const teams = split.map((team) => team.map((index) => parties[index] ?? NOBODY));
  const sizes = teams.map(total);
  const sums = teams.map((team) => team.reduce((sum, party) => sum + worthOf(party), 0));
  const mean = sums.reduce((a, b) => a + b, 0) / sizes.reduce((a, b) => a + b, 0);
  const cost = (team: number, sum: number): number => (sum / (sizes[team] ?? 1) - mean) ** 2;
  const home = parties.map((_, index) => split.findIndex((team) => team.includes(index)));
  for (let round = 0; round < SWAP_ROUNDS; round += 1) {
    steps.left -= (parties.length * parties.length) / 8;
    // If only rounding tells gains apart, the first one counts. A tiny gain is none.
    let gain = TIE + 1e-9 * sums.reduce((all, sum, team) => all + cost(team, sum), 0);
    let swap: { readonly mine: number; readonly theirs: number; readonly moved: number } | null =
      null;
    for (const [mine, a] of parties.entries()) {
      for (let theirs = mine + 1; theirs < parties.length; theirs += 1) {
        const b = parties[theirs] ?? NOBODY;
        const here = home[mine] ?? 0;
        const there = home[theirs] ?? 0;
        if (here === there || a.size !== b.size || a.kind !== b.kind) {
          continue;
        }
        const moved = worthOf(b) - worthOf(a);
        const ours = sums[here] ?? 0;
        const other = sums[there] ?? 0;
        const before = cost(here, ours) + cost(there, other);
        const won = before - cost(here, ours + moved) - cost(there, other - moved);
        if (won > gain * (1 + 1e-9)) {
          gain = won;
          swap = { mine, theirs, moved };
        }
      }
    }
    if (swap === null) {
      break;
    }
    const { mine, theirs, moved } = swap;
    const here = home[mine] ?? 0;
    const there = home[theirs] ?? 0;
    sums[here] = (sums[here] ?? 0) + moved;
    sums[there] = (sums[there] ?? 0) - moved;
    home[mine] = there;
    home[theirs] = here;
  }
  return split.map((_, team) => [...home.keys()].filter((index) => home[index] === team));
}

const NOBODY: Party = { size: 0, value: 0 };

function total(parties: readonly Party[]): number {
  return parties.reduce((sum, party) => sum + party.size, 0);
}
