// What comes to a queue while half of its tickets are read, or put back by another mode: told at every
// slice, the outcome is the same.

import { describe, expect, it } from 'vitest';
import type { MatchId, TicketId } from '../../../../src/common/ids';
import type { HoldReply } from '../../../../src/objects/contracts/lobby';
import type { ProposalRow } from '../../../../src/objects/queue/rows';
import { ticket } from '../../../match/support/make';
import { APART, DUEL, entry, NOW, rowsOf, waiting, wake } from '../../../support/waking-queue';

const COUNT = 40;
/** Slices until all 40 are read and put back, four at a time, and a few beyond. */
const SLICES = Array.from({ length: 25 }, (_, at) => at);
const apart = () => waiting(COUNT, (index) => ({ name: index }));
const FILLED = { ...APART, allowBackfill: true };

/** A running match for the player whose name is that. */
function offered(matchId: string, name: number | string, seq = 1, slots = 1) {
  const match = {
    matchId,
    startedAt: NOW - 1000,
    anchor: ticket(`anchor of ${matchId}`, { at: NOW - 90_000, state: { name } }),
    region: 'us-east',
    version: null,
    open: [{ name: null, slots, roles: null }],
  };
  return { seq, match };
}

function admittedIn({ admitted }: ReturnType<typeof wake>): readonly string[] {
  return admitted.map(({ party }) => party.ticketId).toSorted();
}

describe('a running match that offers its room while half is read', () => {
  it.each(SLICES)('gets the lobby that fits, in slice %i', async (at) => {
    const saved = rowsOf(FILLED, apart());
    // One had offered itself before: its row is there.
    saved.set('offer:before', offered('before', 0));
    const woken = wake(saved);
    for (let slices = 0; slices < at; slices += 1) {
      woken.slice();
    }
    await woken.queue.offer('now' as MatchId, offered('now', 39));
    await woken.settle();
    expect(admittedIn(woken)).toEqual(['t0001', 't0040']);
    expect((await woken.queue.stats()).lobbiesInQueue).toBe(COUNT - 2);
  });

  it.each(['first', 'second'])(
    'gets the lobby before a younger one does: the %s',
    async (elder) => {
      const saved = rowsOf(FILLED, apart());
      for (const name of ['first', 'second']) {
        const { seq, match } = offered(name, 0);
        // The elder one has room in its second team.
        const full = { name: null, slots: 0, roles: null };
        const old = { ...match, startedAt: NOW - 60_000, open: [full, ...match.open] };
        saved.set(`offer:${name}`, { seq, match: name === elder ? old : match });
      }
      const woken = wake(saved);
      await woken.settle();
      expect(woken.admitted.map(({ team }) => team)).toEqual([1]);
    },
  );

  it.each(SLICES.slice(0, 20))(
    'gets nobody once it has taken that back, in slice %i',
    async (at) => {
      const saved = rowsOf(FILLED, apart());
      saved.set('offer:before', offered('before', 0));
      const woken = wake(saved);
      await woken.queue.offer('now' as MatchId, offered('now', 39));
      for (let slices = 0; slices < at; slices += 1) {
        woken.slice();
      }
      await woken.queue.offer('now' as MatchId, { seq: 2, match: null });
      await woken.queue.offer('before' as MatchId, offered('before', 'nobody', 2));
      await woken.settle();
      expect(woken.admitted).toEqual([]);
    },
  );
});

describe('a running match with room, and a lobby that fits, in the rows of a queue that wakes', () => {
  it('come together at once, and the lobby is asked to hold once', async () => {
    const saved = rowsOf(
      FILLED,
      waiting(1, () => ({ name: 0 })),
    );
    saved.set('offer:before', offered('before', 0));
    const asked: TicketId[] = [];
    const hold = async (id: TicketId, held: HoldReply): Promise<HoldReply> => {
      asked.push(id);
      return held;
    };
    const woken = wake(saved, 4, { hold });
    await woken.settle();
    expect([asked, admittedIn(woken)]).toEqual([['t0001'], ['t0001']]);
  });
});

/** Saved: the first two, alike, are taken by a proposal under way. */
function underWay() {
  const tickets = apart();
  const [a, b] = [tickets[0] ?? ticket('none'), tickets[1] ?? ticket('none')];
  const saved = rowsOf(APART, [{ ...a, state: { name: 1 } }, ...tickets.slice(1)]);
  const proposal: ProposalRow = {
    id: 'p1',
    matchId: 'm1' as MatchId,
    seq: 1,
    tickets: [a.id, b.id],
    members: [a.players, b.players],
    what: {
      kind: 'new',
      proposal: {
        tickets: [a.id, b.id],
        anchor: a.id,
        full: true,
        region: 'us-east',
        version: null,
        teams: [
          { name: 'team1', tickets: [a.id], roles: null },
          { name: 'team2', tickets: [b.id], roles: null },
        ],
      },
    },
    commit: null,
  };
  saved.set('proposal:p1', proposal);
  return { saved, a, b };
}

