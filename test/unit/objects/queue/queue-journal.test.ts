// What a queue that wakes reads of its journal: the end, before anything is told, and the rest when the last
// matches are asked for.

import { describe, expect, it } from 'vitest';
import type { MatchId } from '../../../../src/common/ids';
import type { Mode } from '../../../../src/match/rules/mode';
import type { Ticket } from '../../../../src/match/ticket/ticket';
import type { ActorPorts } from '../../../../src/objects/contracts/actor-ports';
import { A_DAY, type JournalSettings } from '../../../../src/common/happening';
import { NO_STATS } from '../../../../src/lobby/view';
import { QueueJournal } from '../../../../src/objects/queue/journal';
import { formedPage, gamesFrom } from '../../../../src/objects/queue/past';
import type { FormedRecord } from '../../../../src/objects/contracts/reports';
import { mode, ticket } from '../../../match/support/make';

const OFF = { keepMs: 0 };

/** A queue's storage, and how often it was read. */
function storage() {
  const rows = new Map<string, unknown>();
  const storage = {
    reads: 0,
    now: 100_000,
    wakes: (settings: JournalSettings = A_DAY, saved: Mode | null = null): QueueJournal =>
      new QueueJournal(
        ports,
        settings,
        () => NO_STATS,
        () => saved,
      ),
  };
  const ports = {
    name: ['studio', 'arena', 'duel'],
    now: () => storage.now,
    later: () => () => {},
    store: {
      get: (key: string) => {
        storage.reads += 1;
        return rows.get(key);
      },
      put: (key: string, value: unknown) => void rows.set(key, value),
      list: () => [],
    },
  } as unknown as ActorPorts;
  return storage;
}

const idOf = (match: number): MatchId => `m${match}` as MatchId;

const partyOf = (match: number): Ticket =>
  ticket(`t${match}`, { at: 90_000, state: { note: 'x'.repeat(1_800) } });

function forms(journal: QueueJournal, match: number, t = 100_000): void {
  const { id: ticketId, lobbyId, startedAt, players } = partyOf(match);
  const parties = [{ lobbyId, ticketId, startedAt, players }];
  const what = { kind: 'new', full: true, region: null, parties } as const;
  journal.note({ k: 'formed', t, matchId: idOf(match), ...what });
  journal.ride();
}

const enters = (journal: QueueJournal, id: string): void =>
  journal.note({ k: 'enter', t: 100_000, ticket: ticket(id) });
const leaves = (journal: QueueJournal, id: string): void =>
  journal.note({ k: 'leave', t: 100_000, id: ticket(id).id });

/** Each row has two of them. */
function plays(journal: QueueJournal, from: number, until: number): void {
  for (let match = from; match < until; match += 1) {
    const one = partyOf(match);
    journal.note({ k: 'enter', t: 90_000, ticket: one });
    forms(journal, match);
  }
}

/** Written when another forms. */
function fails(journal: QueueJournal, match: number, reason = 'launch_failed'): void {
  journal.failed({ k: 'failed', t: 100_000, matchId: idOf(match), reason, detail: null });
  journal.ride();
}

const ALL = { limit: 100_000, player: null, failedOnly: false, region: null, ref: null } as const;

/** All pages of the matches of that time. */
function formedIn(
  { rows }: QueueJournal,
  { since, until } = { since: -Infinity, until: Infinity },
): readonly FormedRecord[] {
  const all: FormedRecord[] = [];
  for (let next: number | null = until; next !== null;) {
    const { matches, reached } = formedPage(rows, { ...ALL, since, until: next });
    expect(reached ?? -Infinity).toBeLessThan(next);
    all.push(...matches.filter(({ at }) => at >= (reached ?? -Infinity)));
    next = reached;
  }
  return all;
}

const matchesOf = (journal: QueueJournal): readonly string[] =>
  formedIn(journal).map(({ matchId }) => matchId);
const failedOf = (journal: QueueJournal): readonly (readonly [string, string])[] =>
  formedIn(journal).flatMap(({ matchId, failed }) =>
    failed === null ? [] : [[matchId, failed.reason]],
  );
const newestFirst = (until: number, count: number): readonly MatchId[] =>
  Array.from({ length: count }, (_, index) => idOf(until - 1 - index));

