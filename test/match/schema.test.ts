// Modes as they are saved (spec: Matchmaking mode, Rule types; decisions 27 and 33): every default,
// every refusal with its place, and that a mode that was read reads again to the same.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mode } from '../../src/match/rules/mode';
import { parseMode } from '../../src/match/rules/schema';

const DEFAULTS = {
  teams: 2,
  playersPerTeam: 1,
  minPlayersPerTeam: 1,
  minTeams: 2,
  timeout: 60,
  maxPartySize: 1,
  allowBackfill: false,
  rules: [],
  matchConfirmation: { enabled: false, timeoutSeconds: 30 },
  teamComposition: null,
  excludedFromQueue: [],
  useVersionFromState: null,
  onDecline: 'return',
  explainsWait: true,
  lateJoin: true,
};

/** Every field says what it does not say by default. The compiler asks for a new one here. */
const EVERYTHING: Required<Mode> = {
  teams: 3,
  playersPerTeam: 2,
  minPlayersPerTeam: 1,
  minTeams: 2,
  steps: [{ afterSeconds: 10, minTeams: 1 }],
  sameSize: true,
  timeout: 90,
  maxPartySize: 1,
  allowBackfill: true,
  rules: [
    { type: 'difference', field: 'mmr', maxDifference: 50 },
    { type: 'equals', field: 'version' },
  ],
  matchConfirmation: { enabled: true, timeoutSeconds: 20, showsAccepted: true, each: 'player' },
  teamComposition: { red: { any: 2 }, blue: { any: 2 }, green: { any: 2 } },
  excludedFromQueue: ['spectator'],
  useVersionFromState: 'version',
  onDecline: 'refill',
  refillSeconds: 9,
  declineCooldown: 5,
  explainsWait: false,
  lateJoin: false,
  targetWait: 12,
  bellSeconds: 30,
  reconnectSeconds: 60,
  rematch: 'avoid',
  matcher: 'external',
  rating: { field: 'elo', system: 'openskill', decay: { afterDays: 30, sigma: 50 } },
};

function reading(body: unknown) {
  const parsed = parseMode(body);
  return parsed.ok ? parsed.value : parsed.refusal;
}

it('keeps every field that a mode can have', () => {
  const { rematch, ...said } = EVERYTHING;
  expect(reading(said)).toEqual(said);
  const duel = { teams: 2, playersPerTeam: 1, rematch };
  expect(reading(duel)).toMatchObject(duel);
});

