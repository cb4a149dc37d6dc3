// How long a wait is said to be: what is known of parties that gave up is that they waited, and for how
// long.

import { describe, expect, it } from 'vitest';
import type { MatchId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { Ticket } from '../../../../src/match/ticket/ticket';
import { A_DAY } from '../../../../src/common/happening';
import type { ActorPorts } from '../../../../src/objects/contracts/actor-ports';
import { NO_STATS, type QueueStats } from '../../../../src/lobby/view';
import { QueueJournal } from '../../../../src/objects/queue/journal';
import { mode, ticket } from '../../../match/support/make';
import { Estimates } from '../../../../src/objects/queue/estimates';

const NOW = 1_000_000;
const party = (name: number | string): TicketId => `t${name}` as TicketId;

/**
 * Parties of one: how long each waited, in seconds; below 0: it gave up after that time. `waiting`: so long
 * others wait and still do.
 */
function of(
  waits: readonly number[],
  waiting: readonly number[] = [],
): ReturnType<Estimates['estimate']> {
  const estimates = new Estimates();
  for (const [name, wait] of waits.entries()) {
    estimates.came(party(name), 1, 0);
    estimates.went(party(name), Math.abs(wait) * 1000, wait >= 0);
  }
  waiting.forEach((wait, name) => estimates.came(party(`w${name}`), 1, NOW - wait * 1000));
  return estimates.estimate(1, NOW);
}

const twenty = Array.from({ length: 20 }, (_, index) => 10 * (index + 1));

/** The journal's own tail is what an object that wakes has. */
function storeOf(rows: Map<string, unknown>): ActorPorts {
  return {
    name: ['studio', 'arena', 'duel'],
    now: () => 100_000,
    later: () => () => {},
    store: {
      get: (key: string) => rows.get(key),
      put: (key: string, value: unknown) => void rows.set(key, value),
      list: () => [],
    },
  } as unknown as ActorPorts;
}

describe('the estimate of a wait', () => {
  it('is the wait within which half, and nine of ten, have a match', () => {
    expect(of(twenty)).toEqual({ p50: 100, p90: 180, of: 20 });
  });

  it('is none where fewer than ten waited as long as half of them do', () => {
    expect(of(twenty.slice(3))).toBeNull();
    expect(of([...twenty.slice(3), -5, -5, -5])).toBeNull();
  });

  it('does not become shorter by those who give up at once, or have just come', () => {
    const fifty = Array.from({ length: 50 }, () => 1);
    expect(of([...fifty.map(() => -1), ...twenty])).toEqual({ p50: 100, p90: 180, of: 70 });
    expect(of(twenty, fifty)).toEqual({ p50: 100, p90: 180, of: 70 });
  });

  it('becomes longer by those who gave up, or still wait, after others had a match', () => {
    expect(of([...twenty, -75, -75, -75, -75])?.p50).toBe(110);
    expect(of(twenty, [75, 75, 75, 75])?.p50).toBe(110);
  });

  it('says nothing of nine in ten, or of anybody, where too many have waited for longer', () => {
    const long = twenty.map(() => 400);
    const gaveUp = long.slice(0, 12).map((wait) => -wait);
    expect(of([...twenty, ...gaveUp])).toEqual({ p50: 160, p90: null, of: 32 });
    expect(of(twenty, long.slice(0, 12))).toEqual({ p50: 160, p90: null, of: 32 });
    expect(of(twenty, [...long, 400])).toBeNull();
  });

  it('is of parties of as many players, and of the last two hundred', () => {
    const estimates = new Estimates();
    for (const [name, wait] of [...twenty, ...Array.from({ length: 200 }, () => 1)].entries()) {
      estimates.came(party(name), 2, 0);
      estimates.went(party(name), wait * 1000, true);
    }
    expect(estimates.estimate(1, NOW)).toBeNull();
    expect(estimates.estimate(2, NOW)).toEqual({ p50: 1, p90: 1, of: 200 });
  });

  it('counts who plays: spectators make no party larger', () => {
    const estimates = new Estimates();
    for (const [name, wait] of twenty.entries()) {
      const plays = ticket(`s${name}`, { at: 0 });
      const players = [...plays.players, `watcher${name}` as PlayerId];
      estimates.told({ k: 'enter', t: 0, ticket: { ...plays, players } });
      estimates.went(plays.id, wait * 1000, true);
    }
    expect(estimates.estimate(1, NOW)?.of).toBe(20);
    expect(estimates.estimate(2, NOW)).toBeNull();
  });

  it('reaches back for as long as parties wait, however many come, and says none where most only wait', () => {
    // Ten come in a second. One in three is matched after 20 s, or at once; the others are not.
    for (const [share, wait, expected] of [
      [1, 20_000, 20],
      [1, 0, 0],
      [3, 20_000, null],
      [3, 0, null],
    ] as const) {
      const estimates = new Estimates();
      const goes: { readonly name: TicketId; readonly at: number }[] = [];
      for (let count = 0; count < 3_000; count += 1) {
        const now = count * 100;
        estimates.came(party(count), 1, now);
        if (count % share === 0) {
          goes.push({ name: party(count), at: now + wait });
        }
        for (let next = goes[0]; next !== undefined && next.at <= now; next = goes[0]) {
          estimates.went(next.name, next.at, true);
          goes.shift();
        }
      }
      expect(estimates.estimate(1, 300_000)?.p50 ?? null).toBe(expected);
    }
  });

  it('is the same after the object has slept: who gave up is in its journal too', () => {
    const ports = storeOf(new Map());
    const nobody = (): QueueStats => NO_STATS;
    const journal = new QueueJournal(ports, A_DAY, nobody, () => null);
    const enters = (late: Ticket): void => {
      journal.note({ k: 'enter', t: late.startedAt, ticket: late });
    };
    for (const wait of twenty.toReversed()) {
      const {
        id: ticketId,
        lobbyId,
        startedAt,
        players,
      } = ticket(`m${wait}`, {
        at: 100_000 - wait * 100,
      });
      enters(ticket(ticketId, { at: startedAt }));
      const matched = { lobbyId, ticketId, startedAt, players };
      const what = { kind: 'new', full: true, region: null, parties: [matched] } as const;
      journal.note({ k: 'formed', t: 100_000, matchId: `m${wait}` as MatchId, ...what });
    }
    for (const id of ['a', 'b', 'c', 'd']) {
      const late = ticket(id, { at: 20_000 });
      enters(late);
      journal.note({ k: 'leave', t: 100_000, id: late.id });
      journal.ended([late], 'timeout');
    }
    enters(ticket('e', { at: 30_000 }));
    journal.ride();
    const woken = new QueueJournal(ports, A_DAY, nobody, () => null);
    expect(woken.recent).toHaveLength(20);
    const told = woken.waits.estimate(1, 100_000);
    expect(told).toEqual(journal.waits.estimate(1, 100_000));
    expect(told?.of).toBe(25);
  });

  it('is none once the mode has changed, also after the object has slept, and stays when it only woke', () => {
    const ports = storeOf(new Map());
    const nobody = (): QueueStats => NO_STATS;
    const journal = new QueueJournal(ports, A_DAY, nobody, () => null);
    for (const wait of twenty) {
      const { id, startedAt, ...its } = ticket(`m${wait}`, { at: 100_000 - wait * 100 });
      journal.note({ k: 'enter', t: startedAt, ticket: { id, startedAt, ...its } });
      const parties = [{ ticketId: id, startedAt, ...its }];
      const what = { kind: 'new', full: true, region: null, parties } as const;
      journal.note({ k: 'formed', t: 100_000, matchId: `m${wait}` as MatchId, ...what });
    }
    const line = { k: 'anew', t: 100_000, free: 0, taken: 0 } as const;
    journal.note({ ...line, mode: mode(), before: null });
    expect(journal.waits.estimate(1, 100_000)?.of).toBe(20);
    journal.note({ ...line, mode: mode({ teams: 3 }), before: mode() });
    expect(journal.waits.estimate(1, 100_000)).toBeNull();
    journal.ride();
    const woken = new QueueJournal(ports, A_DAY, nobody, () => null);
    expect(woken.waits.estimate(1, 100_000)).toBeNull();
    expect(woken.recent).toHaveLength(20);
  });
});
