// Decision 57: silence counts only where somebody could have been heard; and then it still counts, on time.

import { describe, expect, it } from 'vitest';
import type { PlayerId } from '../../src/common/ids';
import type { LobbyConfig } from '../../src/lobby/config';
import { Alone } from '../support/alone';
import { mode } from '../support/lobbies';

const BEATS = { heartbeat: true, heartbeatTimeout: 30 } as const;
const modes = { duel: mode({ timeout: 3_600, playersPerTeam: 50, maxPartySize: 50 }) };
const ids = (alone: Alone): readonly string[] =>
  (alone.saved.get('lobby') as { players?: string[] } | undefined)?.players ?? [];
const playerOf = (name: string): PlayerId => name as PlayerId;

/** How a player shows that it is there. */
const SIGNS = {
  streams: async () => {},
  polls: (alone: Alone, name: string) => alone.actor.read(playerOf(name)),
  beats: (alone: Alone, name: string) =>
    alone.actor.execute({ type: 'heartbeat', player: playerOf(name) }),
  patches: (alone: Alone, name: string) =>
    alone.actor.execute({ type: 'patch_state', player: playerOf(name), state: { at: alone.now } }),
  'is refused': (alone: Alone, name: string) =>
    alone.actor.execute({ type: 'kick', player: playerOf(name), target: playerOf('nobody') }),
  'joins again': (alone: Alone, name: string) => alone.join(name),
} as const;
type Sign = keyof typeof SIGNS;
const ALL = Object.keys(SIGNS) as Sign[];

/** One player for each sign, and one who only came; each has just given its sign. */
async function lobby(patch: Partial<LobbyConfig> = {}): Promise<Alone> {
  const alone = new Alone({ timeout: 86_400, matchmaking: { modes }, ...patch });
  await alone.found(ALL[0] ?? '', { maxPlayers: 100 });
  for (const name of [...ALL.slice(1), 'silent']) {
    await alone.join(name);
  }
  await alone.listen('streams');
  return alone;
}

/** So many seconds pass, and every player but the silent one gives its sign every other second. */
async function lives(alone: Alone, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 2) {
    await alone.pass(2_000);
    for (const sign of ALL) {
      await SIGNS[sign](alone, sign);
    }
  }
}

/** The service is away: nothing runs, and its alarm fires once it is back. */
async function isAway(alone: Alone, seconds: number): Promise<void> {
  const { alarmAt } = alone;
  alone.alarmAt = null;
  await alone.pass(seconds * 1_000);
  alone.restart();
  alone.alarmAt = alarmAt === null ? null : Math.max(alarmAt, alone.now + 1);
  await alone.pass(100);
}

/** Its process stands still: all comes late, and nothing is forgotten. */
async function isPaused(alone: Alone, seconds: number): Promise<void> {
  const { alarmAt } = alone;
  alone.alarmAt = null;
  await alone.pass(seconds * 1_000);
  alone.alarmAt = alarmAt === null ? null : Math.max(alarmAt, alone.now + 1);
  await alone.pass(100);
}

/** It is away, and the stream comes back within a moment. */
async function isBack(alone: Alone, seconds: number): Promise<void> {
  await isAway(alone, seconds);
  await alone.listen('streams');
}

async function saves(alone: Alone, patch: Partial<LobbyConfig>): Promise<void> {
  alone.config = { ...alone.config, ...patch, revision: alone.config.revision + 1 };
}

const EVERYBODY = [...ALL, 'silent'];

describe('every request of a member', () => {
  it.each(['awake', 'often asleep'])('is a sign of life, and silence is none: %s', async (how) => {
    const alone = await lobby(BEATS);
    for (let seconds = 0; seconds < 28; seconds += 2) {
      await lives(alone, 2);
      if (how === 'often asleep') {
        alone.sleep();
      }
    }
    expect(ids(alone)).toEqual(EVERYBODY);
    await lives(alone, 4);
    expect(ids(alone)).toEqual(ALL);
    await lives(alone, 600);
    expect(ids(alone)).toEqual(ALL);
  });

  it('is saved once a second at most, and not at all where heartbeats do not count', async () => {
    const alone = await lobby();
    const before = new Map([...alone.saved].map(([key, row]) => [key, structuredClone(row)]));
    for (const sign of ['polls', 'is refused', 'joins again'] as const) {
      await alone.pass(5_000);
      await SIGNS[sign](alone, sign);
    }
    expect([...alone.saved]).toEqual([...before]);
    const counted = await lobby(BEATS);
    await counted.pass(500);
    const row = structuredClone(counted.saved.get('player:polls'));
    await SIGNS.polls(counted, 'polls');
    expect(counted.saved.get('player:polls')).toEqual(row);
  });
});

