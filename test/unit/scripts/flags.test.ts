// The words of a command: what is read, and what is said of a wrong one.

import { describe, expect, it } from 'vitest';

import { choice, given, number, parsed, perhaps, word } from '../../../scripts/flags.ts';

const COMMAND = {
  command: 'npm run bench --',
  about: 'Measures.',
  flags: {
    rate: number(20, 'pairs a second'),
    seed: perhaps('what chance begins with'),
    out: word(null, 'a file'),
    where: choice(['box', 'objects'], 'box', 'the placement'),
    find: given('the highest rate'),
  },
  words: { name: '[FILE]', says: 'a file', least: 0, most: 1 },
} as const;

const read = (...words: string[]) => parsed(COMMAND, words);

describe('the words of a command', () => {
  it('gives defaults for what is not said', () => {
    const flags = { rate: 20, seed: null, out: null, where: 'box', find: false };
    expect(read()).toEqual({ kind: 'line', line: { flags, words: [] } });
  });

  it('reads both ways of writing a value, and words between flags', () => {
    const flags = { rate: 0.5, seed: 7, out: 'a=b', where: 'objects', find: true };
    expect(
      read('--rate=0.5', '--seed', '7', 'x', '--out', 'a=b', '--where', 'objects', '--find'),
    ).toEqual({ kind: 'line', line: { flags, words: ['x'] } });
  });

  it.each([
    [['--rat', '3'], '--rat is no flag of this command'],
    [['--constructor'], '--constructor is no flag of this command'],
    [['-r'], '-r is no flag of this command'],
    [['--rate', 'fast'], '--rate must be a number of zero or more'],
    [['--rate', ''], '--rate must be a number of zero or more'],
    [['--rate=-1'], '--rate must be a number of zero or more'],
    [['--rate'], '--rate needs a value'],
    [['--find=yes'], '--find takes no value'],
    [['--where', 'moon'], '--where must be box or objects'],
    [['a', 'b'], '"b" is one word too many'],
  ])('answers %j in one line', (words, says) => {
    const text = `${says} (npm run bench -- --help lists the flags)`;
    expect(read(...words)).toEqual({ kind: 'wrong', text });
  });

  it('says which word is missing', () => {
    const least = { ...COMMAND, words: { ...COMMAND.words, name: 'FILE', least: 1 } };
    expect(parsed(least, [])).toMatchObject({ text: expect.stringMatching(/^FILE is missing/) });
  });

  it('helps before it looks at anything else', () => {
    const text = `npm run bench -- [FILE]
Measures.
  [FILE]     a file
  --rate X   pairs a second (20)
  --seed X   what chance begins with
  --out X    a file
  --where X  the placement: box or objects (box)
  --find     the highest rate
  --help     these lines`;
    expect(read('--rat', '--help')).toEqual({ kind: 'help', text });
    expect(read('-h')).toEqual({ kind: 'help', text });
  });
});
