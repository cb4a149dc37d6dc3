// Teams found by swapping: parties are dealt so that sizes are right, the others sit on a bench, and parties of equal
// size change places as long as fewer players lack a role by it. Quick where an exact search has too many ways, but it
// proves nothing. Without it 47 of 450 planted matches with roles are missed (npm run bench:planted -- --instances=1).

import { type BySet, lackOf, withinSets } from './hall';
import { fullOf, packed, type Sizes } from './packing';
import type { RoleBook } from './role-book';
import type { Seats, Unit } from './role-search';
import type { Shape } from './solver';
import type { Slices, Steps } from './steps';

/** The chance that a swap is kept although that many more players lack a role. */
const WORSE = [1, 0.05, 0.003] as const;
/** Swaps before the parties are dealt anew. */
const PATIENCE = 20_000;
const MOST_SWAPPED = 3;
/** The share of swaps that are with the bench. */
const BENCHED = 0.7;
/** The share of the parties that need not play from which a deal is made, if they suffice. */
const DEALT = 0.5;

/** From 0 to below 1. */
type Chance = () => number;

type HeldParty = { readonly shape: Shape; readonly isMust: boolean; readonly inside: BySet };

type Parties = readonly HeldParty[];

/** A team, or the bench, where anybody may sit. */
interface SwapTeam {
  readonly held: Parties;
  readonly inside: BySet;
  readonly places: BySet;
  readonly lack: number;
}

/** The seats of all parties of two or more that play; null: no sizes fit. If only the roles do not fit, it never ends. */
export function* swapped(book: RoleBook, units: readonly Unit[], steps: Steps): Slices<Seats> {
  const chance = sameEachTime();
  const sets = 2 ** book.roles.length;
  const none = new Int32Array(sets);
  // Nobody lacks a role on the bench.
  const endless = none.map(() => 1_000_000);
  const bench = book.demand.length;
  const parties = units.flatMap(({ shape, must, may }) => {
    const inside = withinSets(shape, sets);
    return Array.from({ length: must + may }, (_, at) => ({ shape, inside, isMust: at < must }));
  });
  const cost = 2 + sets / 24;
  for (;;) {
    const sizes = yield* sizesOf(book.teamSizes, units, chance, steps);
    if (sizes === null) {
      return null;
    }
    const teams = dealt(parties, sizes, chance).map((held, at): SwapTeam => {
      const inside = none.map((_, set) =>
        held.reduce((all, each) => all + (each.inside[set] ?? 0), 0),
      );
      const places = book.places[at] ?? endless;
      return { held, inside, places, lack: lackOf(inside, places) };
    });
    steps.left -= parties.length * (1 + sets / 64);
    for (let tries = 0; tries < PATIENCE; tries += 1) {
      const lacking = [...teams.keys()].filter((at) => (teams[at]?.lack ?? 0) > 0);
      if (lacking.length === 0) {
        return teams
          .slice(0, bench)
          .flatMap(({ held }, team) => held.map(({ shape }) => ({ shape, team })))
          .filter(({ shape }) => shape.length > 1);
      }
      steps.left -= cost;
      if (steps.left <= 0) {
        yield;
      }
      trySwap(teams, lacking[below(lacking.length, chance)] ?? 0, chance);
    }
  }
}

/**
 * The party sizes of each team, or null. Some who need not play are left out each time, because swaps hardly change the
 * sizes: from all, 6 of 2,250 planted matches are missed.
 */
function* sizesOf(
  teams: readonly number[],
  units: readonly Unit[],
  chance: Chance,
  steps: Steps,
): Slices<readonly Sizes[] | null> {
  const largest = Math.max(...teams);
  const bounds = fullOf(teams.length, largest);
  const loads = teams.map((size) => largest - size);
  const sizes = (count: (unit: Unit) => number): Sizes =>
    Array.from({ length: largest + 1 }, (_, size) =>
      units.reduce((sum, unit) => sum + (unit.shape.length === size ? count(unit) : 0), 0),
    );
  const must = sizes((unit) => unit.must);
  const some = sizes(
    ({ may }) => Array.from({ length: may }, chance).filter((at) => at < DEALT).length,
  );
  const fewer = yield* packed([must, some], bounds, steps, loads);
  return fewer ?? (yield* packed([must, sizes(({ may }) => may)], bounds, steps, loads));
}

/** Parties of the team change places with others, on the bench or on another team. */
function trySwap(teams: SwapTeam[], here: number, chance: Chance): void {
  const bench = teams.length - 1;
  const isBench = (teams[bench]?.held.length ?? 0) > 0 && chance() < BENCHED;
  const there = isBench ? bench : below(bench, chance);
  const [mine, theirs] = [teams[here], teams[there]];
  if (here === there || mine === undefined || theirs === undefined) {
    return;
  }
  const swap = equalParts(mine.held, theirs.held, chance);
  if (swap === null || (isBench && swap.given.some(({ isMust }) => isMust))) {
    return;
  }
  const after = changed(mine, swap.given, swap.taken);
  const others = changed(theirs, swap.taken, swap.given);
  const worse = after.lack + others.lack - mine.lack - theirs.lack;
  if (worse <= 0 || chance() < (WORSE[worse] ?? 0)) {
    teams[here] = after;
    teams[there] = others;
  }
}

function changed({ held, inside, places }: SwapTeam, gone: Parties, come: Parties): SwapTeam {
  const now = inside.map((count, set) => {
    let sum = count;
    for (const party of gone) {
      sum -= party.inside[set] ?? 0;
    }
    for (const party of come) {
      sum += party.inside[set] ?? 0;
    }
    return sum;
  });
  const stay = held.filter((party) => !gone.includes(party));
  return { held: [...stay, ...come], inside: now, places, lack: lackOf(now, places) };
}

/** The parties of each team, and of the bench at last. */
function dealt(parties: Parties, sizes: readonly Sizes[], chance: Chance): readonly Parties[] {
  const deck = parties.map((party) => ({ party, at: chance() }));
  // Dealt from the end: those who must play come first.
  deck.sort((a, b) => Number(a.party.isMust) - Number(b.party.isMust) || a.at - b.at);
  const dealing = deck.map(({ party }) => party);
  const bySize = Map.groupBy(dealing, ({ shape }) => shape.length);
  const teams = sizes.map((team) => team.flatMap((size) => bySize.get(size)?.pop() ?? []));
  return [...teams, [...bySize.values()].flat()];
}

/** A few parties of each, with equally many players. */
function equalParts(mine: Parties, theirs: Parties, chance: Chance) {
  const given: HeldParty[] = [];
  const taken: HeldParty[] = [];
  let more = 0;
  do {
    const [from, into] = more <= 0 ? [mine, given] : [theirs, taken];
    const party = from[below(from.length, chance)];
    if (party === undefined || into.includes(party) || into.length === MOST_SWAPPED) {
      return null;
    }
    into.push(party);
    more += into === given ? party.shape.length : -party.shape.length;
  } while (more !== 0);
  return { given, taken };
}

/** Numbers that look random and are the same every time. */
function sameEachTime(): Chance {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

function below(limit: number, chance: Chance): number {
  return Math.floor(chance() * limit);
}
