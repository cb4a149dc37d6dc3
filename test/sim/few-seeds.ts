// The simulation, so short that it can be run for each mutant. `npm test` runs far more of it.

import { expect, it } from 'vitest';
import { PLACEMENTS } from '../../proof/sim/parts';
import { run } from '../../proof/sim/run';

const SEEDS = 4;

it.each(PLACEMENTS)('a few seeds of the simulation violate nothing: %s', async (placement) => {
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    expect((await run(seed, { placement })).violations).toEqual([]);
  }
});
