// What-if against the truth, where people give up: everybody has a patience that the journal only tells of those who
// left before they had a match.

import { describe, expect, it } from 'vitest';
import type { PoolOutcome } from '../../src/match/pool';
import type { JournalHead, JournalLine, PoolCall } from '../../src/match/journal/lines';
import { observed } from '../../src/match/journal/tell';
import { whatIf } from '../../dashboard/replay/what-if';
import type { Mode } from '../../src/match/rules/mode';
import { chancesOf } from '../../src/match/rules/plackett-luce';
import { skillAt } from '../../src/match/rules/skill';
import type { Ticket } from '../../src/match/ticket/ticket';
import { makePool, type Pool } from '../../src/match/waiting/make-pool';
import { mode, ticket } from './support/make';
import { random } from './support/random';

function difference(maxDifference: number): Mode {
  return mode({ timeout: 120, rules: [{ type: 'difference', field: 'mmr', maxDifference }] });
}

interface Person {
  readonly ticket: Ticket;
  readonly patienceMs: number;
}

/** One lobby in three seconds, whose patience is 25 s on average. */
function people(seed: number): readonly Person[] {
  const chance = random(seed);
  return Array.from({ length: 900 }, (_, at) => ({
    ticket: ticket(`t${at}`, { at: at * 3_000, state: { mmr: Math.round(300 * chance.normal()) } }),
    patienceMs: Math.ceil(-25_000 * Math.log(1 - chance.unit())),
  }));
}

/** What becomes of them under the mode: the journal that a queue writes of it, and how many had a match. */
function lived(of: Mode, all: readonly Person[]): { readonly text: string; matched: number } {
  const pool: Pool = makePool(of);
  const head: JournalHead = {
    k: 'journal',
    version: 1,
    config: 'c',
    mode: 'm',
    rules: of,
    waiting: 0,
  };
  const lines: JournalLine[] = [head];
  const told = { text: '', matched: 0 };
  const call = (what: PoolCall): void => {
    const { matches }: PoolOutcome = observed(pool, what, (line) => lines.push(line));
    for (const { tickets: ids } of matches) {
      told.matched += ids.length;
      call({ k: 'commit', t: what.t, ids });
    }
  };
  const events = all.flatMap(({ ticket: each, patienceMs }): PoolCall[] => [
    { k: 'enter', t: each.startedAt, ticket: each },
    { k: 'leave', t: each.startedAt + patienceMs, id: each.id },
  ]);
  for (const event of events.toSorted((a, b) => a.t - b.t)) {
    for (let due = pool.nextAt(); due !== null && due <= event.t; due = pool.nextAt()) {
      call({ k: 'advance', t: due });
    }
    if (event.k === 'enter' || (event.k === 'leave' && pool.has(event.id))) {
      call(event);
    }
  }
  return { ...told, text: lines.map((line) => JSON.stringify(line)).join('\n') };
}

function quantile(values: readonly number[], part: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(part * sorted.length)];
}

function staying(...tickets: readonly Ticket[]): readonly Person[] {
  return tickets.map((each) => ({ ticket: each, patienceMs: 100_000 }));
}

