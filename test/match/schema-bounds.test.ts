// The bounds of a mode as it is saved: what is just allowed is read and kept, and what is just beyond is refused in its place.

import { describe, expect, it } from 'vitest';
import { planOf } from '../../src/match/waiting/entry';
import { parseMode } from '../../src/match/rules/schema';
import type { Mode } from '../../src/match/rules/mode';
import { mode } from './support/make';

/** The mode, or where it is refused. */
function read(body: object): Mode | readonly string[] {
  const parsed = parseMode(body);
  return parsed.ok ? parsed.value : parsed.refusal.map(({ path }) => path);
}

const MMR = { type: 'difference', field: 'mmr', maxDifference: 100 } as const;
const PAIR = { teams: 2, playersPerTeam: 50 };

it.each<[keyof Mode, object, number, number]>([
  ['teams', {}, 1, 100],
  ['playersPerTeam', { teams: 1 }, 1, 100],
  ['minPlayersPerTeam', PAIR, 1, 50],
  ['maxPartySize', PAIR, 1, 50],
  ['minTeams', { teams: 7 }, 1, 7],
  ['timeout', {}, 1, 86_400],
  ['refillSeconds', { onDecline: 'refill' }, 1, 300],
  ['declineCooldown', {}, 1, 600],
  ['reconnectSeconds', {}, 1, 3_600],
  ['bellSeconds', { timeout: 60 }, 1, 59],
  ['bellSeconds', { timeout: 86_400 }, 1, 86_399],
])('%s, beside %j, is %i to %i', (key, beside, least, most) => {
  for (const value of [least, most]) {
    expect(read({ ...beside, [key]: value })).toMatchObject({ [key]: value });
  }
  for (const value of [least - 1, most + 1, least + 0.5]) {
    expect(read({ ...beside, [key]: value })).toEqual([key]);
  }
  expect(Array.isArray(read({ ...beside, [key]: null }))).toBe(false);
});

describe('a target wait', () => {
  const beside = { timeout: 60, rules: [MMR] };
  it.each([
    [0.1, true],
    [60, true],
    [0.09, false],
    [61, false],
  ])('of %d s: %s', (targetWait, isRead) => {
    const told = read({ ...beside, targetWait });
    expect(Array.isArray(told) ? told : 'read').toEqual(isRead ? 'read' : ['targetWait']);
  });

  it('needs a rule to narrow, and is absent where it is not said', () => {
    expect(read({ targetWait: 5 })).toEqual(['targetWait']);
    expect(read(beside)).not.toHaveProperty('targetWait');
  });
});

describe('what is said is kept, and nothing else is there', () => {
  it.each<[keyof Mode, object, unknown]>([
    ['declineCooldown', { declineCooldown: 30 }, 30],
    ['bellSeconds', { bellSeconds: 30 }, 30],
    ['reconnectSeconds', { reconnectSeconds: 30 }, 30],
    ['rematch', { rematch: 'avoid' }, 'avoid'],
    [
      'rating',
      { rating: { field: 'mmr', system: 'openskill' } },
      { field: 'mmr', system: 'openskill' },
    ],
    ['sameSize', { sameSize: true }, true],
    ['refillSeconds', { onDecline: 'refill' }, 20],
    [
      'steps',
      { playersPerTeam: 2, steps: [{ afterSeconds: 9, minTeams: 1 }] },
      [{ afterSeconds: 9, minTeams: 1 }],
    ],
  ])('%s', (key, body, value) => {
    expect(read(body)).toHaveProperty(key, value);
    expect(read({})).not.toHaveProperty(key);
    expect(read(read(body) as Mode)).toEqual(read(body));
  });

  it('off is absent', () => {
    expect(read({ sameSize: false, steps: [] })).toEqual(read({}));
    expect(read({ matchConfirmation: { showsAccepted: false, each: 'party' } })).toEqual(read({}));
    expect(
      read({ matchConfirmation: { enabled: true, showsAccepted: true, each: 'player' } }),
    ).toMatchObject({
      matchConfirmation: { enabled: true, timeoutSeconds: 30, showsAccepted: true, each: 'player' },
    });
  });
});

