// What waits while a client handles an answer, and when it is said (decision 39).

import { describe, expect, it } from 'vitest';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../src/common/ids';
import { parseConfig, type LobbyConfig } from '../../src/lobby/config';
import type { Command } from '../../src/lobby/command';
import type { Lobby } from '../../src/lobby/lobby';
import { Alone, eventsOf, type Heard, timesOf } from '../support/alone';
import { matchUpdate } from '../support/lobbies';

const ann = 'ann' as PlayerId;
const bob = 'bob' as PlayerId;
const QUEUE: Command = { type: 'enter', player: ann, mode: 'duel' };

function configured(body: object = { matchmaking: { modes: { duel: {} } } }): LobbyConfig {
  const parsed = parseConfig('arena', body);
  if (!parsed.ok) {
    throw new Error('the config is wrong');
  }
  return { ...parsed.value, id: 'c-1', revision: 1 };
}

/** Tells the lobby that the answer which shows it as it now is leaves. */
async function answerLeaves({ actor }: Alone): Promise<void> {
  const reply = await actor.read(ann);
  await actor.answered(ann, reply.ok ? reply.value.lobby.revision : 0);
}

async function streaming(): Promise<{ readonly alone: Alone; readonly heard: Heard }> {
  const alone = new Alone(configured());
  await alone.found('ann');
  const heard = await alone.listen('ann');
  return { alone, heard };
}

function patch(mark: number): Command {
  return { type: 'patch_state', player: ann, state: { mark } };
}

function statusesIn(heard: Heard): readonly unknown[] {
  return heard.texts.flatMap(({ text }) =>
    [...text.matchAll(/^event: lobby_updated\n.*\ndata: (.*)$/gm)].map(
      ([, data = '']) => (JSON.parse(data) as { status: string }).status,
    ),
  );
}

