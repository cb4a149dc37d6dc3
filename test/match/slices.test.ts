import { describe, expect, it } from 'vitest';
import { WORST } from '../../proof/bench/match/worst-cases';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import type { TicketId } from '../../src/common/ids';
import type { Rule } from '../../src/match/rules/registry';
import type { Ticket } from '../../src/match/ticket/ticket';
import { ids, mode, roleMode, ticket } from './support/make';
import { plantedParties, teamsOf } from './support/planted';
import { random } from './support/random';

const DIFFERENCE: Rule = { type: 'difference', field: 'mmr', maxDifference: 100 };

/** Slices until all that is due by now is done. */
function drain(pool: Pool, now: number): number {
  let slices = 0;
  while (pool.nextAt() === 0) {
    pool.advance(now);
    slices += 1;
  }
  return slices;
}

function slice(pool: Pool, times: number, now = 0): void {
  Array.from({ length: times }).forEach(() => pool.advance(now));
}

describe('work that is left for later slices', () => {
  it('is known while it lasts, and gone when it is done', () => {
    const rules: readonly Rule[] = [
      DIFFERENCE,
      { type: 'expression', cel: 'a.state.mmr + b.state.mmr < 0' },
    ];
    const pool = makePool(mode({ rules }), 20);
    const tickets = Array.from({ length: 40 }, (_, at) =>
      ticket(`t${at}`, { state: { mmr: 10 * at } }),
    );
    tickets.forEach((each) => pool.restore(each));
    pool.advance(0);
    const begun = pool.work();
    expect(begun.searches).toBe(1);
    expect(begun.anchors.of).toBe(40);
    expect(begun.anchors.tried).toBeLessThan(40);
    expect(begun.toArm).toBeGreaterThan(0);
    expect(tickets.some(({ id }) => pool.isLookedFor(id))).toBe(true);
    expect(drain(pool, 0)).toBeGreaterThan(10);
    expect(pool.work()).toEqual({
      searches: 0,
      anchors: { tried: 0, of: 0 },
      toArm: 0,
    });
    expect(tickets.some(({ id }) => pool.isLookedFor(id))).toBe(false);
  });

  it('does not hold up who comes later', () => {
    const rules: readonly Rule[] = [
      { type: 'expression', cel: 'a.state.mmr + b.state.mmr < 0 || a.state.mmr == b.state.mmr' },
    ];
    const pool = makePool(mode({ rules }), 400);
    for (let at = 0; at < 400; at += 1) {
      pool.restore(ticket(`t${at}`, { state: { mmr: at } }));
    }
    pool.advance(0);
    pool.enter(ticket('x', { at: 1, state: { mmr: 1000 } }), 1);
    pool.enter(ticket('y', { at: 2, state: { mmr: 1001 } }), 2);
    expect(pool.work().searches).toBeGreaterThan(0);
    // Whom it may play with is the last in the queue: slices reach it, whatever else is left.
    pool.enter(ticket('z', { at: 3, state: { mmr: 1001 } }), 3);
    let found: readonly string[] = [];
    for (let slices = 0; found.length === 0 && slices < 2000; slices += 1) {
      found = pool.advance(4).matches.flatMap(({ tickets }) => tickets);
    }
    expect(found).toEqual(['y', 'z']);
  });
});

describe('tickets that leave while the search for them pauses', () => {
  it('take the shapes of their parties along', () => {
    for (let round = 0; round < 400; round += 1) {
      const chance = random(round);
      const pool = makePool(
        roleMode({ red: { tank: 2 }, blue: { heal: 2 } }),
        2 ** chance.below(6),
      );
      for (let waits = 0; waits < 4; waits += 1) {
        pool.enter(ticket(`waits ${waits}`, { roles: [['tank']] }), 0);
      }
      drain(pool, 0);
      const names = ids('a', 'b', 'c', 'd');
      const wishes = [['tank', 'heal'], ['heal'], ['heal', 'tank'], ['heal', 'fill']];
      const back = names.map((id, at) => ticket(id, { roles: [wishes[at] ?? [], ['tank']] }));
      back.forEach((each) => pool.restoreReserved(each, null));
      pool.release(names, 0);
      for (const id of names) {
        for (let slice = chance.below(3); slice > 0; slice -= 1) {
          pool.advance(0);
        }
        pool.leave(id);
      }
      drain(pool, 0);
      expect(pool.size).toBe(4);
    }
  });
});

