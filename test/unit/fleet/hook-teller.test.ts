// Calls to a project's receiver: few at a time, and the others wait for their turn, which a call that ends gives them.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { hookTeller } from '../../../src/fleet/hook';

const SECRET = 's'.repeat(32);
const AT_ONCE = 32;
const IN_LINE = 256;

function receiver(answers: (call: number) => Promise<unknown>) {
  const seen = { calls: 0, now: 0, most: 0, bodies: [] as unknown[] };
  const fetch = async (_: string, { body }: RequestInit): Promise<Response> => {
    seen.calls += 1;
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await answers(seen.calls);
    seen.now -= 1;
    seen.bodies.push(body);
    return new Response(null, { status: 204 });
  };
  return { seen, fetch };
}

/** A receiver that answers a call when it is told to, on a clock of its own. */
function slow(name: string) {
  let now = 0;
  const open: (() => void)[] = [];
  const { seen, fetch } = receiver(() => new Promise<void>((resolve) => open.push(resolve)));
  const tell = hookTeller(fetch, { now: () => now });
  return {
    seen,
    call: (project: string, body: string): Promise<void> =>
      tell({ url: `https://${name}.test/`, secret: SECRET }, body, project),
    /** Resolves when so many calls have reached the receiver. */
    reached: (calls: number): Promise<void> =>
      vi.waitUntil(() => seen.calls >= calls, { timeout: 20_000, interval: 1 }).then(() => {}),
    /** Answers all calls, until these are over. */
    answerAll: async (all: readonly Promise<void>[]): Promise<void> => {
      const answering = setInterval(() => open.splice(0).forEach((resolve) => resolve()), 1);
      await Promise.all(all).finally(() => clearInterval(answering));
    },
    pass: (ms: number): void => {
      now += ms;
    },
  };
}

it('a backlog reaches a receiver that is well, at most 32 events at a time', async () => {
  const { seen, fetch } = receiver(() => sleep(10));
  const tell = hookTeller(fetch);
  const hook = { url: 'https://backlog.test/', secret: SECRET };
  const all = Array.from({ length: 200 }, (_, at) => tell(hook, String(at), 'p'));
  expect((await Promise.allSettled(all)).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect([seen.most, new Set(seen.bodies).size]).toEqual([AT_ONCE, 200]);
});

it('a receiver that hangs holds up no other', async () => {
  const over = Promise.withResolvers<void>();
  const hanging = receiver(() => over.promise);
  const hang = { url: 'https://hangs.test/', secret: SECRET };
  const waiting = Array.from({ length: 64 }, () => hookTeller(hanging.fetch)(hang, '', 'p'));
  const { seen, fetch } = receiver(async () => undefined);
  await hookTeller(fetch)({ ...hang, url: 'https://well.test/' }, 'first', 'p');
  expect([seen.bodies, hanging.seen.bodies]).toEqual([['first'], []]);
  over.resolve();
  await Promise.all(waiting);
});

describe('those who wait for a receiver that hangs', () => {
  it('set no timers', async () => {
    const { call, answerAll, reached } = slow('no-timers');
    const all = Array.from({ length: AT_ONCE }, () => call('p', ''));
    await reached(AT_ONCE);
    const timers = vi.spyOn(globalThis, 'setTimeout');
    all.push(...Array.from({ length: AT_ONCE }, () => call('p', '')));
    await Promise.resolve();
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
    await answerAll(all);
  });

  it('are so many of a project, and no more; another project still has its places', async () => {
    const { call, answerAll } = slow('bounded');
    const all = Array.from({ length: AT_ONCE + IN_LINE }, () => call('loud', ''));
    await expect(call('loud', '')).rejects.toThrow('too many');
    await answerAll([...all, call('quiet', '')]);
  });

  it('take turns by project', async () => {
    const { call, seen, answerAll, reached } = slow('turns');
    const all = Array.from({ length: AT_ONCE + 100 }, () => call('loud', 'loud'));
    all.push(call('quiet', 'quiet'), call('quiet', 'quiet'));
    await reached(AT_ONCE);
    await answerAll(all);
    // They came last of 134.
    expect(seen.bodies.lastIndexOf('quiet')).toBeLessThan(AT_ONCE * 2 + 4);
  });

  it('are refused once it is too late for them, and not told', async () => {
    const { call, seen, answerAll, pass } = slow('late');
    const first = Array.from({ length: AT_ONCE }, () => call('p', 'first'));
    const isRefused = expect(call('p', 'late')).rejects.toThrow('its turn');
    pass(9_000);
    await answerAll(first);
    await isRefused;
    expect(seen.bodies).not.toContain('late');
  });
});

it('nobody waits where no caller can wake another: a call without a slot is made again later', async () => {
  const over = Promise.withResolvers<void>();
  const tell = hookTeller(receiver(() => over.promise).fetch, { waits: false });
  const hook = { url: 'https://edge.test/', secret: SECRET };
  const all = Array.from({ length: AT_ONCE }, () => tell(hook, '', 'p'));
  await expect(tell(hook, '', 'p')).rejects.toThrow('too many');
  over.resolve();
  await Promise.all(all);
  await tell(hook, '', 'p');
});

it('slots of objects that were evicted in mid-fetch are free again after a deadline', async () => {
  // A call of an evicted object never ends: neither its fetch nor its `finally` runs.
  const { call, answerAll, reached, pass } = slow('evicted');
  for (let lost = 0; lost < AT_ONCE; lost += 1) {
    void call('p', 'lost');
  }
  await reached(AT_ONCE);
  pass(6_000);
  const told = call('p', 'told');
  await reached(AT_ONCE + 1);
  await answerAll([told]);
});