describe('the stream of a caller who applies answers isSdkly', () => {
  // shows: D39
  it('is quiet until 400 ms after the answer has left', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    await alone.actor.execute(patch(1), true);
    await alone.pass(250);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([]);
    await answerLeaves(alone);
    await alone.pass(399);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([]);
    await alone.pass(1);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([650]);
  });

  it('is quiet from when the request is begun, though another one is decided before it', async () => {
    const { alone, heard } = await streaming();
    await alone.join('bob');
    const before = heard.texts.length;
    await Promise.all([
      alone.actor.execute({ type: 'patch_state', player: bob, state: { older: true } }),
      alone.actor.execute(patch(1), true),
    ]);
    expect(heard.texts).toHaveLength(before);
  });

  it('tells the relay of each answer that shows the lobby', async () => {
    const { alone, heard } = await streaming();
    const replies = [
      await alone.actor.execute(patch(1), true),
      await alone.actor.execute({ type: 'cancel', player: ann }, true),
      await alone.actor.read(ann, true),
      await alone.actor.execute(patch(2)),
    ];
    expect(heard.answers).toEqual([2, 2]);
    expect(replies.map((reply) => reply.ok && reply.value.isQuiet)).toEqual([
      true,
      false,
      true,
      undefined,
    ]);
  });

  it('is quiet for longer by what the service is behind', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    const patched = await alone.actor.execute(patch(1), true);
    await alone.actor.answered(ann, patched.ok ? (patched.value.lobby?.revision ?? 0) : 0, 40);
    await alone.pass(1_000);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([440]);
  });

  it('says each status of the meantime once, and none that the answer has shown', async () => {
    const { alone, heard } = await streaming();
    await alone.actor.execute(QUEUE, true);
    await answerLeaves(alone);
    await alone.actor.execute({ type: 'cancel', player: ann });
    await alone.actor.execute(patch(2));
    await alone.actor.execute(patch(3));
    await alone.pass(400);
    expect(statusesIn(heard)).toEqual(['waiting']);
    expect(eventsOf(heard)).toEqual([
      'connected',
      'queue_stats',
      'matchmaking_timeout',
      'lobby_updated',
    ]);
    expect(heard.texts.at(-1)?.text).toContain('"mark":3');
  });

  it('says the last words and nothing older, and goes back to the seat, only then', async () => {
    const { alone, heard } = await streaming();
    await alone.actor.execute(patch(1), true);
    await alone.actor.adminDelete('alone', 'arena');
    expect(heard.closed).toBe(false);
    await answerLeaves(alone);
    await alone.pass(3_000);
    expect(eventsOf(heard)).toEqual(['connected', 'lobby_deleted']);
    expect([heard.texts.at(-1)?.text, heard.closed]).toEqual(['bye left', true]);
  });

  it('speaks after three seconds though it never hears that the answer left', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    await alone.actor.execute(patch(1), true);
    await alone.pass(5_000);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([3_000]);
    await alone.actor.execute(patch(2));
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([3_000, 5_000]);
  });

  it('opens quietly: it connects once the answer to joining is handled', async () => {
    const alone = new Alone(configured());
    await alone.found('ann', { isSdk: true });
    const from = alone.now;
    const heard = await alone.listen('ann');
    await alone.actor.execute(QUEUE);
    await answerLeaves(alone);
    await alone.pass(400);
    expect(timesOf(heard, 'connected', from)).toEqual([400]);
    expect(eventsOf(heard).filter((event) => event !== 'queue_stats')).toEqual(['connected']);
  });

  // shows: D64
  it('connects by the newest state, after each status that the answer has not shown', async () => {
    const alone = new Alone(
      configured({ matchmaking: { modes: { duel: { playersPerTeam: 2 } } } }),
    );
    await alone.found('ann', { isSdk: true });
    await alone.join('bob');
    const heard = await alone.listen('ann');
    const started = await alone.actor.execute(patch(1), true);
    await alone.actor.execute({ type: 'patch_state', player: bob, state: { mark: 2 } });
    await alone.actor.answered(ann, started.ok ? (started.value.lobby?.revision ?? 0) : 0);
    await alone.actor.execute(QUEUE);
    await alone.actor.execute({ type: 'patch_state', player: bob, state: { mark: 3 } });
    await alone.pass(400);
    expect(statesIn(heard)).toEqual(['lobby_updated 4 waiting', 'connected 6 in_queue']);
  });

  it('speaks at once after a refusal, which shows no lobby', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    const refused = await alone.actor.execute({ type: 'cancel', player: ann }, true);
    expect(refused.ok).toBe(false);
    await alone.actor.execute(patch(1));
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([0]);
  });
});

const LEAVE: Command = { type: 'leave', player: ann };
const CANCEL: Command = { type: 'cancel', player: ann };

/** Each state that was said, and the words to the relay that an answer may leave. */
function statesIn(heard: Heard): readonly string[] {
  return heard.texts.flatMap(({ text }) =>
    [...text.matchAll(/^event: (connected|lobby_updated)\n.*\ndata: (.*)$/gm)].map(
      ([, event, data = '']) => {
        const { revision, status } = JSON.parse(data) as { revision: number; status: string };
        return `${event} ${revision} ${status}`;
      },
    ),
  );
}