describe('tickets that came while too much was under way', () => {
  it('are asked about in slices, too', () => {
    const budget = 200;
    const cel = 'a.acceptableRegions.exists(x, b.acceptableRegions.exists(y, x + "!" == y))';
    const pool = makePool(mode({ rules: [{ type: 'expression', cel }] }), budget);
    const regions = Array.from({ length: 8 }, (_, at) => `region ${at}`);
    for (let at = 0; at < 150; at += 1) {
      pool.enter(ticket(`t${at}`, { regions }), 0);
    }
    drain(pool, 0);
    expect(pool.counters.mostSteps).toBeLessThan(2 * budget);
  });
});

describe('a ticket reserved while its next opening is being noted', () => {
  // 1000 and 1150 meet after half of the timeout. The others only make the walk long.
  const near = (regions: readonly string[] = ['us']) => ({ state: { mmr: 1000 }, regions });
  const far = (regions: readonly string[] = ['us']) => ({ state: { mmr: 1150 }, regions });
  const others = Array.from({ length: 200 }, (_, at) => ticket(`o${at}`, far([`r${at}`])));
  const rules: readonly Rule[] = [DIFFERENCE, { type: 'region', minOverlap: 1 }];

  function poolWith(...tickets: readonly Ticket[]): Pool {
    const pool = makePool(mode({ rules }), 1);
    for (const each of tickets) {
      pool.enter(each, 0);
      drain(pool, 0);
    }
    return pool;
  }

  it('opens never, whichever slice it leaves in', () => {
    for (let slices = 0; slices < 100; slices += 10) {
      const pool = poolWith(ticket('b', far()), ...others);
      pool.enter(ticket('a', near()), 0);
      slice(pool, slices);
      pool.leave('a' as TicketId);
      slice(pool, 100, 31_000);
      expect(pool.nextAt()).toBe(60_000);
    }
  });

  it('meets whoever came meanwhile, once it is back', () => {
    for (let slices = 0; slices < 30; slices += 5) {
      const pool = poolWith(...others);
      pool.enter(ticket('a', near()), 0);
      slice(pool, slices);
      let { matches } = pool.enter(ticket('c', near()), 0);
      while (matches.length === 0) {
        matches = pool.advance(0).matches;
      }
      others.forEach(({ id }) => pool.leave(id));
      pool.leave('c' as TicketId);
      pool.enter(ticket('b', far()), 0);
      slice(pool, 8);
      pool.release(ids('a'), 0);
      drain(pool, 0);
      expect(pool.nextAt()).toBe(30_000);
    }
  });
});

describe('a ticket whose neighbours leave while its next opening is being noted', () => {
  it('opens with those whom they made needless, whichever slice they leave in', () => {
    const party = (id: string, size: number, mmr: number, at = 0): Ticket =>
      ticket(id, { at, size, state: { mmr } });
    const names = (cell: string) => Array.from({ length: 20 }, (_, at) => `${cell} ${at}`);
    for (let slices = 0; slices < 60; slices += 3) {
      const pool = makePool(mode({ playersPerTeam: 5, rules: [DIFFERENCE] }), 1);
      const enter = (each: Ticket): void => {
        pool.enter(each, each.startedAt);
        drain(pool, each.startedAt);
      };
      names('low').forEach((id) => enter(party(id, 3, 1000)));
      names('lower').forEach((id) => enter(party(id, 3, 970)));
      names('near').forEach((id) => enter(party(id, 3, 1150)));
      pool.enter(party('anchor', 3, 1150), 0);
      slice(pool, slices);
      names('near').forEach((id) => pool.leave(id as TicketId));
      drain(pool, 0);
      ['two', 'other two'].forEach((id) => enter(party(id, 2, 1249, 2000)));
      const found = [];
      for (let due = pool.nextAt(); due !== null && due <= 30_000; due = pool.nextAt()) {
        found.push(...pool.advance(Math.max(due, 2000)).matches);
      }
      expect(found.map(({ anchor }) => anchor)).toEqual(['anchor']);
    }
  });
});

