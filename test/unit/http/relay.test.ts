// What the relay does for a client while the object that speaks may sleep: signs of life, pings, the
// statistics of a queue, and the watch for clients that vanish or stall.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LobbyId } from '../../../src/common/ids';
import { later } from '../../../src/common/later';
import { FAREWELLS, message, readHeard, written, type Message } from '../../../src/common/line';
import { takePlace } from '../../../src/http/gate/rates';
import { held } from '../../../src/http/stream/client';
import { SSE_COMMENT } from '../../../src/common/sse';
import type { Env } from '../../../src/objects/placement/env';
import { line, relayed, relayedIn, Spoken } from '../../support/relayed';

const L = 'l' as LobbyId;
const STATS = { playersSearching: 1, lobbiesInQueue: 1, avgWaitSeconds: 0 };

function shown(id: number, queue: string | null = null, filler = ''): Message {
  return message('lobby_updated', { revision: id, filler }, { id, queue });
}

function connected(id: number, queue: string | null = null): Message {
  return { ...shown(id, queue), event: 'connected' };
}

interface Client {
  readonly texts: { readonly at: number; readonly text: string }[];
  ended: boolean;
  leave(): Promise<void>;
  read(): Promise<void>;
}

/** `reads` false: nothing is taken until `read`. */
async function client(
  spoken: Spoken,
  reads = true,
  asked = { count: 0, newer: spoken },
): Promise<Client> {
  const { response } = await relayed({
    where: [L],
    watch: () => new Spoken(),
    lobby: [() => ({ ok: true, value: spoken }), () => ({ ok: true, value: asked.newer })],
    stats: async () => {
      asked.count += 1;
      return STATS;
    },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const texts: { at: number; text: string }[] = [];
  const decoder = new TextDecoder();
  const read = async (): Promise<void> => {
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          break;
        }
        texts.push({ at: Date.now(), text: decoder.decode(value) });
      }
    } catch {
      // Cut off.
    }
    it.ended = true;
  };
  const it: Client = { texts, ended: false, leave: () => reader.cancel(), read };
  if (reads) {
    void read();
  }
  await settled();
  return it;
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

function timesOf({ texts }: Client, event: string, from: number): readonly number[] {
  return texts.filter(({ text }) => text.includes(`event: ${event}\n`)).map(({ at }) => at - from);
}

function eventsOf({ texts }: Client): readonly string[] {
  return texts.flatMap(({ text }) =>
    [...text.matchAll(/^event: (.*)$/gm)].map(([, name = '']) => name),
  );
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('what is said on a line', () => {
  // shows: D24a
  it('comes through a text as it was, whatever names and players hold', () => {
    const all = [shown(3, 'a mode\n"x"', 'Caf\u00e9 \u2028'), message('ping', null), ...FAREWELLS];
    expect(all.map((each) => readHeard(written(each)))).toEqual(all);
    expect(readHeard('something of a later version')).toBeNull();
  });
});

describe('queue_stats', () => {
  // shows: S106, S207, S241, D26a
  it.each([0, 2_500, 6_000, 9_900])(
    'come at once, then each 10 s, though the stream opened %i ms before queueing',
    async (before) => {
      const spoken = line(connected(1));
      const heard = await client(spoken);
      await vi.advanceTimersByTimeAsync(before);
      const from = Date.now();
      spoken.say(shown(2, 'duel'));
      spoken.say(message('queue_stats', STATS));
      await vi.advanceTimersByTimeAsync(60_000);
      expect(timesOf(heard, 'queue_stats', from)).toEqual([
        0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000,
      ]);
      spoken.say(shown(3));
      const told = timesOf(heard, 'queue_stats', from).length;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(timesOf(heard, 'queue_stats', from)).toHaveLength(told);
      await heard.leave();
    },
  );

  // shows: D26a
  it('go on each 10 s for a stream opened while queued, and after a restart', async () => {
    for (const how of ['opened', 'restarted']) {
      const heard = await client(line(connected(1, 'duel')));
      const from = Date.now();
      await vi.advanceTimersByTimeAsync(25_000);
      expect([how, timesOf(heard, 'queue_stats', from)]).toEqual([how, [0, 10_000, 20_000]]);
      await heard.leave();
    }
  });

  // shows: D26b
  it('are read from the queue about once in ten seconds, however many streams show them', async () => {
    const asked = { count: 0 };
    const shownAt = await fifty(asked);
    expect(shownAt.every((times) => times.length >= 6)).toBe(true);
    expect(asked.count).toBeLessThanOrEqual(8);
  });
});

/** Fifty streams of one queue, for a minute. */
async function fifty(asked: { count: number }): Promise<readonly (readonly number[])[]> {
  const from = Date.now();
  const all = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const { response } = await relayedIn('one-queue', {
        where: [L],
        watch: () => new Spoken(),
        lobby: [() => ({ ok: true, value: line(connected(1, 'duel')) })],
        stats: async () => {
          asked.count += 1;
          return STATS;
        },
      });
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      const times: number[] = [];
      void (async () => {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            return;
          }
          if (new TextDecoder().decode(value).includes('event: queue_stats')) {
            times.push(Date.now() - from);
          }
        }
      })();
      return { reader, times };
    }),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  await Promise.all(all.map(({ reader }) => reader.cancel()));
  return all.map(({ times }) => times);
}

