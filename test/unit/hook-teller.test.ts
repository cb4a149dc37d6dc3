// Calls to a project's receiver: few at a time, and the others wait for their turn.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { hookTeller } from '../../src/fleet/hook';

function receiver(answers: () => Promise<unknown>) {
  const seen = { now: 0, most: 0, bodies: [] as unknown[] };
  const fetch = async (_: string, { body }: RequestInit): Promise<Response> => {
    seen.now += 1;
    seen.most = Math.max(seen.most, seen.now);
    await answers();
    seen.now -= 1;
    seen.bodies.push(body);
    return new Response(null, { status: 204 });
  };
  return { seen, fetch };
}

it('a backlog reaches a receiver that is well, at most 32 events at a time', async () => {
  const { seen, fetch } = receiver(() => sleep(10));
  const tell = hookTeller(fetch);
  const hook = { url: 'https://backlog.test/', secret: 's'.repeat(32) };
  const all = Array.from({ length: 200 }, (_, at) => tell(hook, String(at)));
  expect((await Promise.allSettled(all)).every(({ status }) => status === 'fulfilled')).toBe(true);
  expect([seen.most, new Set(seen.bodies).size]).toEqual([32, 200]);
});

it('a receiver that hangs holds up no other', async () => {
  const over = Promise.withResolvers<void>();
  const slow = receiver(() => over.promise);
  const hang = { url: 'https://hangs.test/', secret: 's'.repeat(32) };
  const waiting = Array.from({ length: 64 }, () => hookTeller(slow.fetch)(hang, ''));
  const { seen, fetch } = receiver(async () => undefined);
  await hookTeller(fetch)({ ...hang, url: 'https://well.test/' }, 'first');
  expect([seen.bodies, slow.seen.bodies]).toEqual([['first'], []]);
  over.resolve();
  await Promise.all(waiting);
});
