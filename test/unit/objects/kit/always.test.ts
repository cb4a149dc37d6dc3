// What happens to a change that would break what always holds: it is not saved, the object ends, and operators are told.

import { describe, expect, it } from 'vitest';
import { metrics } from '../../../../src/common/metrics';
import { always, violationsOf } from '../../../../src/objects/kit/always';
import { commit } from '../../../../src/objects/kit/commit';
import { fakePorts } from '../../../fleet/ports.ts';

interface Counter {
  readonly count: number;
  readonly token?: string;
}

const NEGATIVE = 'a counter is not negative';
const BACK = 'a counter never goes back';
const broken = (after: Counter, before: Counter | null): readonly string[] => [
  ...(after.count < 0 ? [NEGATIVE] : []),
  ...(after.count < (before?.count ?? -Infinity) ? [BACK] : []),
];

function saving(project: string, before: Counter | null, after: Counter) {
  const { ports, saved } = fakePorts({
    name: 'c1',
    document: { revision: 0, configs: {}, builds: {} },
  });
  const ended: string[] = [];
  const watched = { ...ports, abort: (reason: string) => void ended.push(reason) };
  const save = (): void =>
    commit(watched, () => {
      always(watched, { project, actor: 'counter' }, [before, after], broken);
      ports.store.put('counter', after);
    });
  return { save, saved, ended };
}

describe('a change of an actor', () => {
  it('is saved if all holds', () => {
    const { save, saved, ended } = saving('fine', { count: 1 }, { count: 2 });
    save();
    expect(saved.get('counter')).toEqual({ count: 2 });
    expect([ended, violationsOf('fine')]).toEqual([[], []]);
  });

  it('is not saved if it breaks what held, and ends the object', () => {
    const { save, saved, ended } = saving('bad', { count: 1 }, { count: -1, token: 'secret' });
    expect(save).toThrow(`counter c1: ${NEGATIVE}; ${BACK}`);
    expect(saved.has('counter')).toBe(false);
    expect(ended).toHaveLength(1);
    const [told] = violationsOf('bad');
    expect(told).toMatchObject({ actor: 'counter', id: 'c1', which: [NEGATIVE, BACK] });
    expect(told?.rows).toBe('{"before":{"count":1},"after":{"count":-1}}');
    expect(metrics.text()).toContain(
      `muster_invariant_failed_total{actor="counter",which="${NEGATIVE}"} 1`,
    );
  });

  it('is told to its own project alone, the newest first, and at most twenty', () => {
    for (let count = 1; count <= 21; count += 1) {
      expect(saving('many', { count }, { count: 0 }).save).toThrow(BACK);
    }
    const told = violationsOf('many');
    expect(told).toHaveLength(20);
    expect(told[0]?.rows).toContain('"before":{"count":21}');
    expect(violationsOf('other')).toEqual([]);
  });

  it('may leave what was wrong before, so that it can end', () => {
    const { save, saved } = saving('old', { count: -2 }, { count: -1 });
    save();
    expect(saved.get('counter')).toEqual({ count: -1 });
  });
});
