// A Match object as it opens and asks, and once it is over: what it answers, and what its lobbies, its server and its queue are
// told. The object is real; those around it are the test's.

import { describe, expect, it } from 'vitest';

import type { LobbyId, TicketId } from '../../../../src/common/ids';
import { A, ANN, ASKS, B, stayOf } from '../../../support/duel-match.ts';
import {
  endedMatch,
  historyOf,
  matchRig,
  openedMatch,
  runningMatch,
} from '../../../support/match-rig.ts';
import { backfill, party } from '../../../support/running-match';
import { codeOf } from '../../../support/server-rig.ts';

const TICKET = stayOf('a').ticketId;

describe('a match that opens', () => {
  it('launches its server at once, and tells its lobbies when the fleet has answered', async () => {
    const rig = await openedMatch();
    expect(rig.did('launch')).toMatchObject([
      ['launch', 'i', 'us-east', { build: 'default', matchId: 'm' }],
    ]);
    expect(rig.told.map(([id, { phase }]) => [id, phase])).toEqual([
      ['a', 'in_game'],
      ['b', 'in_game'],
    ]);
    expect(await rig.open()).toBe('opened');
    expect([rig.did('launch').length, rig.told.length]).toEqual([1, 2]);
  });

  it('tells its lobbies that it launches, if the fleet takes longer', async () => {
    const { promise, resolve } = Promise.withResolvers<object>();
    const rig = matchRig({ launch: () => promise });
    await rig.open();
    expect(rig.told).toEqual([]);
    await rig.pass(100);
    expect(rig.told.map(([, { phase }]) => phase)).toEqual(['matched', 'matched']);
    resolve({ ok: true, value: rig.report('launching') });
    await rig.pass(10);
    expect(rig.last('a')?.phase).toBe('in_game');
  });

  it('without a server is over: its lobbies and its queue hear why', async () => {
    const no = { ok: false, refusal: { code: 'LAUNCH_FAILED', detail: 'full' } };
    const rig = await openedMatch({ launch: async () => no });
    await rig.pass(200);
    expect(rig.last('a')).toMatchObject({ phase: 'returned', reason: 'launch_failed' });
    expect(rig.did('failed')).toEqual([['failed', 'm', 'launch_failed', 'full']]);
    expect(await rig.actor.record('p')).toMatchObject({ outcome: 'failed', detail: 'full' });
    const quiet = await openedMatch({ launch: async () => no, journal: { keepMs: 0 } });
    await quiet.pass(200);
    // Its queue need not keep a journal to hold others back.
    expect(quiet.did('failed')).toEqual([['failed', 'm', 'launch_failed', null]]);
    expect(await historyOf(quiet)).toEqual([]);
    const fine = await endedMatch();
    expect(fine.did('failed')).toEqual([]);
    // While a lobby cannot be told, the match goes on being asked. Its queue has heard it already.
    const stays = matchRig({ launch: async () => no });
    stays.silent.add('a');
    await stays.open();
    await stays.pass(2_000);
    expect(await stays.actor.outcome({ ticketId: 'x' as TicketId, seq: 1 })).toBe('aborted');
    expect(stays.saw()?.refused).toEqual(['x 1']);
    expect(stays.did('failed').length).toBe(1);
  });

  it('after it was asked for its outcome never opens', async () => {
    const rig = matchRig();
    const hold = { ticketId: TICKET, seq: 1 };
    expect(await rig.actor.outcome(hold)).toBe('aborted');
    expect(await rig.open()).toBe('aborted');
    expect([rig.asked, rig.told, await rig.actor.record('p')]).toEqual([[], [], null]);
    expect(await rig.actor.admit(backfill(party('c', 'cat'), 1))).toMatchObject({ match: null });
    // That is remembered for ten minutes.
    await rig.live(599_000);
    expect(await rig.open()).toBe('aborted');
    await rig.live(2_000);
    expect([...rig.saved.keys()]).toEqual([]);
    expect(await rig.open()).toBe('opened');
  });

  it('keeps its roster apart, and is the same after a crash', async () => {
    const rig = await runningMatch();
    expect(rig.saw()).not.toHaveProperty('roster');
    expect(rig.saved.get('roster')).toEqual(rig.roster);
    const again = matchRig({ saved: rig.saved });
    expect(await again.actor.record('p')).toEqual(await rig.actor.record('p'));
    expect(await again.actor.outcome({ ticketId: TICKET, seq: 1 })).toMatchObject({
      phase: 'in_game',
    });
  });
});

