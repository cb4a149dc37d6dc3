// Who is to blame where a client falls back: the service, or the harness that was held up.

import { expect, it } from 'vitest';
import type { Lobby } from '../../scripts/player.ts';
import { Order, type Handling } from './order.ts';

const PATCH = 'PATCH /me';
const EVENT = 'lobby:updated';

/** `at`: between which instants it arrived. */
function handling(from: string, at: readonly [number, number], lateMs: number): Handling {
  return { from, arrival: { earliest: at[0], latest: at[1] }, lateMs };
}

it.each([
  {
    what: 'an event that came before the answer was to be handled',
    newer: handling(EVENT, [120, 121], 0),
    older: handling(PATCH, [100, 101], 80),
    blamed: 'service',
  },
  {
    what: 'an event that came after that',
    newer: handling(EVENT, [200, 201], 0),
    older: handling(PATCH, [100, 101], 80),
    blamed: 'harness',
  },
  {
    what: 'an answer that came before the older one',
    newer: handling(PATCH, [100, 101], 150),
    older: handling(PATCH, [120, 121], 130),
    blamed: 'service',
  },
  {
    what: 'an answer of the same frame that came after the older one, and was read before it',
    newer: handling(PATCH, [130, 167], 83),
    older: handling(PATCH, [119, 120], 130),
    blamed: 'harness',
  },
])('$what is the doing of the $blamed', ({ newer, older, blamed }) => {
  const order = new Order();
  const lobby = { id: 'one', status: 'waiting' } as Lobby;
  order.add({ ...lobby, revision: 34 }, newer);
  order.add({ ...lobby, revision: 33 }, older);
  expect([order.fellBack.length, order.stalled.length]).toEqual(
    blamed === 'service' ? [1, 0] : [0, 1],
  );
});
