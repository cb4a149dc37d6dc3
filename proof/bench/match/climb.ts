// Searches for worse inputs: it changes a mode and a way to draw tickets a little at a time, with seeded randomness,
// and keeps a change if the longest call became longer.

import type { Mode } from '../../../src/match/rules/mode';
import type { Rule } from '../../../src/match/rules/registry';
import { mode, roleMode } from '../../../test/match/support/make';
import { random, type Random } from '../../../test/match/support/random';
import { type Case, play } from './play';

interface Genes {
  readonly teams: number;
  readonly size: number;
  /** Roles of a team. 0: a symmetric mode. */
  readonly roles: number;
  readonly parties: readonly number[];
  /** Share of players who name one more role. */
  readonly lists: number;
  readonly scarce: number;
  readonly regions: number;
  readonly width: number;
  readonly rules: number;
  readonly tickets: number;
}

const RULES: readonly Rule[] = [
  { type: 'difference', field: 'mmr', maxDifference: 100 },
  { type: 'not_equals', field: 'side' },
  { type: 'region', minOverlap: 2 },
  { type: 'expression', cel: 'a.state.mmr + b.state.mmr > 5 || a.region == b.region' },
  { type: 'expression', cel: 'a.partySize + b.partySize != 4' },
];

const FIRST: Genes = {
  teams: 2,
  size: 5,
  roles: 0,
  parties: [1, 2, 3],
  lists: 0.3,
  scarce: 0.1,
  regions: 0,
  width: 300,
  rules: 1,
  tickets: 300,
};

function changed(genes: Genes, chance: Random): Genes {
  const size = chance.chance(0.3) ? 1 + chance.below(12) : genes.size;
  const teams = chance.chance(0.3) ? 1 + chance.below(25) : genes.teams;
  const pick = <T>(share: number, next: () => T, now: T): T =>
    chance.chance(share) ? next() : now;
  return {
    size,
    teams: Math.max(1, Math.min(teams, Math.floor(100 / size))),
    roles: pick(0.2, () => chance.below(Math.min(8, size) + 1), Math.min(genes.roles, size)),
    parties: pick(0.3, () => [1, 2, 3, 4].map(() => 1 + chance.below(size)), genes.parties),
    lists: pick(0.2, () => chance.unit(), genes.lists),
    scarce: pick(0.2, () => chance.unit() / 3, genes.scarce),
    regions: pick(0.2, () => chance.below(17), genes.regions),
    width: pick(0.2, () => 1 + chance.below(2000), genes.width),
    rules: pick(0.2, () => chance.below(2 ** RULES.length), genes.rules),
    tickets: pick(0.3, () => 50 + chance.below(750), genes.tickets),
  };
}

function modeOf({ teams, size, roles, rules }: Genes): Mode {
  const some = RULES.filter((_, at) => ((rules >>> at) & 1) === 1);
  if (roles === 0) {
    return mode({ teams, playersPerTeam: size, rules: some });
  }
  const wanted: Record<string, number> = {};
  for (let place = 0; place < size; place += 1) {
    const role = `role${Math.min(place, roles - 1)}`;
    wanted[role] = (wanted[role] ?? 0) + 1;
  }
  const names = Array.from({ length: teams }, (_, at) => [`team${at}`, wanted] as const);
  return roleMode(Object.fromEntries(names), { rules: some });
}

function caseOf(genes: Genes): Case {
  const { size, roles, parties, lists, scarce, regions, width, tickets } = genes;
  const roleOf = (chance: Random): string =>
    `role${chance.chance(scarce) ? 0 : chance.below(Math.max(1, roles))}`;
  return {
    mode: modeOf(genes),
    tickets,
    plays: 'enters',
    draw: (chance) => {
      const players = Math.min(size, chance.pick(parties));
      return {
        size: players,
        ...(roles > 0 && {
          roles: Array.from({ length: players }, () =>
            chance.chance(lists) ? [roleOf(chance), roleOf(chance)] : [roleOf(chance)],
          ),
        }),
        state: { mmr: chance.below(width), side: chance.pick(['x', 'x', 'y']) },
        regions: Array.from({ length: regions }, (_, at) => `r${at}`).filter(() =>
          chance.chance(0.7),
        ),
      };
    },
  };
}

export interface Climbed {
  readonly worstMs: number;
  readonly most: number;
  readonly genes: string;
}

/** The longest call found in that many rounds, each with a warm compiler. */
export function climb(rounds: number, seed: number): Climbed {
  const chance = random(seed);
  const look = (genes: Genes): Climbed => {
    const { times, most } = play(caseOf(genes), { share: 1, seed, calls: 1000 });
    const sorted = times.toSorted((a, b) => b - a);
    // The second longest, because one call may hold a garbage collection.
    return { worstMs: sorted[1] ?? sorted[0] ?? 0, most, genes: JSON.stringify(genes) };
  };
  let genes = FIRST;
  let best = look(genes);
  for (let round = 0; round < rounds; round += 1) {
    const next = changed(genes, chance);
    const found = look(next);
    if (found.worstMs > best.worstMs) {
      best = found;
      genes = next;
    }
  }
  return best;
}
