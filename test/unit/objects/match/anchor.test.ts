// Whom a newcomer is judged against (decision 68): the anchor of the match or, once it has left, the lobby that has waited
// longest of those who are there.

import { describe, expect, it } from 'vitest';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { JsonObject } from '../../../../src/common/json';
import type { Mode } from '../../../../src/match/rules/mode';
import { ticketOf } from '../../../../src/match/ticket/aggregate';
import type { Ticket } from '../../../../src/match/ticket/ticket';
import { makePool } from '../../../../src/match/waiting/make-pool';
import type { PartySnapshot } from '../../../../src/objects/contracts/party';
import { refused } from '../../../../src/objects/match/refill';
import { admission, offerOf } from '../../../../src/objects/match/room';
import {
  confirmed,
  served,
  underMode,
  withoutLobby,
  type Match,
} from '../../../../src/objects/match/state';
import { mode, ticket } from '../../../match/support/make';
import { serverReport } from '../../../support/duel-match.ts';
import { formedOf, party, running } from '../../../support/running-match';

const ID = 'm' as MatchId;
const NARROW: Mode['rules'] = [
  { type: 'difference', field: 'mmr', maxDifference: 100, widenTo: 100 },
];
const REFILL = {
  matchConfirmation: { enabled: true, timeoutSeconds: 30 },
  onDecline: 'refill',
  refillSeconds: 20,
} as const;

/** A lobby of one, with that state, which began to search then. */
function lobby(name: string, state: JsonObject, startedAt: number): PartySnapshot {
  const players = [{ id: name as PlayerId, state }];
  return { ...party(name, name), startedAt, players, region: 'eu-west', settings: { map: 'dust' } };
}

function ticketFor(of: PartySnapshot, rules: Mode): Ticket {
  const { ticketId: id, region = '', host } = of;
  const players = of.players.map((each) => ({ ...each, isHost: each.id === host }));
  const made = ticketOf({ ...of, id, region, players }, rules);
  if (!made.ok) {
    throw new Error(made.refusal.detail);
  }
  return made.value;
}

/** A match of these lobbies, one a team, of which the first is the anchor. */
function matchOf(over: Partial<Mode>, ...parties: readonly PartySnapshot[]): Match {
  const rules = mode({ teams: parties.length, rules: NARROW, ...over });
  const teams = parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null }));
  const [first] = parties;
  const match = formedOf({ rules, parties, teams });
  return {
    ...match,
    roster: { ...match.roster, anchor: ticketFor(first as PartySnapshot, rules) },
  };
}

function runs(match: Match): Match {
  return served({ ...match, phase: 'launching' }, serverReport(), 5);
}

const left = (match: Match, name: string): Match =>
  withoutLobby(match, { lobbyId: name as LobbyId, ticketId: `ticket of ${name}` as TicketId }, 9);

/** Which of the tickets the queue sends into the match. */
function sent(match: Match, ...tickets: readonly Ticket[]): readonly TicketId[] {
  const pool = makePool(match.saved?.rules ?? match.roster.rules);
  const offer = offerOf(match, ID);
  if (offer !== null) {
    pool.offer(offer, 50);
  }
  return tickets.flatMap((each) => pool.enter(each, 50).backfills.map((fill) => fill.ticket));
}

const anchor = (match: Match) => offerOf(match, ID)?.anchor;
const rated = (mmr: number): Ticket => ticket(`of ${mmr}`, { at: 40, state: { mmr } });
const A = lobby('a', { mmr: 1_000 }, 0);
const B = lobby('b', { mmr: 1_090 }, 10);
const C = lobby('c', { mmr: 1_050 }, 20);

describe('a newcomer by refill', () => {
  it('is judged against who is there, and not against the anchor that said no', () => {
    const accepted = confirmed(matchOf(REFILL, A, B), 'b' as LobbyId);
    const match = refused(accepted, 'a' as LobbyId, 'declined', 1_000);
    expect(sent(match, rated(910))).toEqual([]);
    expect(sent(match, rated(1_180))).toEqual(['of 1180']);
    const other = refused(matchOf(REFILL, A, B), 'b' as LobbyId, 'declined', 1_000);
    expect(sent(other, rated(910))).toEqual(['of 910']);
  });

  it('is judged by a rule about whole teams as the match formed', () => {
    const match = refused(matchOf(REFILL, A, B), 'a' as LobbyId, 'declined', 1_000);
    // Its wait is that of the lobby that the match formed around.
    expect(anchor(match)).toMatchObject({ id: 'ticket of b', startedAt: 0, state: { mmr: 1_090 } });
  });
});

