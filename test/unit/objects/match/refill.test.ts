// A forming match whose parties say no, and are replaced (onDecline: refill).

import { describe, expect, it } from 'vitest';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { Mode } from '../../../../src/match/rules/mode';
import type { Backfill } from '../../../../src/objects/contracts/match';
import type { PartySnapshot } from '../../../../src/objects/contracts/party';
import { brokenInMatch } from '../../../../src/objects/match/always';
import { debtsOf, declinesIn } from '../../../../src/objects/match/debts';
import { matchRecordOf } from '../../../../src/objects/match/history';
import { launchOrder } from '../../../../src/objects/match/launch';
import { accepted, gone, lapsed, refused, seatedIn } from '../../../../src/objects/match/refill';
import { admission, botsIn, offerOf, openPlaces } from '../../../../src/objects/match/room';
import {
  answerBy,
  confirmBy,
  confirmed,
  underMode,
  type Match,
} from '../../../../src/objects/match/state';
import { updateFor } from '../../../../src/objects/match/update';
import { mode, roleMode, ticket } from '../../../match/support/make';
import { formedOf, party } from '../../../support/running-match';

const ID = 'm' as MatchId;
const SECONDS = 1_000;
/** 30 s to confirm, 20 s to find others. */
const REFILL = {
  matchConfirmation: { enabled: true, timeoutSeconds: 30, showsAccepted: true },
  onDecline: 'refill',
  refillSeconds: 20,
} as const;

function stay(lobby: string) {
  return { lobbyId: lobby as LobbyId, ticketId: `ticket of ${lobby}` as TicketId };
}

const FORMED = [party('a', 'ann', 'al'), party('b', 'ben'), party('c', 'cat')];

function forming(rules: Mode = mode({ playersPerTeam: 2, ...REFILL })): Match {
  const roles = rules.teamComposition === null ? null : { ann: 'tank', al: 'healer' };
  const others = rules.teamComposition === null ? null : { ben: 'tank', cat: 'healer' };
  const names = Object.keys(rules.teamComposition ?? {});
  const teams = [
    { name: names[0] ?? null, tickets: ['ticket of a'], roles },
    { name: names[1] ?? null, tickets: ['ticket of b', 'ticket of c'], roles: others },
  ];
  const seen = [{ rule: 'mmr within 50', values: [1, 2, 3] }];
  return formedOf({ rules, parties: FORMED, teams, seen });
}

function no(match: Match, lobby: string, at: number): Match {
  return refused(match, lobby as LobbyId, 'declined', at);
}

function yes(match: Match, ...lobbies: readonly string[]): Match {
  return lobbies.reduce((before, lobby) => confirmed(before, lobby as LobbyId), match);
}

function comes(
  match: Match,
  who: PartySnapshot,
  at: number,
  roles: Backfill['roles'] = null,
): { readonly next: Match; readonly isIn: boolean } {
  const members = who.players.map(({ id }) => id);
  const team = openPlaces(match).findIndex(({ slots }) => slots >= members.length);
  const backfill = { party: who, seq: 1, team, members, roles };
  return admission(match, backfill, {
    saved: { mode: { rules: match.roster.rules, revision: 1 } },
    now: at,
  });
}

function shown(match: Match, lobby: string) {
  const who = match.participants.find(({ lobbyId }) => lobbyId === lobby);
  return who && updateFor(match, ID, who);
}

