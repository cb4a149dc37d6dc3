// Every package does the same: one list of steps (packages/conformance/steps.json), against a real Muster that is restarted
// and a line between that breaks. And each step list finds a fault: a line of each package's stream code is broken.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALL, type Package, prepared } from '../../packages/conformance/programs.ts';
import { conform, type Outcome, SCENARIOS } from '../../packages/conformance/run.ts';
import { isMonoThere } from './csharp.ts';
import { DEBIAN_PYTHON, needs, pathOf } from '../support/tools.ts';

const there = ALL.filter(({ tool }) =>
  tool === 'mcs' ? isMonoThere : tool === undefined || needs(tool),
);
let folder: string;
let outcomes: readonly Outcome[] = [];
let broken: readonly Outcome[] = [];

function toolOf({ tool }: Package): string {
  if (tool === undefined) {
    return process.execPath;
  }
  return tool === 'python3' ? DEBIAN_PYTHON : pathOf(tool);
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-packages-'));
  const make = (kind: 'right' | 'broken') =>
    Promise.all(
      there.map((one) => {
        const how = { tool: toolOf(one), broken: kind === 'broken' };
        return prepared(one, join(folder, kind, one.name), how);
      }),
    );
  const [right, wrong] = await Promise.all([make('right'), make('broken')]);
  [outcomes, broken] = await Promise.all([conform(right), conform(wrong, ['follow'])]);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe.each(there)('$name', ({ name, bug }) => {
  it.each(Object.entries(SCENARIOS))('%s: every step prints its line', (scenario, steps) => {
    const outcome = outcomes.find((each) => each.program === name && each.scenario === scenario);
    expect(outcome?.failed).toBeNull();
    expect(outcome?.passed).toBe(steps.length);
  });

  it(`fails if ${bug.about}`, () => {
    const outcome = broken.find((each) => each.program === name);
    expect(outcome?.failed?.step).toBe(bug.step);
  });
});