describe('a player who leaves', () => {
  // shows: D64
  it('hears nothing of the lobby that comes meanwhile, and the stream goes back to the seat', async () => {
    const { alone, heard } = await streaming();
    await alone.join('bob');
    const before = heard.texts.length;
    const [, left] = await Promise.all([
      alone.actor.execute({ type: 'patch_state', player: bob, state: { older: true } }),
      alone.actor.execute(LEAVE, true),
    ]);
    await alone.actor.execute({ type: 'patch_state', player: bob, state: { newer: true } });
    await alone.pass(5_000);
    expect(heard.texts.slice(before).map(({ text }) => text)).toEqual(['bye left']);
    expect(left.ok && left.value.isQuiet).toBe(true);
  });

  it('hears nothing of it either that had waited for an earlier answer', async () => {
    const { alone, heard } = await streaming();
    await alone.join('bob');
    const before = heard.texts.length;
    await alone.actor.execute(patch(1), true);
    await alone.actor.execute(QUEUE, true);
    await alone.actor.execute(CANCEL);
    await alone.actor.execute(patch(2), true);
    await alone.actor.execute(LEAVE, true);
    await alone.pass(5_000);
    expect(heard.texts.slice(before).map(({ text }) => text)).toEqual(['bye left']);
  });

  // shows: D64
  it('goes once a read is handled that would show the lobby again', async () => {
    const { alone, heard } = await streaming();
    await alone.join('bob');
    const before = heard.texts.length;
    const read = await alone.actor.read(ann, true);
    await alone.pass(10);
    await alone.actor.execute(LEAVE, true);
    await alone.actor.execute({ type: 'patch_state', player: bob, state: {} });
    await alone.pass(20);
    expect(heard.texts).toHaveLength(before);
    await alone.actor.answered(ann, read.ok ? read.value.lobby.revision : 0);
    await alone.pass(399);
    expect(heard.texts).toHaveLength(before);
    await alone.pass(1);
    const said = heard.texts.slice(before).map(({ text }) => text);
    expect([said, heard.closed]).toEqual([['bye left'], true]);
  });

  it('last of all, hears of the deletion once the answer is handled', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    const left = await alone.actor.execute(LEAVE, true);
    expect([heard.answers.length, heard.closed, eventsOf(heard)]).toEqual([
      1,
      false,
      ['connected'],
    ]);
    await alone.pass(50);
    await alone.actor.answered(ann, heard.answers[0] ?? 0);
    await alone.pass(399);
    expect(heard.closed).toBe(false);
    await alone.pass(1);
    expect(timesOf(heard, 'lobby_deleted', from)).toEqual([450]);
    expect([heard.texts.at(-1)?.text, heard.closed]).toEqual(['bye left', true]);
    expect(left).toMatchObject({ ok: true, value: { lobby: null, isQuiet: true } });
  });

  it('hears the events that waited, if the lobby does not let the player go', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    await alone.join('bob');
    const other = await alone.listen('bob');
    const stranger: Command = { type: 'leave', player: 'cat' as PlayerId };
    expect((await alone.actor.execute(stranger, true)).ok).toBe(false);
    await alone.actor.execute(patch(1));
    expect([heard, other].map((each) => timesOf(each, 'lobby_updated', from))).toEqual([
      [0, 0],
      [0],
    ]);
  });

  it('under /v3, hears of the deletion at once', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    await alone.actor.execute(LEAVE);
    expect(timesOf(heard, 'lobby_deleted', from)).toEqual([0]);
  });
});

