// Open places of a running match, from its live roster (decision 30).

import { describe, expect, it } from 'vitest';
import type { InstanceId, MatchId, PlayerId } from '../../../../src/common/ids';
import type { PartySnapshot } from '../../../../src/objects/contracts/party';
import { offerOf, openPlaces, rosterTold, withParty } from '../../../../src/objects/match/room';
import { formed, type Match } from '../../../../src/objects/match/state';
import { roleMode } from '../../../match/support/make';
import { formedOf, party } from '../../../support/running-match';

/** A hunter against two runners of one lobby, who play. */
function hunt(): Match {
  const rules = roleMode({ hunters: { tank: 1 }, prey: { runner: 2 } }, { allowBackfill: true });
  const parties = [party('a', 'ann'), party('b', 'ben', 'bob')];
  const teams = [
    { name: 'hunters', tickets: [parties[0]?.ticketId], roles: { ann: 'tank' } },
    { name: 'prey', tickets: [parties[1]?.ticketId], roles: { ben: 'runner', bob: 'runner' } },
  ];
  return { ...formedOf({ mode: 'hunt', rules, parties, teams }), phase: 'running' };
}

function told(match: Match, revision: number, ...players: readonly string[]): Match {
  const { lobbyId, ticketId, players: told } = party('b', ...players);
  return rosterTold(match, { lobbyId, ticketId }, { revision, players: told, now: 0 });
}

const prey = (match: Match) => openPlaces(match)[1];

describe('a match of a mode that keeps players apart', () => {
  const avoiding = (of: PartySnapshot, avoid: readonly string[]): PartySnapshot => ({
    ...of,
    settings: { avoid: [...avoid] },
    players: of.players.map((each) => ({ ...each, state: { avoid: [`not ${each.id}`] } })),
  });

  it('offers who is on each team and whom they avoid, those too who came later; else neither', () => {
    const plain = told(hunt(), 1, 'ben');
    expect(offerOf(plain, 'm' as MatchId)?.open.map(({ here }) => here)).toEqual([
      undefined,
      undefined,
    ]);
    const { roster } = hunt();
    const rules = { ...roster.rules, rules: [{ type: 'avoid', field: 'avoid' } as const] };
    const parties = [party('a', 'ann'), avoiding(party('b', 'ben', 'bob'), ['cat'])];
    const match = {
      ...formed({ ...roster, rules, parties }, 'i' as InstanceId, 0),
      phase: 'running',
    } as const;
    const here = (of: Match) => offerOf(of, 'm' as MatchId)?.open.map((team) => team.here);
    expect(here(told(match, 1, 'ben'))).toEqual([
      { players: ['ann'] },
      { players: ['ben'], avoids: ['not ben', 'not bob', 'cat'] },
    ]);
    const filled = withParty(
      told(match, 1),
      {
        party: avoiding(party('c', 'cid'), ['ann']),
        seq: 1,
        team: 1,
        members: ['cid' as PlayerId],
        roles: { ['cid' as PlayerId]: 'runner' },
      },
      1_000,
    );
    expect(filled && here(filled)?.[1]).toEqual({
      players: ['cid'],
      avoids: ['not ben', 'not bob', 'cat', 'not cid', 'ann'],
    });
  });
});

describe('the open places of a match with roles', () => {
  it('are none while all play, and the role of who left', () => {
    expect(offerOf(hunt(), 'm' as MatchId)).toBeNull();
    expect(prey(told(hunt(), 1, 'ben'))).toEqual({ name: 'prey', slots: 1, roles: { runner: 1 } });
  });

  it('are not taken by who joins a lobby late, and are filled once', () => {
    const match = told(hunt(), 1, 'ben', 'late');
    expect(prey(match)?.slots).toBe(1);
    const newcomer = {
      party: party('c', 'cat'),
      seq: 1,
      team: 1,
      members: ['cat' as PlayerId],
      roles: { cat: 'runner' },
    };
    const full = withParty(match, newcomer, 1_000);
    expect(full && prey(full)?.slots).toBe(0);
    expect(full && withParty(full, { ...newcomer, party: party('d', 'dan') }, 1_000)).toBeNull();
    expect(withParty(hunt(), newcomer, 1_000)).toBeNull();
  });
});