describe('a party that says no', () => {
  it('is out alone: the others stay, and see for how many the match looks', () => {
    const before = yes(forming(), 'b');
    const match = no(before, 'a', 5 * SECONDS);
    expect(match.phase).toBe('confirming');
    expect(shown(match, 'a')).toMatchObject({ phase: 'returned', reason: 'declined' });
    expect(shown(match, 'a')?.requeue).toBe(false);
    const refill = { players: 2, until: 25 * SECONDS };
    const sees = { phase: 'match_found', accepted: 1, needed: 4, refill };
    expect(shown(match, 'b')).toMatchObject({ ...sees, confirmed: true, deadline: 30 * SECONDS });
    expect(shown(match, 'c')).toMatchObject({ ...sees, confirmed: false, deadline: 30 * SECONDS });
    expect(offerOf(match, ID)?.open).toEqual([
      { name: null, slots: 2, roles: null },
      { name: null, slots: 0, roles: null },
    ]);
    const told = debtsOf(before, match).map((debt) => 'lobbyId' in debt && debt.lobbyId);
    expect(told).toEqual(['a', 'b', 'c']);
    // Later changes are not for it.
    const later = yes(match, 'c');
    expect(debtsOf(match, later).map((debt) => 'lobbyId' in debt && debt.lobbyId)).toEqual([
      'b',
      'c',
    ]);
    expect(later.phase).toBe('confirming');
  });

  it('says it once, and a deleted lobby says it too', () => {
    const match = no(forming(), 'a', 5 * SECONDS);
    expect(no(match, 'a', 6 * SECONDS)).toBe(match);
    expect(gone(match, stay('a'), 6 * SECONDS)).toBe(match);
    const both = gone(match, stay('c'), 6 * SECONDS);
    expect(both.phase).toBe('confirming');
    expect(shown(both, 'b')?.refill?.players).toBe(3);
    expect(no(both, 'b', 7 * SECONDS)).toMatchObject({ phase: 'over', reason: 'declined' });
  });

  it('ends a match of any other mode', () => {
    const rules = mode({ playersPerTeam: 2, ...REFILL, onDecline: 'requeue' });
    const match = no(yes(forming(rules), 'b'), 'a', 5 * SECONDS);
    expect(match).toMatchObject({ phase: 'over', reason: 'declined' });
    expect(shown(match, 'b')?.requeue).toBe(true);
    expect(offerOf(match, ID)).toBeNull();
  });
});

