// The rules of a match's state, one table each: what a change makes of it, and who is owed word of that. Without an object
// around it.

import { describe, expect, it } from 'vitest';

import type { TicketId } from '../../../../src/common/ids';
import type { Mode } from '../../../../src/match/rules/mode';
import { debtKeyOf, debtsOf } from '../../../../src/objects/match/debts';
import { dueAt } from '../../../../src/objects/match/room';
import {
  answerBy,
  confirmBy,
  confirmed,
  declined,
  entranceOf,
  isOf,
  over,
  served,
  stepped,
  underMode,
  withoutLobby,
  type Match,
  type Participant,
} from '../../../../src/objects/match/state';
import { updateOf } from '../../../../src/objects/match/update';
import { barred } from '../../../../src/objects/match/newcomers';
import { mode } from '../../../match/support/make';
import { block } from '../../../support/lobbies';
import { MATCH } from '../../../support/running-match';
import {
  A,
  ABE,
  ANN,
  ASKS,
  MIXED,
  B,
  duel,
  first,
  serverReport,
  stayOf,
  steps,
} from '../../../support/duel-match.ts';

const update = (of: Match, lobby = A) => updateOf(of, MATCH, lobby);

it('a match has the players who take places, by team, and asks them if its mode says so', () => {
  expect(duel()).toMatchObject({
    phase: 'launching',
    deadline: null,
    formedAt: 0,
    refused: [],
    offerSeq: 0,
    server: null,
    reason: null,
    overAt: null,
  });
  expect(duel(ASKS)).toMatchObject({ phase: 'confirming', deadline: 30_000 });
  expect(duel().participants).toEqual([
    {
      ...stayOf('a'),
      confirmed: false,
      left: false,
      step: 1,
      team: 0,
      members: ['ann', 'abe'],
      aside: ['spectator-sue'],
      roles: null,
      rosterRevision: 0,
    },
    {
      ...stayOf('b'),
      confirmed: false,
      left: false,
      step: 1,
      team: 1,
      members: ['ben'],
      aside: [],
      roles: null,
      rosterRevision: 0,
    },
  ]);
});

describe('a forming match', () => {
  it('launches once all have said yes, and tells who said it, or all if the mode shows it', () => {
    const one = confirmed(duel(ASKS), A);
    expect([one.phase, steps(one), first(one).confirmed]).toEqual(['confirming', [2, 1], true]);
    const both = confirmed(one, B);
    expect([both.phase, steps(both)]).toEqual(['launching', [3, 3]]);
    expect([update(one)?.deadline, update(both)?.deadline]).toEqual([30_000, 30_000]);
    const shows = { matchConfirmation: { ...ASKS.matchConfirmation, showsAccepted: true } };
    expect(steps(confirmed(duel(shows), A))).toEqual([2, 2]);
  });

  it('that asks each player waits for each, and shows who said it', () => {
    const each = {
      matchConfirmation: {
        ...ASKS.matchConfirmation,
        each: 'player' as const,
        showsAccepted: true,
      },
    };
    const one = confirmed(duel(each), A, ANN);
    expect(update(one)).toMatchObject({
      confirmed: false,
      accepted: 1,
      needed: 3,
      acceptedBy: ['ann'],
    });
    const two = confirmed(one, A, ABE);
    expect(update(two)).toMatchObject({ confirmed: true, accepted: 2, acceptedBy: ['ann', 'abe'] });
    // One says it for all: the server key confirms.
    expect(update(confirmed(duel(each), A))).toMatchObject({ confirmed: true, accepted: 2 });
    const plain = confirmed(duel(ASKS), A, ANN);
    expect(first(plain)).not.toHaveProperty('yes');
    expect(update(plain)).toMatchObject({ confirmed: true });
    for (const key of ['accepted', 'needed', 'acceptedBy', 'refill', 'waiting']) {
      expect(update(plain)).not.toHaveProperty(key);
    }
  });

  it('has an instant for who has not answered, and none later', () => {
    const asked = duel(ASKS);
    const own = { ...first(asked), confirmBy: 12_345 };
    expect(answerBy(asked, first(asked))).toBe(30_000);
    expect(answerBy(asked, own)).toBe(12_345);
    expect(answerBy(asked, { ...own, left: true })).toBeNull();
    expect(answerBy(asked, { ...own, confirmed: true })).toBeNull();
    expect(answerBy({ ...asked, phase: 'launching' }, own)).toBeNull();
    expect(confirmBy({ ...asked, participants: [own, ...asked.participants.slice(1)] })).toBe(
      12_345,
    );
    expect([confirmBy(null), confirmBy(duel()), confirmBy(asked)]).toEqual([null, null, 30_000]);
    expect([dueAt(null), dueAt(duel()), dueAt(asked)]).toEqual([null, null, 30_000]);
  });

  it('that one turns down is over for all, and only who had accepted searches on', () => {
    const yes = confirmed(duel({ ...ASKS, onDecline: 'requeue' }), A);
    const no = declined(yes, B, 'declined', 5);
    expect(no).toMatchObject({ phase: 'over', reason: 'declined', overAt: 5 });
    expect(update(no)).toMatchObject({ phase: 'returned', reason: 'declined', requeue: true });
    expect(update(no, B)).toMatchObject({ phase: 'returned', requeue: false });
    const twice = declined(confirmed(yes, B), B, 'declined', 5);
    expect([update(twice)?.requeue, update(twice, B)?.requeue]).toEqual([true, false]);
    const stays = declined(confirmed(duel(ASKS), A), B, 'declined', 5);
    expect(update(stays)?.requeue).toBe(false);
    // Nobody searches on from a game that was played.
    expect(update(over(yes, 'game_ended', 5))?.requeue).toBe(false);
  });

  it('is over if a lobby is deleted; a running one when the last is', () => {
    expect(withoutLobby(duel(ASKS), stayOf('a'), 5)).toMatchObject({
      phase: 'over',
      reason: 'player_left',
    });
    const one = withoutLobby(duel(), stayOf('a'), 5);
    expect([one.phase, one.participants.map(({ left }) => left)]).toEqual([
      'launching',
      [true, false],
    ]);
    const none = withoutLobby(one, stayOf('b'), 6);
    expect(none).toMatchObject({ phase: 'over', reason: 'game_ended', overAt: 6 });
    const other = duel();
    expect(withoutLobby(other, { ...stayOf('a'), ticketId: 'x' as TicketId }, 5)).toBe(other);
    expect(isOf(first(other), stayOf('a'))).toBe(true);
    expect(isOf(first(other), { ...stayOf('a'), lobbyId: B })).toBe(false);
  });
});

