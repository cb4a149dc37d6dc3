// A short torture whose game servers are containers; `npm run torture -- --images` is the long one. Its rules are tested
// apart from any service (test/sim/torture-checker.test.ts).

import { expect, it } from 'vitest';

import { torture } from '../../torture/torture.ts';
import { runsContainers } from './podman.ts';

it.runIf(runsContainers())('leaves no container through kills of the service', async () => {
  const { violations, tally } = await torture({
    kills: 4,
    seed: 20_261_128,
    players: 6,
    images: true,
  });
  expect(violations).toEqual([]);
  expect(tally.kills).toBe(4);
  expect(tally.containers).toBeGreaterThan(0);
});
