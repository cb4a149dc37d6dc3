// Who waits for the changes of a queue wakes for a change, and for nothing else.

import { expect, it } from 'vitest';
import type { TicketId } from '../../../../src/common/ids';
import { TicketFeed } from '../../../../src/objects/queue/feed';
import type { SavedTickets } from '../../../../src/objects/queue/tickets';
import { fakePorts } from '../../../fleet/ports.ts';

it('a reader that waits is woken by news alone, and leaves no timer', async () => {
  const place = fakePorts({
    name: 'q',
    document: { revision: 0, configs: {}, builds: {} },
  });
  const { ports } = place;
  let timers = 0;
  const later: typeof ports.later = (ms, run) => {
    timers += 1;
    const cancel = ports.later(ms, run);
    return () => {
      timers -= 1;
      cancel();
    };
  };
  const tickets = { byWait: [], byId: new Map(), get: () => undefined } as unknown as SavedTickets;
  const feed = new TicketFeed({ ...ports, later }, tickets);
  const { next } = await feed.read('', 0);
  const pages: unknown[] = [];
  const reading = feed.read(next, 20_000).then((page) => pages.push(page));
  feed.tell();
  await place.pass(10);
  expect([pages.length, timers]).toEqual([0, 1]);
  feed.note('t' as TicketId);
  feed.tell();
  await reading;
  expect(pages).toMatchObject([{ gone: ['t'], isWhole: false }]);
  expect(timers).toBe(0);
});
