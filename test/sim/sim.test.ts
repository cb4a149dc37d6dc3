// The simulation in short: some seeds of everything at once, that a seed says the same each time,
// and that the checker bites.

import { describe, expect, it } from 'vitest';
import { BUGS, caught } from '../../sim/bugs';
import { run } from '../../sim/run';

describe('the simulation', () => {
  it('violates nothing, whatever crashes (more: npm run sim)', { timeout: 120_000 }, async () => {
    const failures: string[] = [];
    let crashes = 0;
    let matches = 0;
    for (let seed = 1; seed <= 150; seed += 1) {
      const { violations, counts } = await run(seed);
      failures.push(...violations.map((text) => `seed ${seed}: ${text}`));
      crashes += counts['crashes'] ?? 0;
      matches += counts['matches opened'] ?? 0;
    }
    expect(failures).toEqual([]);
    expect(crashes).toBeGreaterThan(500);
    expect(matches).toBeGreaterThan(50);
  });

  it('replays a seed to the last word', async () => {
    const [first, second] = [await run(7, { tracing: true }), await run(7, { tracing: true })];
    const words = (trace: readonly string[]): string =>
      trace.join('\n').replaceAll(/studio-\d+/g, 'studio');
    expect(words(second.trace)).toBe(words(first.trace));
    expect(first.trace.length).toBeGreaterThan(100);
  });
});

describe('a deliberate bug is caught', () => {
  it.each(BUGS)('$name', { timeout: 120_000 }, async (bug) => {
    expect(await caught(bug, 600)).not.toBeNull();
  });
});
