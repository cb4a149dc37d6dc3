// Decision 60: a queued party whose own change keeps it from its mode is told so, in the answer to that change, with the
// sentence of the 400 that it would get if it queued like that.

import { describe, expect, it } from 'vitest';
import type { MatchId, PlayerId, TicketId } from '../../src/common/ids';
import type { JsonObject } from '../../src/common/json';
import { remembering, withAttributes } from '../../src/lobby/attributes';
import type { Change } from '../../src/lobby/command';
import type { Lobby } from '../../src/lobby/lobby';
import { fitting } from '../../src/lobby/queueing';
import { Alone, eventsOf } from '../support/alone';
import { lobbyOf, matchUpdate, mode, run, T0 } from '../support/lobbies';
import { roleMode } from '../match/support/make';

const ann = 'ann' as PlayerId;
const matchId = 'm-1' as MatchId;
const ranked = roleMode(
  { one: { tank: 1, damage: 2 }, two: { tank: 1, damage: 2 } },
  {
    timeout: 3_600,
    maxPartySize: 2,
    excludedFromQueue: ['spectator'],
    rules: [
      { type: 'equals', field: 'map' },
      { type: 'avoid', field: 'avoid' },
    ],
  },
);

const headOf = (alone: Alone): Lobby => alone.saved.get('lobby') as Lobby;

/** Ann and Bob queue; Bob plays tank, and Cat watches. */
async function queued(): Promise<Alone> {
  const alone = new Alone({ matchmaking: { modes: { ranked } } });
  await alone.found('ann', { maxPlayers: 4, state: { map: 'dust' } });
  await alone.join('bob');
  await alone.join('cat');
  await change(alone, 'bob', { role: 'tank' });
  await change(alone, 'cat', { role: 'spectator' });
  await alone.actor.execute({ type: 'enter', player: ann, mode: 'ranked' });
  expect(headOf(alone).status).toBe('in_queue');
  return alone;
}

function change(alone: Alone, player: string, state: JsonObject) {
  return alone.actor.execute({ type: 'patch_state', player: player as PlayerId, state });
}

