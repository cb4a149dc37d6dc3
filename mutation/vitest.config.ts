// The tests that a mutant has to get past: those in Node that take milliseconds, and a little of the
// simulation.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'test/{lobby,match}/**/*.test.ts',
      'test/unit/objects/{match,queue,server,project}/*.test.ts',
      'test/sim/few-seeds.ts',
    ],
    // Whole runs of pools and of the bench's workloads would be run for each mutant that lives.
    exclude: ['test/match/{counters,lean,planted,slices,slices-random,traces}.test.ts'],
    isolate: true,
    // It runs for hours, beside other work.
    testTimeout: 120_000,
  },
});
