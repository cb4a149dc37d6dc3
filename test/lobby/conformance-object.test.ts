// What a lobby object does by itself as time passes and memory is lost: its listeners, the ring of
// missed updates, and views and deadlines after a restart.

import { describe, expect, it } from 'vitest';
import type { InstanceId, MatchId, PlayerId, TicketId } from '../../src/common/ids';
import type { Lobby } from '../../src/lobby/lobby';
import { type PartySnapshot, membersOf } from '../../src/objects/contracts/party';
import { gameLimitOf } from '../../src/objects/placement/env';
import { Alone, eventsOf, timesOf } from '../support/alone';
import { matchUpdate, mode } from '../support/lobbies';

const ann = 'ann' as PlayerId;
const modes = { duel: mode({ timeout: 3_600 }) };

function ticketOf(alone: Alone): TicketId {
  const head = alone.saved.get('lobby') as Lobby | undefined;
  return head?.search?.ticketId as TicketId;
}

async function queued(patch = {}): Promise<Alone> {
  const alone = new Alone({ matchmaking: { modes }, ...patch });
  await alone.found('ann');
  await alone.actor.execute({ type: 'enter', player: ann, mode: 'duel' });
  return alone;
}

describe('a lobby whose players listen', () => {
  it('tells the statistics of its queue once on entering, and has no timer and no question for them', async () => {
    const alone = new Alone({ matchmaking: { modes } });
    await alone.found('ann');
    const heard = await alone.listen('ann');
    const from = alone.now;
    await alone.actor.execute({ type: 'enter', player: ann, mode: 'duel' });
    await alone.pass(60_000);
    expect(timesOf(heard, 'queue_stats', from)).toEqual([0]);
    expect(alone.statsAsked).toBe(0);
  });

  it('leaves nothing pending once it is idle: it could not sleep', async () => {
    const alone = new Alone({ matchmaking: { modes }, heartbeat: true });
    await alone.found('ann');
    await alone.join('bob');
    await alone.listen('ann');
    await alone.listen('bob');
    await alone.actor.execute({ type: 'enter', player: ann, mode: 'duel' }, true);
    await alone.actor.execute({ type: 'cancel', player: ann }, true);
    await alone.actor.execute({ type: 'enter', player: ann, mode: 'duel' });
    // As long as a stream may be quiet (decision 39).
    await alone.pass(3_000);
    expect(alone.timers).toBe(0);
  });

  it('finds them again when it has slept, and tells them the next change', async () => {
    const alone = new Alone();
    await alone.found('ann');
    await alone.join('bob');
    const [first, second] = [await alone.listen('ann'), await alone.listen('bob')];
    await alone.pass(60_000);
    alone.sleep();
    await alone.actor.execute({ type: 'settings', player: ann, patch: { name: 'Lair' } });
    expect([first, second].map((heard) => eventsOf(heard).at(-1))).toEqual(
      Array(2).fill('lobby_updated'),
    );
  });

  it.each(['awake', 'asleep'])(
    'removes those that fall silent, found out while it is %s',
    async (how) => {
      const alone = new Alone({ heartbeat: true, heartbeatTimeout: 30 });
      await alone.found('ann');
      await alone.join('bob');
      await alone.listen('ann');
      await alone.listen('bob');
      await alone.pass(120_000);
      if (how === 'asleep') {
        alone.sleep();
      }
      alone.hangUp('bob');
      await alone.pass(29_000);
      const players = async (): Promise<readonly string[]> => {
        const reply = await alone.actor.read(ann);
        return reply.ok ? reply.value.lobby.players.map(({ id }) => id) : [];
      };
      expect(await players()).toEqual(['ann', 'bob']);
      await alone.pass(2_000);
      expect(await players()).toEqual(['ann']);
    },
  );
});

