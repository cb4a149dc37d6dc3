// Plants matches in a pool and measures how soon the solvers find them. A step is the unit of the pool's budgets.

import { Counters } from '../../../src/match/teams/steps';
import { Packing } from '../../../src/match/teams/packing';
import { RoleBook } from '../../../src/match/teams/role-book';
import { RoleSolver } from '../../../src/match/teams/role-solver';
import type { Steps } from '../../../src/match/teams/steps';
import { mode, ticket } from '../../../test/match/support/make';
import {
  allShapes,
  bySize,
  counted,
  CUTS,
  plantedCounts,
  plantedParties,
  ROLE_SHAPES,
  SLICE,
  SLICES,
  surplusParties,
  teamsOf,
} from '../../../test/match/support/planted';
import { commandLine, number } from '../../../scripts/flags';
import { random } from '../../../test/match/support/random';

class Tally {
  readonly #name: string;
  readonly #steps: number[] = [];
  #found = 0;
  #ms = 0;
  #slowest = 0;

  constructor(name: string) {
    this.#name = name;
  }

  ask(question: (steps: Steps) => string): void {
    const steps = { left: SLICE * SLICES };
    const began = performance.now();
    this.#found += question(steps) === 'yes' ? 1 : 0;
    const ms = performance.now() - began;
    this.#ms += ms;
    this.#slowest = Math.max(this.#slowest, ms);
    this.#steps.push(SLICE * SLICES - steps.left);
  }

  get row(): string {
    const sorted = this.#steps.sort((a, b) => a - b);
    const at = (part: number): number =>
      Math.round(sorted[Math.floor((sorted.length - 1) * part)] ?? 0);
    const all = sorted.reduce((sum, steps) => sum + steps, 0);
    const slices = Math.max(1, Math.ceil(at(1) / SLICE));
    const unit = ((1000 * this.#ms) / Math.max(1, all)).toFixed(2);
    return `| ${this.#name} | ${sorted.length} | ${this.#found} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ${slices} | ${this.#slowest.toFixed(0)} | ${unit} |`;
  }
}

const { flags } = commandLine({
  command: 'npm run bench:planted --',
  about:
    'Plants full matches in a pool, and counts the steps in which the solvers find them again.',
  flags: { instances: number(20, 'of each shape') },
});
const { instances } = flags;
console.log(`Slices of ${SLICE} steps, given up after ${SLICES}.\n`);
console.log(
  '| shape | instances | found | steps p50 | p99 | worst | slices at worst | ms at worst | us a step |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
const sizes = random(71);
for (const cut of CUTS) {
  const tally = new Tally(`sizes, all ${allShapes().length} shapes, parties of ${cut.name}`);
  for (let round = 0; round < instances; round += 1) {
    for (const [teams, size] of allShapes()) {
      const packing = new Packing(mode({ teams, playersPerTeam: size }), new Counters());
      const parties = bySize(plantedCounts(teams, size, { cut, chance: sizes }));
      tally.ask((steps) => packing.full(new Map(), parties, steps));
    }
  }
  console.log(tally.row);
}
for (const [surplus, seed] of [
  [false, 72],
  [true, 73],
] as const) {
  for (const [teams, roles] of ROLE_SHAPES) {
    const chance = random(seed);
    const composition = teamsOf(teams, roles);
    const shape = `${teams} x ${JSON.stringify(roles).replaceAll('"', '')}`;
    const tally = new Tally(`roles, ${shape}${surplus ? ', among twice as many' : ''}`);
    for (let round = 0; round < instances; round += 1) {
      for (const also of [0, 0.15, 0.5]) {
        for (const cut of CUTS) {
          const given = { cut, chance, also };
          const parties = [
            ...plantedParties(composition, given),
            ...(surplus ? surplusParties(composition, given) : []),
          ];
          const solver = new RoleSolver(new RoleBook(composition), new Counters());
          const shapes = parties.map((each, at) =>
            solver.shapeOf(ticket(`p${at}`, { roles: each })),
          );
          tally.ask((steps) => solver.full(new Map(), counted(shapes), steps));
        }
      }
    }
    console.log(tally.row);
  }
}
