// A short torture, and some races, in the suite; `npm run torture` and `npm run torture:races` are the
// long ones. The checker's own rules are tested apart from any service (test/unit).

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';
import { judge } from '../../proof/judge/judge.ts';
import { races } from '../../proof/torture/races.ts';
import { torture } from '../../proof/torture/torture.ts';

/** What the judge must have had a case of. On a slow machine five kills may be over before a game has a result. */
const CASES = ['banned', 'one result', 'rated once', 'backend is shown', 'told is true'] as const;
const MOST_TRIES = 3;

it('loses nothing and nobody through kills of the service under traffic', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-history-'));
  const missing = new Set<string>(CASES);
  for (let seed = 20_261_121; missing.size > 0 && seed < 20_261_121 + MOST_TRIES; seed += 1) {
    const history = join(folder, `${seed}.jsonl`);
    const report = await torture({ kills: 5, seed, players: 8, killsPerRound: 5, history });
    expect(report.violations).toEqual([]);
    expect(report.tally.kills).toBe(5);
    // It did something, and looked.
    expect(report.tally.done).toBeGreaterThan(50);
    expect(report.compared).toBeGreaterThan(200);
    // The same in the eyes of somebody who knows the API alone.
    const { faults, cases } = judge(await readFile(history, 'utf8'));
    expect(faults).toEqual([]);
    expect(cases.get('read later') ?? 0).toBeGreaterThan(50);
    [...cases.keys()].forEach((promise) => missing.delete(promise));
  }
  expect([...missing]).toEqual([]);
  await rm(folder, { recursive: true });
});

it('ends each race of a cancel against a match in one way', async () => {
  const { cancelled, matched, both, neither } = await races({ count: 200, seed: 20_261_121 });
  expect({ both, neither }).toEqual({ both: [], neither: [] });
  expect(cancelled + matched).toBe(200);
  // A race that one side always wins is none.
  expect(Math.min(cancelled, matched)).toBeGreaterThan(10);
});