describe('a match in line for a server', () => {
  const waits = (rules: object, of = duel(rules)): Match =>
    served(of, serverReport({ waiting: { position: 2, since: 1 } }), 5);

  it('is over once there is nobody to play against, unless others may come', () => {
    const alone = withoutLobby(waits({}), stayOf('b'), 9);
    expect(alone).toMatchObject({ phase: 'over', reason: 'player_left' });
    expect(withoutLobby(waits({ allowBackfill: true }), stayOf('b'), 9).phase).toBe('launching');
    expect(withoutLobby(duel(), stayOf('b'), 9).phase).toBe('launching');
    const three = duel({}, { participants: [...duel().participants, ...more(1)] });
    expect(withoutLobby(waits({}, three), stayOf('b'), 9).phase).toBe('launching');
    const one = duel({}, { participants: [...duel().participants.slice(0, 1), ...more(0)] });
    expect(withoutLobby(waits({}, one), stayOf('c'), 9).phase).toBe('launching');
  });
});

/** Another lobby on that team. */
function more(team: number): readonly Participant[] {
  return duel()
    .participants.slice(1)
    .map((who) => ({ ...who, ...stayOf('c'), team }));
}

describe('a change', () => {
  it('is told to those it is for, and never to who has left', () => {
    const left = {
      ...duel(),
      participants: duel().participants.map((who, at) => ({ ...who, left: at === 0 })),
    };
    expect(steps(stepped(left, {}, () => true))).toEqual([1, 2]);
    expect(steps(stepped(duel(), {}, ({ lobbyId }) => lobbyId === A))).toEqual([2, 1]);
    expect(steps(over(duel(), 'game_ended', 1, stayOf('a').ticketId))).toEqual([1, 2]);
    expect(steps(over(duel(), 'game_ended', 1))).toEqual([2, 2]);
  });

  it('of the server is its run, its place in line, or its end', () => {
    expect(served(duel(), serverReport(), 5)).toMatchObject({ phase: 'running', reason: null });
    expect(steps(served(duel(), serverReport(), 5))).toEqual([2, 2]);
    const waiting = served(duel(), serverReport({ waiting: { position: 2, since: 1 } }), 5);
    expect(waiting.phase).toBe('launching');
    expect(update(waiting)).toMatchObject({ phase: 'matched', waiting: { position: 2, since: 1 } });
    expect(update(served(duel(), serverReport(), 5))).not.toHaveProperty('waiting');
    const stopped = serverReport({ block: block('stopped', 'i') });
    expect(served(duel(), stopped, 5)).toMatchObject({
      phase: 'over',
      reason: 'game_ended',
      overAt: 5,
      server: stopped,
    });
    expect(served(duel(), { ...stopped, failed: true }, 5).reason).toBe('launch_failed');
  });

  it('of the mode reaches the match once, and its lobbies if it changes who may come in', () => {
    const saved = (patch: Partial<Mode>, revision: number) => ({
      rules: mode({ ...MIXED, ...patch }),
      revision,
    });
    const open = underMode(duel(), saved({ allowBackfill: true }, 1));
    expect([steps(open), entranceOf(open)]).toEqual([[2, 2], { backfills: true, lateJoin: true }]);
    expect(underMode(open, saved({ allowBackfill: false }, 1))).toBe(open);
    const same = underMode(open, saved({ allowBackfill: true, timeout: 9 }, 2));
    expect([steps(same), same.saved?.revision]).toEqual([[2, 2], 2]);
    const late = underMode(open, saved({ allowBackfill: true, lateJoin: false }, 3));
    expect([steps(late), entranceOf(late).lateJoin]).toEqual([[3, 3], false]);
    const ended = duel({}, { phase: 'over' });
    expect(underMode(ended, saved({}, 4))).toBe(ended);
    const formed = { ...duel(), roster: { ...duel().roster, modeRevision: 7 } };
    expect(underMode(formed, saved({ allowBackfill: true }, 7))).toBe(formed);
    expect(underMode(formed, saved({ allowBackfill: true }, 8))).not.toBe(formed);
  });

  it('that refuses a hold is remembered once', () => {
    const hold = { ticketId: 'x' as TicketId, seq: 3 };
    const once = barred(duel(), hold);
    expect(once.refused).toEqual(['x 3']);
    expect(barred(once, hold)).toBe(once);
    expect(barred(once, { ...hold, seq: 4 }).refused).toEqual(['x 3', 'x 4']);
  });
});

