// What a queue knows of running matches: what is saved now decides who may come into them (decision 56), and what came
// before a crash or late changes nothing.

import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../../../src/lobby/config';
import type { MatchId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { Mode } from '../../../../src/match/rules/mode';
import type { Ticket } from '../../../../src/match/ticket/ticket';
import type { Offer, SavedNow } from '../../../../src/objects/contracts/match';
import type { ProjectDocument } from '../../../../src/objects/contracts/project';
import { mode, ticket } from '../../../match/support/make';
import { backfill, MATCH, party, running } from '../../../support/running-match';
import { DUEL, entry, NOW, rowsOf, wake, waiting } from '../../../support/waking-queue';

const FILLED = mode({ teams: 1, playersPerTeam: 4, allowBackfill: true });
const came = (id: string, rules = FILLED, revision = 1) =>
  entry(ticket(id, { at: NOW }), rules, 1, revision);
const V1 = { name: 'v1', version: 1 };

function offer(game: string, seq: number, slots: number, build = V1): Offer {
  const anchor = ticket('anchor', { at: NOW - 1000 });
  const open = [{ name: null, slots, roles: null }];
  const match = { matchId: game, startedAt: NOW - 1000, anchor, region: 'us-east', version: null };
  return { seq, match: slots === 0 ? null : { ...match, build, open } };
}

/** The project's document, in which the config is at that revision and its builds have these versions. */
function saved(revision: number, builds: Readonly<Record<string, number>>, gameBuild = 'v1') {
  const config = { ...defaultConfig('arena'), id: 'c', revision };
  const all = Object.entries(builds).map(([name, version]) => {
    const build = { name, version, label: null, status: 'ready', launch: {}, ports: [] } as const;
    return [name, build];
  });
  return {
    revision,
    configs: { arena: { ...config, serverSettings: { ...config.serverSettings, gameBuild } } },
    builds: Object.fromEntries(all),
  } as ProjectDocument;
}

describe('an offer that comes after a younger one has taken back all room', () => {
  it('opens no place', async () => {
    const woken = wake(rowsOf(FILLED, []), 4, { document: async () => saved(1, { v1: 1 }) });
    await woken.queue.offer(MATCH, offer(MATCH, 3, 2));
    await woken.queue.offer(MATCH, offer(MATCH, 4, 0));
    await woken.queue.offer(MATCH, offer(MATCH, 3, 2));
    await woken.queue.enter(came('late'));
    await woken.settle();
    expect(woken.admitted).toEqual([]);
    await woken.queue.offer(MATCH, offer(MATCH, 5, 1));
    await woken.settle();
    expect(woken.admitted).toHaveLength(1);
  });
});

describe('a party on its way into a running match', () => {
  it('is judged by what is saved when it comes, not when the match offered its room', async () => {
    let document = saved(1, { v1: 1 });
    let hold: () => void = () => {};
    const judged: (SavedNow | undefined)[] = [];
    const woken = wake(rowsOf(FILLED, []), 4, {
      document: async () => document,
      hold: (_, held) => new Promise((resolve) => (hold = () => resolve(held))),
      admit: async (_, now) => void judged.push(now),
    });
    await woken.queue.offer(MATCH, offer(MATCH, 1, 1));
    await woken.queue.enter(came('first'));
    await woken.settle();
    document = saved(1, { v1: 2 });
    const closed: Mode = { ...FILLED, allowBackfill: false };
    const changed = woken.queue.modeChanged(closed, 2);
    await woken.settle();
    hold();
    await woken.settle();
    await changed;
    expect(judged).toEqual([
      { mode: { rules: closed, revision: 2 }, build: { name: 'v1', version: 2 } },
    ]);
  });

  it('is not sent to matches on another build, of which none is asked', async () => {
    let document = saved(1, { v1: 1, v2: 1 });
    const asked: string[] = [];
    const woken = wake(rowsOf(FILLED, []), 4, {
      document: async () => document,
      hold: async (id, held) => {
        asked.push(id);
        return held;
      },
    });
    for (let game = 0; game < 20; game += 1) {
      await woken.queue.offer(`old-${game}` as MatchId, offer(`old-${game}`, 1, 1));
    }
    await woken.queue.offer('new' as MatchId, offer('new', 1, 1, { name: 'v2', version: 1 }));
    document = saved(1, { v1: 1, v2: 1 }, 'v2');
    await woken.queue.enter(came('first'));
    await woken.settle();
    expect([asked, [...woken.matches]]).toEqual([['first'], ['new']]);
  });

  it('leaves the queue if its lobby has said meanwhile that it searches no more', async () => {
    let read: () => void = () => {};
    const outdated = saved(1, { v1: 1, v2: 1 }, 'v2');
    const woken = wake(rowsOf(FILLED, []), 4, {
      document: () => new Promise((resolve) => (read = () => resolve(outdated))),
      refresh: () => false,
    });
    await woken.queue.offer(MATCH, offer(MATCH, 1, 1));
    // An old request that comes late: the queue asks the lobby, and the pool proposes a place at once.
    await woken.queue.enter(came('late'));
    await woken.settle();
    expect(woken.refreshed).toEqual(['late']);
    read();
    await woken.settle();
    expect([...woken.saved.keys()]).not.toContain('ticket:late');
    expect((await woken.queue.stats()).lobbiesInQueue).toBe(0);
  });

  it('is judged by no document that is older than the mode', async () => {
    const woken = wake(rowsOf(FILLED, []), 4, {
      document: async () => saved(1, { v1: 1, v2: 1 }, 'v1'),
      project: async () => saved(2, { v1: 1, v2: 1 }, 'v2'),
    });
    await woken.queue.modeChanged(FILLED, 2);
    await woken.queue.offer('old' as MatchId, offer('old', 1, 1));
    await woken.queue.offer('new' as MatchId, offer('new', 1, 1, { name: 'v2', version: 1 }));
    await woken.queue.enter(came('first', FILLED, 2));
    await woken.settle();
    expect([...woken.matches]).toEqual(['new']);
  });

  it('comes into a match again once the config names its build again', async () => {
    let document = saved(1, { v1: 1, v2: 1 }, 'v2');
    const woken = wake(rowsOf(FILLED, []), 4, { document: async () => document });
    await woken.queue.offer(MATCH, offer(MATCH, 1, 1));
    await woken.queue.enter(came('first'));
    await woken.settle();
    expect(woken.admitted).toEqual([]);
    document = saved(2, { v1: 1, v2: 1 });
    await woken.queue.modeChanged(FILLED, 2);
    await woken.settle();
    expect(woken.admitted).toHaveLength(1);
  });

  it('comes in where the document cannot be read: then nothing can be saved either', async () => {
    const woken = wake(rowsOf(FILLED, []), 4, {
      document: () => Promise.reject(new Error('the project is away')),
    });
    await woken.queue.offer(MATCH, offer(MATCH, 1, 1));
    await woken.queue.enter(came('first'));
    await woken.settle();
    expect(woken.admitted).toHaveLength(1);
  });
});

describe('matches that run when a mode is saved', () => {
  const [a = ticket('a'), b = ticket('b')] = waiting(2);
  const OPENED: Mode = { ...DUEL, allowBackfill: true };

  async function formed(before = new Map<string, unknown>()) {
    const woken = wake(before);
    await woken.queue.enter(entry(a, DUEL));
    await woken.queue.enter(entry(b, DUEL));
    await woken.settle();
    expect(woken.opened).toHaveLength(1);
    return woken;
  }

  it('are told, also those that offered nothing, once', async () => {
    const woken = await formed();
    await woken.queue.modeChanged(OPENED, 2);
    await woken.pass(1_000);
    await woken.settle();
    expect(woken.told).toEqual([[2, OPENED]]);
    expect(woken.saved.get('meta')).not.toHaveProperty('untold');
    await woken.queue.modeChanged({ ...OPENED, timeout: 30 }, 3);
    await woken.pass(1_000);
    await woken.settle();
    expect(woken.told, 'what does not concern them is not told').toHaveLength(1);
  });

  it('are told by a queue that died before it had told all', async () => {
    const first = await formed();
    const change = first.queue.modeChanged(OPENED, 2);
    expect(first.saved.get('meta')).toMatchObject({ untold: true });
    const second = wake(new Map(first.saved));
    await second.pass(1_000);
    await second.settle();
    expect(second.told).toEqual([[2, OPENED]]);
    await Promise.race([change, first.settle()]);
  });

  it('are told where the mode is saved between the commit and its answer', async () => {
    let opens: () => void = () => {};
    const woken = wake(new Map(), 4, {
      open: () => new Promise((resolve) => (opens = () => resolve('opened'))),
    });
    await woken.queue.enter(entry(a, DUEL));
    await woken.queue.enter(entry(b, DUEL));
    await woken.settle();
    await woken.queue.modeChanged({ ...DUEL, lateJoin: false }, 2);
    await woken.settle();
    expect(woken.told).toEqual([]);
    opens();
    await woken.settle();
    expect(woken.told).toEqual([[2, { ...DUEL, lateJoin: false }]]);
  });
});

describe('a queue that died after its match had opened', () => {
  /** What it had saved, and the mode that was saved since. */
  async function died() {
    const [a = ticket('a'), b = ticket('b')] = waiting(2);
    const first = wake(new Map(), 4, { open: () => new Promise(() => {}) });
    await first.queue.enter(entry(a, DUEL));
    await first.queue.enter(entry(b, DUEL));
    await first.settle();
    const saved = new Map(first.saved);
    const closed = { ...DUEL, lateJoin: false };
    saved.set('meta', { ...(saved.get('meta') as object), mode: closed, modeRevision: 2 });
    return { a, b, saved, closed };
  }

  it('tells it a mode that was saved since, also if the match says that it opened just now', async () => {
    const { saved, closed } = await died();
    const second = wake(saved);
    await second.settle();
    expect(second.told).toEqual([[2, closed]]);
  });

  it('asks the match also when all its lobbies, which know of it, have left the queue', async () => {
    const { a, b, saved, closed } = await died();
    const second = wake(saved, 4, { outcome: async () => 'over' });
    await second.queue.leave(a.id);
    await second.queue.leave(b.id);
    await second.settle();
    expect(second.told).toEqual([[2, closed]]);
    // And of what is saved from then on.
    const open = { ...DUEL, allowBackfill: true };
    await second.queue.modeChanged(open, 3);
    await second.settle();
    expect(second.told).toEqual([
      [2, closed],
      [3, open],
    ]);
  });

  it.each(['over', 'aborted'] as const)(
    'counts its searches by what the match says: %s',
    async (outcome) => {
      const [a = ticket('a'), b = ticket('b')] = waiting(2);
      const first = wake(new Map(), 4, { hold: () => new Promise(() => {}) });
      await first.queue.enter(entry(a, DUEL));
      await first.queue.enter(entry(b, DUEL));
      await first.settle();
      // Its journal is saved within a second.
      await first.pass(1_500);
      // By now the game is over, and its lobbies search no more.
      const second = wake(new Map(first.saved), 4, {
        hold: async () => ({ held: false, searches: false }),
        outcome: async () => outcome,
      });
      await second.settle();
      const ended = async ({ players }: Ticket) => {
        const { searches } = await second.queue.searches(players[0] as PlayerId, null, 0);
        return searches.map((each) => each.ended?.reason);
      };
      const reason = outcome === 'over' ? 'matched' : 'cancelled';
      expect([await ended(a), await ended(b)]).toEqual([[reason], [reason]]);
    },
  );
});

describe('a match that is asked about a hold', () => {
  const A = party('a', 'ann');
  const hold = (of: typeof A) => ({ ticketId: of.ticketId, seq: 1 });

  it('knows who was in it when only its record is left', async () => {
    const game = await running({}, A, party('b', 'bob'));
    const C = party('c', 'cat');
    await game.match.admit(backfill(C, 0));
    await game.match.end(A.lobbyId, A.ticketId);
    await game.fake.pass(1_000);
    expect(game.state()).toBeUndefined();
    const asked = [A, C, party('d', 'dan')].map((of) => game.match.outcome(hold(of)));
    expect(await Promise.all(asked)).toEqual(['over', 'over', 'aborted']);
  });

  it('knows the first ticket of a lobby that came in again', async () => {
    const game = await running({}, A, party('b', 'bob'));
    await game.match.left(A.lobbyId, A.ticketId);
    const ticketId = 'again' as TicketId;
    await game.match.admit(backfill({ ...A, ticketId }, 0));
    const outcome = await game.match.outcome(hold(A));
    expect(outcome).toMatchObject({ ticketId: A.ticketId, phase: 'in_game' });
    expect(game.state()?.refused).toEqual([]);
  });
});
