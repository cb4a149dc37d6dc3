// A Match object while it runs: whom it hears, who may end it, and what its lobbies, its queue, its ladder and its game are told.
// The object is real; those around it are the test's.

import { describe, expect, it } from 'vitest';

import type { LobbyId, PlayerId, TicketId } from '../../../../src/common/ids';
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

const OPEN = { allowBackfill: true } as const;
const TICKET = stayOf('a').ticketId;
const RESULT = {
  teams: [
    { team: 0, rank: 1 },
    { team: 1, rank: 2 },
  ],
};

describe('a running match', () => {
  it('hears its own server alone, and nothing old', async () => {
    const rig = await runningMatch();
    const { seq = 0 } = rig.saw()?.server ?? {};
    expect(
      await rig.actor.serverReport({ ...rig.report('stopped'), instanceId: 'x' as never }),
    ).toBe(false);
    expect(await rig.actor.serverReport({ ...rig.report('stopped'), seq })).toBe(true);
    expect(rig.saw()?.phase).toBe('running');
    expect(await rig.actor.serverReport(rig.report('stopped', { detail: 'why' }))).toBe(true);
    await rig.pass(200);
    expect(rig.last('a')).toMatchObject({ phase: 'returned', reason: 'game_ended' });
    // The server has stopped by itself.
    expect(rig.did('stop')).toEqual([]);
    expect((await historyOf(rig))?.at(-1)).toEqual({
      kind: 'ended',
      reason: 'server_stopped',
      detail: 'why',
    });
    expect(await rig.actor.serverReport(rig.report('stopped'))).toBe(false);
    const failed = await openedMatch();
    await failed.actor.serverReport(failed.report('stopped', { failed: true, detail: 'why' }));
    expect((await historyOf(failed))?.at(-1)).toEqual({
      kind: 'failed',
      reason: 'launch_failed',
      detail: 'why',
    });
    expect(await matchRig().actor.serverReport(rig.report('running'))).toBe(false);
  });

  it('is ended by its host, whose lobby has gone already, or by an operator', async () => {
    const rig = await runningMatch();
    await rig.actor.end('x' as LobbyId, TICKET);
    expect(rig.saw()?.phase).toBe('running');
    const before = rig.told.length;
    await rig.actor.end(A, TICKET, ANN);
    await rig.pass(200);
    expect(rig.told.slice(before)).toMatchObject([
      ['b', { phase: 'returned', reason: 'game_ended' }],
    ]);
    expect(rig.did('stop')).toEqual([['stop', true]]);
    expect((await historyOf(rig))?.at(-1)).toEqual({
      kind: 'ended',
      reason: 'ended_by_host',
      lobbyId: 'a',
      by: 'player:ann',
    });
    expect(await rig.actor.endByOperator('p', 'operator:o')).toBe(false);
    const other = await runningMatch();
    expect(await other.actor.endByOperator('q', 'operator:o')).toBe(false);
    expect(await other.actor.endByOperator('p', 'operator:o')).toBe(true);
    await other.pass(200);
    expect([other.last('a')?.phase, other.last('b')?.phase]).toEqual(['returned', 'returned']);
    expect((await historyOf(other))?.at(-1)).toEqual({
      kind: 'ended',
      reason: 'ended_by_operator',
      by: 'operator:o',
    });
    expect(await matchRig().actor.endByOperator('p', 'operator:o')).toBe(false);
    const asking = await openedMatch({ rules: ASKS });
    await asking.actor.end(A, TICKET);
    expect(asking.saw()?.phase).toBe('confirming');
    const launching = await openedMatch();
    await launching.actor.end(A, TICKET);
    await launching.pass(1_000);
    expect(await launching.actor.record('p')).toMatchObject({ outcome: 'ended' });
  });

  it('is left by a lobby, and over with the last', async () => {
    const rig = await runningMatch();
    await rig.actor.left(A, 'old' as TicketId);
    expect(await rig.actor.holds(ANN)).toBe(true);
    await rig.actor.left(A, TICKET);
    await rig.pass(200);
    expect([rig.saw()?.phase, await rig.actor.holds(ANN)]).toEqual(['running', false]);
    await rig.actor.left(B, stayOf('b').ticketId);
    await rig.pass(1_000);
    expect((await historyOf(rig))?.at(-1)).toEqual({
      kind: 'ended',
      reason: 'all_left',
      lobbyId: 'b',
    });
    const record = await rig.actor.record('p');
    await rig.actor.left(B, stayOf('b').ticketId);
    expect(await rig.actor.record('p')).toEqual(record);
  });

  it('is left by a lobby that says that it is not in it', async () => {
    const rig = matchRig();
    rig.strangers.add('a');
    await rig.open();
    await rig.pass(200);
    expect(rig.saw()?.participants.map(({ left }) => left)).toEqual([true, false]);
  });

  it('knows the players of its lobbies, and offers what is open to its queue', async () => {
    const rig = await runningMatch({ rules: OPEN });
    expect(rig.offers.at(-1)?.match?.open.map(({ slots }) => slots)).toEqual([1, 2]);
    const players = party('a', 'abe').players;
    expect(await rig.actor.roster(A, 1, players, TICKET)).toEqual(['abe']);
    await rig.pass(10);
    expect(rig.offers.at(-1)?.match?.open.map(({ slots }) => slots)).toEqual([2, 2]);
    expect(await rig.actor.roster(A, 1, players, 'old' as TicketId)).toEqual([]);
    const over = await endedMatch();
    expect(await over.actor.roster(A, 1, players, TICKET)).toEqual([]);
  });

  it('admits a party once, follows its mode, and refuses a hold that it has told is over', async () => {
    const rig = await runningMatch({ rules: OPEN });
    expect(await rig.actor.admit(backfill(party('c', 'cat'), 1))).toBeNull();
    expect(await rig.actor.admit(backfill(party('c', 'cat'), 1))).toBeNull();
    expect(rig.saw()?.participants.length).toBe(3);
    expect(await rig.actor.admit(backfill(party('d', '1', '2', '3'), 1))).toMatchObject({
      match: { matchId: 'm' },
    });
    expect(await rig.actor.outcome({ ticketId: stayOf('c').ticketId, seq: 9 })).toMatchObject({
      phase: 'in_game',
    });
    expect(await rig.actor.outcome({ ticketId: 'x' as TicketId, seq: 4 })).toBe('aborted');
    expect(rig.saw()?.refused).toEqual(['ticket of d 9', 'x 4']);
    await rig.actor.modeChanged({
      rules: { ...rig.roster.rules, allowBackfill: false },
      revision: 2,
    });
    await rig.pass(10);
    expect(rig.last('a')?.backfills).toBe(false);
    expect(rig.offers.at(-1)?.match).toBeNull();
    await matchRig().actor.modeChanged({ rules: rig.roster.rules, revision: 2 });
  });

  it('takes a result once, and tells it: at its end to the ladder, and until that has rated it', async () => {
    const rating = { rating: { field: 'mmr', system: 'openskill' } } as const;
    const rig = await runningMatch({ rules: rating });
    expect(codeOf(await rig.actor.result('q', RESULT))).toBe('NOT_FOUND');
    expect(await rig.actor.result('p', RESULT)).toMatchObject({
      ok: true,
      value: { result: RESULT },
    });
    expect(codeOf(await rig.actor.result('p', RESULT))).toBe('ok');
    await rig.pass(10);
    const results = rig.asked
      .filter(([what]) => String(what).startsWith('result'))
      .map(([what]) => what);
    expect(results).toEqual(['result a', 'result b']);
    expect(rig.did('rate').length).toBe(1);
    expect((await historyOf(rig))?.at(-1)).toEqual({ kind: 'result' });
    const changes = [{ id: ANN }] as never;
    await rig.actor.rated('q', [] as never);
    await rig.actor.rated('p', changes);
    await rig.actor.rated('p', []);
    expect(await rig.actor.record('p')).toMatchObject({ rating: { changes } });
    const late = await endedMatch({ rules: rating });
    expect(codeOf(await late.actor.result('p', RESULT))).toBe('ok');
    await late.actor.rated('p', changes);
    expect(await late.actor.record('p')).toMatchObject({
      result: RESULT,
      rating: { field: 'mmr', changes },
    });
    expect((await historyOf(late))?.at(-1)).toEqual({ kind: 'result' });
    const plain = await endedMatch({ journal: { keepMs: 0 } });
    await plain.actor.result('p', RESULT);
    await plain.actor.rated('p', changes);
    expect(await plain.actor.record('p')).not.toHaveProperty('rating');
    expect(await historyOf(plain)).toEqual([]);
  });
});