/** Lobbies answer when the test says so. */
function barrier() {
  const asked = new Map<TicketId, { held: HoldReply; answer: (reply: HoldReply) => void }>();
  const hold = (id: TicketId, held: HoldReply): Promise<HoldReply> =>
    new Promise((answer) => {
      asked.set(id, { held, answer });
    });
  const answer = async (id: TicketId, reply?: HoldReply): Promise<void> => {
    const known = asked.get(id);
    known?.answer(reply ?? known.held);
    asked.delete(id);
    for (let turn = 0; turn < 20; turn += 1) {
      await Promise.resolve();
    }
  };
  return { hold, answer, asked };
}

/** A queue with a proposal under way, that has woken so many slices ago. */
async function midway(at: number) {
  const { saved, a, b } = underWay();
  const { hold, answer, asked } = barrier();
  const woken = wake(saved, 4, { hold });
  await Promise.resolve();
  for (let slices = 0; slices < at; slices += 1) {
    woken.slice();
  }
  return { woken, a, b, answer, asked };
}

describe('a proposal that comes to its end while half is read', () => {
  it.each(SLICES)('is a match, of nobody twice, in slice %i', async (at) => {
    const { woken, a, b, answer } = await midway(at);
    await answer(a.id);
    await answer(b.id);
    // One comes who would fit either of them.
    await woken.queue.enter(entry(ticket('z', { at: NOW, state: { name: 1 } }), APART));
    await woken.settle();
    expect(woken.opened.map(({ matchId }) => matchId)).toEqual(['m1']);
    expect((await woken.queue.stats()).lobbiesInQueue).toBe(COUNT - 1);
  });

  it.each(SLICES)('gives back who held and drops who refused, in slice %i', async (at) => {
    const { woken, a, b, answer, asked } = await midway(at);
    await answer(a.id);
    await answer(b.id, { held: false, searches: false });
    await woken.queue.enter(entry(ticket('z', { at: NOW, state: { name: 1 } }), APART));
    await woken.settle();
    // It is matched anew, with the one who came.
    expect([...asked.keys()].toSorted()).toEqual(['t0040', 'z']);
    await answer(a.id);
    await answer('z' as TicketId);
    await woken.settle();
    const made = woken.opened.map(({ parties }) => parties.map(({ ticketId }) => ticketId));
    expect(made).toEqual([[a.id, 'z']]);
    expect((await woken.queue.stats()).lobbiesInQueue).toBe(COUNT - 2);
  });

  it.each(SLICES)('lets one go that cancels meanwhile, in slice %i', async (at) => {
    const { woken, a, b, answer } = await midway(at);
    await answer(a.id);
    await woken.queue.leave(a.id);
    await answer(b.id);
    await woken.settle();
    expect(woken.opened).toEqual([]);
    expect((await woken.queue.stats()).lobbiesInQueue).toBe(COUNT - 1);
    expect((await woken.queue.report(b.id)).oldest.find(({ id }) => id === b.id)?.taken).toBe(
      false,
    );
  });
});