describe('how even the games of another mode would have been', () => {
  const rating = { field: 'mmr', system: 'openskill' } as const;

  it('is told of both modes by the ladder that either of them has', () => {
    const all = people(3);
    const [wide, close] = [difference(600), { ...difference(100), rating }];
    const mmrOf = new Map(all.map(({ ticket: { id, state } }) => [id, Number(state['mmr'])]));
    const offEven = (text: string): readonly number[] =>
      [...text.matchAll(/^\{"k":"match".*$/gm)].map(([line]) => {
        const { tickets } = JSON.parse(line) as { tickets: readonly Ticket['id'][] };
        const [one] = chancesOf(tickets.map((id) => [skillAt(mmrOf.get(id) ?? NaN, 0)]));
        return Math.round(1000 * Math.abs((one ?? NaN) - 0.5)) / 10;
      });
    const { text } = lived(wide, all);
    const { now, changed, gapField } = whatIf(text, close);
    const seen = offEven(text);
    expect(gapField).toBe('mmr');
    expect(now.evenness.uneven).toEqual({
      p50: expect.closeTo(quantile(seen, 0.5) ?? NaN, 1),
      p90: expect.closeTo(quantile(seen, 0.9) ?? NaN, 1),
      within5: expect.closeTo(seen.filter((each) => each <= 5).length / seen.length),
    });
    expect(changed.evenness.uneven?.p90).toBeLessThan(0.5 * (now.evenness.uneven?.p90 ?? 0));
    expect(changed.evenness.uneven?.within5).toBeGreaterThan(now.evenness.uneven?.within5 ?? 1);
    expect(changed.evenness.gap?.p90).toBeLessThanOrEqual(200);
    expect(changed.evenness.gap?.p90).toBeLessThan(now.evenness.gap?.p90 ?? 0);
    // The ladder counts too where only the saved mode has it.
    const { text: rated } = lived(close, all);
    const without = whatIf(rated, difference(600)).changed;
    expect(without.evenness.uneven?.p90).toBeCloseTo(now.evenness.uneven?.p90 ?? NaN, 0);
  });

  it('has the gap of the teams by players, and the ping of the farthest player', () => {
    const rules = [
      { type: 'difference', field: 'mmr', maxDifference: 500 },
      { type: 'latency', field: 'ping', maxMs: 80 },
    ] as const;
    const trios = mode({ playersPerTeam: 3, rules });
    const all = staying(
      ticket('duo', { size: 2, state: { mmr: 1000 }, pings: { eu: [55, 80] } }),
      ticket('one', { at: 1, state: { mmr: 1300 }, pings: { eu: [20, 20] } }),
      ticket('all', { at: 2, size: 3, state: { mmr: 1200 }, pings: { eu: [20, 60] } }),
    );
    const { text } = lived(trios, all);
    // A mode that no longer has the rules is judged by them as well.
    const { now, changed } = whatIf(text, { ...trios, rules: [] });
    for (const each of [now, changed]) {
      expect(each.evenness).toEqual({ uneven: null, gap: { p50: 100, p90: 100 } });
      expect(each.spread).toEqual([{ field: 'mmr', p50: 300, p90: 300 }]);
    }
    expect(now.ping).toEqual({ p50: 55, p90: 55 });
  });

  it('is not told where no number says it: no zero stands for it', () => {
    const { text } = lived(mode(), people(5));
    const { now, changed, gapField } = whatIf(text, mode({ timeout: 30 }));
    expect(now.matches).toBeGreaterThan(0);
    expect([now.evenness, changed.evenness]).toEqual([
      { uneven: null, gap: null },
      { uneven: null, gap: null },
    ]);
    expect([now.ping, changed.ping, gapField]).toEqual([null, null, null]);
    // Nobody has the field of the rule, so nothing is apart.
    const level = mode({ rules: [{ type: 'difference', field: 'level', maxDifference: 5 }] });
    const strangers = whatIf(text, level);
    expect(strangers.now.spread).toEqual([{ field: 'level', p50: null, p90: null }]);
    expect([strangers.gapField, strangers.now.evenness.gap]).toEqual(['level', null]);
  });
});

describe('what another mode would have done to people who give up', () => {
  it.each([
    ['stricter', 100, 50],
    ['looser', 60, 200],
  ])('is foretold where it is %s', (_, was, becomes) => {
    const all = people(7);
    const journal = lived(difference(was), all);
    const truth = lived(difference(becomes), all).matched;
    const { now, changed, draws } = whatIf(journal.text, difference(becomes));
    expect(now.matched).toBe(journal.matched);
    expect(Math.abs(truth - journal.matched)).toBeGreaterThan(0.15 * truth);
    expect(Math.abs(changed.matched - truth)).toBeLessThan(0.08 * truth);
    const matched = draws.changed.map((each) => each.matched);
    expect(matched.length).toBeGreaterThan(2);
    expect(new Set(matched).size).toBeGreaterThan(1);
    expect(matched.toSorted((a, b) => a - b)[Math.floor(matched.length / 2)]).toBe(changed.matched);
    for (const each of [...draws.now, ...draws.changed]) {
      expect(each.matched + each.left + each.neverMatched).toBe(each.entered);
      expect(each.waits.reduce((sum, count) => sum + count, 0)).toBe(each.matched);
    }
  });

  it('counts the same searches under both modes, without those whose game could not be launched', () => {
    const solo = (id: string, lobby: string, at: number, mmr: number): Person => ({
      ticket: { ...ticket(lobby, { at, state: { mmr } }), id: ticket(id).id },
      patienceMs: 200_000,
    });
    // Two who come again after a failed launch, and one who searches twice before somebody near comes.
    const patient = (mode: Mode): Mode => ({ ...mode, timeout: 30 });
    const all = [
      solo('a', 'one', 0, 1000),
      solo('b', 'two', 1_000, 1000),
      solo('c', 'far', 2_000, 5000),
      solo('d', 'one', 10_000, 1000),
      solo('e', 'two', 11_000, 1000),
      solo('f', 'far', 40_000, 5000),
      solo('g', 'near', 50_000, 5010),
    ];
    const { text } = lived(patient(difference(100)), all);
    const t = 1_500;
    const parties = ['a', 'b'].map((ticketId) => ({ ticketId }));
    const told = [
      { k: 'formed', t, matchId: 'm1', kind: 'new', full: true, region: null, parties },
      { k: 'failed', t, matchId: 'm1', reason: 'launch_failed', detail: null },
    ].map((line) => JSON.stringify(line));
    const found = whatIf([text, ...told].join('\n'), difference(100));
    expect(found.failedLaunches).toEqual({ searches: 2, matches: ['m1'] });
    expect([found.now, found.changed].map(({ entered }) => entered)).toEqual([5, 5]);
    expect(found.now).toMatchObject({ matched: 4, neverMatched: 1 });
    // With a timeout of 120 s the first search of the lobby `far` lasts, and both find the one that is near.
    expect(found.changed).toMatchObject({ matched: 5, neverMatched: 0, matches: 2 });
    expect(found.compared.differences).toBe(0);
    const other = whatIf(
      [text, told[0], told[1]?.replace('launch_failed', 'full')].join('\n'),
      difference(1),
    );
    expect(other.failedLaunches.searches).toBe(0);
  });

  it('never matches a lobby with itself', () => {
    const loose = difference(100);
    const solo = (id: string, at: number, mmr: number): Person => ({
      ticket: { ...ticket('same', { at, state: { mmr } }), id: ticket(id).id },
      patienceMs: 60_000,
    });
    const other: Person = { ...solo('other', 1_000, 5_050), patienceMs: 90_000 };
    const all = [
      solo('first', 0, 5_000),
      {
        ...other,
        ticket: { ...other.ticket, ...ticket('other', { at: 1_000, state: { mmr: 5_050 } }) },
      },
      solo('again', 20_000, 5_000),
    ];
    const { text, matched } = lived(loose, all);
    expect(matched).toBe(2);
    const strict = whatIf(text, difference(10)).changed;
    // The second search of the lobby comes to the end of its first, which goes on here.
    expect([strict.entered, strict.matched, strict.left]).toEqual([3, 0, 3]);
    expect(strict.waits).toEqual(Array.from({ length: 10 }, () => 0));
  });
});