describe('defaults', () => {
  // shows: S80, D27
  it.each<[string, unknown, object]>([
    ['nothing said', {}, {}],
    [
      'nulls say nothing',
      { teams: null, rules: null, teamComposition: null, matchConfirmation: null },
      {},
    ],
    ['unknown keys are ignored', { colour: 'red', playerPerTeam: 4 }, {}],
    [
      'minima follow the sizes',
      { teams: 4, playersPerTeam: 5 },
      { teams: 4, minTeams: 4, playersPerTeam: 5, minPlayersPerTeam: 5, maxPartySize: 5 },
    ],
    [
      'a battle royale',
      { teams: 25, playersPerTeam: 4, minTeams: 10, minPlayersPerTeam: 1 },
      { teams: 25, minTeams: 10, playersPerTeam: 4, maxPartySize: 4 },
    ],
    [
      'a free-for-all',
      { teams: 1, playersPerTeam: 100 },
      { teams: 1, minTeams: 1, playersPerTeam: 100, minPlayersPerTeam: 100, maxPartySize: 100 },
    ],
    [
      'a region rule asks for one region',
      { rules: [{ type: 'region' }] },
      { rules: [{ type: 'region', minOverlap: 1 }] },
    ],
    [
      'the other name of rules',
      { matchmakingRules: [{ type: 'equals', field: 'f' }] },
      { rules: [{ type: 'equals', field: 'f' }] },
    ],
    [
      'keys a rule does not have',
      { rules: [{ type: 'equals', field: 'f', weight: 2 }] },
      { rules: [{ type: 'equals', field: 'f' }] },
    ],
    [
      'confirmation on',
      { matchConfirmation: { enabled: true } },
      { matchConfirmation: { enabled: true, timeoutSeconds: 30 } },
    ],
    [
      'each player accepts',
      { matchConfirmation: { enabled: true, each: 'player' } },
      { matchConfirmation: { enabled: true, timeoutSeconds: 30, each: 'player' } },
    ],
    ['requeue', { onDecline: 'requeue' }, { onDecline: 'requeue' }],
    ['refill', { onDecline: 'refill' }, { onDecline: 'refill', refillSeconds: 20 }],
    [
      'a composition gives teams and sizes',
      {
        teamComposition: { hunter: { killer: 1 }, prey: { medic: 1, runner: 3 } },
      },
      {
        teams: 2,
        minTeams: 2,
        playersPerTeam: 4,
        minPlayersPerTeam: 4,
        maxPartySize: 4,
        teamComposition: { hunter: { killer: 1 }, prey: { medic: 1, runner: 3 } },
      },
    ],
    [
      'a version with its rule',
      { useVersionFromState: 'build', rules: [{ type: 'equals', field: 'build' }] },
      { useVersionFromState: 'build', rules: [{ type: 'equals', field: 'build' }] },
    ],
  ])('%s', (_, body, over) => {
    expect(reading(body)).toEqual({ ...DEFAULTS, minPlayersPerTeam: expect.any(Number), ...over });
    expect(reading(reading(body))).toEqual(reading(body));
  });
});

const WHOLE = 'must be a whole number';
const TEAM = { hunter: { killer: 1 }, prey: { runner: 3 } };
const TYPES =
  'unknown rule type: must be one of difference, equals, not_equals, region, expression, balance, latency, avoid';