describe('a journal of a thousand matches and more, once the queue has slept', () => {
  it.each([
    ['a lobby enters', (journal: QueueJournal) => enters(journal, 'new')],
    ['a lobby gives up', (journal: QueueJournal) => leaves(journal, 't1')],
    ['a match forms', (journal: QueueJournal) => forms(journal, 3_000)],
    ['an estimate is asked for', (journal: QueueJournal) => journal.waits.estimate(1, 100_000)],
    ['a match fails', (journal: QueueJournal) => fails(journal, 5)],
  ])('is read for little more than its last 128 rows when %s', (_, does) => {
    const queue = storage();
    plays(queue.wakes(), 0, 2_500);
    const woken = queue.wakes();
    queue.reads = 0;
    does(woken);
    // To find the end takes another 15.
    expect(queue.reads).toBeGreaterThan(100);
    expect(queue.reads).toBeLessThanOrEqual(128 + 15);
    queue.reads = 0;
    enters(woken, 'newer');
    expect(queue.reads).toBe(0);
    expect(woken.waits.estimate(1, 100_000)?.of).toBeGreaterThanOrEqual(200);
  });

  it('has each once and newest first, whatever formed before they are asked for', () => {
    const queue = storage();
    // The last row has room.
    plays(queue.wakes(), 0, 601);
    const woken = queue.wakes();
    expect(matchesOf(queue.wakes())).toEqual(newestFirst(601, 601));
    forms(woken, 601);
    plays(woken, 602, 604);
    expect(matchesOf(woken)).toEqual(newestFirst(604, 604));
    expect(woken.recent.slice(0, 12).map(({ matchId }) => matchId)).toEqual(newestFirst(604, 12));
    expect(matchesOf(queue.wakes())).toEqual(newestFirst(604, 604));
  });

  it('reads the matches of a time from rows, a bounded part at once, with those that failed', () => {
    const queue = storage();
    const first = queue.wakes();
    for (let match = 0; match < 20_000; match += 1) {
      if (match === 19_999) {
        fails(first, 500);
        fails(first, 19_998);
      }
      queue.now = match;
      forms(first, match, match);
    }
    const woken = queue.wakes();
    const past = formedIn(woken, { since: 400, until: 700 });
    expect(past.map(({ matchId }) => matchId)).toEqual(newestFirst(700, 300));
    // That one failed long after it had formed.
    expect(past.filter(({ failed }) => failed !== null)).toEqual([]);
    expect(formedIn(woken, { since: 19_990, until: Infinity })).toHaveLength(10);
    const page = formedPage(woken.rows, { ...ALL, limit: 20_000, since: -1, until: Infinity });
    expect(page.matches.length).toBeLessThan(15_000);
    expect(page.matches[1]?.failed?.reason).toBe('launch_failed');
    expect(new Set(matchesOf(woken))).toEqual(new Set(newestFirst(20_000, 20_000)));
    queue.reads = 0;
    const { reached } = formedPage(woken.rows, { ...ALL, limit: 10, since: -1, until: Infinity });
    expect(reached).toBe(19_990);
    expect(queue.reads).toBeLessThan(20);
  });

  it('has each for who walks row by row, also of a clock that went back', () => {
    const queue = storage();
    const first = queue.wakes();
    for (let match = 0; match < 600; match += 1) {
      queue.now = match < 300 ? 100_000 : 80_000 + match;
      forms(first, match, queue.now);
    }
    fails(first, 599);
    forms(first, 600, queue.now);
    const { rows } = queue.wakes();
    const walked: MatchId[] = [];
    for (let from = rows.last?.n ?? null; from !== null;) {
      const { matches, next } = gamesFrom(rows, from, { since: 70_000, limit: 50 });
      expect(matches.length).toBeLessThan(50 + 30);
      walked.push(...matches);
      from = next;
    }
    expect(new Set(walked)).toEqual(
      new Set(newestFirst(601, 601).filter((id) => id !== idOf(599))),
    );
    const since = { since: 80_500, limit: 1_000 };
    expect(gamesFrom(rows, null, since).matches.length).toBeLessThan(100 + 30);
  });

  it('has each once also where a page ends among many of the same instant', () => {
    const queue = storage();
    const first = queue.wakes();
    for (let match = 0; match < 15_000; match += 1) {
      queue.now = Math.floor(match / 1_000);
      forms(first, match, queue.now);
    }
    expect(matchesOf(queue.wakes())).toEqual(newestFirst(15_000, 15_000));
  });

  it('has all of a short history, and those since, pending or written', () => {
    const queue = storage();
    plays(queue.wakes(), 0, 3);
    const woken = queue.wakes();
    plays(woken, 3, 4);
    expect(matchesOf(woken)).toEqual(newestFirst(4, 4));
    expect(matchesOf(storage().wakes())).toEqual([]);
  });

  it('has those that never got a game since, however long ago they formed', () => {
    const queue = storage();
    const first = queue.wakes();
    plays(first, 0, 2_499);
    fails(first, 1_700, 'declined');
    plays(first, 2_499, 2_500);
    const woken = queue.wakes();
    fails(woken, 1_800);
    fails(woken, 2_499);
    fails(woken, 2_499, 'told again');
    plays(woken, 2_500, 2_501);
    fails(woken, 2_500);
    plays(woken, 2_501, 2_502);
    const expected = [2_500, 2_499, 1_800].map((match) => [idOf(match), 'launch_failed']);
    expect(failedOf(woken)).toEqual([...expected, [idOf(1_700), 'declined']]);
    expect(failedOf(queue.wakes())).toEqual(failedOf(woken));
    expect(woken.trends(1).points[0]).toMatchObject({ matches: 2_502, failed: 4 });
  });
});

