// The pool against the oracle on so few traces that they can be run for each mutant. `npm test` runs far more of them, and
// asks more of each (traces.test.ts).

import { it } from 'vitest';
import { makePool } from '../../src/match/waiting/make-pool';
import { KINDS } from './support/kinds';
import { makeOracle } from './support/oracle';
import { newTally, runTrace } from './support/trace';

const TRACES = 4;
const UNCUT = 200_000;

it.each(KINDS)('$name', (kind) => {
  for (let trace = 0; trace < TRACES * (kind.weight ?? 1); trace += 1) {
    // Each second trace in slices of a few steps.
    const isSliced = trace % 2 === 1 && kind.pollsTime !== true;
    const measured = makePool(kind.mode, isSliced ? 2 ** trace : UNCUT);
    runTrace(
      kind,
      3_000_000 + trace,
      { measured, oracle: makeOracle(kind.mode), isSliced },
      newTally(),
    );
  }
});