describe('a party that takes the places', () => {
  it('confirms in its time, and the match launches with it alone', () => {
    const open = no(yes(forming(), 'b', 'c'), 'a', 5 * SECONDS);
    const { next, isIn } = comes(open, party('d', 'dan', 'dot'), 10 * SECONDS);
    expect(isIn).toBe(true);
    expect(offerOf(next, ID)).toBeNull();
    const told = debtsOf(open, next).map((debt) => 'lobbyId' in debt && debt.lobbyId);
    expect(told).toEqual(['b', 'c', 'd']);
    expect(shown(next, 'd')).toMatchObject({ phase: 'match_found', confirmed: false });
    expect(shown(next, 'd')?.deadline).toBe(40 * SECONDS);
    expect(shown(next, 'b')).toMatchObject({ confirmed: true, deadline: 40 * SECONDS });
    expect(shown(next, 'b')?.refill).toBeUndefined();
    expect(next.phase).toBe('confirming');
    const match = yes(next, 'd');
    expect(match.phase).toBe('launching');
    const order = launchOrder(match, ID, { build: 'default', computeSize: 'small' });
    expect(order.customData['all_players']).toEqual(['ben', 'cat', 'dan', 'dot']);
    const record = matchRecordOf(match, ID);
    const players = record.teams.map(({ lobbies }) =>
      lobbies.flatMap((lobby) => lobby.players.map(({ id }) => id)),
    );
    expect(players).toEqual([
      ['dan', 'dot'],
      ['ben', 'cat'],
    ]);
    expect(record.tickets).toContain('ticket of a');
    expect(record.rules).toEqual([{ rule: 'mmr within 50', values: [2, 3, null] }]);
  });

  it('has the places that the match formed with, though its mode was made smaller since', () => {
    const open = no(yes(forming(), 'b', 'c'), 'a', 5 * SECONDS);
    const rules = mode({ ...REFILL, playersPerTeam: 1 });
    const smaller = underMode(open, { rules, revision: 2 });
    const { next, isIn } = comes(smaller, party('d', 'dan', 'dot'), 10 * SECONDS);
    expect([isIn, brokenInMatch(next, smaller)]).toEqual([true, []]);
  });

  it('comes once: no second party has a place, and none after the time', () => {
    const open = no(yes(forming(), 'b', 'c'), 'a', 5 * SECONDS);
    // The alarm was late: else the queue would propose the party again, without end.
    const late = comes(open, party('d', 'dan', 'dot'), 25 * SECONDS);
    expect(late).toMatchObject({ isIn: false, next: { phase: 'over', reason: 'declined' } });
    expect(offerOf(late.next, ID)).toBeNull();
    const { next } = comes(open, party('d', 'dan', 'dot'), 10 * SECONDS);
    expect(comes(next, party('e', 'eve'), 11 * SECONDS).isIn).toBe(false);
    // The queue may ask again.
    expect(comes(next, party('d', 'dan', 'dot'), 12 * SECONDS)).toEqual({ next, isIn: true });
  });

  it('may come in parts, and the match waits for all of them', () => {
    const open = no(yes(forming(), 'b', 'c'), 'a', 5 * SECONDS);
    const half = yes(comes(open, party('d', 'dan'), 10 * SECONDS).next, 'd');
    expect(half.phase).toBe('confirming');
    expect(shown(half, 'd')?.refill).toEqual({ players: 1, until: 25 * SECONDS });
    expect(confirmBy(half)).toBe(25 * SECONDS);
    const whole = yes(comes(half, party('e', 'eve'), 20 * SECONDS).next, 'e');
    expect(whole.phase).toBe('launching');
  });

  it('is chosen by the tickets that are still there, team by team', () => {
    const tickets = ['a', 'b', 'c'].map((name) => ticket(`ticket of ${name}`));
    const before = forming();
    const match = { ...before, roster: { ...before.roster, tickets } };
    const seats = (those: Match) => seatedIn(those).map((team) => team.map(({ id }) => id));
    expect(seats(match)).toEqual([['ticket of a'], ['ticket of b', 'ticket of c']]);
    const open = no(yes(match, 'a', 'c'), 'b', 5 * SECONDS);
    expect(seats(open)).toEqual([['ticket of a'], ['ticket of c']]);
    expect(offerOf(open, ID)?.forming).toEqual([[tickets[0]], [tickets[2]]]);
    expect(seats(before)).toEqual([[], []]);
  });

  it('takes the roles of those who are out', () => {
    const roles = { tank: 1, healer: 1 };
    const rules = roleMode({ red: roles, blue: roles }, REFILL);
    const open = no(yes(forming(rules), 'a', 'b'), 'c', 5 * SECONDS);
    expect(offerOf(open, ID)?.open[1]).toEqual({
      name: 'blue',
      slots: 1,
      roles: { tank: 0, healer: 1 },
    });
    const dan = 'dan' as PlayerId;
    expect(comes(open, party('d', 'dan'), 6 * SECONDS, { [dan]: 'tank' }).isIn).toBe(false);
    const { next } = comes(open, party('d', 'dan'), 6 * SECONDS, { [dan]: 'healer' });
    expect(next.roster.teams[1]).toEqual({
      name: 'blue',
      tickets: ['ticket of b', 'ticket of d'],
      roles: { ben: 'tank', dan: 'healer' },
    });
  });

  it('may say no in its turn, and so end a match whose time for others is over', () => {
    const open = no(yes(forming(), 'b', 'c'), 'a', 5 * SECONDS);
    const { next } = comes(open, party('d', 'dan', 'dot'), 10 * SECONDS);
    const again = no(next, 'd', 20 * SECONDS);
    expect(again.phase).toBe('confirming');
    expect(shown(again, 'b')?.refill).toEqual({ players: 2, until: 25 * SECONDS });
    expect(no(next, 'd', 26 * SECONDS)).toMatchObject({ phase: 'over', reason: 'declined' });
  });

  it('may be one that was silent, with another ticket, and is none that has said no', () => {
    const back = { ...party('a', 'ann', 'al'), ticketId: 'another' as TicketId };
    const silent = lapsed(yes(forming(), 'b', 'c'), 30 * SECONDS);
    const match = yes(comes(silent, back, 35 * SECONDS).next, 'a');
    expect(match.phase).toBe('launching');
    expect(match.roster.parties.map(({ ticketId }) => ticketId)).toContain('another');
    const open = no(yes(forming(), 'b', 'c'), 'a', 5 * SECONDS);
    expect(offerOf(open, ID)?.kicked).toEqual(['ann', 'al']);
    expect(comes(open, back, 10 * SECONDS).isIn).toBe(false);
    expect(comes(open, party('x', 'al', 'dot'), 10 * SECONDS).isIn).toBe(false);
    expect(offerOf(silent, ID)).not.toHaveProperty('kicked');
  });
});

