import { describe, expect, it } from 'vitest';
import { configDiff } from '../../../dashboard/config-diff.ts';

describe('the difference of two saved configs', () => {
  it('is each value that differs, by its path, and nothing that every save changes', () => {
    const before = {
      id: 'a',
      revision: 1,
      timeout: 60,
      gone: true,
      modes: { duel: { rules: [{ field: 'mmr' }, { field: 'map' }], teams: 2 } },
    };
    const after = {
      id: 'a',
      revision: 2,
      timeout: 90,
      modes: { duel: { rules: [{ field: 'elo' }], teams: 2 }, hunt: { teams: 3 } },
    };
    expect(configDiff(before, after)).toEqual([
      { path: 'timeout', before: 60, after: 90 },
      { path: 'gone', before: true, after: undefined },
      { path: 'modes.duel.rules[0].field', before: 'mmr', after: 'elo' },
      { path: 'modes.duel.rules[1]', before: { field: 'map' }, after: undefined },
      { path: 'modes.hunt', before: undefined, after: { teams: 3 } },
    ]);
  });

  it('is nothing between equal ones, and everything after none', () => {
    expect(configDiff({ a: [1, { b: null }] }, { a: [1, { b: null }] })).toEqual([]);
    expect(configDiff(null, { a: 1 })).toEqual([{ path: 'a', before: undefined, after: 1 }]);
  });
});