describe('a mode that changes in a queue that is awake', () => {
  const awake = async (rules = APART) => {
    const woken = wake(rowsOf(rules, apart()));
    await woken.wakeUp();
    await woken.settle();
    woken.stretches.length = 0;
    return woken;
  };

  it('is told and put to use a few tickets at a time', async () => {
    const woken = await awake();
    const changed = woken.queue.modeChanged({ ...APART, timeout: 900 }, 2);
    let [pending, slices, sorted] = [true, 0, 0];
    void changed.then(() => (pending = false));
    for (;;) {
      const { reading } = await woken.queue.report(null);
      if (!pending && reading === null) {
        break;
      }
      expect((reading?.done ?? sorted) - sorted).toBeLessThanOrEqual(4);
      sorted = reading?.done ?? COUNT;
      woken.slice();
      slices += 1;
      await Promise.resolve();
      expect(slices).toBeLessThan(100);
    }
    // Ten slices to put forty back and to ask forty, four at a time.
    expect(slices).toBeGreaterThanOrEqual(10);
    expect(Math.max(...woken.stretches)).toBeLessThanOrEqual(8);
    await woken.settle();
    expect(new Set(woken.refreshed).size).toBe(COUNT);
    expect((await woken.queue.report(null)).mode?.timeout).toBe(900);
  });

  it.each([{ ...APART, timeout: 900 }, null])(
    'is worked off once, however often it is told',
    async (to) => {
      const asked = async (times: number): Promise<number> => {
        const woken = await awake();
        const told = Array.from({ length: times }, () => woken.queue.modeChanged(to, 2));
        await woken.settle();
        await Promise.all(told);
        await woken.settle();
        expect(new Set([...woken.refreshed, ...woken.returned]).size).toBe(COUNT);
        return woken.stretches.length;
      };
      // The change itself is saved each time.
      expect(await asked(5)).toBeLessThanOrEqual((await asked(1)) + 4);
    },
  );

  it.each(SLICES)('serves who comes, leaves, changes and offers in slice %i', async (at) => {
    const woken = await awake(FILLED);
    const { queue } = woken;
    const changed = queue.modeChanged({ ...FILLED, timeout: 900 }, 2);
    for (let slices = 0; slices < at; slices += 1) {
      woken.slice();
    }
    await queue.leave('t0020' as TicketId);
    await queue.enter(entry(ticket('z', { at: NOW, state: { name: 5 } }), FILLED, 1, 2));
    const changes = ticket('t0040', { at: NOW - 60_000, state: { name: 'changed' } });
    await queue.enter(entry(changes, FILLED, 2, 2));
    await queue.enter(entry(ticket('y', { at: NOW, state: { name: 'changed' } }), FILLED, 1, 2));
    await queue.offer('now' as MatchId, offered('now', 39));
    await woken.settle();
    await changed;
    await woken.settle();
    const made = woken.opened.map(({ parties }) => parties.map(({ ticketId }) => ticketId).join());
    expect(made.toSorted()).toEqual(['t0035,z', 't0040,y']);
    expect(admittedIn(woken)).toEqual(['t0001']);
    expect((await queue.stats()).lobbiesInQueue).toBe(COUNT - 4);
  });

  it.each(SLICES)('gives way to a newer one in slice %i', async (at) => {
    const woken = await awake();
    const first = woken.queue.modeChanged({ ...APART, timeout: 900 }, 2);
    for (let slices = 0; slices < at; slices += 1) {
      woken.slice();
    }
    const second = woken.queue.modeChanged(DUEL, 3);
    await woken.settle();
    await Promise.all([first, second]);
    await woken.settle();
    expect(woken.opened).toHaveLength(COUNT / 2);
  });

  it.each(SLICES)('gives all back when it is gone, and matches nobody, in slice %i', async (at) => {
    const woken = await awake();
    const gone = woken.queue.modeChanged(null, 2);
    for (let slices = 0; slices < at; slices += 1) {
      woken.slice();
    }
    // A lobby that has not heard of it, and one of the mode as it is saved anew.
    await woken.queue.enter(entry(ticket('late', { at: NOW, state: { name: 0 } }), APART));
    await woken.queue.enter(entry(ticket('new', { at: NOW, state: { name: 1 } }), APART, 1, 3));
    await woken.settle();
    await gone;
    await woken.settle();
    expect(woken.opened).toEqual([]);
    expect(new Set(woken.returned).size).toBe(COUNT + 1);
    expect((await woken.queue.stats()).lobbiesInQueue).toBe(1);
    expect(Math.max(...woken.stretches)).toBeLessThanOrEqual(8);
  });

  it('matches nobody once it is gone, whatever time opens', async () => {
    const rules = [{ type: 'difference', field: 'mmr', maxDifference: 10 } as const];
    const widening = { ...DUEL, rules };
    const tickets = waiting(COUNT, (index) => ({ mmr: 15 * index }));
    for (const isGone of [false, true]) {
      const woken = wake(rowsOf(widening, tickets));
      await woken.wakeUp();
      await woken.settle();
      const gone = isGone ? woken.queue.modeChanged(null, 2) : Promise.resolve();
      await woken.pass(300_000);
      await woken.queue.alarm();
      await woken.settle();
      await gone;
      await woken.settle();
      expect(woken.opened.length > 0).toBe(!isGone);
      expect(woken.returned).toHaveLength(isGone ? COUNT : 0);
    }
  });

  it('takes nobody out who came by a newer one, when the word that it is gone comes late', async () => {
    const woken = await awake();
    await woken.queue.enter(entry(ticket('new', { at: NOW, state: { name: 'new' } }), APART, 1, 3));
    const gone = woken.queue.modeChanged(null, 2);
    await woken.settle();
    await gone;
    expect(woken.returned).not.toContain('new');
    expect((await woken.queue.stats()).lobbiesInQueue).toBe(1);
  });
});
