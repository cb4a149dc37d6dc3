// What a change of a lobby was, as its history tells it.

import { expect, it } from 'vitest';
import type { InstanceId, MatchId, TicketId } from '../../src/common/ids';
import { launchFailed, matchUpdated, start } from '../../src/lobby/game';
import { happenings } from '../../src/lobby/history';
import { decide } from '../../src/lobby/decide';
import { hold } from '../../src/lobby/queueing';
import { must } from '../../src/common/result';
import { changeOf, given, lobbyOf, matchUpdate, player, run, T0 } from '../support/lobbies';

const instanceId = 'server-1' as InstanceId;

it('names the mode that is entered, the server of a start, and why that failed', () => {
  const lobby = lobbyOf('alice');
  const queued = run(lobby, { type: 'enter', player: player('alice'), mode: 'duel' });
  const entered = happenings(lobby, { lobby: queued, debts: [], news: [] }, {}, T0);
  expect(entered).toMatchObject([{ kind: 'entered', detail: 'duel' }]);

  const begun = start(lobby, { instanceId }, T0);
  const change = must(begun.ok ? begun.value : null, 'a start');
  expect(happenings(lobby, change, {}, T0)).toMatchObject([
    { kind: 'started', detail: 'server server-1' },
  ]);

  const starting = must(change.lobby, 'a lobby that starts');
  const over = must(launchFailed(starting, instanceId, T0), 'a failed launch');
  expect(happenings(starting, over, { detail: 'exit code 3' }, T0)).toMatchObject([
    { kind: 'returned', reason: 'launch_failed', detail: 'exit code 3' },
  ]);
});

it('names the match whose launch failed before its lobbies were told of it', () => {
  const alice = player('alice');
  const queued = run(lobbyOf('alice'), { type: 'enter', player: alice, mode: 'duel' });
  const ticketId = must(queued.search, 'a search').ticketId;
  const [matchId, next] = ['match-1' as MatchId, 'ticket-2' as TicketId];
  const held = must(hold(queued, { ticketId, matchId, seq: 1 }, T0)?.lobby ?? null, 'a hold');
  const failed = matchUpdate({ ticketId, step: 2, phase: 'returned', reason: 'launch_failed' });
  expect(happenings(held, matchUpdated(held, failed, T0, next), {}, T0)).toEqual([
    { at: T0, kind: 'returned', reason: 'launch_failed', matchId },
  ]);

  const cancelled = changeOf(decide(queued, { type: 'cancel', player: alice }, given()));
  expect(happenings(queued, cancelled, {}, T0)).toEqual([
    { at: T0, kind: 'left_queue', reason: 'cancelled' },
  ]);
});