describe('a step', () => {
  const beside = { teams: 3, playersPerTeam: 4, timeout: 60 };
  it.each<[readonly object[], readonly string[] | null]>([
    [[{ afterSeconds: 59, minTeams: 2 }], null],
    [[{ afterSeconds: 60, minTeams: 2 }], ['steps[0].afterSeconds']],
    [[{ afterSeconds: 5, minTeams: 3 }], null],
    [[{ afterSeconds: 5, minTeams: 4 }], ['steps[0].minTeams']],
    [[{ afterSeconds: 5, minPlayersPerTeam: 5 }], ['steps[0].minPlayersPerTeam']],
    [[{ afterSeconds: 5 }], ['steps[0]']],
    [
      [
        { afterSeconds: 5, minTeams: 2 },
        { afterSeconds: 6, minPlayersPerTeam: 2 },
      ],
      null,
    ],
    [
      [
        { afterSeconds: 5, minTeams: 2 },
        { afterSeconds: 5, minPlayersPerTeam: 2 },
      ],
      ['steps[1].afterSeconds'],
    ],
    [
      [
        { afterSeconds: 5, minTeams: 2 },
        { afterSeconds: 6, minTeams: 3 },
      ],
      ['steps[1].minTeams'],
    ],
    [[{ afterSeconds: 5, bots: true }], null],
    [[{ afterSeconds: 5, bots: true, minTeams: 2 }], ['steps[0].bots']],
    [
      [
        { afterSeconds: 5, bots: true },
        { afterSeconds: 6, minTeams: 2 },
      ],
      ['steps[0].bots'],
    ],
    [[{ afterSeconds: 5, bots: true, minHumans: 12 }], null],
    [[{ afterSeconds: 5, bots: true, minHumans: 13 }], ['steps[0].minHumans']],
    [
      [
        { afterSeconds: 5, minTeams: 2 },
        { afterSeconds: 6, bots: true, minHumans: 9 },
      ],
      ['steps[1].minHumans'],
    ],
    [[{ afterSeconds: 5, minTeams: 2, minHumans: 2 }], ['steps[0].minHumans']],
  ])('is %j: refused at %j', (steps, where) => {
    const told = read({ ...beside, steps });
    expect(Array.isArray(told) ? told : null).toEqual(where);
  });
});

describe('a rule', () => {
  const curve = (...points: readonly (readonly [number, number])[]) => ({ ...MMR, curve: points });
  const balance = { type: 'balance', field: 'mmr' } as const;
  const latency = { type: 'latency', field: 'ping', maxMs: 60 } as const;
  it.each<[object, string | null]>([
    [{ ...MMR, widenTo: 100 }, null],
    [{ ...MMR, widenTo: 99 }, 'widenTo'],
    [curve([0, 100]), null],
    [curve([0, 100], [10, 100], [11, 150]), null],
    [curve([0, 100], [10, 150], [10, 160]), 'curve'],
    [curve([0, 100], [10, 150], [20, 140]), 'curve'],
    [curve([0, 101]), 'curve'],
    [curve([1, 100]), 'curve'],
    [{ ...curve([0, 100]), widenTo: 150 }, 'curve'],
    [{ ...balance, maxDifference: 5 }, null],
    [{ ...balance, maxDifference: 5, widenTo: 5 }, null],
    [{ ...balance, maxDifference: 5, widenTo: 4 }, 'widenTo'],
    [balance, 'maxDifference'],
    [{ ...balance, maxDifference: 5, win: 5 }, 'maxDifference'],
    [{ ...latency, widenTo: 60 }, null],
    [{ ...latency, widenTo: 59 }, 'widenTo'],
  ])('%j is refused at %s', (rule, where) => {
    const told = read({ rules: [rule] });
    expect(Array.isArray(told) ? told : null).toEqual(
      where === null ? null : [`rules[0].${where}`],
    );
  });

  it('on teams or regions is alone of its type, and an even chance needs the ladder of that field', () => {
    const win = { ...balance, win: 10 };
    const rating = { field: 'mmr', system: 'openskill' } as const;
    expect(Array.isArray(read({ rules: [win], rating }))).toBe(false);
    expect(read({ rules: [win], rating: { ...rating, field: 'elo' } })).toEqual(['rules']);
    expect(read({ rules: [win] })).toEqual(['rules']);
    expect(read({ rules: [latency, latency] })).toEqual(['rules']);
    expect(read({ rules: [latency, { type: 'region' }] })).toEqual(['rules']);
    expect(read({ teams: 1, playersPerTeam: 2, rating })).toEqual(['rating']);
    expect(read({ rematch: 'avoid', teams: 3 })).toEqual(['rematch']);
    expect(read({ rematch: 'avoid', playersPerTeam: 2 })).toEqual(['rematch']);
  });

  it('tells the index which number a ticket must have, and whether any other pair is asked', () => {
    const of = (rule: object) => planOf(mode({ rules: [rule as never] }));
    expect(of({ ...balance, maxDifference: 5 })).toMatchObject({
      numeric: ['mmr'],
      isMeasureAll: false,
    });
    expect(of({ ...balance, win: 5 })).toMatchObject({ numeric: [], isMeasureAll: false });
    expect(of(latency)).toMatchObject({ numeric: [], isMeasureAll: true });
    expect(of({ type: 'avoid', field: 'avoid' })).toMatchObject({ isMeasureAll: false });
  });
});
