// What always holds of lobbies, matches, servers and queues: each sentence is broken by a state that is wrong in that
// alone. That real states break none is for the simulation to show, at each commit.

import { describe, expect, it } from 'vitest';
import type { InstanceId, MatchId, PlayerId, TicketId } from '../../../src/common/ids';
import { brokenInLobby } from '../../../src/lobby/always';
import type { Lobby, Search } from '../../../src/lobby/lobby';
import { brokenInMatch } from '../../../src/objects/match/always';
import type { Match } from '../../../src/objects/match/state';
import { QueueState } from '../../../src/objects/queue/state';
import { brokenInServer } from '../../../src/objects/server/always';
import { matchOrder } from '../../support/match-order.ts';
import { fakePorts } from '../../fleet/ports.ts';
import { mode } from '../../match/support/make';
import { lobbyOf } from '../../support/lobbies';
import { formedOf, party } from '../../support/running-match';

const lobby = lobbyOf('ann', 'ben');
const [ann] = lobby.players;
const searching = (...modes: readonly string[]): Lobby => {
  const [first, ...others] = modes.map((name, index) => ({
    mode: name,
    ticketId: `t${index}` as TicketId,
  }));
  return { ...lobby, search: { ...first, also: others, modes } as unknown as Search } as Lobby;
};

describe('of a lobby', () => {
  it('all holds when it was founded, and while it searches', () => {
    expect(brokenInLobby(lobby)).toEqual([]);
    expect(brokenInLobby({ ...lobby, revision: lobby.revision + 1 }, lobby)).toEqual([]);
  });

  it.each<[string, Partial<Lobby>]>([
    ['a lobby has at most maxPlayers', { maxPlayers: 1 }],
    ['a lobby has no player twice, nor one who watches it', { players: ann ? [ann, ann] : [] }],
    ['the host of a lobby is one of its players', { host: 'cem' as PlayerId }],
    ['a lobby is created before it is updated', { updatedAt: lobby.createdAt - 1 }],
    ['the revision of a lobby never goes back', { revision: lobby.revision - 1 }],
  ])('%s', (sentence, patch) => {
    expect(brokenInLobby({ ...lobby, ...patch } as Lobby, lobby)).toEqual([sentence]);
  });

  it('players are there, and a host among them', () => {
    expect(brokenInLobby({ ...lobby, players: [] })).toEqual([
      'a lobby has players',
      'the host of a lobby is one of its players',
    ]);
  });

  it('a mode is searched once, and shown', () => {
    expect(brokenInLobby(searching('duel', 'duel'))).toEqual(['a lobby searches no mode twice']);
    const { search } = searching('duel', 'squads');
    const hidden = { ...search, modes: ['duel'] } as unknown as Search;
    expect(brokenInLobby({ ...lobby, search: hidden } as Lobby)).toEqual([
      'a lobby shows the modes that it searches',
    ]);
  });
});

const match = formedOf({
  rules: mode({ playersPerTeam: 2, matchConfirmation: { enabled: true, timeoutSeconds: 9 } }),
  parties: [party('a', 'ann', 'ben'), party('b', 'cem')],
  teams: [
    { name: null, tickets: ['ticket of a'], roles: null },
    { name: null, tickets: ['ticket of b'], roles: null },
  ],
});
const [first, second] = match.participants;
const confirmed = match.participants.map((who) => ({ ...who, confirmed: true }));
const with3 = (patch: object): Pick<Match, 'participants'> => ({
  participants: [...match.participants, { ...match.participants[1], ...patch }] as never,
});