describe('a game that steers its places', () => {
  it('is told of the roster, and waits for it to change', async () => {
    const rig = await runningMatch({ rules: OPEN });
    expect(codeOf(await rig.actor.steer('q', {}))).toBe('NOT_FOUND');
    expect(await rig.actor.follow('p', 0, 0)).toMatchObject({
      value: {
        match: 'm',
        revision: 1,
        open: [
          { team: 0, places: 1 },
          { team: 1, places: 2 },
        ],
        players: ['ann', 'abe', 'ben'].map((id) => ({ id, status: 'here', revision: 1 })),
      },
    });
    let heard: unknown = null;
    void rig.actor.follow('p', 1, 5_000).then((reply) => (heard = reply));
    await rig.pass(1_000);
    expect(heard).toBeNull();
    await rig.actor.roster(A, 1, party('a', 'abe').players, TICKET);
    await rig.pass(10);
    expect(heard).toMatchObject({
      value: { revision: 2, players: [{ id: 'ann', status: 'left' }] },
    });
    heard = null;
    void rig.actor.follow('p', 2, 5_000).then((reply) => (heard = reply));
    await rig.pass(4_990);
    expect(heard).toBeNull();
    await rig.pass(20);
    expect(heard).toMatchObject({ value: { revision: 2, players: [] } });
    // Whoever waits when the match ends hears that.
    void rig.actor.follow('p', 2, 60_000).then((reply) => (heard = reply));
    await rig.pass(0);
    await rig.actor.endByOperator('p', 'operator:o');
    await rig.pass(10);
    expect(heard).toMatchObject({ refusal: { code: 'INVALID_STATE' } });
    expect(codeOf(await rig.actor.follow('p', 0, 0))).toBe('INVALID_STATE');
    const asking = await openedMatch({ rules: ASKS });
    expect(codeOf(await asking.actor.steer('p', {}))).toBe('INVALID_STATE');
  });

  it('puts players out and takes places back, of whom it knows that they are there', async () => {
    const rig = await runningMatch({ rules: { ...OPEN, reconnectSeconds: 30 } });
    expect(await rig.actor.steer('p', { kick: 'ann' })).toMatchObject({
      value: { players: [{ id: 'ann', status: 'kicked' }, {}, {}] },
    });
    await rig.pass(10);
    expect(rig.last('a')?.places).toMatchObject({ members: ['abe'], kicked: ['ann'] });
    expect(await rig.actor.holds(ANN)).toBe(false);
    await rig.actor.roster(A, 1, [], TICKET);
    expect(await rig.actor.holds('abe' as PlayerId)).toBe(false);
    expect(rig.saw()?.participants[0]?.members).toEqual(['abe']);
    await rig.live(31_000);
    expect(rig.saw()?.participants[0]?.members).toEqual([]);
    expect(codeOf(await rig.actor.steer('p', { release: 'zoe' }))).toBe('PLAYER_NOT_FOUND');
    expect(await rig.actor.holds('ben' as PlayerId)).toBe(true);
  });
});
