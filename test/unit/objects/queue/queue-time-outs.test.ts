// A queue that was down, or stood still, past the time-out of its lobbies: whoever gave up comes back
// and plays no match (decision 44).

import { describe, expect, it } from 'vitest';
import type { TicketId } from '../../../../src/common/ids';
import type { Mode } from '../../../../src/match/rules/mode';
import { mode, ticket } from '../../../match/support/make';
import { entry, gapsIn, NOW, rowsOf, wake, type Woken } from '../../../support/waking-queue';

const MINUTE = mode({ timeout: 60 });
const WIDENING: Mode = {
  ...MINUTE,
  rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }],
};

const played = ({ opened }: Woken): readonly string[] =>
  opened.flatMap(({ parties }) => parties.map(({ ticketId }) => ticketId));

describe('a queue that was down for 62 s', () => {
  it('gives back who gave up, and matches the others', async () => {
    const tickets = Array.from({ length: 400 }, (_, at) =>
      ticket(`t${String(at).padStart(3, '0')}`, { at: NOW - 66_000 + 20 * at }),
    );
    const ids = tickets.map(({ id }) => id);
    const woken = wake(rowsOf(MINUTE, tickets), 128);
    await woken.settle();
    expect(new Set(woken.returned)).toEqual(new Set(ids.slice(0, 301)));
    expect(new Set(played(woken))).toEqual(new Set(ids.slice(301, 399)));
  });
});

describe('a queue that stood still for 62 s', () => {
  it('gives both back whom a rule would have brought together meanwhile', async () => {
    const woken = wake(rowsOf(WIDENING, []));
    for (const [id, mmr] of [
      ['a', 1000],
      ['b', 1150],
    ] as const) {
      await woken.queue.enter(entry(ticket(id, { at: NOW, state: { mmr } }), WIDENING));
    }
    woken.stall(62_000);
    await woken.queue.alarm();
    await woken.settle();
    expect([played(woken), woken.returned]).toEqual([[], ['a', 'b']]);
    // The journal is written with the next save.
    await woken.queue.leave('nobody' as TicketId);
    await woken.settle();
    expect(await gapsIn(woken)).toEqual([0, 0]);
  });
});

describe('a lobby that enters a ticket again whose time is over', () => {
  it('is told once, and not asked again without end', async () => {
    const late = ticket('late', { at: NOW - 62_000 });
    const woken = wake(rowsOf(MINUTE, [ticket('other', { at: NOW })]));
    await woken.settle();
    const before = woken.refreshed.length;
    for (let time = 0; time < 5; time += 1) {
      await woken.queue.enter(entry(late, MINUTE));
      await woken.settle();
    }
    expect([...new Set(woken.returned)]).toEqual(['late']);
    expect(woken.refreshed.length - before).toBeLessThanOrEqual(1);
  });
});
