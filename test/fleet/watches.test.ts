// What the starter looks for in a part that runs, on a clock of its own, and what it does then.

import { afterEach, beforeEach, describe, expect, it, vi, type MockInstance } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { startPart } from '../../scripts/part.ts';
import { clockSetBack, noAnswer, type Ails, type Clocks } from '../../scripts/watches.ts';

/** Moves the wall clock by those milliseconds, a second each; then it is over. */
async function afterSteps(steps: readonly number[]): Promise<string | null> {
  const over = new AbortController();
  let [wall, steady, at] = [1_000_000, 0, 0];
  const clocks: Clocks = {
    wall: () => wall,
    steady: () => steady,
    sleep: async (ms) => {
      steady += ms;
      wall += ms + (steps[at] ?? 0);
      at += 1;
      if (at > steps.length) {
        over.abort();
      }
    },
  };
  return clockSetBack(clocks)(over.signal, Promise.resolve());
}

describe('a clock', () => {
  it.each([
    [[0, -60_000], 60],
    [[0, 0, -3_600_000, 0], 3_600],
    // Set forward by mistake, and back.
    [[7_200_000, 0, -7_200_000], 7_200],
    // Little by little.
    [[-600, -600, -600], 2],
  ])('that moves by %j is set back by %d s', async (steps, seconds) => {
    expect(await afterSteps(steps)).toContain(`set back by ${seconds} s`);
  });

  it.each([[[0, 0, 0]], [[3_600_000, 0]], [[-1_000, 0, 0]], [[-1_400, 1_400, -1_400]]])(
    'that moves by %j is left alone',
    async (steps) => {
      expect(await afterSteps(steps)).toBeNull();
    },
  );
});

async function afterAnswers(answers: readonly boolean[]): Promise<string | null> {
  const over = new AbortController();
  let at = 0;
  const next = async (): Promise<boolean> => {
    at += 1;
    if (at > answers.length) {
      over.abort();
    }
    return answers[at - 1] ?? true;
  };
  const clocks = { wall: () => 0, steady: () => 0, sleep: async () => undefined };
  const ails = noAnswer('http://127.0.0.1:1', { answers: next, clocks });
  return ails(over.signal, Promise.resolve());
}

describe('an agent', () => {
  it.each([
    [[true, false, false, false], true],
    [[false, false, false], true],
    [[false, false, true, false, false], false],
    [[true, false, false, true, false, false, true], false],
  ])('that answers %j is silent: %s', async (answers, isSilent) => {
    const found = await afterAnswers(answers);
    expect(found).toBe(isSilent ? 'it does not answer, 3 times in a row' : null);
  });
});

describe('a part', () => {
  let said: MockInstance<typeof console.error>;
  beforeEach(() => {
    said = vi.spyOn(console, 'error').mockReturnValue(undefined);
  });
  afterEach(() => said.mockRestore());

  it('that is found useless is killed and started again, and is left alone once it is not wanted', async () => {
    const found: PromiseWithResolvers<string | null>[] = [];
    const ails: Ails = () => {
      const one = Promise.withResolvers<string | null>();
      found.push(one);
      return one.promise;
    };
    const killed: number[] = [];
    let pid = 0;
    const launch = async () => {
      pid += 1;
      const own = pid;
      const gone = Promise.withResolvers<number | null>();
      const stop = async (): Promise<void> => gone.resolve(null);
      const kill = (): Promise<void> => {
        killed.push(own);
        return stop();
      };
      return { pid, exited: gone.promise, stop, kill };
    };
    const part = await startPart({ name: 'service', restarts: true, launch, ails });
    found[0]?.resolve('the clock was set back');
    await eventually('it is started again', () => part.pid() === 2);
    expect(said.mock.calls.flat().join('\n')).toContain('the clock was set back: ends it');
    await part.stop();
    found[1]?.resolve('the clock was set back');
    await found[1]?.promise;
    expect([killed, part.pid()]).toEqual([[1], 2]);
  });

  it('that is killed often is never away for more than two seconds and its start', async () => {
    const exited = Promise.resolve(137);
    const none = async (): Promise<void> => undefined;
    const launch = async () => ({ pid: 1, exited, stop: none, kill: none });
    const part = await startPart({ name: 'service', restarts: true, launch });
    const pauses = await eventually('five starts', () => {
      const all = said.mock.calls
        .flat()
        .join('\n')
        .matchAll(/starts again in (\d+) ms/g);
      const found = [...all].map(([, ms]) => Number(ms));
      return found.length > 5 && found;
    });
    expect(pauses).toEqual([250, 500, 1_000, 2_000, 2_000, 2_000]);
    await part.stop();
  });
});
