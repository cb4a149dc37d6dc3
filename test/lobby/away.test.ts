// Decision 50: a queued party that had streams, and of which nobody is there any more, leaves the queue.

import { describe, expect, it } from 'vitest';
import type { MatchId, PlayerId, TicketId } from '../../src/common/ids';
import type { LobbyConfig } from '../../src/lobby/config';
import type { Lobby } from '../../src/lobby/lobby';
import { Alone, eventsOf } from '../support/alone';
import { matchUpdate, mode } from '../support/lobbies';

const ann = 'ann' as PlayerId;
const matchId = 'm-1' as MatchId;
const modes = { duel: mode({ timeout: 3_600 }) };
const AWAY = { status: 'waiting', returned: { mode: 'duel', reason: 'away' } };
const SEARCHES = { status: 'in_queue' };

async function party(patch: Partial<LobbyConfig> = {}): Promise<Alone> {
  const alone = new Alone({ matchmaking: { modes }, ...patch });
  await alone.found('ann');
  await alone.join('bob');
  return alone;
}

const enter = (alone: Alone) => alone.actor.execute({ type: 'enter', player: ann, mode: 'duel' });

/** Ann and Bob listen and search. */
async function searching(patch: Partial<LobbyConfig> = {}): Promise<Alone> {
  const alone = await party(patch);
  await alone.listen('ann');
  await alone.listen('bob');
  await enter(alone);
  return alone;
}

/** As saved: a read would be a sign of life. */
const lobbyOf = (alone: Alone): Lobby | undefined => alone.saved.get('lobby') as Lobby | undefined;
const ticketOf = (alone: Alone): TicketId => lobbyOf(alone)?.search?.ticketId as TicketId;

function hangUp(alone: Alone): void {
  alone.hangUp('ann');
  alone.hangUp('bob');
}

describe('a queued party that had streams', () => {
  // shows: D50a
  it.each(['awake', 'asleep'])('leaves 30 s after the last has closed: %s', async (how) => {
    const alone = await searching();
    await alone.pass(600_000);
    alone.hangUp('ann');
    await alone.pass(600_000);
    expect(lobbyOf(alone)).toMatchObject(SEARCHES);
    alone.hangUp('bob');
    await alone.pass(10_000);
    if (how === 'asleep') {
      alone.sleep();
    }
    await alone.pass(19_999);
    expect(lobbyOf(alone)).toMatchObject(SEARCHES);
    await alone.pass(1);
    expect(lobbyOf(alone)).toMatchObject(AWAY);
    const heard = await alone.listen('ann', lobbyOf(alone)?.revision ?? 0);
    expect(eventsOf(heard)).toEqual(['connected']);
  });

  // shows: D50a
  it('stays while anybody of it asks, and leaves 30 s after the last request', async () => {
    const alone = await searching();
    hangUp(alone);
    for (let poll = 0; poll < 10; poll += 1) {
      await alone.pass(20_000);
      await alone.actor.read(poll % 2 === 0 ? ann : ('bob' as PlayerId));
      alone.sleep();
    }
    await alone.actor.execute({ type: 'heartbeat', player: ann });
    await alone.pass(29_999);
    expect(lobbyOf(alone)).toMatchObject(SEARCHES);
    await alone.pass(1);
    expect(lobbyOf(alone)).toMatchObject(AWAY);
  });

  it('stays when a stream comes back in time, also through a restart right after', async () => {
    const alone = await searching();
    hangUp(alone);
    await alone.pass(20_000);
    await alone.listen('bob');
    await alone.pass(60_000);
    expect(lobbyOf(alone)).toMatchObject(SEARCHES);
    alone.restart();
    await alone.actor.hold({ ticketId: ticketOf(alone), matchId, seq: 1 });
    await alone.actor.release({ ticketId: ticketOf(alone), matchId, seq: 1 });
    await alone.pass(29_000);
    expect(lobbyOf(alone)).toMatchObject(SEARCHES);
    await alone.pass(1_000);
    expect(lobbyOf(alone)).toMatchObject(AWAY);
  });

  it('leaves on time though the object was lost in between', async () => {
    const alone = await searching();
    hangUp(alone);
    await alone.pass(10_000);
    alone.restart();
    await alone.pass(20_000);
    expect(lobbyOf(alone)).toMatchObject(AWAY);
  });

  it('is not held once it is due, though no alarm has fired', async () => {
    const alone = await searching();
    hangUp(alone);
    alone.alarmAt = null;
    await alone.pass(30_000);
    const held = await alone.actor.hold({ ticketId: ticketOf(alone), matchId, seq: 1 });
    expect(held).toEqual({ held: false, searches: false });
    expect(lobbyOf(alone)).toMatchObject(AWAY);
  });

  it('waits for the outcome of a hold', async () => {
    const alone = await searching();
    await alone.actor.hold({ ticketId: ticketOf(alone), matchId, seq: 1 });
    hangUp(alone);
    await alone.pass(9_000);
    await alone.actor.matchUpdate(matchUpdate({ ticketId: ticketOf(alone), matchId }));
    await alone.pass(60_000);
    expect(lobbyOf(alone)).toMatchObject({ status: 'matched' });
  });

  it('leaves also where its streams closed before it queued, or before it queued again', async () => {
    const before = await party();
    await before.listen('ann');
    before.hangUp('ann');
    await enter(before);
    await before.pass(30_000);
    expect(lobbyOf(before)).toMatchObject(AWAY);

    const again = await searching();
    const ticketId = ticketOf(again);
    await again.actor.hold({ ticketId, matchId, seq: 1 });
    const found = matchUpdate({ ticketId, matchId, phase: 'match_found', deadline: 1 });
    await again.actor.matchUpdate(found);
    hangUp(again);
    await again.pass(60_000);
    const back = { phase: 'returned', reason: 'declined', requeue: true, step: 2 } as const;
    await again.actor.matchUpdate({ ...found, ...back });
    expect(lobbyOf(again)).toMatchObject(SEARCHES);
    await again.pass(30_000);
    expect(lobbyOf(again)).toMatchObject(AWAY);
  });

  // shows: D50b
  it('leaves after as long as its config says, and never where that is 0', async () => {
    const soon = await searching({ queuePresenceSeconds: 5 });
    hangUp(soon);
    await soon.pass(5_000);
    expect(lobbyOf(soon)).toMatchObject(AWAY);
    const never = await searching({ queuePresenceSeconds: 0 });
    hangUp(never);
    await never.pass(3_000_000);
    expect(lobbyOf(never)).toMatchObject(SEARCHES);
  });
});

// shows: D50c
it('a queued party that never had a stream is not judged', async () => {
  const alone = await party();
  await enter(alone);
  alone.restart();
  await alone.actor.read(ann);
  await alone.pass(3_000_000);
  expect(lobbyOf(alone)).toMatchObject(SEARCHES);
});
