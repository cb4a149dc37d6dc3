// What waits while a client handles an answer, and when it is said (decision 39).

import { describe, expect, it } from 'vitest';
import type { LobbyId, PlayerId } from '../../src/common/ids';
import { parseConfig, type LobbyConfig } from '../../src/lobby/config';
import type { Command } from '../../src/lobby/command';
import { Alone, eventsOf, type Heard, timesOf } from '../support/alone';

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

describe('the stream of a caller who applies answers blindly', () => {
  // shows: D39
  it('is quiet until 100 ms after the answer has left', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    await alone.actor.execute(patch(1), true);
    await alone.pass(250);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([]);
    await answerLeaves(alone);
    await alone.pass(99);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([]);
    await alone.pass(1);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([350]);
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
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([140]);
  });

  it('says each status of the meantime once, and none that the answer has shown', async () => {
    const { alone, heard } = await streaming();
    await alone.actor.execute(QUEUE, true);
    await answerLeaves(alone);
    await alone.actor.execute({ type: 'cancel', player: ann });
    await alone.actor.execute(patch(2));
    await alone.actor.execute(patch(3));
    await alone.pass(100);
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
    await alone.found('ann', { blind: true });
    const from = alone.now;
    const heard = await alone.listen('ann');
    await alone.actor.execute(QUEUE);
    await answerLeaves(alone);
    await alone.pass(100);
    expect(timesOf(heard, 'connected', from)).toEqual([100]);
    expect(eventsOf(heard).filter((event) => event !== 'queue_stats')).toEqual([
      'connected',
      'lobby_updated',
    ]);
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
    await alone.pass(100);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([600]);
  });

  // shows: D39
  it('are each followed by 100 ms of quiet, however many they are', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    for (let mark = 0; mark < 50; mark += 1) {
      await alone.actor.execute(patch(mark), true);
      await answerLeaves(alone);
      await alone.pass(90);
    }
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([]);
    await alone.pass(10);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([4_510]);
  });

  it('need not all be told of: a later one stands for those that went astray', async () => {
    const { alone, heard } = await streaming();
    const from = alone.now;
    await alone.actor.execute(patch(1), true);
    await alone.pass(50);
    await alone.actor.execute(patch(2), true);
    await answerLeaves(alone);
    await alone.pass(100);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([150]);
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
    await alone.pass(100);
    expect(timesOf(heard, 'lobby_updated', from)).toEqual([350]);
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
