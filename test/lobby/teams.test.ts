import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/common/json';
import { teamsNamed } from '../../src/lobby/teams';
import { lobbyOf } from '../support/lobbies';

describe('the teams that the settings of a lobby name', () => {
  const teamsIn = (teams: Json) =>
    teamsNamed({ ...lobbyOf('ann', 'bob', '__proto__'), settings: { teams } });

  it('have those of their players who are there, each in the first team that names them', () => {
    const named = [
      { name: 'red', players: ['zoe', 'bob', 'bob'] },
      { name: null, players: [] },
      { players: ['__proto__', 'bob'], colour: 'blue' },
    ];
    expect(teamsIn(named)).toEqual([
      { name: 'red', players: ['bob'] },
      { name: null, players: ['__proto__'] },
    ]);
  });

  it.each([
    [2],
    ['red'],
    [[]],
    [[['ann']]],
    [[{ players: ['zoe'] }]],
    [[{ players: [1] }]],
    [null],
  ])('are none: %j', (teams) => {
    expect(teamsIn(teams)).toEqual([]);
  });
});
