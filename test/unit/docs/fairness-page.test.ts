// docs/fairness.md says what was measured, and what was measured comes out again.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { allFigures, frontier, type Measured, withFigures } from '../../../proof/bench/fair/page';
import { arrivals, DUELS } from '../../../proof/bench/fair/population';
import { SCENARIOS, SEED } from '../../../proof/bench/fair/scenarios';
import { score } from '../../../proof/bench/fair/score';
import { must } from '../../../src/common/result';

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url).href), 'utf8');

const measured = JSON.parse(read('proof/bench/results/fair.json')) as Measured;

it('has the figures of the last run', () => {
  const page = read('docs/fairness.md');
  expect(withFigures(page, measured)).toBe(page);
  expect(read('proof/bench/results/fair.md')).toBe(allFigures(measured));
  const duels = measured.rows.filter((row) => row.population === DUELS.name && row.rate === 1);
  const chart = frontier('1v1, one player a second (simulated)', duels);
  expect(read('docs/images/fairness.svg')).toBe(chart);
});

it('has figures that come out again, of ours and of theirs', () => {
  const { population, rate, seconds, policies } = must(
    SCENARIOS.find((each) => each.population.name === '4v4' && each.rate === 1),
    'a scenario',
  );
  const parties = arrivals(population, rate, seconds, SEED);
  const rows = measured.rows.filter(
    (row) => row.population === population.name && row.rate === rate,
  );
  expect(rows.map(({ policy }) => policy)).toEqual(policies.map(({ name }) => name));
  for (const [index, policy] of policies.entries()) {
    if (index < 4) {
      const { wait, unfair, within5 } = score(
        parties,
        policy.play(parties, population.shape),
        population.shape,
      );
      const row = must(rows[index], 'a row');
      const figures = [...wait, ...unfair, within5];
      const told = [...row.score.wait, ...row.score.unfair, row.score.within5];
      figures.forEach((figure, at) => expect(figure).toBeCloseTo(told[at] ?? Number.NaN, 3));
    }
  }
});

it('has the sentences that its tables show', () => {
  const row = (population: string, rate: number, policy: string) =>
    must(
      measured.rows.find(
        (each) =>
          each.population === population && each.rate === rate && each.policy.includes(policy),
      ),
      policy,
    ).score;
  const today = row('5v5', 1, 'within 200');
  const even = row('5v5', 1, 'even teams 15');
  expect([today.within5 < 0.62, Math.round(100 * even.within5)]).toEqual([true, 98]);
  expect([...today.wait, ...even.wait].map((each) => Math.round(each))).toEqual([
    5, 20, 67, 6, 25, 75,
  ]);
  for (const [target, waves] of [
    ['target wait 3 s', '12 s'],
    ['target wait 4 s', '12 s'],
  ] as const) {
    const [ours, theirs] = [row('1v1', 1, target), row('1v1', 1, `waves of ${waves}`)];
    ours.wait.forEach((each, at) => expect(each).toBeLessThan(theirs.wait[at] ?? 0));
    ours.unfair.forEach((each, at) => expect(each).toBeLessThan(theirs.unfair[at] ?? 0));
  }
});
