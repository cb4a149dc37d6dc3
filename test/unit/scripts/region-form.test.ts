// One form of a region for all who write or read one (decision 43): what the service takes, the agent takes, and nothing
// that looks like an option of a program.

import { describe, expect, it } from 'vitest';
import { BadOrder, parseSpec } from '../../../agent/spec.ts';
import { region } from '../../../src/common/shape';
import { launchSpec } from '../../fleet/specs.ts';

const GOOD = ['us-east', 'eu', '1', 'a-', 'x'.repeat(32), 'local'];
const BAD = [
  '-rf',
  '-',
  '--help',
  '-0',
  '',
  'EU',
  'eu west',
  'x'.repeat(33),
  'eu\n',
  '\u0000',
  'eu;rm',
];

function doesAgentTake(name: string): boolean {
  try {
    parseSpec({ ...launchSpec({}, { region: name }) });
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(BadOrder);
    return false;
  }
}

describe.each([
  ['is taken by all', GOOD, true],
  ['is taken by none', BAD, false],
])('a region that %s', (_, names, isTaken) => {
  it.each(names)('%j', (name) => {
    expect([region().safeParse(name).success, doesAgentTake(name)]).toEqual([isTaken, isTaken]);
  });
});
