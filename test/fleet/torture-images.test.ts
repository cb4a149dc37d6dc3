// A short torture whose game servers are containers; `npm run torture -- --images` is the long one. Its rules are tested
// apart from any service (test/sim/torture-checker.test.ts).

import { expect, it } from 'vitest';

import { torture } from '../../proof/torture/torture.ts';
import { runsContainers } from './podman.ts';

it.runIf(runsContainers())('leaves no container through kills of the service', async () => {
  let begun = 0;
  // A busy machine may not have fetched the image before the last kill.
  for (let round = 0; round < 3 && begun === 0; round += 1) {
    const { violations, tally } = await torture({
      kills: 4,
      seed: 20_261_128 + round,
      players: 6,
      images: true,
    });
    expect(violations).toEqual([]);
    expect(tally.kills).toBe(4);
    begun = tally.containers;
  }
  expect(begun).toBeGreaterThan(0);
});