describe('an anchor whose candidates leave while it looks for more', () => {
  it('takes the next one of that class, whichever slice they leave in', () => {
    // Of a class, an anchor looks at as many as a match has places: two.
    const rules: readonly Rule[] = [{ type: 'expression', cel: 'a.state.mmr - b.state.mmr == 1' }];
    const skilled = (id: string, mmr: number, regions: readonly string[] = ['us']) =>
      ticket(id, { state: { mmr }, regions });
    for (let slices = 0; slices < 80; slices += 1) {
      const pool = makePool(mode({ rules }), 1);
      const others = Array.from({ length: 8 }, (_, at) => skilled(`o${at}`, 5, ['us', `r${at}`]));
      for (const each of [...ids('a', 'b', 'c').map((id) => skilled(id, 1)), ...others]) {
        pool.enter(each, 0);
        drain(pool, 0);
      }
      const found = [...pool.enter(skilled('anchor', 2), 0).matches];
      for (let slice = 0; slice < slices; slice += 1) {
        found.push(...pool.advance(0).matches);
      }
      ids('a', 'b').forEach((id) => pool.leave(id));
      while (pool.nextAt() === 0) {
        found.push(...pool.advance(0).matches);
      }
      expect(found).toHaveLength(1);
    }
  });
});

/** Matches of ten teams, planted in rooms of their own; slices until all are found, and steps of the searches. */
function playRooms(rooms: readonly number[], budget: number) {
  const composition = teamsOf(10, { a: 5, b: 5 });
  const pool = makePool(
    roleMode(composition, { rules: [{ type: 'equals', field: 'room' }] }),
    budget,
  );
  let matches = 0;
  for (const room of rooms) {
    const cut = { name: '2-4', least: 2, most: 4 };
    const parties = plantedParties(composition, { cut, chance: random(room), also: 0.1 });
    parties.forEach((roles, at) => {
      matches += pool.enter(ticket(`${room}.${at}`, { roles, state: { room } }), 0).matches.length;
    });
  }
  const events = pool.work().searches;
  let slices = 0;
  while (pool.nextAt() === 0 && slices < 20_000) {
    matches += pool.advance(0).matches.length;
    slices += 1;
  }
  return { matches, events, slices, nodes: pool.counters.nodes };
}

describe('many long searches at a time', () => {
  it('each goes on where it stopped', () => {
    const rooms = Array.from({ length: 14 }, (_, room) => room);
    const alone = rooms.map((room) => playRooms([room], 200));
    const all = playRooms(rooms, 200);
    // More than there are searches kept for.
    expect(all.events).toBeGreaterThan(8);
    expect(all.matches).toBe(rooms.length);
    // The first slice of each may be lost; no other is.
    const sum = alone.reduce((total, { nodes }) => total + nodes, 0);
    expect(all.nodes).toBeLessThan(1.1 * sum);
  });
});

describe('the worst inputs known', () => {
  it.each(WORST)('take no more steps a call than are given: $name', (worst) => {
    const { pool, most } = worst.run({ share: 0.03, seed: 1 });
    // A unit of walking may come on top: a part of what the queue holds.
    expect(most).toBeLessThan(60_000);
    expect(pool.work().anchors.of).toBeGreaterThanOrEqual(0);
  });
});
