// How long a wait is said to be: what is known of parties that gave up is that they waited, and for how
// long.

import { describe, expect, it } from 'vitest';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../src/ids';
import { A_DAY } from '../../src/objects/kit/journal';
import type { Host } from '../../src/objects/kit/host';
import { QueueJournal } from '../../src/objects/queue/journal';
import { ticket } from '../match/support/make';
import { Estimates } from '../../src/objects/queue/estimates';

/** Parties of one: how long each waited, in seconds; below 0: it gave up after that time. */
function of(waits: readonly number[]): ReturnType<Estimates['estimate']> {
  const estimates = new Estimates();
  waits.forEach((each) => estimates.came(1, Math.abs(each) * 1000, each >= 0));
  return estimates.estimate(1);
}

const tens = Array.from({ length: 10 }, (_, index) => 10 * (index + 1));

/** The journal's own tail is what an object that wakes has. */
function storeOf(rows: Map<string, unknown>): Host {
  return {
    name: ['studio', 'arena', 'duel'],
    now: () => 100_000,
    later: () => () => {},
    store: {
      get: (key: string) => rows.get(key),
      put: (key: string, value: unknown) => void rows.set(key, value),
      list: () => [],
    },
  } as unknown as Host;
}

describe('the estimate of a wait', () => {
  it('is the wait within which half, and nine of ten, have a match', () => {
    expect(of(tens)).toEqual({ p50: 50, p90: 90, of: 10 });
  });

  it('is none where fewer than ten like parties had a match', () => {
    expect(of(tens.slice(1))).toBeNull();
    expect(of([...tens.slice(1), -5])).toBeNull();
  });

  it('does not become shorter by those who give up at once', () => {
    const impatient = Array.from({ length: 50 }, () => -1);
    expect(of([...impatient, ...tens])).toEqual({ p50: 50, p90: 90, of: 60 });
  });

  it('becomes longer by those who gave up after others had a match', () => {
    expect(of([...tens, -45, -45, -45, -45])?.p50).toBe(60);
  });

  it('says nothing of nine in ten, or of anybody, where too many gave up before', () => {
    expect(of([...tens, ...tens.slice(0, 6).map(() => -200)])).toEqual({
      p50: 80,
      p90: null,
      of: 16,
    });
    expect(of([...tens, ...tens.map(() => -200), -200])).toBeNull();
  });

  it('is of parties of as many players, and of the last hundred', () => {
    const estimates = new Estimates();
    tens.forEach((each) => estimates.came(2, each * 1000, true));
    expect(estimates.estimate(1)).toBeNull();
    Array.from({ length: 100 }, () => estimates.came(2, 1000, true));
    expect(estimates.estimate(2)).toEqual({ p50: 1, p90: 1, of: 100 });
  });

  it('is the same after the object has slept: who gave up is in its journal too', () => {
    const host = storeOf(new Map());
    const nobody = (): { lobbies: number; players: number } => ({ lobbies: 0, players: 0 });
    const journal = new QueueJournal(host, A_DAY, nobody);
    for (const wait of [...tens, ...tens.slice(0, 4)]) {
      const players = ['ann' as PlayerId];
      const startedAt = 100_000 - wait * 1000;
      const party = { lobbyId: 'l' as LobbyId, ticketId: 't' as TicketId, startedAt, players };
      const what = { kind: 'new', full: true, region: null, parties: [party] } as const;
      journal.formed({ k: 'formed', t: 100_000, matchId: `m${wait}` as MatchId, ...what });
    }
    for (const id of ['a', 'b', 'c', 'd']) {
      const late = ticket(id, { at: 20_000 });
      journal.note({ k: 'enter', t: 20_000, ticket: late });
      journal.note({ k: 'leave', t: 100_000, id: late.id });
      journal.gaveUp(late);
    }
    journal.ride(true);
    const woken = new QueueJournal(host, A_DAY, nobody);
    expect(woken.recent).toHaveLength(14);
    expect(woken.waits.estimate(1)).toEqual(journal.waits.estimate(1));
    expect(woken.waits.estimate(1)?.of).toBe(18);
  });
});