describe('the keep-alive', () => {
  // shows: S203, S209, S242
  it('is a ping each 30 s, whose data is null, to every stream', async () => {
    const from = Date.now();
    const streams = [await client(line(connected(1))), await client(line(connected(1)))];
    await vi.advanceTimersByTimeAsync(95_000);
    for (const heard of streams) {
      expect(timesOf(heard, 'ping', from)).toEqual([30_000, 60_000, 90_000]);
      expect(heard.texts.map(({ text }) => text)).toContain('event: ping\ndata: null\n\n');
      const comments = heard.texts.filter(({ text }) => text === SSE_COMMENT);
      expect(comments.map(({ at }) => at - from)).toEqual([
        10_000, 20_000, 40_000, 50_000, 70_000, 80_000,
      ]);
      await heard.leave();
    }
  });
});

describe('a client that left', () => {
  it('is found out, and its line hung up', async () => {
    const spoken = line(connected(1));
    const heard = await client(spoken);
    expect(spoken.hungUp).toBe(false);
    await heard.leave();
    await settled();
    expect(spoken.hungUp).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('a reader that stalls', () => {
  it('gets all that waited, where that is little', async () => {
    const spoken = line(connected(1));
    const heard = await client(spoken, false);
    for (let id = 2; id <= 9; id += 1) {
      spoken.say(shown(id));
    }
    void heard.read();
    await settled();
    expect(eventsOf(heard)).toEqual(['connected', ...Array<string>(8).fill('lobby_updated')]);
    await heard.leave();
  });

  // shows: D24b
  it('misses updates, and gets the newest state and every reason of an end', async () => {
    const spoken = line(connected(1));
    const newer = line({ ...shown(900, null, 'x'.repeat(12_000)), event: 'connected' });
    const heard = await client(spoken, false, { count: 0, newer });
    for (let id = 2; id <= 900; id += 1) {
      spoken.say(shown(id, null, 'x'.repeat(12_000)));
      if (id === 300) {
        spoken.say(message('matchmaking_timeout', { id: 'l', mode: 'duel', reason: 'declined' }));
      }
    }
    void heard.read();
    await settled();
    const text = heard.texts.map((each) => each.text).join('');
    // The first it gets is `connected`, whatever it missed.
    expect(eventsOf(heard).slice(0, 2)).toEqual(['matchmaking_timeout', 'connected']);
    expect(eventsOf(heard).filter((event) => event === 'connected')).toHaveLength(1);
    expect(/"revision":900,[^\n]*\n\n$/.test(text)).toBe(true);
    expect(text.length).toBeLessThan(80_000);
    expect([spoken.hungUp, newer.hungUp]).toEqual([true, false]);
    await heard.leave();
  });

  it('holds nothing of what it missed, and a large state once with all who share it', async () => {
    const large = { ...shown(1, null, 'x'.repeat(400_000)), event: 'connected' };
    // What files before this one in the same process have left.
    const others = held.characters;
    const all = await Promise.all([1, 2, 3].map(() => client(line(large), false)));
    expect(held.characters - others).toBe(large.data.length);
    for (const heard of all) {
      await heard.leave();
    }
    const spoken = line(connected(1));
    const heard = await client(spoken, false);
    for (let id = 2; id <= 100; id += 1) {
      spoken.say(shown(id, null, 'x'.repeat(12_000)));
    }
    expect(held.characters).toBe(others);
    await heard.leave();
  });

  it('is cut off where too much waits for all together, if it has taken nothing for longest', async () => {
    const state = (id: number): Message => ({
      ...shown(id, null, 'x'.repeat(500_000)),
      event: 'connected',
    });
    const all: Client[] = [];
    for (let id = 1; id <= 80; id += 1) {
      all.push(await client(line(state(id)), false));
    }
    expect(held.characters).toBeLessThanOrEqual(16 * 1024 * 1024);
    all.forEach((heard) => void heard.read());
    await settled();
    const cut = all.map(({ ended }) => ended);
    expect(cut.indexOf(false)).toBeGreaterThan(5);
    expect(cut.lastIndexOf(true)).toBe(cut.indexOf(false) - 1);
    expect(all.slice(-1).map(eventsOf)).toEqual([['connected']]);
    await Promise.all(all.filter(({ ended }) => !ended).map((heard) => heard.leave()));
    expect(held.characters).toBe(0);
  });

  it.each(['reads again', 'leaves'])(
    'keeps its place after it was cut off, until it %s: so long it has a connection',
    async (then) => {
      const asking = { address: `192.0.2.${then.length}` };
      const most = { LIMITS: '{"streams":{"address":1}}' } as Env;
      const { response } = await relayed({
        where: [L],
        watch: () => new Spoken(),
        lobby: [() => ({ ok: true, value: line(shown(1, null, 'x'.repeat(400_000))) })],
        asking,
      });
      await vi.advanceTimersByTimeAsync(90_000);
      expect(held.characters).toBe(0);
      const asker = { asking, env: most, later };
      expect(typeof takePlace('streams', asker)).toBe('object');
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      await (then === 'leaves' ? reader.cancel() : expect(reader.read()).rejects.toThrow('read'));
      const place = takePlace('streams', asker);
      expect(typeof place).toBe('function');
    },
  );

  it('holds little in the runtime, which takes many chunks before it waits', async () => {
    const state = shown(1, null, 'x'.repeat(400_000));
    const heard = await client(line({ ...state, event: 'connected' }));
    await settled();
    const longest = Math.max(...heard.texts.map(({ text }) => text.length));
    expect(longest).toBe(4 * 1024);
    expect(heard.texts.map(({ text }) => text).join('')).toContain(state.data);
    await heard.leave();
  });

  it('is given up after a minute, and its line hung up', async () => {
    const spoken = line(connected(1));
    const heard = await client(spoken, false);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(spoken.hungUp).toBe(false);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(spoken.hungUp).toBe(true);
    void heard.read();
    await settled();
    expect(heard.ended).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('signals', () => {
  const signal = (data: unknown): Message => message('signal', { from: 'bob', data });

  it('come in a burst, in order', async () => {
    const spoken = line(connected(1));
    const heard = await client(spoken, false);
    const all = Array.from({ length: 100 }, (_, count) => `{"from":"bob","data":${count}}`);
    all.forEach((_, count) => spoken.say(signal(count)));
    void heard.read();
    await vi.advanceTimersByTimeAsync(100);
    const texts = heard.texts.map(({ text }) => text).join('');
    expect(Array.from(texts.matchAll(/data: (\{"from.*)/g), ([, data]) => data)).toEqual(all);
    await heard.leave();
  });

  it('are dropped for a client that lags, which is told once', async () => {
    const spoken = line(connected(1));
    const heard = await client(spoken, false);
    for (let count = 0; count < 400; count += 1) {
      spoken.say(signal('x'.repeat(2_000)));
    }
    spoken.say(message('matchmaking_timeout', { reason: 'timeout' }));
    void heard.read();
    await vi.advanceTimersByTimeAsync(100);
    const events = eventsOf(heard);
    expect(events.filter((name) => name === 'signals_lost')).toHaveLength(1);
    expect(events.filter((name) => name === 'signal').length).toBeLessThan(40);
    expect(events).toContain('matchmaking_timeout');
    spoken.say(signal('newest'));
    await vi.advanceTimersByTimeAsync(100);
    expect(heard.texts.at(-1)?.text).toBe(
      'event: signal\ndata: {"from":"bob","data":"newest"}\n\n',
    );
    await heard.leave();
    expect(held.characters).toBe(0);
  });
});
