import { describe, expect, it, vi } from 'vitest';
import type { TicketId } from '../../../../src/common/ids';
import type { Store } from '../../../../src/objects/kit/ports';
import { queueReport, unfinished, waitBins } from '../../../../src/objects/queue/report';
import type { QueueCore } from '../../../../src/objects/queue/core';
import { QueueState } from '../../../../src/objects/queue/state';
import { WAIT_BINS } from '../../../../src/common/limits';
import { COMPARED, OLDEST } from '../../../../src/objects/contracts/reports';
import type { Ticket } from '../../../../src/match/ticket/ticket';
import { mode, ticket } from '../../../match/support/make';
import { random } from '../../../match/support/random';

const NOW = 1_700_000_000_000;

/** Keeps nothing: the state under test never reads again. */
const FORGETFUL: Store = {
  get: () => undefined,
  put: () => {},
  delete: () => {},
  list: () => [],
  atomically: (run) => run(),
  clear: () => {},
  setAlarm: () => {},
};

function binOf(waitedMs: number): number {
  const found = WAIT_BINS.findIndex((end) => waitedMs < end * 1000);
  return found < 0 ? WAIT_BINS.length : found;
}

describe('how long tickets have waited', () => {
  it('is counted as each would be, while they come and go and time passes', () => {
    const chance = random(5);
    const state = new QueueState(FORGETFUL);
    const begun: Ticket[] = [];
    for (let now = NOW; now < NOW + 2_000_000; now += 1000 * (1 + chance.below(30))) {
      for (let come = 0; come < 5; come += 1) {
        const startedAt = now - 100 * chance.below(chance.chance(0.1) ? 5000 : 50);
        const one = ticket(`t${now}-${come}`, { at: startedAt });
        begun.push(state.putTicket({ ticket: one, revision: 1, modeRevision: 1, gaveUp: 0 }));
      }
      for (let gone = chance.below(6); gone > 0; gone -= 1) {
        const [one] = begun.splice(chance.below(begun.length), 1);
        if (one !== undefined) {
          state.dropTicket(one.id);
        }
      }
      const expected = [...WAIT_BINS.map(() => 0), 0];
      for (const { startedAt } of begun) {
        const bin = binOf(now - startedAt);
        expected[bin] = (expected[bin] ?? 0) + 1;
      }
      expect(waitBins(state.tickets.byWait, now)).toEqual(expected);
    }
    expect(begun.length).toBeGreaterThan(100);
  });
});

describe('the report of a long queue', () => {
  it('reads a bounded number of its tickets', () => {
    const state = new QueueState(FORGETFUL);
    state.setMeta({ mode: mode({}), modeRevision: 1, seq: 0 });
    for (let index = 0; index < 20_000; index += 1) {
      const one = ticket(`t${index}`, { at: NOW - 2_000_000 + index * 100 });
      state.putTicket({ ticket: one, revision: 1, modeRevision: 1, gaveUp: 0 });
    }
    let read = 0;
    const all = state.tickets.byWait[Symbol.iterator].bind(state.tickets.byWait);
    state.tickets.byWait[Symbol.iterator] = function* reading() {
      for (const one of all()) {
        read += 1;
        yield one;
      }
    };
    const values = vi.spyOn(state.tickets.byId, 'values');
    const pool = { work: () => null, overruns: () => 0, isLookedFor: () => false };
    const core = { state, pool, ports: { now: () => NOW }, journal: { recent: [] }, reading: null };
    const report = queueReport(core as unknown as QueueCore, 't15000' as TicketId);
    expect([read, values.mock.calls.length]).toEqual([COMPARED + 1, 0]);
    expect(report.oldest.map(({ id }) => id)).toEqual(
      Array.from({ length: OLDEST }, (_, index) => `t${index}`),
    );
    expect(report.explanation?.ticketId).toBe('t15000');
    expect(report.explanation?.others).toBe(COMPARED);
    expect(report.waits.reduce((sum, count) => sum + count, 0)).toBe(20_000);
    expect(report.waits.at(-1)).toBe(17_001);
  });
});

describe('what a queue has not finished', () => {
  it('is said in words', () => {
    const reading = { step: 'reading', done: 12_000, of: 100_000 } as const;
    expect(unfinished(reading, null)).toBe('still reading its saved lobbies: 12,000 of 100,000');
    expect(unfinished({ ...reading, step: 'sorting', of: null }, null)).toBe(
      'still sorting its saved lobbies: 12,000 so far',
    );
    const work = { searches: 2, anchors: { tried: 3, of: 20 }, toArm: 1500 };
    expect(unfinished(null, work)).toBe(
      'still looking: 3 of 20 lobbies tried, still noting when rules widen: 1,500 lobbies to go',
    );
    expect(unfinished(null, { ...work, searches: 0, toArm: 0 })).toBeNull();
  });
});
