// What a save of configs changed: what is told to queues, and noted in the history.

import { expect, it } from 'vitest';

import { changedNames, own } from '../../../../src/common/named';
import { defaultConfig } from '../../../../src/lobby/config';
import { playgroundOf } from '../../../../src/lobby/playground';
import { changedModes } from '../../../../src/objects/project/changes';
import { mode } from '../../../match/support/make';

const arena = {
  ...defaultConfig('arena'),
  matchmaking: { modes: { duel: mode(), brawl: mode() } },
};
const den = defaultConfig('den');

it('a name that every object has is no config', () => {
  expect(own({ arena }, 'arena')).toBe(arena);
  expect(own({ arena }, 'constructor')).toBeUndefined();
});

it('configs that came, went or are another value have changed', () => {
  const other = { ...arena };
  expect(changedNames({ arena, den }, { arena, den })).toEqual([]);
  expect(changedNames({ arena, den }, { arena: other, open: den })).toEqual([
    'arena',
    'den',
    'open',
  ]);
});

it('each mode of a config that changed or went is told, its playground too, and no new one', () => {
  const told = ['arena', playgroundOf('arena')];
  const all = ['duel', 'brawl'].flatMap((name) => told.map((config) => ({ config, mode: name })));
  expect(changedModes({ arena }, { arena: { ...arena } })).toEqual(all);
  expect(changedModes({ arena }, {})).toEqual(all);
  expect(changedModes({ arena }, { arena })).toEqual([]);
  expect(changedModes({}, { arena })).toEqual([]);
});
