// A stream ends with the token that opened it, by a clock of the test.

import { describe, expect, it } from 'vitest';
import type { PlayerCall } from '../../../src/http/wire/call';
import { StreamStanding } from '../../../src/http/stream/standing';
import type { Clock } from '../../../src/common/later';
import type { LobbyId } from '../../../src/common/ids';
import { message } from '../../../src/common/line';
import { SSE_EXPIRED } from '../../../src/common/sse';
import { relayed, Spoken } from '../../support/relayed';

class HandClock implements Clock {
  at = 1_000_000;
  readonly waits: number[] = [];
  #timers: { readonly at: number; readonly run: () => void }[] = [];

  now(): number {
    return this.at;
  }

  later(ms: number, run: () => void): () => void {
    this.waits.push(ms);
    const timer = { at: this.at + ms, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  get open(): number {
    return this.#timers.length;
  }

  /** Runs what is due on the way, each at its time. */
  to(at: number): void {
    for (;;) {
      const due = this.#timers.filter((timer) => timer.at <= at).toSorted((a, b) => a.at - b.at)[0];
      if (due === undefined) {
        break;
      }
      this.#timers = this.#timers.filter((each) => each !== due);
      this.at = Math.max(this.at, due.at);
      due.run();
    }
    this.at = at;
  }
}

const L = 'l' as LobbyId;

function expiry(playerUntil: number | null, clock: Clock): StreamStanding {
  return new StreamStanding({ playerUntil } as PlayerCall, clock);
}

describe('the end of a token', () => {
  it('comes at its time, and not a millisecond before', () => {
    const clock = new HandClock();
    let over = 0;
    expiry(clock.at + 5_000, clock).whenOver(() => (over += 1));
    clock.to(clock.at + 4_999);
    expect(over).toBe(0);
    clock.to(clock.at + 1);
    expect(over).toBe(1);
  });

  it('may be further away than any timer waits', () => {
    const clock = new HandClock();
    const begun = clock.at;
    const year = 365 * 86_400_000;
    let overAt = 0;
    expiry(begun + year, clock).whenOver(() => (overAt = clock.at));
    clock.to(begun + 2 * year);
    expect(Math.max(...clock.waits)).toBeLessThan(2 ** 31);
    expect(overAt).toBe(begun + year);
  });

  it('is told at once to who asks late, and never to who has gone', () => {
    const clock = new HandClock();
    const late = expiry(clock.at - 1, clock);
    let told = 0;
    late.whenOver(() => (told += 1));
    expect(told).toBe(1);
    late.forget();
    const gone = expiry(clock.at + 10, clock);
    gone.whenOver(() => (told += 1));
    gone.forget();
    clock.to(clock.at + 100);
    expect(told).toBe(1);
    expect(expiry(null, clock).isOver).toBe(false);
  });
});

describe('a stream', () => {
  it('ends with the token, after all that was said, and its actor hears of it', async () => {
    const clock = new HandClock();
    const spoken = new Spoken(message('connected', { revision: 1 }, { id: 1 }));
    const { response } = await relayed({
      where: [L],
      watch: () => new Spoken(),
      lobby: [() => ({ ok: true, value: spoken })],
      until: clock.at + 60_000,
      clock,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const next = async (): Promise<string | null> => {
      const { done, value } = await reader.read();
      return done ? null : new TextDecoder().decode(value);
    };
    expect(await next()).toContain('event: connected');
    clock.to(clock.at + 59_999);
    spoken.say(message('lobby_updated', { revision: 2 }, { id: 2 }));
    expect(await next()).toContain('event: lobby_updated');
    expect(spoken.hungUp).toBe(false);
    clock.to(clock.at + 1);
    expect(await next()).toBe(SSE_EXPIRED);
    expect(await next()).toBeNull();
    expect(spoken.hungUp).toBe(true);
    expect(clock.open).toBe(0);
  });

  it('that its client leaves waits for no end', async () => {
    const clock = new HandClock();
    const { response } = await relayed({
      where: [L],
      watch: () => new Spoken(),
      lobby: [() => ({ ok: true, value: new Spoken() })],
      until: clock.at + 60_000,
      clock,
    });
    await new Promise((resume) => setTimeout(resume));
    expect(clock.open).toBe(1);
    await response.body?.cancel();
    await expect.poll(() => clock.open).toBe(0);
  });
});