describe('a match that asks', () => {
  it('answers who says yes, launches with the last, and refuses who comes late', async () => {
    const rig = await openedMatch({ rules: ASKS });
    expect(rig.told.map(([, { phase }]) => phase)).toEqual(['match_found', 'match_found']);
    expect(await rig.actor.confirm(A, ANN)).toMatchObject({
      ok: true,
      value: { confirmed: true, phase: 'match_found' },
    });
    expect(codeOf(await rig.actor.confirm('x' as LobbyId))).toBe('INVALID_STATE');
    expect(rig.did('launch')).toEqual([]);
    expect(await rig.actor.confirm(B)).toMatchObject({ ok: true, value: { phase: 'matched' } });
    await rig.pass(200);
    expect(rig.did('launch').length).toBe(1);
    expect((await historyOf(rig))?.slice(1, 3)).toEqual([
      { kind: 'confirmed', lobbyId: 'a', by: 'player:ann' },
      { kind: 'confirmed', lobbyId: 'b' },
    ]);
    // Only who has not answered is asked: saying it again is no error.
    expect(codeOf(await rig.actor.confirm(A))).toBe('ok');
    expect(await rig.actor.decline(A, 'declined')).toBeNull();
    expect(codeOf(await matchRig().actor.confirm(A))).toBe('INVALID_STATE');
    expect(await matchRig().actor.decline(A, 'declined')).toBeNull();
  });

  it('ignores a server until all have said yes', async () => {
    const rig = await openedMatch({ rules: ASKS });
    expect(await rig.runs()).toBe(true);
    expect(rig.saw()).toMatchObject({ phase: 'confirming', server: null });
  });

  it('is over when one declines, who is named; and when nobody answers in time', async () => {
    const rig = await openedMatch({
      rules: { ...ASKS, declineCooldown: { seconds: 10 } as never },
    });
    expect(await rig.actor.decline(A, 'declined', ANN)).toMatchObject({
      phase: 'returned',
      reason: 'declined',
    });
    await rig.pass(200);
    expect(rig.last('b')).toMatchObject({ phase: 'returned', reason: 'declined' });
    expect(rig.did('no')).toMatchObject([['no', 'ann', { matchId: 'm' }]]);
    expect((await historyOf(rig))?.at(-1)).toEqual({
      kind: 'failed',
      reason: 'declined',
      lobbyId: 'a',
      by: 'player:ann',
    });
    expect(rig.did('stop')).toEqual([]);
    const late = await openedMatch({ rules: ASKS });
    await late.live(29_000);
    expect(late.last('a')?.phase).toBe('match_found');
    await late.live(2_000);
    expect(late.last('a')).toMatchObject({ phase: 'returned', reason: 'confirm_timeout' });
    expect(late.did('no')).toEqual([]);
  });
});

describe('a match that is over', () => {
  it('is a record, which answers those who ask late', async () => {
    const rig = await endedMatch();
    expect([...rig.saved.keys()].filter((key) => !key.startsWith('debts'))).toEqual(['past']);
    expect(await rig.actor.outcome({ ticketId: TICKET, seq: 1 })).toBe('over');
    expect(await rig.actor.outcome({ ticketId: 'x' as TicketId, seq: 1 })).toBe('aborted');
    expect(await rig.actor.record('q')).toBeNull();
    expect(await rig.open()).toBe('opened');
    expect(await rig.actor.record('p')).toMatchObject({
      outcome: 'ended',
      tickets: [TICKET, 'ticket of b'],
    });
    expect(await rig.actor.holds(ANN)).toBe(false);
    expect(await rig.actor.hosts()).toEqual([]);
    expect((await matchRig({ saved: rig.saved }).actor.record('p'))?.outcome).toBe('ended');
  });

  it.each([
    [600_000, 0],
    [600_000, 1_000],
    [3_600_000, 3_600_000],
  ])('is forgotten after %i ms, if the journal keeps it for %i', async (ms, keepMs) => {
    const rig = await endedMatch({ journal: { keepMs } });
    const { endedAt } = (await rig.actor.record('p')) ?? {};
    await rig.live((endedAt ?? 0) + ms - rig.now() - 10);
    expect(await rig.actor.record('p')).not.toBeNull();
    await rig.live(20);
    expect([...rig.saved.keys()]).toEqual([]);
    expect(await rig.actor.record('p')).toBeNull();
  });
});
