// The figures of a queue after it slept or was restarted: what ended still counts, as often as /metrics has it, and
// nobody who has left still waits.

import { beforeEach, describe, expect, it } from 'vitest';
import type { TicketId } from '../../../../src/common/ids';
import { metrics } from '../../../../src/common/metrics';
import { STEP_MS } from '../../../../src/objects/contracts/reports';
import { mode, ticket } from '../../../match/support/make';
import { entry, NOW, rowsOf, wake, type Woken } from '../../../support/waking-queue';

const TIMEOUT_MS = 600_000;
const MODE = mode({ timeout: 600, rules: [{ type: 'equals', field: 'name' }] });

/** What /metrics has counted in this process. */
function counted(name: string): number {
  const series = metrics.text(() => true).matchAll(new RegExp(`^${name}\\{.*\\} (\\d+)$`, 'gm'));
  return Array.from(series, ([, count]) => Number(count)).reduce((sum, each) => sum + each, 0);
}

let before = 0;
beforeEach(() => {
  before = counted('muster_searches_ended_total');
});

const ROW_LENGTH = 4_096;

/** Six lobbies that no rule lets match. What they do next fills the row of the journal, or leaves room in it. */
async function sixSearch(woken: Woken, isFull: boolean): Promise<readonly TicketId[]> {
  const { queue } = woken;
  const ids: TicketId[] = [];
  for (let index = 0; index < 6; index += 1) {
    const { length } = (await queue.journal(null)).text;
    const left = ROW_LENGTH - 100 - (length * 6) / 5;
    const note = 'x'.repeat(isFull && index === 5 ? left : 0);
    const one = ticket(`t${index}`, { at: NOW, state: { name: `n${index}`, note } });
    await queue.enter(entry(one, MODE));
    ids.push(one.id);
  }
  await woken.pass(2_000);
  return ids;
}

function isRowFull({ saved }: Woken): boolean {
  const { text } = saved.get('journal:0') as { readonly text: string };
  return text.length >= ROW_LENGTH && !saved.has('journal:1');
}

/** The same queue in a new object, once so much time has passed since NOW. */
function wakeAgain({ saved }: Woken, ms: number): Woken {
  const woken = wake(saved);
  woken.stall(ms);
  return woken;
}

async function timeOut(woken: Woken): Promise<void> {
  await woken.pass(TIMEOUT_MS);
  await woken.queue.alarm();
  await woken.settle();
  await woken.pass(2_000);
  expect(woken.returned).toHaveLength(6);
}

async function ended({ queue }: Woken) {
  const { points } = await queue.trends(1);
  const sum = (of: 'ended' | 'unmatched'): number =>
    points.reduce((total, point) => total + point[of], 0);
  return { ended: sum('ended'), unmatched: sum('unmatched') };
}

/** How many wait in the steps after the first, up to twenty minutes later. */
const later = async ({ queue }: Woken): Promise<readonly number[]> =>
  (await queue.trends(1)).points.filter(({ at }) => at > NOW).map(({ queued }) => queued);

describe.each([
  ['full', true],
  ['not full', false],
])('where the last row of the journal is %s', (_, isFull) => {
  it.each([
    ['at once', TIMEOUT_MS + 5_000],
    ['a minute later', TIMEOUT_MS + 65_000],
    ['some steps later', TIMEOUT_MS + 4 * STEP_MS],
  ])('searches that timed out are counted by a queue that wakes %s', async (__, ms) => {
    const first = wake(rowsOf(MODE, []));
    await sixSearch(first, isFull);
    await timeOut(first);
    expect(isRowFull(first)).toBe(isFull);
    expect(await ended(first)).toEqual({ ended: 6, unmatched: 6 });
    const second = wakeAgain(first, ms);
    expect(await ended(second)).toEqual({ ended: 6, unmatched: 6 });
    // It sleeps again, with one search more.
    await second.queue.enter(entry(ticket('late', { at: NOW + ms }), MODE));
    await second.queue.leave('late' as TicketId);
    await second.pass(2_000);
    const third = wakeAgain(second, ms + 10_000);
    expect(await ended(third)).toEqual({ ended: 7, unmatched: 7 });
    expect(counted('muster_searches_ended_total') - before).toBe(7);
  });

  it('nobody waits any more in the steps after', async () => {
    const first = wake(rowsOf(MODE, []));
    await sixSearch(first, isFull);
    await timeOut(first);
    expect(isRowFull(first)).toBe(isFull);
    const second = wakeAgain(first, 5 * STEP_MS);
    // They waited through the second step, and for four seconds of the third.
    expect(await later(second)).toEqual([6, 0.1]);
    await second.queue.enter(entry(ticket('late', { at: NOW + 5 * STEP_MS }), MODE));
    await second.queue.leave('late' as TicketId);
    await second.pass(2_000);
    expect(await later(wakeAgain(second, 6 * STEP_MS))).toEqual([6, 0.1, 0]);
  });

  it('nobody waits in them after a crash that lost the last second either', async () => {
    const first = wake(rowsOf(MODE, []));
    for (const id of await sixSearch(first, isFull)) {
      await first.queue.leave(id);
    }
    const second = wakeAgain(first, 4 * STEP_MS);
    expect(await later(second)).toEqual([]);
    await second.queue.enter(entry(ticket('late', { at: NOW + 4 * STEP_MS }), MODE));
    await second.pass(2_000);
    // The new one waits for one second of the two since then.
    expect(await later(second)).toEqual([0.5]);
  });

  it('those who wait on are seen in each step', async () => {
    const first = wake(rowsOf(MODE, []));
    await sixSearch(first, isFull);
    expect(await later(wakeAgain(first, 3.5 * STEP_MS))).toEqual([6, 6, 6]);
  });
});