describe('a change of status', () => {
  /** Ann has just had an answer, which shows her lobby in the queue. */
  async function queued(): Promise<{ readonly alone: Alone; readonly heard: Heard }> {
    const { alone, heard } = await streaming();
    await alone.actor.execute(QUEUE, true);
    await answerLeaves(alone);
    await alone.pass(80);
    return { alone, heard };
  }

  /** Both happen while the client handles that answer. */
  async function comesBackAndQueues(alone: Alone): Promise<void> {
    await alone.actor.execute(CANCEL);
    await alone.actor.execute(QUEUE);
  }

  // shows: D64
  it('is said before an answer that would swallow it, once the answer before is handled', async () => {
    const { alone, heard } = await queued();
    await comesBackAndQueues(alone);
    const answers = heard.answers.length;
    await alone.actor.execute(patch(1), true);
    await alone.pass(319);
    expect([statesIn(heard), heard.answers.length]).toEqual([['connected 1 waiting'], answers]);
    await alone.pass(1);
    expect([statesIn(heard).slice(1), heard.answers.slice(answers)]).toEqual([
      ['lobby_updated 3 waiting'],
      [5],
    ]);
    await alone.actor.answered(ann, 5);
    await alone.pass(400);
    expect(statesIn(heard).slice(2)).toEqual(['lobby_updated 5 in_queue']);
  });

  it('is said at once before the answer, if no other answer has left lately', async () => {
    const { alone, heard } = await queued();
    await alone.pass(400);
    const before = statesIn(heard).length;
    const { length: answers } = heard.answers;
    const { search } = alone.saved.get('lobby') as Lobby;
    const ids = { ticketId: search?.ticketId as TicketId, matchId: 'm-1' as MatchId };
    await alone.actor.hold({ ...ids, seq: 1 });
    const patched = alone.actor.execute(patch(1), true);
    const played = matchUpdate({ ...ids, phase: 'in_game', step: 2 });
    void alone.actor.matchUpdate(played);
    void alone.actor.matchUpdate({ ...played, phase: 'returned', reason: 'game_ended', step: 3 });
    expect(await patched).toMatchObject({ value: { lobby: { status: 'waiting' } } });
    const states = statesIn(heard).slice(before);
    expect(states.map((state) => state.split(' ').at(-1))).toEqual(['matched', 'in_game']);
    expect(heard.answers.slice(answers)).toHaveLength(1);
  });

  // shows: D64
  it.each([20, 80, 95, 150])(
    'reaches who writes each %i ms, and each status once',
    async (everyMs) => {
      const { alone, heard } = await queued();
      const seen: string[] = [];
      const marks = (): number => heard.answers.length;
      for (let mark = 0; mark < 100; mark += 1) {
        if (mark % 10 === 5) {
          await comesBackAndQueues(alone);
        }
        const before = marks();
        const reply = await alone.actor.execute(patch(mark), true);
        // The Worker lets the answer go when its mark has come.
        while (marks() === before) {
          await alone.pass(1);
        }
        seen.push(...statesIn(heard).slice(seen.length));
        await alone.actor.answered(ann, reply.ok ? (reply.value.lobby?.revision ?? 0) : 0);
        await alone.pass(everyMs);
      }
      const waits = statesIn(heard).filter((state) => state.endsWith(' waiting'));
      expect(waits).toHaveLength(1 + 10);
    },
  );

  it('that the answer shows delays it not, nor does a change of anything else', async () => {
    const { alone, heard } = await queued();
    const { length: answers } = heard.answers;
    await alone.actor.execute({ type: 'settings', player: ann, patch: { name: 'Lair' } });
    await alone.actor.execute(patch(1), true);
    await alone.actor.execute(CANCEL, true);
    expect(heard.answers.slice(answers)).toHaveLength(2);
    expect(statesIn(heard)).toEqual(['connected 1 waiting']);
  });

  it('is said even where the answer did not wait for it', async () => {
    const { alone, heard } = await queued();
    await comesBackAndQueues(alone);
    await alone.actor.execute(patch(1), true);
    await alone.actor.answered(ann, 5);
    expect(statesIn(heard).slice(1)).toEqual(['lobby_updated 3 waiting']);
  });

  it('lets all answers that wait for it go in their order', async () => {
    const { alone, heard } = await queued();
    await comesBackAndQueues(alone);
    const { length: answers } = heard.answers;
    await alone.actor.execute(patch(1), true);
    await alone.actor.execute(patch(2), true);
    await alone.actor.execute(CANCEL);
    await alone.actor.execute(QUEUE);
    await alone.actor.execute(patch(3), true);
    await alone.pass(320);
    expect([statesIn(heard).slice(1), heard.answers.slice(answers)]).toEqual([
      ['lobby_updated 3 waiting'],
      [5, 6],
    ]);
    await alone.actor.answered(ann, 6);
    await alone.pass(400);
    expect([statesIn(heard).slice(2), heard.answers.slice(answers)]).toEqual([
      ['lobby_updated 7 waiting'],
      [5, 6, 9],
    ]);
  });
});

