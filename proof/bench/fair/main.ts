// `npm run bench:fair`: the same arrivals through Muster's pool and through the policies of others, simulated. Writes
// proof/bench/results/fair.json and proof/bench/results/fair.md, the tables of docs/fairness.md and its chart.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, word } from '../../../scripts/flags';
import { allFigures, frontier, type Hour, type Measured, type Told, withFigures } from './page';
import { arrivals } from './population';
import type { Policy } from './rivals';
import { DAY, daily, type Scenario, SCENARIOS, SEED } from './scenarios';
import { score } from './score';

const ROOT = process.cwd();

const { flags } = commandLine({
  command: 'npm run bench:fair --',
  about:
    'Waits and fairness of the same arrivals under Muster and the policies of others, simulated.',
  flags: { only: word('', 'the one population that is played, and printed alone') },
});

/** Short figures: the page says no more, and a test compares them. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 10_000) / 10_000 : value;
}

function played({ population, rate, seconds, policies }: Scenario): readonly Told[] {
  const parties = arrivals(population, rate, seconds, SEED);
  return policies.map((policy): Told => {
    const began = performance.now();
    const games = policy.play(parties, population.shape);
    const told = {
      population: population.name,
      rate,
      parties: parties.length,
      policy: policy.name,
      score: score(parties, games, population.shape),
    };
    const { wait, unfair, within5, within10, never } = told.score;
    const figures = [wait, unfair].map((spread) => spread.map((each) => each.toFixed(1)).join('/'));
    const shares = [within5, within10, never].map((share) => `${(100 * share).toFixed(1)} %`);
    console.log(
      [population.name, rate, policy.name, ...figures, ...shares].join('  '),
      `  longest call ${longestOf(policy)}, ${((performance.now() - began) / 1000).toFixed(1)} s`,
    );
    return told;
  });
}

function longestOf(policy: Policy): string {
  return 'longestMs' in policy ? `${Number(policy.longestMs).toFixed(1)} ms` : '-';
}

function hoursOf(): readonly Hour[] {
  const parties = arrivals(DAY.population, DAY.rate, DAY.seconds, SEED);
  const waits = daily
    .play(parties, DAY.population.shape)
    .flatMap(({ at, teams }) => teams.flat().map((party) => [party.at, at - party.at] as const));
  return Array.from({ length: 24 }, (_, hour) => {
    const its = waits
      .filter(([at]) => Math.floor(at / 3_600_000) === hour)
      .map(([, ms]) => ms / 1000)
      .sort((a, b) => a - b);
    const median = Math.round(10 * (its[Math.floor(its.length / 2)] ?? 0)) / 10;
    return { hour, parties: its.length, median };
  });
}

const { only } = flags;
const rows = SCENARIOS.filter(({ population }) => only === '' || population.name === only).flatMap(
  played,
);
if (only === '') {
  const hours = hoursOf();
  console.log('a day, median wait by hour:', hours.map(({ median }) => median).join(' '));
  const text = JSON.stringify({ seed: SEED, rows, hours }, rounded, 1);
  await writeFile(join(ROOT, 'proof/bench/results/fair.json'), `${text}\n`);
  const measured = JSON.parse(text) as Measured;
  await writeFile(join(ROOT, 'proof/bench/results/fair.md'), allFigures(measured));
  const page = join(ROOT, 'docs/fairness.md');
  await writeFile(page, withFigures(await readFile(page, 'utf8'), measured));
  const duels = measured.rows.filter((row) => row.population === '1v1' && row.rate === 1);
  const chart = frontier('1v1, one player a second (simulated)', duels);
  await writeFile(join(ROOT, 'docs/images/fairness.svg'), chart);
}