describe('refused, and where', () => {
  // shows: S71, D5d, D5e
  it.each<[unknown, string, string]>([
    [null, '', 'must be an object'],
    [[], '', 'must be an object'],
    ['ranked', '', 'must be an object'],
    [{ teams: 0 }, 'teams', 'must be at least 1'],
    [{ teams: 101 }, 'teams', 'must be at most 100'],
    [{ teams: 2.5 }, 'teams', WHOLE],
    [{ teams: '2' }, 'teams', WHOLE],
    [{ playersPerTeam: 0 }, 'playersPerTeam', 'must be at least 1'],
    [{ playersPerTeam: 101 }, 'playersPerTeam', 'must be at most 100'],
    [
      { teams: 26, playersPerTeam: 4 },
      'playersPerTeam',
      'makes a match of 104 players; at most 100 are allowed',
    ],
    [{ minPlayersPerTeam: 2 }, 'minPlayersPerTeam', 'must be at most the 1 players in a team'],
    [{ minPlayersPerTeam: 0 }, 'minPlayersPerTeam', 'must be at least 1'],
    [{ minTeams: 3 }, 'minTeams', 'must be at most the 2 teams in the mode'],
    [
      { playersPerTeam: 5, maxPartySize: 6 },
      'maxPartySize',
      'must be at most the 5 players in a team',
    ],
    [{ maxPartySize: 0 }, 'maxPartySize', 'must be at least 1'],
    [{ timeout: 0 }, 'timeout', 'must be at least 1'],
    [{ timeout: 86_401 }, 'timeout', 'must be at most 86400'],
    [{ timeout: 1.5 }, 'timeout', WHOLE],
    [{ allowBackfill: 'yes' }, 'allowBackfill', 'must be true or false'],
    [{ matchConfirmation: true }, 'matchConfirmation', 'must be an object'],
    [{ matchConfirmation: { enabled: 1 } }, 'matchConfirmation.enabled', 'must be true or false'],
    [
      { matchConfirmation: { timeoutSeconds: 0 } },
      'matchConfirmation.timeoutSeconds',
      'must be at least 1',
    ],
    [
      { matchConfirmation: { each: 'team' } },
      'matchConfirmation.each',
      'must be one of party, player',
    ],
    [{ onDecline: 'retry' }, 'onDecline', 'must be one of return, requeue, refill'],
    [{ refillSeconds: 10 }, 'refillSeconds', 'needs onDecline: refill'],
    [{ onDecline: 'refill', refillSeconds: 301 }, 'refillSeconds', 'must be at most 300'],
    [{ rules: {} }, 'rules', 'must be a list'],
    [
      { rules: Array.from({ length: 21 }, () => ({ type: 'region' })) },
      'rules',
      'must have at most 20 entries',
    ],
    [{ rules: ['equals'] }, 'rules[0]', 'must be an object with a type'],
    [{ rules: [{ type: 'region' }, { type: 'diference' }] }, 'rules[1].type', TYPES],
    [{ rules: [{ field: 'mmr' }] }, 'rules[0].type', TYPES],
    [
      { rules: [{ type: 'difference', maxDifference: 1 }] },
      'rules[0].field',
      'is missing: it must be a string',
    ],
    [
      { rules: [{ type: 'difference', field: 'mmr' }] },
      'rules[0].maxDifference',
      'is missing: it must be a number',
    ],
    [
      { rules: [{ type: 'difference', field: 'mmr', maxDifference: -1 }] },
      'rules[0].maxDifference',
      'must not be negative',
    ],
    [
      { rules: [{ type: 'difference', field: 'mmr', maxDifference: Infinity }] },
      'rules[0].maxDifference',
      'must be a number',
    ],
    [{ rules: [{ type: 'equals', field: '' }] }, 'rules[0].field', 'must not be empty'],
    [
      { rules: [{ type: 'equals', field: 'f'.repeat(65) }] },
      'rules[0].field',
      'must be at most 64 characters long',
    ],
    [{ rules: [{ type: 'not_equals', field: 7 }] }, 'rules[0].field', 'must be a string'],
    [{ rules: [{ type: 'region', minOverlap: 0 }] }, 'rules[0].minOverlap', 'must be at least 1'],
    [{ rules: [{ type: 'region', minOverlap: 17 }] }, 'rules[0].minOverlap', 'must be at most 16'],
    [{ rules: [{ type: 'expression' }] }, 'rules[0].cel', 'is missing: it must be a string'],
    [{ rules: [{ type: 'expression', cel: '' }] }, 'rules[0].cel', 'must not be empty'],
    [
      { rules: [{ type: 'expression', cel: 'a.state.mmr <' }] },
      'rules[0].cel',
      'Unexpected token: EOF (at character 14)',
    ],
    [
      { rules: [{ type: 'expression', cel: 'a.mmr < 5' }] },
      'rules[0].cel',
      'No such key: mmr (at character 3)',
    ],
    [{ matchmakingRules: [{ type: 'x' }] }, 'matchmakingRules[0].type', TYPES],
    [
      { rules: [], matchmakingRules: [] },
      'matchmakingRules',
      'is another name for rules: use only one of them',
    ],
    [{ teamComposition: [] }, 'teamComposition', 'must be an object'],
    [{ teamComposition: {} }, 'teamComposition', 'must name at least one team'],
    [{ teamComposition: { hunter: {} } }, 'teamComposition.hunter', 'must name at least one role'],
    [
      { teamComposition: { hunter: { killer: 0 } } },
      'teamComposition.hunter.killer',
      'must be at least 1',
    ],
    [{ teamComposition: { hunter: { killer: '1' } } }, 'teamComposition.hunter.killer', WHOLE],
    [
      { teamComposition: { hunter: { fill: 1 } } },
      'teamComposition.hunter.fill',
      'fill is the wildcard, not a role',
    ],
    [
      { teamComposition: { hunter: { '': 1 } } },
      'teamComposition.hunter.',
      'a name has 1 to 64 characters',
    ],
    [
      JSON.parse('{"teamComposition":{"__proto__":{"killer":1}}}'),
      'teamComposition.__proto__',
      'this name is reserved',
    ],
    [
      { teamComposition: { a: { x: 60 }, b: { y: 41 } } },
      'teamComposition',
      'makes a match of 101 players; at most 100 are allowed',
    ],
    [
      {
        teamComposition: {
          a: Object.fromEntries('abcde'.split('').map((role) => [role, 1])),
          b: Object.fromEntries('efghi'.split('').map((role) => [role, 1])),
        },
      },
      'teamComposition',
      'names 9 roles: at most 8 are allowed, as beyond that a match could stay unfound',
    ],
    [
      {
        teamComposition: Object.fromEntries(
          'abcdefghijklm'.split('').map((name) => [name, { x: 1 }]),
        ),
      },
      'teamComposition',
      'has 13 teams: at most 12 are allowed, as beyond that a match could stay unfound',
    ],
    [
      { teamComposition: TEAM, maxPartySize: 4 },
      'maxPartySize',
      'must be at most the 3 players in a team',
    ],
    [{ teamComposition: TEAM, minTeams: 3 }, 'minTeams', 'must be at most the 2 teams in the mode'],
    [
      { teamComposition: TEAM, excludedFromQueue: ['killer'] },
      'excludedFromQueue[0]',
      'killer is a role that the teams need',
    ],
    [{ excludedFromQueue: 'spectator' }, 'excludedFromQueue', 'must be a list'],
    [{ excludedFromQueue: ['a', 3] }, 'excludedFromQueue[1]', 'must be a string'],
    [
      { useVersionFromState: 'build' },
      'useVersionFromState',
      'needs an equals rule on the field build',
    ],
    [
      { useVersionFromState: 'build', rules: [{ type: 'not_equals', field: 'build' }] },
      'useVersionFromState',
      'needs an equals rule on the field build',
    ],
    [
      { useVersionFromState: 'build', rules: [{ type: 'equals', field: 'Build' }] },
      'useVersionFromState',
      'needs an equals rule on the field build',
    ],
    [{ useVersionFromState: '' }, 'useVersionFromState', 'must not be empty'],
  ])('%j', (body, path, message) => {
    expect(parseMode(body)).toEqual({ ok: false, refusal: [{ path, message }] });
  });

  it('names all that is wrong at once', () => {
    const body = { teams: 0, rules: [{ type: 'x' }, { type: 'equals' }], timeout: 'long' };
    const parsed = parseMode(body);
    expect(parsed.ok ? [] : parsed.refusal.map((issue) => issue.path).toSorted()).toEqual([
      'rules[0].type',
      'rules[1].field',
      'teams',
      'timeout',
    ]);
  });
});

describe('whatever is sent', () => {
  it('is read or refused, never thrown at, and reads again to the same', () => {
    const value = fc.oneof(
      fc.integer({ min: -2, max: 12 }),
      fc.constantFrom(null, 'x', true, [], {}),
      fc.anything(),
    );
    const keys = Object.keys(DEFAULTS);
    let read = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 4 }), (body) => {
        const parsed = parseMode(body);
        if (parsed.ok) {
          read += 1;
          expect(parseMode(parsed.value)).toEqual(parsed);
          const { teams, minTeams, playersPerTeam, minPlayersPerTeam, maxPartySize } = parsed.value;
          expect(minTeams <= teams && minPlayersPerTeam <= playersPerTeam).toBe(true);
          expect(maxPartySize <= playersPerTeam && teams * playersPerTeam <= 100).toBe(true);
        } else {
          expect(parsed.refusal.length).toBeGreaterThan(0);
        }
      }),
      { seed: 5_150, numRuns: 2_000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
