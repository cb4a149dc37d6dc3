// Each step of docs/crash-table.md, with a crash of any object at every point of it: before a
// request, before an alarm, at an await with its writes in doubt, and after saving before telling.

import { describe, expect, it } from 'vitest';
import { DRILLS, drilled } from '../../sim/drills';

describe('a crash at every point of', () => {
  it.each(Object.keys(DRILLS))('%s', { timeout: 60_000 }, async (step) => {
    const { crashes, violations } = await drilled(step, [1, 2]);
    expect(violations).toEqual([]);
    expect(crashes).toBeGreaterThan(10);
  });
});