describe('several answers to one player', () => {
  it('are each waited for: that an older one has left ends nothing', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    const patched = await alone.actor.execute(patch(1), true);
    const revision = patched.ok ? (patched.value.lobby?.revision ?? 0) : 0;
    await alone.actor.answered(ann, revision - 1);
    await alone.pass(500);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([]);
    await alone.actor.answered(ann, revision);
    await alone.pass(400);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([900]);
  });

  // shows: D39
  it('are each followed by 400 ms of quiet, however many they are', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    for (let mark = 0; mark < 50; mark += 1) {
      await alone.actor.execute(patch(mark), true);
      await answerLeaves(alone);
      await alone.pass(390);
    }
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([]);
    await alone.pass(10);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([19_510]);
  });

  it('need not all be told of: a later one stands for those that went astray', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    await alone.actor.execute(patch(1), true);
    await alone.pass(50);
    await alone.actor.execute(patch(2), true);
    await answerLeaves(alone);
    await alone.pass(400);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([450]);
  });

  // shows: D39
  it('include one that only reads, where there is a stream to be quiet', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    const reply = await alone.actor.read(ann, true);
    expect(reply).toMatchObject({ ok: true, value: { isQuiet: true } });
    await alone.actor.execute(patch(1));
    await alone.pass(250);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([]);
    await alone.actor.answered(ann, reply.ok ? reply.value.lobby.revision : 0);
    await alone.pass(400);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([650]);
    const silent = new Alone(configured());
    await silent.found('ann');
    const polled = await silent.actor.read(ann, true);
    expect(polled.ok && polled.value.isQuiet).toBeUndefined();
  });
});

describe('nobody else waits', () => {
  it('neither the other players, nor a caller who orders by revision', async () => {
    const { alone, heard } = await streaming();
    await alone.join('bob');
    const other = await alone.listen('bob');
    const from = alone.now;
    await alone.actor.execute(patch(1), true);
    expect([timesOf(other, 'lobby_updated', from), eventsOf(heard)]).toEqual([
      [0],
      ['connected', 'lobby_updated'],
    ]);
    await alone.actor.execute({ type: 'patch_state', player: bob, state: {} });
    expect(timesOf(other, 'lobby_updated', from)).toEqual([0, 0]);
  });
});

describe('reading one\u2019s lobby', () => {
  it('is a sign of life, saved once a second at most', async () => {
    const alone = new Alone(configured({ heartbeat: true, heartbeatTimeout: 15 }));
    await alone.found('ann');
    await alone.join('bob');
    for (let poll = 0; poll < 12; poll += 1) {
      await alone.pass(5_000);
      await alone.actor.read(ann);
    }
    const reply = await alone.actor.read(ann);
    expect(reply.ok && reply.value.lobby.players.map(({ id }) => id)).toEqual(['ann']);
    const before = structuredClone(alone.saved.get('player:ann'));
    await alone.pass(999);
    await alone.actor.read(ann);
    expect(alone.saved.get('player:ann')).toEqual(before);
    await alone.pass(1);
    await alone.actor.read(ann);
    expect(alone.saved.get('player:ann')).not.toEqual(before);
  });

  it('is no activity, and is not saved where heartbeats do not count', async () => {
    const alone = new Alone(configured({ timeout: 60 }));
    await alone.found('ann');
    const before = structuredClone(alone.saved.get('player:ann'));
    for (let poll = 0; poll < 11; poll += 1) {
      await alone.pass(5_000);
      await alone.actor.read(ann);
    }
    expect(alone.saved.get('player:ann')).toEqual(before);
    await alone.pass(5_000);
    expect((await alone.actor.adminRead('alone', 'arena')) === null).toBe(true);
    expect(alone.id).toBe('lobby-1' as LobbyId);
  });
});
