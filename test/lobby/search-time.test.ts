// How long a lobby searches before it leaves by itself: the mode's timeout and ten seconds, in case that its queue
// does not answer.

import { describe, expect, it } from 'vitest';
import type { MatchId, PlayerId, TicketId } from '../../src/common/ids';
import type { Lobby } from '../../src/lobby/lobby';
import { Alone } from '../support/alone';
import { mode } from '../support/lobbies';

const SEARCHES = { status: 'in_queue' };
const OVER = { status: 'waiting', returned: { mode: 'duel', reason: 'timeout' } };

async function searching(timeout: number): Promise<Alone> {
  const alone = new Alone({ matchmaking: { modes: { duel: mode({ timeout }) } } });
  await alone.found('ann');
  await alone.actor.execute({ type: 'enter', player: 'ann' as PlayerId, mode: 'duel' });
  return alone;
}

const lobbyOf = (alone: Alone): Lobby | undefined => alone.saved.get('lobby') as Lobby | undefined;
const ticketOf = (alone: Alone): TicketId => lobbyOf(alone)?.search?.ticketId as TicketId;

describe('the time of a search', () => {
  it('is over for a hold too, though no alarm has fired', async () => {
    const alone = await searching(60);
    alone.alarmAt = null;
    await alone.pass(70_000);
    expect(lobbyOf(alone)).toMatchObject(SEARCHES);
    const hold = { ticketId: ticketOf(alone), matchId: 'm-1' as MatchId, seq: 1 };
    expect(await alone.actor.hold(hold)).toEqual({ held: false, searches: false });
    expect(lobbyOf(alone)).toMatchObject(OVER);
  });

  it('is that of the mode as it is now, if that is longer', async () => {
    const alone = await searching(5);
    await alone.pass(1_000);
    expect(await alone.actor.refresh(ticketOf(alone), mode({ timeout: 60 }), 2)).toBe(true);
    await alone.pass(68_999);
    expect(lobbyOf(alone)).toMatchObject(SEARCHES);
    await alone.pass(1);
    expect(lobbyOf(alone)).toMatchObject(OVER);
  });
});