it.each(['opens its stream again', 'asks for its lobby'])(
  'removes who does not come back after a crash, however often it sleeps meanwhile, when another %s',
  async (how) => {
    const alone = new Alone({ timeout: 86_400, heartbeat: true, heartbeatTimeout: 30 });
    await alone.found('ann');
    await alone.join('bob');
    await alone.listen('ann');
    await alone.listen('bob');
    await alone.pass(120_000);
    alone.restart();
    if (how === 'opens its stream again') {
      await alone.listen('ann');
    }
    const players = async (): Promise<readonly string[]> => {
      const reply = await alone.actor.read(ann);
      return reply.ok ? reply.value.lobby.players.map(({ id }) => id) : [];
    };
    // It is out of memory again before whatever comes next.
    for (let seconds = 0; seconds < 28; seconds += 4) {
      expect(await players()).toEqual(['ann', 'bob']);
      alone.sleep();
      await alone.pass(4_000);
    }
    for (let seconds = 28; seconds < 36; seconds += 4) {
      alone.sleep();
      await alone.pass(4_000);
      await players();
    }
    expect(await players()).toEqual(['ann']);
  },
);

describe('resuming', () => {
  const rename = (alone: Alone, name: string) =>
    alone.actor.execute({ type: 'settings', player: ann, patch: { name } });

  // shows: D24c
  it('brings what was missed in order, then connected', async () => {
    const alone = new Alone();
    await alone.found('ann');
    for (const name of ['b', 'c', 'd']) {
      await rename(alone, name);
    }
    const heard = await alone.listen('ann', 2);
    expect(eventsOf(heard)).toEqual(['lobby_updated', 'lobby_updated', 'connected']);
    const ids = heard.texts.flatMap(({ text }) => text.match(/^id: \d+$/gm));
    expect(ids).toEqual(['id: 3', 'id: 4', 'id: 4']);
  });

  // shows: D24b
  it.each([
    ['a revision too old for the ring', 1],
    ['a revision the lobby has not reached', 900],
    ['the newest revision', 41],
  ])('from %s is connected in full and nothing else', async (_, last) => {
    const alone = new Alone();
    await alone.found('ann');
    for (let index = 0; index < 40; index += 1) {
      await rename(alone, `n${index}`);
    }
    expect(eventsOf(await alone.listen('ann', last))).toEqual(['connected']);
  });

  it('after a restart of the object is connected in full', async () => {
    const alone = new Alone();
    await alone.found('ann');
    await rename(alone, 'b');
    await rename(alone, 'c');
    alone.restart();
    expect(eventsOf(await alone.listen('ann', 1))).toEqual(['connected']);
  });
});

it('a lobby whose match was never opened lets go of its hold, and tells the queue its ticket again', async () => {
  const alone = await queued();
  const ticketId = ticketOf(alone);
  await alone.actor.hold({ ticketId, matchId: 'm-1' as MatchId, seq: 1 });
  expect(alone.entered).toBe(1);
  await alone.pass(11_000);
  expect(alone.entered).toBe(2);
  expect((alone.saved.get('lobby') as Lobby).search?.hold).toBeNull();
});

describe('after a restart', () => {
  // shows: S37
  it('an update of the match shows the properties of the config', async () => {
    const alone = await queued({ customProperties: { season: 7 } });
    const ticketId = ticketOf(alone);
    const matchId = 'm-1' as MatchId;
    await alone.actor.hold({ ticketId, matchId, seq: 1 });
    alone.restart();
    await alone.actor.matchUpdate(
      matchUpdate({ ticketId, matchId, instanceId: 's' as InstanceId }),
    );
    await alone.pass(2_000);
    expect(alone.rows.at(-1)?.view).toMatchObject({
      status: 'matched',
      customProperties: { season: 7 },
    });
  });

  it('a lobby back from its game is deleted when it is idle, and not later', async () => {
    const alone = await queued();
    const ids = { ticketId: ticketOf(alone), matchId: 'm-1' as MatchId };
    await alone.actor.hold({ ...ids, seq: 1 });
    await alone.actor.matchUpdate(matchUpdate({ ...ids, phase: 'in_game', step: 2 }));
    await alone.pass(400_000);
    alone.restart();
    await alone.actor.matchUpdate(
      matchUpdate({ ...ids, phase: 'returned', reason: 'game_ended', step: 3 }),
    );
    await alone.pass(299_999);
    expect(alone.saved.has('lobby')).toBe(true);
    await alone.pass(2);
    expect(alone.saved.has('lobby')).toBe(false);
  });
});

