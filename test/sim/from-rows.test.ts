// Rows of earlier versions, as their own simulation leaves them when the power goes: runs of today go on from them. And what
// rows look like, by version.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Left } from '../../proof/sim/left';
import { PLACEMENTS } from '../../proof/sim/parts';
import { leftBy } from '../../proof/sim/resume';
import { run } from '../../proof/sim/run';
import { shapesOf } from '../../proof/sim/shapes';
import { addOutcome, emptyTotals } from '../../proof/sim/totals';
import { VERSIONS } from '../../scripts/earlier';
import { cloned } from '../upgrade/cloned';

/** `npm run sim -- --from-rows VERSION` runs more of them. */
const SEEDS = { from: 1, seeds: 30 };

/** What the seeds leave behind in each placement. */
const LEFT = [
  ...['waiting', 'in_queue', 'match_found', 'matched', 'in_game'].map((each) => `lobby ${each}`),
  ...['confirming', 'launching', 'running'].map((each) => `match ${each}`),
];

/** The fields of rows, by the version that had them first. What stands behind `#` is a remark. */
function listed(): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(join(import.meta.dirname, '../upgrade/rows.txt'), 'utf8');
  const parts = page.split(/^## /m).slice(1);
  return new Map(
    parts.map((part) => {
      const [version = '', ...lines] = part.split('\n');
      return [version, lines.filter((line) => line !== '' && !line.startsWith('#'))];
    }),
  );
}

async function all(from: AsyncIterable<Left>): Promise<readonly Left[]> {
  const left: Left[] = [];
  for await (const each of from) {
    left.push(each);
  }
  return left;
}

describe.each(Object.keys(VERSIONS))('from rows of %s', (version) => {
  const isHere = cloned(version);

  describe.runIf(isHere).each(PLACEMENTS)('%s', (placement) => {
    let left: readonly Left[] = [];

    beforeAll(async () => {
      left = await all(leftBy(version, placement, SEEDS));
    });

    it('runs of today go on, and violate nothing', async () => {
      const totals = emptyTotals(placement);
      for (const each of left) {
        addOutcome(totals, await run(each.seed, { placement, left: each }));
      }
      expect(totals.failures).toEqual([]);
      expect(totals.seeds).toBe(SEEDS.seeds);
      expect(LEFT.filter((what) => (totals.counts[`left: ${what}`] ?? 0) === 0)).toEqual([]);
    });

    it('they look as test/upgrade/rows.txt says', () => {
      const known = new Set(listed().get(version));
      expect(shapesOf(left).filter((line) => !known.has(line))).toEqual([]);
    });
  });
});

it('what rows of today look like is listed: a new field says how rows without it are read', async () => {
  const known = new Set([...listed().values()].flat());
  const shapes = shapesOf(await all(leftBy('now', 'objects', { from: 1, seeds: 60 })));
  expect(shapes.filter((line) => !known.has(line))).toEqual([]);
});

it('test/upgrade/rows.txt has each field once, and every version', () => {
  const versions = [...listed().keys()];
  expect(versions).toEqual([...Object.keys(VERSIONS), 'now']);
  const lines = [...listed().values()].flat();
  expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
});