describe('time', () => {
  it('puts out who did not answer, and looks for others from then on', () => {
    const match = lapsed(yes(forming(), 'a', 'b'), 30 * SECONDS);
    expect(match.phase).toBe('confirming');
    expect(shown(match, 'c')).toMatchObject({ phase: 'returned', reason: 'confirm_timeout' });
    expect(shown(match, 'a')?.refill).toEqual({ players: 1, until: 50 * SECONDS });
    expect(confirmBy(match)).toBe(50 * SECONDS);
  });

  it('ends the match when nobody came: who accepted searches on', () => {
    const open = no(yes(forming(), 'b', 'c'), 'a', 5 * SECONDS);
    expect(confirmBy(open)).toBe(25 * SECONDS);
    const match = lapsed(open, 25 * SECONDS);
    expect(match).toMatchObject({ phase: 'over', reason: 'declined' });
    expect(['b', 'c'].map((lobby) => shown(match, lobby)?.requeue)).toEqual([true, true]);
    expect(shown(match, 'a')?.requeue).toBe(false);
  });

  const SHORT = { ...REFILL, playersPerTeam: 2, minPlayersPerTeam: 1 };
  const EMPTY = { a: 2, b: 1, c: 1 };
  const over = { phase: 'over', reason: 'declined' };
  it.each<[string, Partial<Mode>, keyof typeof EMPTY, object]>([
    ['enough are left', SHORT, 'c', { phase: 'launching' }],
    ['too few are left', { ...REFILL, playersPerTeam: 2 }, 'c', over],
    ['a team is empty', SHORT, 'a', over],
    ['one team is enough', { ...SHORT, minTeams: 1 }, 'a', { phase: 'launching' }],
    ['teams are to have one size', { ...SHORT, sameSize: true }, 'c', over],
    [
      'a step allows it by then',
      { ...SHORT, minPlayersPerTeam: 2, steps: [{ afterSeconds: 20, minPlayersPerTeam: 1 }] },
      'c',
      { phase: 'launching' },
    ],
    [
      'no step allows it yet',
      { ...SHORT, minPlayersPerTeam: 2, steps: [{ afterSeconds: 26, minPlayersPerTeam: 1 }] },
      'c',
      over,
    ],
  ])('begins the match without others if enough have accepted: %s', (_, rules, out, ends) => {
    const names = Object.keys(EMPTY).filter((name) => name !== out);
    const open = no(yes(forming(mode(rules)), ...names), out, 5 * SECONDS);
    expect(open.phase).toBe('confirming');
    const match = lapsed(open, 25 * SECONDS);
    expect(match).toMatchObject(ends);
    if (match.phase === 'launching') {
      const { customData } = launchOrder(match, ID, { build: 'default', computeSize: 'small' });
      expect(customData['all_players']).toHaveLength(4 - EMPTY[out]);
      const record = matchRecordOf(match, ID);
      const lobbies = record.teams.map((team) => team.lobbies.map(({ lobbyId }) => lobbyId));
      expect(lobbies).toEqual(out === 'a' ? [['b', 'c']] : [['a'], ['b']]);
      const told = customData['teams'] as readonly { lobbies: readonly { lobby_id: string }[] }[];
      expect(told.map((team) => team.lobbies.map((each) => each.lobby_id))).toEqual(lobbies);
      expect(match.participants.filter(({ left }) => !left).map(({ team }) => team)).toEqual(
        out === 'a' ? [0, 0] : [0, 1],
      );
    }
  });

  it('gives the places to bots from the last step on, and looks for nobody any more', () => {
    const steps = [{ afterSeconds: 10, bots: true, minHumans: 2 }] as const;
    const rules = mode({ ...REFILL, playersPerTeam: 2, steps });
    const full = yes(forming(rules), 'b', 'c');
    // Its time is over already.
    const late = no(full, 'a', 12 * SECONDS);
    expect(late.phase).toBe('launching');
    expect(offerOf(late, ID)).toBeNull();
    expect(botsIn(late)).toEqual([{ team: 0, count: 2 }]);
    const { customData } = launchOrder(late, ID, { build: 'default', computeSize: 'small' });
    expect(customData).toMatchObject({ all_players: ['ben', 'cat'], bots: [{ count: 2 }] });
    expect(customData['teams']).toMatchObject([{ lobbies: [] }, { lobbies: [{}, {}] }]);
    // Until then the match looks for players, no longer.
    const early = no(full, 'a', 3 * SECONDS);
    expect(shown(early, 'b')?.refill).toEqual({ players: 2, until: 10 * SECONDS });
    expect(offerOf(early, ID)?.open[0]?.slots).toBe(2);
    expect(lapsed(early, 10 * SECONDS).phase).toBe('launching');
    const waits = no(yes(forming(rules), 'b'), 'a', 12 * SECONDS);
    expect([waits.phase, waits.roster.bots, offerOf(waits, ID)]).toEqual([
      'confirming',
      true,
      null,
    ]);
    expect(yes(waits, 'c').phase).toBe('launching');
    expect(no(waits, 'c', 13 * SECONDS)).toMatchObject({ phase: 'over', reason: 'declined' });
    expect(no(no(full, 'a', 3 * SECONDS), 'c', 12 * SECONDS)).toMatchObject({ phase: 'over' });
  });

  it('begins it with one that came late, once that has accepted, and without it if it says no', () => {
    const open = no(yes(forming(mode(SHORT)), 'b', 'c'), 'a', 5 * SECONDS);
    const { next } = comes(open, party('d', 'dan'), 24 * SECONDS);
    const waits = lapsed(next, 25 * SECONDS);
    expect(waits.phase).toBe('confirming');
    expect(shown(waits, 'b')).toMatchObject({ needed: 3, deadline: 54 * SECONDS });
    expect(shown(waits, 'b')?.refill).toBeUndefined();
    expect((shown(waits, 'b')?.step ?? 0) > (shown(next, 'b')?.step ?? 0)).toBe(true);
    expect(offerOf(waits, ID)).toBeNull();
    expect(confirmBy(waits)).toBe(54 * SECONDS);
    expect(yes(waits, 'd').phase).toBe('launching');
    expect(no(waits, 'd', 26 * SECONDS)).toMatchObject({ phase: 'over', reason: 'declined' });
    const both = comes(next, party('e', 'eve'), 24 * SECONDS).next;
    const last = lapsed(yes(both, 'e'), 54 * SECONDS);
    expect(last.phase).toBe('launching');
  });

  it('does not begin a short match without the one place of a role, or less even than it formed', () => {
    const roles = { tank: 1, healer: 1 };
    const lacks = roleMode({ red: roles, blue: roles }, { ...REFILL, minPlayersPerTeam: 1 });
    const open = no(yes(forming(lacks), 'a', 'b'), 'c', 5 * SECONDS);
    expect(lapsed(open, 25 * SECONDS)).toMatchObject(over);
    const rules = mode({
      ...SHORT,
      rules: [{ type: 'balance', field: 'mmr', maxDifference: 10 }],
    });
    const before = forming(rules);
    const rated = { a: 1_000, b: 1_000, c: 1_050 };
    const tickets = Object.entries(rated).map(([name, mmr]) =>
      ticket(`ticket of ${name}`, { state: { mmr } }),
    );
    const match = yes({ ...before, roster: { ...before.roster, tickets } }, 'a', 'b', 'c');
    const forms = { ...match, phase: 'confirming' } as const;
    expect(lapsed(no(forms, 'b', 5 * SECONDS), 25 * SECONDS)).toMatchObject(over);
    expect(lapsed(no(forms, 'c', 5 * SECONDS), 25 * SECONDS).phase).toBe('launching');
  });

  it('ends the match with the first of several who are silent, which changes once for each', () => {
    const open = no(forming(), 'a', 5 * SECONDS);
    const match = lapsed(open, 30 * SECONDS);
    expect(match).toMatchObject({ phase: 'over', reason: 'confirm_timeout' });
    const [, b, c] = match.participants;
    expect([b?.out, c?.out]).toEqual(['confirm_timeout', undefined]);
    expect([b?.step, c?.step]).toEqual([3, 4]);
  });

  it('is over for each party by itself', () => {
    const open = no(yes(forming(), 'b'), 'a', 5 * SECONDS);
    const { next } = comes(open, party('d', 'dan', 'dot'), 20 * SECONDS);
    const [, , newcomer] = next.participants.filter(({ left }) => !left);
    expect(newcomer && answerBy(next, newcomer)).toBe(50 * SECONDS);
    expect(confirmBy(next)).toBe(30 * SECONDS);
    // Its time for others began with the first no.
    expect(lapsed(next, 30 * SECONDS)).toMatchObject({ phase: 'over', reason: 'confirm_timeout' });
  });

  it('ends a match of any other mode', () => {
    const rules = mode({ playersPerTeam: 2, ...REFILL, onDecline: 'return' });
    const match = lapsed(yes(forming(rules), 'a', 'b'), 30 * SECONDS);
    expect(match).toMatchObject({ phase: 'over', reason: 'confirm_timeout' });
  });
});