describe('an old game', () => {
  // shows: D18b
  it('is cleaned up after the time the deployment sets, and not before', async () => {
    const alone = new Alone({ matchmaking: { modes } }, 60_000);
    await alone.found('ann');
    await alone.actor.execute({ type: 'enter', player: ann, mode: 'duel' });
    const ids = { ticketId: ticketOf(alone), matchId: 'm-1' as MatchId };
    await alone.actor.hold({ ...ids, seq: 1 });
    await alone.actor.matchUpdate(matchUpdate({ ...ids, phase: 'in_game' }));
    await alone.pass(59_999);
    expect(alone.saved.has('lobby')).toBe(true);
    await alone.pass(2);
    expect(alone.saved.has('lobby')).toBe(false);
  });

  // shows: D18b
  it.each([
    [undefined, 7_200_000],
    ['', 7_200_000],
    ['-1', 7_200_000],
    ['never', 7_200_000],
    ['90', 90_000],
  ])('with GAME_LIMIT_SECONDS %j may last %i ms', (setting, ms) => {
    expect(gameLimitOf(setting === undefined ? {} : { GAME_LIMIT_SECONDS: setting })).toBe(ms);
  });
});

describe('a search that ends by itself', () => {
  // shows: D17b
  it('leaves the lobby its idle timeout to decide what to do', async () => {
    const alone = await queued();
    await alone.pass(1_000_000);
    await alone.actor.returned(ticketOf(alone), 'timeout');
    await alone.pass(299_999);
    expect((await alone.actor.read(ann)).ok).toBe(true);
    await alone.pass(2);
    expect((await alone.actor.read(ann)).ok).toBe(false);
  });
});

describe('a lobby that holds for a match', () => {
  const party = { duel: mode({ excludedFromQueue: ['spectator'] }) };
  const large = { role: ['spectator'], text: 'x'.repeat(15_000) };

  /** Ann plays, with so many others who watch. */
  async function held(watching: number): Promise<PartySnapshot['players']> {
    const alone = new Alone({ matchmaking: { modes: party } });
    await alone.found('ann', { maxPlayers: 100, state: { mmr: 1, text: large.text } });
    for (let index = 0; index < watching; index += 1) {
      await alone.join(`s${index}`);
      const player = `s${index}` as PlayerId;
      const state = { ...large, index };
      const reply = await alone.actor.execute({ type: 'patch_state', player, state });
      expect(reply.ok).toBe(true);
    }
    const queued = await alone.actor.execute({ type: 'enter', player: ann, mode: 'duel' });
    expect(queued.ok).toBe(true);
    const request = { ticketId: ticketOf(alone), matchId: 'match-1' as MatchId, seq: 1 };
    const reply = await alone.actor.hold(request);
    return reply.held ? reply.party.players : [];
  }

  it('brings the state of everybody, as long as those who only watch have little', async () => {
    const players = await held(2);
    expect(players.map(({ state }) => state?.['text'])).toEqual(Array(3).fill(large.text));
  });

  it('brings the role alone of those who watch and have more: a hundred such lobbies fit in a call', async () => {
    const players = await held(28);
    expect(players[0]?.state).toEqual({ mmr: 1, text: large.text });
    expect(players).toHaveLength(29);
    for (const { state } of players.slice(3)) {
      expect(state).toEqual({ role: 'spectator' });
    }
    expect(membersOf(players, party.duel)).toEqual(['ann']);
    expect(JSON.stringify(players).length).toBeLessThan(16 * 1024 + 32 * 1024 + 100 * 200);
  });
});