describe('everybody\u2019s time begins anew', () => {
  it('when heartbeats are turned on, awake or asleep, and silence counts from then', async () => {
    for (const how of ['awake', 'asleep']) {
      const alone = await lobby();
      await lives(alone, 300);
      await saves(alone, BEATS);
      if (how === 'asleep') {
        alone.sleep();
      }
      // The first of them asks: who asks later must not be out by then.
      await SIGNS.polls(alone, 'polls');
      await alone.pass(1_000);
      expect(ids(alone)).toEqual(EVERYBODY);
      await lives(alone, 28);
      expect(ids(alone)).toEqual(EVERYBODY);
      await lives(alone, 4);
      expect(ids(alone)).toEqual(ALL);
    }
  });

  it('when they were turned off in between', async () => {
    const alone = await lobby(BEATS);
    await lives(alone, 20);
    await saves(alone, { heartbeat: false });
    await lives(alone, 300);
    await saves(alone, { heartbeat: true });
    await lives(alone, 28);
    expect(ids(alone)).toEqual(EVERYBODY);
    await lives(alone, 4);
    expect(ids(alone)).toEqual(ALL);
  });

  it('when the timeout gets shorter, and not when it gets longer', async () => {
    const alone = await lobby({ ...BEATS, heartbeatTimeout: 600 });
    await lives(alone, 100);
    await saves(alone, { heartbeatTimeout: 30 });
    await lives(alone, 20);
    await saves(alone, { heartbeatTimeout: 40 });
    await lives(alone, 18);
    expect(ids(alone)).toEqual(EVERYBODY);
    await lives(alone, 4);
    expect(ids(alone)).toEqual(ALL);
  });

  it('when it gets shorter again, after it was longer for a while', async () => {
    const alone = await lobby(BEATS);
    await saves(alone, { heartbeatTimeout: 600 });
    await lives(alone, 100);
    await saves(alone, { heartbeatTimeout: 30 });
    await lives(alone, 28);
    expect(ids(alone)).toEqual(EVERYBODY);
    await lives(alone, 4);
    expect(ids(alone)).toEqual(ALL);
  });

  it.each([32, 40, 600])('when the service was away for %i s', async (seconds) => {
    const alone = await lobby(BEATS);
    await lives(alone, 10);
    await isBack(alone, seconds);
    expect(ids(alone)).toEqual(EVERYBODY);
    await lives(alone, 28);
    expect(ids(alone)).toEqual(EVERYBODY);
    await lives(alone, 4);
    expect(ids(alone)).toEqual(ALL);
    // Again and again, and only where it is away.
    await isBack(alone, seconds);
    await lives(alone, 60);
    expect(ids(alone)).toEqual(ALL);
  });

  it('when a box was away, however short, and everybody but the silent was heard just before', async () => {
    const alone = await lobby(BEATS);
    await lives(alone, 28);
    alone.upSince = alone.now + 4_000;
    await isBack(alone, 4);
    await alone.pass(20_000);
    expect(ids(alone)).toEqual(EVERYBODY);
    await lives(alone, 12);
    expect(ids(alone)).toEqual(ALL);
  });

  it.each([36, 45, 100])(
    'when a process was paused for %i s, and its memory with it',
    async (seconds) => {
      const alone = await lobby(BEATS);
      await lives(alone, 10);
      await isPaused(alone, seconds);
      await lives(alone, 28);
      expect(ids(alone)).toEqual(EVERYBODY);
      await lives(alone, 4);
      expect(ids(alone)).toEqual(ALL);
    },
  );

  it('and a timer that is two seconds late begins nothing anew', async () => {
    const alone = await lobby(BEATS);
    await lives(alone, 10);
    await isPaused(alone, 22);
    expect(ids(alone)).toEqual(ALL);
  });

  it('for the last player of a lobby too', async () => {
    const alone = new Alone({ timeout: 86_400, ...BEATS });
    await alone.found('ann');
    await isAway(alone, 3_600);
    expect(ids(alone)).toEqual(['ann']);
    await alone.pass(29_000);
    expect(ids(alone)).toEqual(['ann']);
    await alone.pass(1_000);
    expect(ids(alone)).toEqual([]);
  });
});

it.each([
  [isAway, 32],
  [isAway, 36],
  [isAway, 100],
  [isPaused, 36],
  [isPaused, 50],
])(
  'a queued party that is absent has its time anew too when the service %o for %i s',
  async (is, seconds) => {
    const alone = await lobby();
    await alone.actor.execute({ type: 'enter', player: playerOf('streams'), mode: 'duel' });
    alone.hangUp('streams');
    await SIGNS.polls(alone, 'polls');
    await is(alone, seconds);
    await alone.pass(29_000);
    expect(alone.saved.get('lobby')).toMatchObject({ status: 'in_queue' });
    await alone.pass(1_100);
    expect(alone.saved.get('lobby')).toMatchObject({
      status: 'waiting',
      returned: { reason: 'away' },
    });
  },
);