describe('the pace of arrivals', () => {
  it('is there again when the queue wakes, with what the waits have taught', () => {
    const queue = storage();
    const rule = { type: 'difference', field: 'mmr', maxDifference: 100 } as const;
    const paced = mode({ rules: [rule], targetWait: 10 });
    const first = queue.wakes(A_DAY, paced);
    const rated = (id: string, mmr: number): Ticket => ticket(id, { state: { mmr } });
    for (let at = 0; at < 40; at += 1) {
      first.note({ k: 'enter', t: 100_000 + at * 500, ticket: rated(`t${at}`, 1_000 + at * 5) });
    }
    const fresh = rated('new', 1_100);
    const before = first.pacing.paced(fresh, 120_000).pace ?? 0;
    expect(before).toBeGreaterThan(0);
    forms(first, 1, 95_000);
    const after = first.pacing.paced(fresh, 120_000).pace ?? 0;
    expect(after).toBeGreaterThan(before);
    expect(queue.wakes(A_DAY, paced).pacing.paced(fresh, 120_000)).toEqual({
      ...fresh,
      pace: after,
    });
    expect(queue.wakes().pacing.paced({ ...fresh, pace: 7 }, 120_000)).toEqual(fresh);
  });
});

describe('the last opponents', () => {
  it('are there again when the queue wakes', () => {
    const queue = storage();
    const once = mode({ rematch: 'avoid' });
    const first = queue.wakes(A_DAY, once);
    const [one, other] = [ticket('one'), ticket('other')];
    const parties = [one, other].map(({ id: ticketId, lobbyId, startedAt, players }) => {
      return { lobbyId, ticketId, startedAt, players };
    });
    const what = { kind: 'new', full: true, region: null, parties } as const;
    first.note({ k: 'formed', t: 95_000, matchId: idOf(1), ...what });
    first.ride();
    const apart = { ...one, avoids: other.players };
    expect(first.opponents.avoided(one)).toEqual(apart);
    expect(queue.wakes(A_DAY, once).opponents.avoided(one)).toEqual(apart);
    expect(queue.wakes().opponents.avoided(one)).toEqual(one);
  });
});

describe('a journal that is off', () => {
  it('has in memory what formed and failed lately, and nothing once the queue has slept', () => {
    const queue = storage();
    const journal = queue.wakes(OFF);
    plays(journal, 0, 1_003);
    fails(journal, 1_001);
    expect(matchesOf(journal)).toEqual(newestFirst(1_003, 1_003));
    expect(failedOf(journal)).toEqual([[idOf(1_001), 'launch_failed']]);
    expect(journal.waits.estimate(1, 100_000)?.of).toBe(200);
    plays(journal, 1_003, 10_000);
    expect(matchesOf(journal).length).toBeLessThan(5_000);
    expect(journal.read(null).text).toBe('');
    expect(matchesOf(queue.wakes(OFF))).toEqual([]);
  });
});

describe('matches that somebody made', () => {
  const makes = (journal: QueueJournal, match: number): void => {
    const { id: ticketId, lobbyId, startedAt, players } = partyOf(match);
    const parties = [{ lobbyId, ticketId, startedAt, players }];
    const what = { by: 'key', ref: `game ${match}`, full: true, region: 'eu', parties } as const;
    journal.made({ k: 'made', t: 100_000, matchId: idOf(match), ...what });
    journal.ride();
  };
  const fewer = (journal: QueueJournal, query: object): readonly string[] => {
    const all = { ...ALL, since: -Infinity, until: Infinity, ...query };
    return formedPage(journal.rows, all).matches.map(({ matchId }) => matchId);
  };

  it('are listed once with those that formed, and saved at once', () => {
    const queue = storage();
    const first = queue.wakes();
    forms(first, 1);
    makes(first, 2);
    makes(first, 2);
    const woken = queue.wakes();
    makes(woken, 2);
    expect(formedIn(woken).map(({ matchId, made }) => [matchId, made])).toEqual([
      ['m2', { by: 'key', ref: 'game 2' }],
      ['m1', null],
    ]);
    expect(matchesOf(queue.wakes())).toEqual(['m2', 'm1']);
    expect([fewer(woken, { ref: 'game 2' }), fewer(woken, { ref: 'no' })]).toEqual([['m2'], []]);
    const off = queue.wakes(OFF);
    makes(off, 3);
    expect(matchesOf(off)).toEqual(['m3']);
  });

  it('are no matches of the queue: not in its figures, its waits and its games, nor are their failures', () => {
    const queue = storage();
    const journal = queue.wakes();
    for (let match = 0; match < 30; match += 1) {
      journal.note({ k: 'enter', t: 90_000, ticket: partyOf(match) });
      makes(journal, match);
    }
    const line = { k: 'failed', t: 100_000, matchId: idOf(1), reason: 'launch_failed' } as const;
    journal.failed({ ...line, detail: null }, 'made');
    journal.failed({ ...line, detail: null }, 'made');
    forms(journal, 30);
    expect(failedOf(queue.wakes())).toEqual([['m1', 'launch_failed']]);
    expect(journal.recent.map(({ matchId }) => matchId)).toEqual(['m30']);
    expect(journal.waits.estimate(1, 100_000)).toBeNull();
    expect(journal.trends(1).points[0]).toMatchObject({ matches: 1, failed: 0 });
    expect(gamesFrom(journal.rows, null, { since: 0, limit: 100 }).matches).toEqual(['m30']);
  });
});