describe('who turned the match down (declineCooldown)', () => {
  const rules = mode({ playersPerTeam: 2, ...REFILL, declineCooldown: 30 });
  const ANN = 'ann' as PlayerId;
  const blamed = (before: Match, next: Match, by: PlayerId | undefined, at: number) =>
    declinesIn(before, next, by, at).map(({ player }) => player);

  it('is the player who said no, and not the party', () => {
    const before = forming(rules);
    const next = no(before, 'a', SECONDS);
    expect(declinesIn(before, next, ANN, SECONDS)).toEqual([
      { to: 'no', player: 'ann', at: SECONDS },
    ]);
    expect(blamed(before, next, undefined, SECONDS)).toEqual([]);
    const other = forming(mode({ playersPerTeam: 2, ...REFILL }));
    expect(blamed(other, no(other, 'a', SECONDS), ANN, SECONDS)).toEqual([]);
  });

  it('is all of a party that did not answer, also where that ends the match', () => {
    for (const onDecline of ['refill', 'requeue', 'return'] as const) {
      const before = yes(forming({ ...rules, onDecline }), 'b', 'c');
      const next = lapsed(before, 30 * SECONDS);
      expect(blamed(before, next, undefined, 30 * SECONDS)).toEqual(['ann', 'al']);
    }
  });

  it('is nobody who had time left when the match ended', () => {
    const open = no(yes(forming(rules), 'b'), 'a', 5 * SECONDS);
    const { next } = comes(open, party('d', 'dan', 'dot'), 20 * SECONDS);
    const ended = lapsed(next, 30 * SECONDS);
    expect(ended).toMatchObject({ phase: 'over', reason: 'confirm_timeout' });
    expect(blamed(next, ended, undefined, 30 * SECONDS)).toEqual(['cat']);
  });

  it('is nobody who could not answer, because the service was away', () => {
    const before = yes(forming(rules), 'b', 'c');
    expect(blamed(before, lapsed(before, 40 * SECONDS), undefined, 40 * SECONDS)).toEqual([]);
  });

  it('is nobody who leaves once the match is whole', () => {
    const before = yes(forming(rules), 'a', 'b', 'c');
    expect(before.phase).toBe('launching');
    const next = gone(before, stay('b'), 5 * SECONDS);
    expect(blamed(before, next, 'ben' as PlayerId, 5 * SECONDS)).toEqual([]);
  });
});

