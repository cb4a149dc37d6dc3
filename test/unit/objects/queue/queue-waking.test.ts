// A queue that wakes with many tickets reads them in slices. What comes meanwhile is served at once, and no
// match forms before all are read.

import { describe, expect, it } from 'vitest';
import type { LobbyId, TicketId } from '../../../../src/common/ids';
import type { TicketRow } from '../../../../src/objects/contracts/queue';
import { ticket } from '../../../match/support/make';
import { random } from '../../../match/support/random';
import {
  APART,
  DUEL,
  entry,
  gapsIn,
  NOW,
  rowsOf,
  waiting,
  wake,
} from '../../../support/waking-queue';

describe('a queue that wakes with many tickets', () => {
  it('answers when the first rows are read, and says how far it is', async () => {
    const woken = wake(rowsOf(DUEL, waiting(41)));
    const { reading } = await woken.queue.report(null);
    expect(reading).toEqual({ step: 'reading', done: 4, of: null });
    const told = await woken.queue.report('t0041' as TicketId);
    expect(told.unfinished).toBe('still reading its saved lobbies: 4 so far');
    expect(told.explanation).toMatchObject({ isLookedFor: true, unfinished: told.unfinished });
    // Also to a lobby whose row is not read.
    expect((await woken.queue.shown(['lobby-t0039' as LobbyId])).waits[0]).toMatchObject({
      because: 'the queue is still reading its saved lobbies: 5 so far',
    });
    const stats = await woken.queue.enter(entry(ticket('z', { at: NOW }), DUEL));
    expect(stats.lobbiesInQueue).toBe(6);
    expect((await woken.queue.report('t0041' as TicketId)).explanation?.ticketId).toBe('t0041');
    expect(await woken.wakeUp()).toBeGreaterThan(10);
  });

  it('forms no match before all is read, and then those who wait longest come first', async () => {
    const tickets = waiting(41);
    const woken = wake(rowsOf(DUEL, tickets));
    while ((await woken.queue.report(null)).reading !== null) {
      expect(woken.opened).toEqual([]);
      woken.slice();
      await Promise.resolve();
    }
    await woken.settle();
    const pairs = woken.opened.map(({ parties }) => parties.map(({ ticketId }) => ticketId).join());
    const expected = Array.from({ length: 20 }, (_, index) =>
      tickets
        .slice(2 * index, 2 * index + 2)
        .map(({ id }) => id)
        .join(),
    );
    expect(new Set(pairs)).toEqual(new Set(expected));
    expect(pairs).toHaveLength(20);
  });

  it('keeps what comes, leaves and changes while half is read', async () => {
    const tickets = waiting(40, (index) => ({ name: index }));
    for (let at = 0; at <= 24; at += 1) {
      const woken = wake(rowsOf(APART, tickets));
      const { queue } = woken;
      for (let slices = 0; slices < at; slices += 1) {
        woken.slice();
      }
      const [read, unread] = [tickets[39], tickets[0]];
      // Each of these two becomes like the one who comes.
      for (const one of [read, unread]) {
        if (one !== undefined) {
          await queue.enter(entry({ ...one, state: { name: `of ${one.id}` } }, APART, 2));
          await queue.enter(
            entry(ticket(`for ${one.id}`, { at: NOW, state: { name: `of ${one.id}` } }), APART),
          );
        }
      }
      await queue.leave('t0020' as TicketId);
      await queue.enter(entry(ticket('brief', { at: NOW, state: { name: 1 } }), APART));
      await queue.leave('brief' as TicketId);
      // A stale word changes nothing.
      await queue.enter(entry(tickets[5] ?? ticket('none'), APART, 1));
      await woken.wakeUp();
      await woken.settle();
      const made = woken.opened.map(({ parties }) => parties.map(({ ticketId }) => ticketId));
      expect(made.map((ids) => ids.toSorted().join('+')).toSorted()).toEqual([
        'for t0001+t0001',
        'for t0040+t0040',
      ]);
      expect((await queue.stats()).lobbiesInQueue).toBe(37);
      const left = [...woken.saved.keys()].filter((key) => key.startsWith('ticket:'));
      expect(left).toHaveLength(37);
    }
  });

  it('works by a mode that changes while half is read, and asks every lobby', async () => {
    const tickets = waiting(40, (index) => ({ name: index }));
    for (let at = 0; at <= 24; at += 2) {
      const woken = wake(rowsOf(APART, tickets));
      for (let slices = 0; slices < at; slices += 1) {
        woken.slice();
      }
      const changed = woken.queue.modeChanged(DUEL, 2);
      await woken.queue.enter(entry(ticket('late', { at: NOW, state: { name: 1 } }), APART));
      await woken.settle();
      await changed;
      await woken.settle();
      expect(woken.refreshed.filter((id) => id !== 'late')).toHaveLength(40);
      expect(woken.opened).toHaveLength(20);
      const matched = woken.opened.flatMap(({ parties }) =>
        parties.map(({ ticketId }) => ticketId),
      );
      expect(new Set(matched).size).toBe(40);
    }
  });

  it('works by a newer mode that a lobby brings', async () => {
    for (let at = 0; at <= 24; at += 2) {
      const woken = wake(
        rowsOf(
          APART,
          waiting(40, (index) => ({ name: index })),
        ),
      );
      for (let slices = 0; slices < at; slices += 1) {
        woken.slice();
      }
      await woken.queue.enter(entry(ticket('late', { at: NOW }), DUEL, 1, 2));
      await woken.wakeUp();
      await woken.settle();
      expect(woken.opened).toHaveLength(20);
    }
  });

  it('gives all back when the mode goes while half is read', async () => {
    const woken = wake(
      rowsOf(
        APART,
        waiting(40, (index) => ({ name: index })),
      ),
    );
    woken.slice();
    const gone = woken.queue.modeChanged(null, 2);
    await woken.settle();
    await gone;
    await woken.settle();
    expect(woken.returned).toHaveLength(40);
  });

  it('begins anew when it dies midway', async () => {
    const first = wake(rowsOf(DUEL, waiting(40)));
    first.slice();
    await first.queue.leave('t0001' as TicketId);
    await first.queue.leave('t0040' as TicketId);
    const second = wake(new Map(first.saved));
    await second.wakeUp();
    await second.settle();
    const matched = second.opened.flatMap(({ parties }) => parties.map(({ ticketId }) => ticketId));
    expect(new Set(matched).size).toBe(38);
    expect(matched).toHaveLength(38);
  });

  it('has a journal that gives the same matches when it is played again', async () => {
    const chance = random(3);
    let saved = new Map<string, unknown>();
    let came = 0;
    const known: TicketId[] = [];
    for (let life = 0; life < 6; life += 1) {
      const woken = wake(saved, 3);
      for (let step = 0; step < 60; step += 1) {
        const dice = chance.below(10);
        const id = known[chance.below(known.length + 1)];
        if (dice < 7 || id === undefined) {
          came += 1;
          const one = ticket(`n${chance.below(1_000_000)}`, {
            at: NOW - 1000 + came,
            state: { name: chance.below(60) },
          });
          known.push(one.id);
          await woken.queue.enter(entry(one, APART));
        } else if (dice < 9) {
          await woken.queue.leave(id);
        } else {
          const row = woken.saved.get(`ticket:${id}`) as TicketRow | undefined;
          if (row !== undefined) {
            const changed = { ...row.ticket, state: { name: chance.below(60) } };
            await woken.queue.enter(entry(changed, APART, row.revision + 1));
          }
        }
        if (chance.chance(0.3)) {
          woken.slice();
        }
      }
      await woken.settle();
      await woken.wakeUp();
      await woken.settle();
      await woken.queue.alarm();
      // The journal is written a second later.
      await woken.pass(1_000);
      saved = new Map(woken.saved);
      if (life === 5) {
        expect(woken.opened.length).toBeGreaterThan(5);
        expect(await gapsIn(woken)).toEqual([0, 0]);
      }
    }
  });
});
