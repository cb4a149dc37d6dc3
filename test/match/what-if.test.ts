// What-if against the truth, where people give up: everybody has a patience that the journal only tells of those who
// left before they had a match.

import { describe, expect, it } from 'vitest';
import type { PoolOutcome } from '../../src/match/pool';
import type { JournalHead, JournalLine, PoolCall } from '../../src/match/journal/lines';
import { observed } from '../../src/match/journal/tell';
import { whatIf } from '../../replay/what-if';
import type { Mode } from '../../src/match/rules/mode';
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
    expect([strict.entered, strict.matched]).toEqual([2, 0]);
    expect(strict.waits).toEqual(Array.from({ length: 10 }, () => 0));
  });
});
