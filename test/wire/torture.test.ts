// A short torture, and some races, in the suite; `npm run torture` and `npm run torture:races` are the
// long ones. The checker's own rules are tested apart from any service (test/unit).

import { expect, it } from 'vitest';
import { races } from '../../torture/races.ts';
import { torture } from '../../torture/torture.ts';

it('loses nothing and nobody through kills of the service under traffic', async () => {
  const report = await torture({ kills: 5, seed: 20_261_121, players: 8, killsPerRound: 5 });
  expect(report.violations).toEqual([]);
  expect(report.tally.kills).toBe(5);
  // It did something, and looked.
  expect(report.tally.done).toBeGreaterThan(50);
  expect(report.compared).toBeGreaterThan(200);
});

it('ends each race of a cancel against a match in one way', async () => {
  const { cancelled, matched, both, neither } = await races({ count: 200, seed: 20_261_121 });
  expect({ both, neither }).toEqual({ both: [], neither: [] });
  expect(cancelled + matched).toBe(200);
  // A race that one side always wins is none.
  expect(Math.min(cancelled, matched)).toBeGreaterThan(10);
});