describe('a newcomer by backfill', () => {
  const open = { allowBackfill: true };

  it('is judged against the anchor, and then against who has waited longest', () => {
    const match = runs(matchOf(open, A, C, B));
    expect(anchor(left(match, 'b'))?.id).toBe('ticket of a');
    expect(anchor(left(match, 'a'))?.id).toBe('ticket of b');
    expect(sent(left(match, 'a'), rated(910))).toEqual([]);
    expect(sent(left(match, 'a'), rated(1_180))).toEqual(['of 1180']);
  });

  it('is judged against the ticket that the lobby had', () => {
    const without = left(runs(matchOf(open, A, B, C)), 'a');
    const { startedAt: _, ...made } = ticketFor(B, without.roster.rules);
    expect(anchor(without)).toMatchObject(made);
  });

  it.each<[string, Mode['rules'], JsonObject, { readonly ins: Ticket; readonly out: Ticket }]>([
    [
      'not_equals',
      [{ type: 'not_equals', field: 'clan' }],
      { clan: 'north' },
      {
        ins: ticket('in', { at: 40, state: { clan: 'south' } }),
        out: ticket('out', { at: 40, state: { clan: 'north' } }),
      },
    ],
    [
      'an expression that asks whether a field exists',
      [{ type: 'expression', cel: '!has(a.state.beta) || has(b.state.beta)' }],
      { beta: true },
      { ins: ticket('in', { at: 40, state: { beta: false } }), out: ticket('out', { at: 40 }) },
    ],
    [
      'region',
      [{ type: 'region', minOverlap: 2 }],
      { regions: ['us-east', 'eu-west'] },
      {
        ins: ticket('in', { at: 40, regions: ['us-east', 'eu-west'] }),
        out: ticket('out', { at: 40, regions: ['us-east', 'asia'] }),
      },
    ],
    [
      'a game setting, read by an expression',
      [{ type: 'expression', cel: 'a.metadata.map == b.metadata.map' }],
      {},
      {
        ins: ticket('in', { at: 40, metadata: { map: 'dust' } }),
        out: ticket('out', { at: 40, metadata: { map: 'ice' } }),
      },
    ],
  ])('by %s', (_, rules, state, { ins, out }) => {
    const match = runs(matchOf({ ...open, rules }, A, lobby('b', state, 10), C));
    expect(sent(left(match, 'a'), out, ins)).toEqual(['in']);
  });

  it('is judged against one who came later, if nobody else is left', () => {
    const match = left(runs(matchOf(open, A, B)), 'a');
    const came = lobby('d', { mmr: 1_180 }, 40);
    const its = ticketFor(came, match.roster.rules);
    const offered = { party: came, team: 0, members: ['d' as PlayerId], roles: null, ticket: its };
    const { next } = admission(match, { ...offered, seq: 1 }, { saved: undefined, now: 60 });
    const alone = left(next, 'b');
    expect(anchor(alone)?.state).toEqual({ mmr: 1_180 });
    expect(sent(alone, rated(1_000), rated(1_270))).toEqual(['of 1270']);
  });

  it('is refused if it was judged against one who has left since', () => {
    const match = left(runs(matchOf(open, A, B)), 'a');
    const came = { party: lobby('d', {}, 40), team: 0, members: ['d' as PlayerId], roles: null };
    const at = { saved: undefined, now: 60 };
    const old = { ...came, seq: 1, against: 'ticket of a' as TicketId };
    expect(admission(match, old, at).isIn).toBe(false);
    expect(admission(match, { ...old, against: 'ticket of b' as TicketId }, at).isIn).toBe(true);
    // An earlier release's queue does not say.
    expect(admission(match, { ...came, seq: 1 }, at).isIn).toBe(true);
  });

  it('is judged by the mode as it is saved now, also where the match formed without backfill', () => {
    const match = left(runs(matchOf({}, A, B)), 'a');
    const rules = mode({ rules: [{ type: 'equals', field: 'build' }], allowBackfill: true });
    const opened = underMode(match, { rules, revision: 2 });
    expect(anchor(opened)?.id).toBe('ticket of b');
  });
});

describe('rows', () => {
  const SPACE = { teams: 2, playersPerTeam: 3, minPlayersPerTeam: 1 };

  it('of those who are there alone have tickets, each its own', async () => {
    const game = await running(SPACE, party('a', 'ann'), party('b', 'ben'));
    const rows = () => [...game.fake.saved.keys()].filter((key) => key.startsWith('came:'));
    const came = party('c', 'cat');
    const its = ticket('ticket of c', { state: { mmr: 1 } });
    const offered = { party: came, seq: 1, team: 1, members: ['cat' as PlayerId], roles: null };
    await game.match.admit({ ...offered, ticket: its });
    expect(rows()).toEqual(['came:ticket of c']);
    expect(game.fake.saved.get('came:ticket of c')).toEqual({ ticket: its });
    await game.match.left(came.lobbyId, came.ticketId);
    expect(rows()).toEqual([]);
  });

  it('of an earlier release name the anchor, if they know nobody else', () => {
    const { region: _, ...old } = lobby('b', { mmr: 1_090 }, 10);
    const match = left(runs(matchOf({ allowBackfill: true }, A, old, C)), 'a');
    expect(anchor(match)).toMatchObject({ id: 'ticket of b', region: 'us-east' });
    const unknown = { ...match, roster: { ...match.roster, parties: [] } };
    expect(anchor(unknown)?.id).toBe('ticket of a');
  });
});
