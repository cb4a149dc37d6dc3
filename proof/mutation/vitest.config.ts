// The tests that a mutant has to get past: those in Node that take milliseconds, a little of the pool against the oracle, and
// a little of the simulation.

import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { defineConfig } from 'vitest/config';

/** In the order in which they notice most for their time: the first test that fails ends the run. */
const ORDER = [
  '/test/unit/',
  '/test/fleet/',
  '/test/match/few-traces',
  '/test/lobby/',
  '/test/match/',
];

function rank({ moduleId }: TestSpecification): number {
  const at = ORDER.findIndex((part) => moduleId.includes(part));
  return at < 0 ? ORDER.length : at;
}

class MostTellingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: [
      'test/{lobby,match}/**/*.test.ts',
      'test/match/few-traces.ts',
      'test/unit/objects/**/*.test.ts',
      // Real Server objects on fleets without processes.
      'test/fleet/{failover,runs}.test.ts',
      'test/sim/few-seeds.ts',
    ],
    // Whole runs of pools and of the bench's workloads would be run for each mutant that lives. What the traces find in
    // pools, few of them find.
    exclude: [
      'test/match/{counters,lean,planted,slices,slices-random,traces}.test.ts',
      'test/match/{from-flexmatch-large,role-short,time-outs,told-truth}.test.ts',
    ],
    sequence: { sequencer: MostTellingFirst },
    isolate: true,
    // It runs for hours, beside other work.
    testTimeout: 120_000,
  },
});
