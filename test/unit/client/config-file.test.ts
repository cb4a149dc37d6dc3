// The line that a message of `muster configs` names is the line of the field, wherever it stands.

import { expect, it } from 'vitest';
import { readConfigFile } from '../../../packages/js/cli/config-file.ts';

const YAML = `# a comment
matchmaking:
  modes:
    duel:
      teams: 0
      rules:
        - type: equals
          field: map
        - { type: near }
    a.b: { timeout: 1 }
    a:
      # nothing but a comment
      b: 2
`;

it.each([
  ['matchmaking', 2],
  ['matchmaking.modes', 3],
  ['matchmaking.modes.duel', 4],
  ['matchmaking.modes.duel.teams', 5],
  ['matchmaking.modes.duel.rules', 6],
  ['matchmaking.modes.duel.rules[0]', 7],
  ['matchmaking.modes.duel.rules[0].type', 7],
  ['matchmaking.modes.duel.rules[0].field', 8],
  ['matchmaking.modes.duel.rules[1].type', 9],
  ['matchmaking.modes.a.b.timeout', 10],
  ['matchmaking.modes.a.c', 11],
  // What is missing is named by what it would stand in.
  ['matchmaking.modes.duel.useVersionFromState', 4],
  ['matchmaking.modes.duel.rules[7].type', 6],
  ['enabled', 2],
  ['', 2],
])('%s is at line %i', (path, line) => {
  expect(readConfigFile('configs/arena.yaml', YAML).lineOf(path)).toBe(line);
});

it('the same in JSON', () => {
  const text = '{\n  "matchmaking": {\n    "modes": {\n      "duel": {\n        "teams": 0 } } } }';
  const file = readConfigFile('configs/arena.json', text);
  expect(file.lineOf('matchmaking.modes.duel.teams')).toBe(5);
  expect(file.lineOf('matchmaking.modes.duel.minTeams')).toBe(4);
});

it.each([
  ['an alias without an anchor', 'timeout: *soon', 'Unresolved alias'],
  [
    'aliases of aliases',
    [
      'a: &a [1]',
      'b: &b [*a,*a,*a,*a,*a,*a]',
      'c: &c [*b,*b,*b,*b,*b,*b]',
      'd: [*c,*c,*c,*c]',
    ].join('\n'),
    'Excessive alias count',
  ],
])('%s is refused with the name of the file', (_, text, says) => {
  expect(() => readConfigFile('configs/arena.yaml', text)).toThrow(`configs/arena.yaml: ${says}`);
});