describe('a queued party that changes so that it no longer fits', () => {
  const long = 'x'.repeat(300);
  it.each([
    ['a role that the mode lacks', 'bob', { role: 'Tank' }],
    ['roles that the mode lacks', 'bob', { role: ['Tank', 'healer'] }],
    ['too many roles', 'bob', { role: Array.from({ length: 65 }, () => 'tank') }],
    ['a watcher who wants to play', 'cat', { role: null }],
    ['a text that is too long', 'ann', { map: long }],
    ['a list that is too long', 'ann', { map: Array.from({ length: 65 }, () => 'dust') }],
    ['too many regions', 'ann', { regions: Array.from({ length: 17 }, (_, at) => `r${at}`) }],
    ['more to avoid than a list may name', 'cat', { avoid: Array.from({ length: 51 }, () => 'x') }],
    ['a list to avoid without ids', 'ann', { avoid: [7] }],
    ['no valid region', 'ann', { regions: ['EU West'] }],
  ] as [string, string, JsonObject][])('%s', async (_, player, state) => {
    const alone = await queued();
    const heard = await alone.listen('ann');
    const reply = await change(alone, player, state);
    const told = reply.ok ? reply.value.lobby : null;
    // What the 400 says.
    const again = await alone.actor.execute({ type: 'enter', player: ann, mode: 'ranked' });
    const detail = again.ok ? '' : again.refusal.detail;
    expect(detail).not.toBe('');
    const returned = { mode: 'ranked', reason: 'unmatchable', detail };
    expect(told).toMatchObject({ status: 'waiting', matchmaking: null, returned });
    expect(told?.players.find(({ id }) => id === player)?.state).toMatchObject(
      Object.fromEntries(Object.entries(state).filter(([, value]) => value !== null)),
    );
    expect(eventsOf(heard).slice(1)).toEqual([
      'lobby_updated',
      'matchmaking_timeout',
      'lobby_updated',
    ]);
    const event = heard.texts.find(({ text }) => text.includes('matchmaking_timeout'))?.text ?? '';
    const data: unknown = JSON.parse(event.slice(event.indexOf('{'), event.lastIndexOf('}') + 1));
    expect(data).toEqual({ id: alone.id, ...returned });
    // The queue was told that the ticket leaves, and nothing else.
    expect(alone.entered).toBe(1);
    const site = { project: 'alone', config: 'arena' };
    const history = await alone.actor.history(site);
    expect(history?.at(-1)).toMatchObject({ kind: 'left_queue', reason: 'unmatchable', detail });
    // It may queue once it is put right.
    await change(alone, player, { role: null, regions: null, map: 'dust', avoid: null });
    await change(alone, 'cat', { role: 'spectator' });
    await alone.actor.execute({ type: 'enter', player: ann, mode: 'ranked' });
    expect(headOf(alone)).toMatchObject({ status: 'in_queue' });
    expect(headOf(alone).returned).toBeUndefined();
  });

  it('all of them watch', async () => {
    const alone = await queued();
    await change(alone, 'ann', { role: 'spectator' });
    expect(headOf(alone).status).toBe('in_queue');
    await change(alone, 'bob', { role: ['spectator'] });
    const detail = 'nobody in the lobby can queue: all their roles are excluded';
    expect(headOf(alone).returned).toMatchObject({ reason: 'unmatchable', detail });
  });

  it('by what the backend says of its players', () => {
    const duel = mode({ rules: [{ type: 'equals', field: 'map' }] });
    const searching = run(lobbyOf('ann'), { type: 'enter', player: ann, mode: 'duel' });
    const told = new Map([[ann, { revision: 1, attributes: { map: long } }]]);
    const trusted = new Map([['map', null]]);
    const remembered = remembering(searching, told) as Change;
    const change = fitting(searching, withAttributes(remembered, trusted, T0), () => duel, T0);
    const detail = 'state.map is longer than 256 characters';
    expect(change.lobby?.returned).toMatchObject({ reason: 'unmatchable', detail });
    expect(change.debts).toMatchObject([{ to: 'queue', act: 'leave', reason: 'unmatchable' }]);
  });

  it('while it is held: it is told once the hold is over', async () => {
    const alone = await queued();
    const ticketId = headOf(alone).search?.ticketId as TicketId;
    await alone.actor.hold({ ticketId, matchId, seq: 1 });
    const answer = change(alone, 'bob', { role: 'Tank' });
    await alone.actor.release({ ticketId, matchId, seq: 1 });
    expect(await answer).toMatchObject({
      value: { lobby: { returned: { reason: 'unmatchable' } } },
    });
  });

  it('while a match is found: it is told when it would go back to the queue', async () => {
    const alone = await queued();
    const ticketId = headOf(alone).search?.ticketId as TicketId;
    await alone.actor.hold({ ticketId, matchId, seq: 1 });
    const found = matchUpdate({ ticketId, matchId, mode: 'ranked', phase: 'match_found' });
    await alone.actor.matchUpdate({ ...found, deadline: alone.now + 30_000 });
    await change(alone, 'bob', { role: 'Tank' });
    expect(headOf(alone).status).toBe('match_found');
    const back = { phase: 'returned', reason: 'declined', requeue: true, step: 2 } as const;
    await alone.actor.matchUpdate({ ...found, ...back });
    expect(headOf(alone)).toMatchObject({
      status: 'waiting',
      returned: { reason: 'unmatchable', detail: expect.stringContaining('state.role') as string },
    });
  });
});

describe('a queued party that a config keeps from its mode', () => {
  const closed = roleMode({ one: { healer: 1 }, two: { healer: 1 } }, { timeout: 3_600 });

  it.each([
    ['that the queue tells', null],
    ['that it learns with a change of its own', { colour: 'red' }],
    ['that it learns with a change that would not fit either', { map: 'x'.repeat(300) }],
  ])('is told of the config: %s', async (_, state) => {
    const alone = await queued();
    const ticketId = headOf(alone).search?.ticketId as TicketId;
    alone.config = { ...alone.config, revision: 2, matchmaking: { modes: { ranked: closed } } };
    if (state === null) {
      await alone.actor.refresh(ticketId, closed, 2);
    } else {
      await change(alone, 'ann', state);
      await alone.pass(1);
    }
    const { status, returned } = headOf(alone);
    expect([status, returned?.reason, returned?.detail]).toEqual([
      'waiting',
      'config_changed',
      undefined,
    ]);
  });

  it('and a mode that is gone', async () => {
    const alone = await queued();
    alone.config = { ...alone.config, matchmaking: { modes: { other: mode() } } };
    await change(alone, 'ann', { map: 'x'.repeat(300) });
    await alone.pass(1);
    expect(headOf(alone).returned?.reason).toBe('config_changed');
  });
});
