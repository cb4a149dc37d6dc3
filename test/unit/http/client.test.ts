// A client's end of its stream, with a carrier that never says that its client has read.

import { describe, expect, it } from 'vitest';
import { message } from '../../../src/common/line';
import { Client, held, type Carrier } from '../../../src/http/stream/client';

const state = (): ReturnType<typeof message> =>
  message('connected', { filler: 'x'.repeat(500_000) });

/** `touched`: what was done to the connection. `beat` runs what waits for the next beat. */
class Stalled implements Carrier {
  readonly touched: string[] = [];
  readonly over = Promise.resolve();
  beat: () => void = () => {};
  readonly client = new Client(this, (_ms, run) => {
    this.beat = run;
    return () => {};
  });

  open(): void {}
  drop(): void {}
  put(): void {
    this.touched.push('put');
  }
  end(): void {
    this.touched.push('end');
  }
  cut(): void {
    this.touched.push('cut');
  }
}

describe('a client whose messages are dropped for others', () => {
  it('has its connection touched at its own next beat, not while another is told something', () => {
    const first = new Stalled();
    first.client.say(state());
    const others = Array.from({ length: 40 }, () => new Stalled());
    others.forEach(({ client }) => client.say(state()));
    expect(held.characters).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(first.touched).toEqual([]);
    const kept = held.characters;
    first.client.say(state());
    expect(held.characters).toBe(kept);

    first.beat();
    expect(first.touched).toEqual(['cut']);
    expect(first.client.gone).toBe(true);
    others.forEach(({ client }) => client.cut());
    expect(held.characters).toBe(0);
  });
});
