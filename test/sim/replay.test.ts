// What-if against the truth: a queue's journal, played again under its own mode, gives exactly the
// matches that the queue formed.

import { describe, expect, it } from 'vitest';
import { compare, parseJournal } from '../../dashboard/replay/replay';
import { whatIf } from '../../dashboard/replay/what-if';
import { DAYS_MODE, recordDay } from '../../proof/sim/day';

describe('a recorded day of a queue', () => {
  it('gives the same matches when it is played again', async () => {
    for (const seed of [1, 2, 3]) {
      const { text } = await recordDay(3_000, seed);
      const { matches, differences, gaps } = compare(parseJournal(text));
      expect(matches).toBeGreaterThan(400);
      expect([differences, gaps]).toEqual([0, 0]);
    }
  });

  it('gives other ones under another mode, and tells what that changes', async () => {
    const { text } = await recordDay(3_000, 4);
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 20 } as const];
    const { now, changed, compared } = whatIf(text, { ...DAYS_MODE, rules });
    expect(compared.differences).toBe(0);
    expect(now.entered).toBe(3_000);
    expect(changed.entered).toBe(3_000);
    for (const { entered, matched, left, neverMatched } of [now, changed]) {
      expect(matched + left + neverMatched).toBe(entered);
    }
    expect(changed.spread[0]?.p90).toBeLessThan(now.spread[0]?.p90 ?? 0);
    expect(changed.neverMatched).toBeGreaterThan(now.neverMatched);
    const same = whatIf(text, DAYS_MODE);
    expect(same.changed).toEqual(same.now);
  });

  it('says how many tickets it does not know', async () => {
    const { text } = await recordDay(500, 5);
    const [head = '', ...lines] = text.split('\n');
    const later = [head.replace('"waiting":0', '"waiting":3'), ...lines].join('\n');
    expect(compare(parseJournal(later)).gaps).toBe(3);
    expect(() => parseJournal(lines.join('\n'))).toThrow('no journal');
  });

  it('is another one where a match is left out', async () => {
    const { text } = await recordDay(500, 6);
    const lines = text.split('\n');
    const match = lines.findIndex((line) => line.startsWith('{"k":"match"'));
    const without = lines.filter((_, index) => index !== match).join('\n');
    expect(compare(parseJournal(without)).differences).toBeGreaterThan(0);
  });
});
