// Rules of the torture's checker about matches, apart from any service: what it must notice.
// (test/wire/torture-rules.test.ts has those about lobbies, players and searches.)

import { describe, expect, it } from 'vitest';
import type { Lobby } from '../../scripts/player';
import { serversUnsettled } from '../../proof/torture/checker';
import { shapeOf } from '../../proof/torture/configs';
import { Facts } from '../../proof/torture/facts';
import { Log } from '../../proof/torture/log';
import { launchedAgainst, misformed } from '../../proof/torture/matches';
import type { ServerRow } from '../../proof/torture/rows';
import { WAITING } from '../support/tortured-lobby.ts';

type Teams = readonly (readonly (readonly [lobby: string, ...players: string[]])[])[];

/** A server that was launched for a match of these teams. */
function launched(mode: string, teams: Teams): ServerRow {
  return {
    instance_id: 'instance',
    status: 'running',
    match_id: 'm',
    created_at: '2026-11-21T00:00:00.000Z',
    custom_data: {
      matchmaking_mode: mode,
      teams: teams.map((lobbies) => ({
        lobbies: lobbies.map(([lobby_id, ...players]) => ({
          lobby_id,
          player_states: Object.fromEntries(players.map((player) => [player, null])),
        })),
      })),
    },
  };
}

describe('a match that was launched', () => {
  it('is well when its teams are as its mode wants them', () => {
    const pairs = launched('pairs', [
      [['one', 'ann', 'ben']],
      [
        ['two', 'cat'],
        ['three', 'dan'],
      ],
    ]);
    expect(misformed(pairs, shapeOf)).toEqual([]);
    expect(misformed(launched('open', [[['one', 'ann']], [['two', 'ben']]]), shapeOf)).toEqual([]);
  });

  it('has nobody twice', () => {
    const twice = launched('pairs', [[['one', 'ann', 'ben']], [['one', 'ann', 'ben']]]);
    expect(misformed(twice, shapeOf)).toEqual([
      'match m of pairs has a lobby twice',
      'match m of pairs has a player twice',
    ]);
  });

  it('has the teams of its mode, and nobody too many or too few in them', () => {
    expect(misformed(launched('duel', [[['one', 'ann', 'ben']]]), shapeOf)).toEqual([
      'match m of duel has 1 teams',
      'match m of duel has a team of 2',
    ]);
    expect(misformed(launched('pairs', [[['one', 'ann']], [['two', 'ben']]]), shapeOf)).toEqual([
      'match m of pairs has a team of 1',
      'match m of pairs has a team of 1',
    ]);
  });

  it('shows who is in it', () => {
    const bare = { ...launched('duel', []), custom_data: {} };
    expect(misformed(bare, shapeOf)).toEqual(['match m was launched without its roster']);
    expect(misformed({ ...bare, match_id: null }, shapeOf)).toEqual([]);
  });

  it('was not declined', () => {
    const server = launched('duel', [[['one', 'ann']], [['two', 'ben']]]);
    const [mine, other] = [
      { lobby: 'one', match: 'm' },
      { lobby: 'one', match: 'n' },
    ];
    expect(launchedAgainst([mine, other], [server])).toEqual([mine]);
  });
});

describe('a confirmation that was shown', () => {
  it('stays for as long as that match asks for it', () => {
    const log = new Log();
    const facts = new Facts(log);
    const asked = (revision: number, matchId: string, confirmed: boolean): Lobby => ({
      ...WAITING,
      status: 'match_found',
      matchId,
      revision,
      matchmaking: {
        mode: 'ready',
        startedAt: '2026-11-21T00:00:00.000Z',
        confirmation: { deadline: '2026-11-21T00:00:10.000Z', confirmed },
      },
    });
    facts.heard(asked(2, 'm', false), 1);
    facts.heard(asked(3, 'm', true), 2);
    // An old state that comes late, and another match, are well.
    facts.heard(asked(2, 'm', false), 3);
    facts.heard(asked(5, 'n', false), 4);
    expect(log.violations).toEqual([]);
    facts.heard(asked(6, 'm', false), 5);
    expect(log.violations.map(({ what }) => what)).toEqual([
      'lobby one had confirmed match m at revision 3, and has not at 6',
    ]);
  });
});

describe('a server at rest', () => {
  const at = (lobbies: readonly Lobby[], containers: readonly (readonly [string, string])[]) =>
    serversUnsettled({
      lobbies: new Map(lobbies.map((lobby) => [lobby.id, lobby])),
      servers: new Map([['instance', launched('duel', [[['one', 'ann']], [['two', 'ben']]])]]),
      browsed: new Map(),
      processes: new Map([['instance', [7]]]),
      containers: new Map(containers),
    });

  it('has its one container as long as a lobby plays on it, and no container is left of another', () => {
    const playing = ['one', 'two'].map((id): Lobby => ({
      ...WAITING,
      id,
      status: 'in_game',
      matchId: 'm',
      server: { instance_id: 'instance', status: 'running', network_ports: [] },
    }));
    expect(at(playing, [['instance', 'running']])).toEqual([]);
    expect(at(playing, [['another', 'exited']])).toEqual([
      { what: 'a container, exited, has server another, which no lobby plays on', tags: [] },
    ]);
    expect(at([], [['instance', 'running']]).map(({ what }) => what)).toEqual([
      'server instance is running, and no lobby plays on it',
      'process 7 runs server instance, which no lobby plays on',
      'a container, running, has server instance, which no lobby plays on',
    ]);
  });
});
