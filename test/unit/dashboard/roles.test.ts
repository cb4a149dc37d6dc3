// The roles of a team, read from one line of text.

import { expect, it } from 'vitest';
import { RECIPES, rolesOf } from '../../../dashboard/roles';

it.each<readonly [string, Readonly<Record<string, number>>]>([
  ['tank 1, damage 2', { tank: 1, damage: 2 }],
  ['tank, 2 damage', { tank: 1, damage: 2 }],
  ['off tank 2,, healer', { 'off tank': 2, healer: 1 }],
  ['mid, mid', { mid: 2 }],
  ['constructor', { constructor: 1 }],
  [' , ', {}],
])('reads %s', (text, roles) => {
  expect(Object.entries(rolesOf(text))).toEqual(Object.entries(roles));
});

it('reads each recipe as a whole team', () => {
  for (const recipe of RECIPES) {
    const counts = Object.values(rolesOf(recipe));
    expect([recipe, counts.reduce((sum, count) => sum + count)]).toEqual([recipe, 5]);
  }
});
