// Ten minutes of a fleet that ends two games in the time in which three matches are found.

import { expect, it } from 'vitest';
import { fullFleet } from '../../proof/sim/full-fleet';

it('loses a third of the matches without a line', async () => {
  expect(await fullFleet('objects', 0)).toMatchObject({ lost: 205, played: 395, longestLine: 0 });
});

it('loses none with one, and serves them in their order', async () => {
  const figures = await fullFleet('objects', 600);
  expect(figures).toMatchObject({ lost: 0, played: 600, overtook: 0 });
  expect(figures.longestWaitSeconds).toBeLessThan(320);
});