describe('of a match', () => {
  it('all holds as it opens, and as it launches', () => {
    expect(first?.members).toHaveLength(2);
    expect(second?.members).toHaveLength(1);
    expect(brokenInMatch(match, null)).toEqual([]);
    const next = { ...match, phase: 'launching', participants: confirmed } as const;
    expect(brokenInMatch(next, match)).toEqual([]);
    const taken = { ...next, warm: 'taken', instanceId: 'warm' as InstanceId } as const;
    expect(brokenInMatch(taken, next)).toEqual([]);
    const runs = { ...taken, phase: 'running' } as const;
    expect(brokenInMatch({ ...runs, instanceId: next.instanceId }, runs)).toEqual([
      'a match has one server',
    ]);
  });

  it.each<[string, Partial<Match>]>([
    ['a match has one server', { instanceId: 'other' as InstanceId }],
    ['a match launches once all have confirmed', { phase: 'launching' }],
    ['a match has no lobby twice', with3({ ticketId: 't2', members: [], team: 1 })],
    [
      'a match fills no team beyond its places',
      with3({ ticketId: 't2', lobbyId: 'c', team: 0, members: ['dan'], joinedAt: 1 }),
    ],
  ])('%s', (sentence, patch) => {
    expect(brokenInMatch({ ...match, ...patch }, match)).toEqual([sentence]);
  });

  it('it opens with no player twice, and never goes back', () => {
    const twice = with3({ ticketId: 't2', lobbyId: 'c', team: 1, members: ['ann'] });
    expect(brokenInMatch({ ...match, ...twice }, null)).toEqual([
      'a match opens with no player twice',
    ]);
    expect(brokenInMatch(match, { ...match, phase: 'running' })).toEqual([
      'a match only goes forward',
    ]);
  });
});

describe('of a server', () => {
  const is = { run: 1, status: 'running', seq: 5, order: matchOrder } as const;
  const other = { kind: 'match', id: 'match-2' as MatchId } as const;

  it('all holds as it runs, ends, and is launched again', () => {
    expect(brokenInServer(is, null)).toEqual([]);
    expect(brokenInServer({ ...is, status: 'stopped', seq: 6 }, is)).toEqual([]);
    expect(brokenInServer({ ...is, run: 2, status: 'launching', seq: 6 }, is)).toEqual([]);
  });

  it('a match may take a warm one', () => {
    const warm = { ...is, order: { ...matchOrder, owner: { kind: 'warm' } } } as const;
    expect(brokenInServer(is, warm)).toEqual([]);
    expect(brokenInServer(warm, is)).toEqual(['a server has one owner']);
  });

  it.each([
    ['a server only goes forward within a run', { status: 'launching', seq: 6 }],
    ['a server only goes forward within a run', { run: 3, status: 'launching', seq: 6 }],
    ['the number of a server never goes back', { seq: 4 }],
    ['a server has one owner', { order: { ...matchOrder, owner: other } }],
  ] as const)('%s: %o', (sentence, patch) => {
    expect(brokenInServer({ ...is, ...patch }, is)).toEqual([sentence]);
  });
});

describe('of a queue', () => {
  const state = (): QueueState => {
    const { ports } = fakePorts({ name: 'q', document: { revision: 0, configs: {}, builds: {} } });
    return new QueueState(ports.store);
  };
  const proposal = (id: string, ...tickets: readonly string[]) =>
    ({ id, matchId: id as MatchId, seq: 1, tickets, commit: null }) as never;

  it('a ticket is in one proposal', () => {
    const queue = state();
    queue.putProposal(proposal('p1', 'a', 'b'));
    queue.putProposal(proposal('p1', 'a'));
    expect(queue.broken).toBeNull();
    queue.putProposal(proposal('p2', 'a', 'c'));
    expect(queue.broken?.which).toBe('a ticket is in one proposal');
  });

  it('it never goes back to an older mode', () => {
    const queue = state();
    const meta = { mode: mode(), modeRevision: 3, seq: 1 } as never;
    queue.setMeta(meta);
    queue.setMeta(meta);
    expect(queue.broken).toBeNull();
    queue.setMeta({ mode: mode(), modeRevision: 2, seq: 1 });
    expect(queue.broken?.which).toBe('a queue never goes back to an older mode');
  });
});