describe('a mode that asks each player (matchConfirmation.each)', () => {
  const matchConfirmation = { ...REFILL.matchConfirmation, each: 'player' } as const;
  const rules = mode({ playersPerTeam: 2, ...REFILL, matchConfirmation, declineCooldown: 30 });
  const says = (match: Match, lobby: string, player: string): Match | null =>
    accepted(match, lobby as LobbyId, player as PlayerId, SECONDS);

  it('has the yes of a party once all of its players said it', () => {
    const before = forming(rules);
    const half = says(before, 'a', 'ann');
    expect(half && shown(half, 'a')).toMatchObject({
      confirmed: false,
      acceptedBy: ['ann'],
      accepted: 1,
      needed: 4,
    });
    expect(half && shown(half, 'b')).toMatchObject({ confirmed: false, acceptedBy: [] });
    expect(half && says(half, 'a', 'ann')).toBe(half);
    const whole = half && says(half, 'a', 'al');
    expect(whole && shown(whole, 'a')).toMatchObject({ confirmed: true, accepted: 2 });
    const all = whole && says(whole, 'b', 'ben');
    expect(all?.phase).toBe('confirming');
    expect(all && says(all, 'c', 'cat')?.phase).toBe('launching');
  });

  it('blames only the player who said nothing', () => {
    const before = ['a', 'b', 'c'].reduce(
      (match, lobby, at) => says(match, lobby, ['ann', 'ben', 'cat'][at] ?? '') ?? match,
      forming(rules),
    );
    const next = lapsed(before, 30 * SECONDS);
    const to = declinesIn(before, next, undefined, 30 * SECONDS).map(({ player }) => player);
    expect(to).toEqual(['al']);
  });

  it('takes no yes when the time is over, nor of a lobby that is out', () => {
    expect(accepted(forming(rules), 'a' as LobbyId, 'ann' as PlayerId, 31 * SECONDS)).toBeNull();
    expect(says(no(forming(rules), 'a', 0), 'a', 'ann')).toBeNull();
    expect(says(forming(rules), 'x', 'ann')).toBeNull();
  });

  it('lets one say it for all in any other mode', () => {
    const match = says(forming(), 'a', 'ann');
    expect(match && shown(match, 'a')?.confirmed).toBe(true);
    expect(match && shown(match, 'a')?.acceptedBy).toBeUndefined();
  });
});