describe('what a match owes', () => {
  const keys = (before: Match | null, next: Match): readonly string[] =>
    debtsOf(before, next).map((debt) =>
      'act' in debt ? `${debt.act} ${debtKeyOf(debt)}` : debtKeyOf(debt),
    );
  const running = served(duel(), serverReport(), 5);
  const ends = (of: Match): Match => over(of, 'game_ended', 9);

  it.each<[string, Match | null, Match, readonly string[]]>([
    ['it forms, and asks', null, duel(ASKS), ['lobby:a', 'lobby:b']],
    ['it forms, and launches', null, duel(), ['launch server', 'lobby:a', 'lobby:b']],
    [
      'all have confirmed',
      duel(ASKS),
      confirmed(confirmed(duel(ASKS), A), B),
      ['launch server', 'lobby:a', 'lobby:b'],
    ],
    ['one has confirmed', duel(ASKS), confirmed(duel(ASKS), A), ['lobby:a']],
    ['its server runs', duel(), running, ['lobby:a', 'lobby:b']],
    ['it ends while it runs', running, ends(running), ['stop server', 'lobby:a', 'lobby:b']],
    ['it ends while it launches', duel(), ends(duel()), ['stop server', 'lobby:a', 'lobby:b']],
    ['it ends while it forms', duel(ASKS), ends(duel(ASKS)), ['lobby:a', 'lobby:b']],
    [
      'its server has stopped',
      running,
      served(running, serverReport({ seq: 2, block: block('stopped', 'i') }), 9),
      ['lobby:a', 'lobby:b'],
    ],
    ['a lobby is deleted', running, withoutLobby(running, stayOf('a'), 9), []],
    ['its places change', running, { ...running, offerSeq: 1 }, ['queue']],
    ['it forms with open places', null, duel(ASKS, { offerSeq: 1 }), ['lobby:a', 'lobby:b']],
    ['nothing changes', running, running, []],
  ])('when %s', (_, before, next, owed) => {
    expect(keys(before, next)).toEqual(owed);
  });

  it('has a key by which a newer debt replaces an older one', () => {
    expect(
      [
        { to: 'no', player: ANN, at: 1 } as const,
        { to: 'result', lobbyId: A } as const,
        { to: 'server', act: 'stop' } as const,
        { to: 'server', act: 'launch' } as const,
      ].map(debtKeyOf),
    ).toEqual(['no:ann', 'result:a', 'server', 'server']);
  });
});
