// What a match shows its lobbies, and the room in it: for whom, until when, and for which bots. Without an object around it.

import { describe, expect, it } from 'vitest';

import type { LobbyId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { Mode } from '../../../../src/match/rules/mode';
import {
  admission,
  botsAtFirst,
  botsIn,
  dueAt,
  withNews,
  offerOf,
  openPlaces,
  rosterTold,
  withParty,
} from '../../../../src/objects/match/room';
import {
  cameWith,
  over,
  rates,
  served,
  staysOf,
  teamNumber,
  withoutLobby,
  type Match,
  type Participant,
} from '../../../../src/objects/match/state';
import { refused } from '../../../../src/objects/match/refill';
import { updateFor, updateOf } from '../../../../src/objects/match/update';
import { mode, roleMode } from '../../../match/support/make';
import { block } from '../../../support/lobbies';
import { backfill, formedOf, MATCH, party } from '../../../support/running-match';
import {
  A,
  ABE,
  ANN,
  ASKS,
  B,
  BEN,
  MIXED,
  duel,
  first,
  serverReport,
  stayOf,
  steps,
} from '../../../support/duel-match.ts';

const update = (of: Match, lobby = A) => updateOf(of, MATCH, lobby);

describe('what a lobby is shown', () => {
  it('is the whole match, with the places of its players', () => {
    const rules = roleMode({ hunters: { tank: 1 }, prey: { runner: 2 } }, ASKS);
    const teams = [
      { name: 'hunters', tickets: ['ticket of b'], roles: { ben: 'tank' } },
      {
        name: 'prey',
        tickets: ['ticket of a'],
        roles: { ann: 'runner', abe: 'runner', gone: 'runner' },
      },
    ];
    const of = formedOf({ rules, parties: [party('a', 'ann', 'abe'), party('b', 'ben')], teams });
    expect(updateFor(of, MATCH, first(of))).toEqual({
      matchId: 'm',
      ticketId: 'ticket of a',
      step: 1,
      mode: 'duo',
      phase: 'match_found',
      deadline: 30_000,
      confirmed: false,
      instanceId: 'i',
      backfills: false,
      lateJoin: true,
      server: null,
      places: {
        team: 1,
        teamName: 'prey',
        roles: { ann: 'runner', abe: 'runner' },
        members: ['ann', 'abe'],
        aside: [],
      },
      reason: null,
      requeue: false,
    });
    expect(updateOf(of, MATCH, 'x' as LobbyId)).toBeNull();
    expect(updateOf(null, MATCH, A)).toBeNull();
    expect(update(served(duel(), serverReport(), 1))).toMatchObject({
      phase: 'in_game',
      server: { status: 'running' },
      places: { teamName: null, roles: null, aside: ['spectator-sue'] },
    });
    expect(update(duel())).toMatchObject({ phase: 'matched', deadline: null });
  });

  it('names what a game that steers its places knows', () => {
    const steered = { revision: 3, seated: [], kicked: ['x' as PlayerId], present: [ABE, BEN] };
    expect(update(duel({ reconnectSeconds: 9 }, { steered }))?.places).toMatchObject({
      keptSeconds: 9,
      isTold: true,
      present: ['abe'],
      kicked: ['x'],
    });
    const quiet = update(duel({}, { steered: { ...steered, kicked: [], present: [] } }))?.places;
    expect(quiet).toMatchObject({ isTold: true });
    for (const key of ['present', 'kicked', 'keptSeconds']) {
      expect(quiet).not.toHaveProperty(key);
    }
    expect(update(duel())?.places).not.toHaveProperty('isTold');
  });
});

describe('the room in a running match', () => {
  const OPEN = { allowBackfill: true } as const;
  const running = (rules: Partial<Mode> = OPEN): Match => served(duel(rules), serverReport(), 5);
  const slots = (of: Match) => openPlaces(of).map((team) => team.slots);
  const told = (of: Match, revision: number, ...players: readonly string[]): Match =>
    rosterTold(of, stayOf('a'), { revision, players: party('a', ...players).players, now: 1_000 });

  it('is what the teams lack, and more when players leave', () => {
    expect(slots(running())).toEqual([1, 2]);
    const one = told(running(), 1, 'abe', 'late');
    expect([slots(one), first(one).members]).toEqual([[2, 2], ['abe']]);
    // A report of an earlier revision, or of an earlier stay, changes nothing.
    expect(told(one, 1, 'ann', 'abe').participants).toEqual(one.participants);
    const stale = { ...stayOf('a'), ticketId: 'old' as TicketId };
    const none = { revision: 9, players: [], now: 1 };
    expect(rosterTold(one, stale, none).participants).toEqual(one.participants);
    expect(slots(withoutLobby(running(), stayOf('a'), 9))).toEqual([3, 2]);
  });

  it('is kept for who may come back, and taken up by who does', () => {
    const kept = told(running({ ...OPEN, reconnectSeconds: 60 }), 1, 'abe');
    expect([slots(kept), first(kept).away]).toEqual([[1, 2], [{ id: 'ann', until: 61_000 }]]);
    expect(dueAt(kept)).toBe(61_000);
    const again = rosterTold(kept, stayOf('a'), {
      revision: 2,
      players: party('a').players,
      now: 2_000,
    });
    // Whoever was away first keeps that time.
    expect(first(again).away).toEqual([
      { id: 'ann', until: 61_000 },
      { id: 'abe', until: 62_000 },
    ]);
    expect(first(told(kept, 2, 'ann', 'abe'))).not.toHaveProperty('away');
    const closed = told(running({}), 1, 'abe');
    expect(first(closed)).toMatchObject({
      members: ['ann', 'abe'],
      away: [{ id: 'ann', until: null }],
    });
    expect(dueAt(closed)).toBeNull();
  });

  it('is offered only while the match runs and the mode fills places', () => {
    const offer = offerOf(running(), MATCH);
    expect(offer).toEqual({
      matchId: 'm',
      startedAt: 0,
      anchor: duel().roster.anchor,
      region: 'us-east',
      version: null,
      build: { name: 'default', version: 1 },
      open: [
        { name: null, slots: 1, roles: null },
        { name: null, slots: 2, roles: null },
      ],
    });
    expect(offerOf(duel(OPEN), MATCH)).toBeNull();
    expect(offerOf(running({}), MATCH)).toBeNull();
    expect(offerOf(over(running(), 'game_ended', 9), MATCH)).toBeNull();
    expect(offerOf(running({ ...OPEN, playersPerTeam: 1 }), MATCH)).toBeNull();
    const kicked = { steered: { revision: 1, seated: [], kicked: [ANN], present: [] } };
    expect(offerOf({ ...running(), ...kicked }, MATCH)).toMatchObject({ kicked: ['ann'] });
    const runs = serverReport({
      block: { ...block('running', 'i'), version_tag: 'v1', version: 2 },
    });
    expect(offerOf(served(duel(OPEN), runs, 5), MATCH)).toMatchObject({
      build: { name: 'v1', version: 2 },
    });
  });

  it('gets a number with each change of what is offered', () => {
    const open = running();
    expect(withNews(null, open, MATCH)).toBe(open);
    expect(withNews(open, { ...open, overAt: 3 }, MATCH).offerSeq).toBe(0);
    expect(withNews(open, told(open, 1, 'ann'), MATCH).offerSeq).toBe(1);
    expect(withNews(duel(OPEN), open, MATCH).offerSeq).toBe(1);
    expect(withNews(open, over(open, 'game_ended', 9), MATCH).offerSeq).toBe(1);
    // One has left and one has come: the offer looks the same, and counts another player.
    const came = withParty(told(open, 1, 'ann'), backfill(party('c', 'cat'), 0), 7_000);
    expect(came && offerOf(came, MATCH)).toEqual(offerOf(open, MATCH));
    expect(came && withNews(open, came, MATCH).offerSeq).toBe(1);
  });

  it('is taken by a party that fits, which is in from then on', () => {
    const came = party('c', 'cat', 'spectator-cy');
    const next = withParty(running(), backfill(came, 1), 7_000);
    expect(next?.participants.at(-1)).toEqual({
      ...stayOf('c'),
      confirmed: true,
      left: false,
      step: 1,
      team: 1,
      members: ['cat'],
      aside: ['spectator-cy'],
      players: ['cat', 'spectator-cy'],
      roles: null,
      rosterRevision: 0,
      startedAt: 0,
      joinedAt: 7_000,
    });
    expect(next && steps(next).slice(0, 2)).toEqual([2, 2]);
    expect(next).not.toHaveProperty('earlier');
    const fit = (of: readonly string[], team: number): boolean =>
      withParty(running(), backfill(party('c', ...of), team), 1) !== null;
    expect([
      fit(['1'], 0),
      fit(['1', '2'], 0),
      fit(['1', '2'], 1),
      fit(['1', '2', '3'], 1),
      fit(['1'], 2),
    ]).toEqual([true, false, true, false, false]);
    const kicked = {
      steered: { revision: 4, seated: [], kicked: ['cat' as PlayerId], present: [] },
    };
    expect(withParty({ ...running(), ...kicked }, backfill(came, 1), 1)).toBeNull();
    const steered = withParty({ ...running(), ...kicked }, backfill(party('d', 'dan'), 1), 1);
    expect(steered?.participants.at(-1)).toMatchObject({ came: 5 });
    expect(steered?.newcomers).toMatchObject({ 'ticket of d': { states: [{ id: 'dan' }] } });
  });

  it('is taken again by a lobby that had left, as another stay, in the order of time', () => {
    const left = withoutLobby(running(), stayOf('b'), 9);
    const again = { ...party('b', 'ben'), ticketId: 'second' as TicketId };
    const next = withParty(left, backfill(again, 0), -5) as Match;
    expect(next.earlier).toMatchObject([{ ...stayOf('b'), left: true }]);
    expect(next.participants.map(({ ticketId }) => ticketId)).toEqual(['ticket of a', 'second']);
    // The clock was set back: the order of the stays is theirs.
    expect(staysOf(next).map(({ ticketId, joinedAt }) => [ticketId, joinedAt])).toEqual([
      ['ticket of b', undefined],
      ['ticket of a', undefined],
      ['second', 0],
    ]);
    const second = next.participants.at(-1) as Participant;
    expect(cameWith(next, second)).toEqual(['ben']);
    expect(cameWith(next, first(next))).toEqual(['ann', 'abe', 'spectator-sue']);
    const { players: _, ...earlier } = second;
    expect(cameWith(next, { ...earlier, aside: ['x' as PlayerId] })).toEqual(['ben', 'x']);
  });

  it.each<[string, boolean, object | undefined]>([
    ['nothing is known', true, undefined],
    ['the mode is there', true, { mode: { rules: mode({ ...MIXED, ...OPEN }), revision: 9 } }],
    ['the mode is gone', false, { mode: null }],
    ['the mode fills no places any more', false, { mode: { rules: mode(MIXED), revision: 9 } }],
    [
      'a new match would run on the same build',
      true,
      {
        mode: { rules: mode({ ...MIXED, ...OPEN }), revision: 9 },
        build: { name: 'v1', version: 2 },
      },
    ],
    [
      'a new match would run on another build',
      false,
      {
        mode: { rules: mode({ ...MIXED, ...OPEN }), revision: 9 },
        build: { name: 'v1', version: 3 },
      },
    ],
  ])('is decided by what is saved now: %s', (_, isIn, saved) => {
    const runs = serverReport({
      block: { ...block('running', 'i'), version_tag: 'v1', version: 2 },
    });
    const of = served(duel(OPEN), runs, 5);
    const came = backfill(party('c', 'cat'), 1, 3);
    const decided = admission(of, came, { saved: saved as never, now: 9 });
    expect(decided.isIn).toBe(isIn);
    expect(decided.next.refused).toEqual(isIn ? [] : ['ticket of c 3']);
    expect(decided.next.participants.length).toBe(isIn ? 3 : 2);
    // It is in already, or stays out.
    expect(admission(decided.next, came, { saved: undefined, now: 9 }).isIn).toBe(isIn);
  });
});

describe('a match with bots', () => {
  it('tells those who stay that one is out, and for how many bots play', () => {
    const asks = {
      ...ASKS,
      onDecline: 'refill',
      steps: [{ afterSeconds: 5, bots: true, minHumans: 1 }],
    } as const;
    const of = { ...duel(asks), roster: { ...duel(asks).roster, bots: true as const } };
    const next = refused(of, B, 'declined', 5);
    expect([next.phase, steps(next), botsIn(next)]).toEqual([
      'confirming',
      [2, 2],
      [
        { team: 0, count: 1 },
        { team: 1, count: 3 },
      ],
    ]);
    expect(next.participants.map(({ out }) => out)).toEqual([undefined, 'declined']);
  });

  it('names the places of each team that nobody has, now and at first', () => {
    const of = { ...duel(), roster: { ...duel().roster, bots: true as const } };
    expect(botsIn(of)).toEqual([
      { team: 0, count: 1 },
      { team: 1, count: 2 },
    ]);
    const left = withoutLobby({ ...of, phase: 'running' }, stayOf('a'), 9);
    expect(botsIn(left)).toEqual([
      { team: 0, count: 3 },
      { team: 1, count: 2 },
    ]);
    expect(botsAtFirst(left)).toEqual(botsIn(of));
    expect([botsIn(duel()), botsAtFirst(duel())]).toEqual([undefined, undefined]);
  });

  it.each<[boolean, string, Partial<Match>, Partial<Mode>]>([
    [true, 'ran', { server: serverReport() }, {}],
    [false, 'only launches', { server: serverReport({ block: block('launching', 'i') }) }, {}],
    [false, 'has no server', {}, {}],
    [true, 'has a result', { result: { teams: [], at: 1 } }, {}],
    [false, 'is not rated', { server: serverReport() }, { rating: undefined as never }],
  ])('counts for a ladder: %s, if it %s', (counts, _, patch, rules) => {
    const rated = duel({ rating: { field: 'mmr', system: 'openskill' }, ...rules }, patch);
    expect(rates(rated)).toBe(counts);
    const played = { ...rated, roster: { ...rated.roster, config: 'arena~playground' } };
    expect(rates(played)).toBe(false);
    const bots = { ...rated, roster: { ...rated.roster, bots: true as const } };
    expect(rates(bots)).toBe(counts);
    const [a, b] = bots.participants as [Participant, Participant];
    expect(rates({ ...bots, participants: [a, { ...b, out: 'declined' }] })).toBe(false);
    expect(rates({ ...rated, participants: [a, { ...b, out: 'declined' }] })).toBe(counts);
  });
});

it('a named team has its number by its name, and any other by its place', () => {
  const rules = roleMode({ hunters: { tank: 1 }, prey: { runner: 2 } });
  const teams = [{ name: 'prey' }, { name: 'x' }, { name: null }];
  const roster = { rules, teams } as never;
  expect([0, 1, 2].map((at) => teamNumber(roster, at))).toEqual([1, 0, 2]);
});
