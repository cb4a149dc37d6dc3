// What the matcher sees of a lobby (spec: Rule semantics 2 and 4, Asymmetric modes;
// docs/internals/design.md A10, A11, A14).

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LobbyId, PlayerId, TicketId } from '../../src/common/ids';
import type { JsonObject } from '../../src/common/json';
import { REGION_FORM } from '../../src/common/limits';
import {
  MAX_SEEN_FIELDS,
  MAX_SEEN_LIST,
  MAX_SEEN_STRING,
  ticketOf,
} from '../../src/match/ticket/aggregate';
import { compileRules } from '../../src/match/rules/rules';
import type { Mode } from '../../src/match/rules/mode';
import type { Ticket } from '../../src/match/ticket/ticket';
import { mode, roleMode } from './support/make';

const SOLO = mode({ playersPerTeam: 10 });
const HUNT = roleMode(
  { hunter: { killer: 1 }, prey: { medic: 1, runner: 3 } },
  { maxPartySize: 4 },
);

/** A lobby of players with these states; the first is the host. */
function lobby(...states: readonly (JsonObject | null)[]) {
  return {
    id: 't' as TicketId,
    lobbyId: 'l' as LobbyId,
    startedAt: 1_000,
    players: states.map((state, index) => ({
      id: `p${index}` as PlayerId,
      state,
      isHost: index === 0,
    })),
    region: 'us-east',
    settings: { map: 'dust' },
  };
}

function ticketed(input: ReturnType<typeof lobby>, of: Mode = SOLO): Ticket {
  const made = ticketOf(input, of);
  if (!made.ok) {
    throw new Error(made.refusal.detail);
  }
  return made.value;
}

describe('a ticket', () => {
  // shows: S78, D28
  it('is the whole lobby for the game, its eligible players for the match', () => {
    const spectated = mode({ playersPerTeam: 2, excludedFromQueue: ['spectator'] });
    const input = lobby({ mmr: 10 }, { role: 'spectator', mmr: 9_000 }, { mmr: 20 });
    expect(ticketed(input, spectated)).toEqual({
      id: 't',
      lobbyId: 'l',
      startedAt: 1_000,
      members: [
        { id: 'p0', roles: [] },
        { id: 'p2', roles: [] },
      ],
      players: ['p0', 'p1', 'p2'],
      region: 'us-east',
      acceptableRegions: ['us-east'],
      state: { mmr: 15 },
      metadata: { map: 'dust' },
    });
  });
});

describe('state', () => {
  // shows: S91
  it.each<[string, (JsonObject | null)[], JsonObject]>([
    ['a number is averaged', [{ x: 1 }, { x: 2 }, { x: 6 }], { x: 3 }],
    ['over those who have one', [{ x: 1 }, {}, null, { x: 2 }], { x: 1.5 }],
    ['a text by all is kept', [{ x: 'a' }, { x: 'a' }], { x: 'a' }],
    ['a text by some is not', [{ x: 'a' }, {}], {}],
    ['two texts are not', [{ x: 'a' }, { x: 'b' }], {}],
    ['a boolean by all is kept', [{ x: false }, { x: false }], { x: false }],
    ['two booleans are not', [{ x: false }, { x: true }], {}],
    ['a number counts beside a text', [{ x: 4 }, { x: 'a' }], { x: 4 }],
    ['a list by all is kept', [{ x: ['a', 1] }, { x: ['a', 1] }], { x: ['a', 1] }],
    ['an empty list too', [{ x: [] }], { x: [] }],
    ['two lists are not', [{ x: ['a', 'b'] }, { x: ['b', 'a'] }], {}],
    ['a list by some is not', [{ x: ['a'] }, {}], {}],
    ['a number counts beside a list', [{ x: 4 }, { x: [4] }], { x: 4 }],
    ['a list of anything else is not seen', [{ x: [true], y: [['a']], z: ['a', null] }], {}],
    ['objects and null are not seen', [{ y: { z: 1 }, w: null }], {}],
    ['no state is an empty one', [null], {}],
  ])('%s', (_, states, expected) => {
    expect(ticketed(lobby(...states)).state).toEqual(expected);
  });

  it('sees no number that is not finite', () => {
    const infinite = JSON.parse('{"x":1e999,"y":1}') as JsonObject;
    expect(ticketed(lobby(infinite)).state).toEqual({ y: 1 });
    expect(ticketed(lobby({ x: 1.7e308 }, { x: 1.6e308 })).state).toEqual({});
  });

  it('is bounded, but never blind to what rules compare', () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`f${index}`, 1]));
    const ranked = mode({
      rules: [{ type: 'equals', field: 'f199' }],
      useVersionFromState: 'f198',
    });
    const { state } = ticketed(lobby(many), ranked);
    expect(Object.keys(state)).toHaveLength(MAX_SEEN_FIELDS);
    expect(state).toMatchObject({ f199: 1, f198: 1, f0: 1 });
    expect(
      ticketed(lobby({ ['n'.repeat(65)]: 1, x: 'y'.repeat(MAX_SEEN_STRING + 1) })).state,
    ).toEqual({});
    expect(ticketed(lobby({ x: 'y'.repeat(MAX_SEEN_STRING) })).state).toHaveProperty('x');
  });

  // shows: D41
  it('sees no list that is too long, nor one with a text that is', () => {
    const longest = Array.from({ length: MAX_SEEN_LIST }, (_, index) => index);
    expect(ticketed(lobby({ x: longest })).state).toEqual({ x: longest });
    expect(ticketed(lobby({ x: [...longest, 1] })).state).toEqual({});
    expect(ticketed(lobby({ x: ['y'.repeat(MAX_SEEN_STRING + 1)] })).state).toEqual({});
    const infinite = JSON.parse('{"x":[1e999]}') as JsonObject;
    expect(ticketed(lobby(infinite)).state).toEqual({});
    const equals = mode({ rules: [{ type: 'equals', field: 'x' }] });
    expect(ticketOf(lobby({ x: [...longest, 1] }), equals)).toEqual({
      ok: false,
      refusal: { code: 'VALIDATION_ERROR', detail: 'state.x has more than 64 values' },
    });
  });

  it('refuses a text too long to compare where rules compare it', () => {
    const build = { build: 'v'.repeat(MAX_SEEN_STRING + 1) };
    const equals = mode({ rules: [{ type: 'equals', field: 'build' }] });
    expect(ticketOf(lobby(build), equals)).toEqual({
      ok: false,
      refusal: { code: 'VALIDATION_ERROR', detail: 'state.build is longer than 256 characters' },
    });
  });

  it('takes any field name for a field', () => {
    const sent = JSON.parse('{"__proto__":"p","constructor":"c","toString":7}') as JsonObject;
    const { state } = ticketed(lobby(sent));
    expect(Object.entries(state)).toEqual([
      ['__proto__', 'p'],
      ['constructor', 'c'],
      ['toString', 7],
    ]);
    expect(Object.getPrototypeOf(state)).toBe(Object.prototype);
    expect(Object.entries(structuredClone(state))).toEqual(Object.entries(state));
  });

  it('of a party of equals is that of each of them, in any order', () => {
    const numbers = fc.double({ noNaN: true, noDefaultInfinity: true });
    const texts = fc.string({ maxLength: 5 });
    const values = fc.oneof(numbers, texts, fc.boolean(), fc.array(fc.oneof(numbers, texts)));
    const party = fc.dictionary(fc.string({ maxLength: 3 }), values, { maxKeys: 5 });
    fc.assert(
      fc.property(party, fc.integer({ min: 1, max: 10 }), (state, size) => {
        const states = Array.from({ length: size }, () => state);
        expect(ticketed(lobby(...states)).state).toEqual(ticketed(lobby(state)).state);
        expect(ticketed(lobby(state)).state).toEqual(state);
      }),
      { seed: 7_311, numRuns: 300 },
    );
    const mixed = [{ x: 1, y: 'a' }, { x: 2, y: 'a' }, { x: 3 }];
    expect(ticketed(lobby(...mixed)).state).toEqual(ticketed(lobby(...mixed.toReversed())).state);
  });
});

describe('regions', () => {
  // shows: S93
  it.each<[string, (JsonObject | null)[], string[]]>([
    ['no lists: the lobby', [{}, null], ['us-east']],
    ['a list, in its order', [{ regions: ['eu', 'us'] }], ['eu', 'us']],
    ['an empty list: open', [{ regions: [] }], []],
    [
      'the host, less what a guest leaves out',
      [{ regions: ['eu', 'us', 'sa'] }, { regions: ['sa', 'eu'] }],
      ['eu', 'sa'],
    ],
    ['the host alone when nothing is shared', [{ regions: ['eu'] }, { regions: ['us'] }], ['eu']],
    ['a guest without a list agrees', [{ regions: ['eu', 'us'] }, {}], ['eu', 'us']],
    [
      'a guest, where the host has none',
      [{}, { regions: ['eu', 'us'] }, { regions: ['us'] }],
      ['us'],
    ],
    ['an open guest agrees', [{ regions: ['eu'] }, { regions: [] }], ['eu']],
    ['an open host takes the guest along', [{ regions: [] }, { regions: ['eu'] }], ['eu']],
    ['all open', [{ regions: [] }, { regions: [] }], []],
    ['names once, and only names', [{ regions: ['eu', 'eu', 5, '', null, 'us'] }], ['eu', 'us']],
    ['no list at all is none', [{ regions: 'eu' }], ['us-east']],
  ])('%s', (_, states, expected) => {
    expect(ticketed(lobby(...states)).acceptableRegions).toEqual(expected);
  });

  it('are 16 at most, of each player', () => {
    const regions = Array.from({ length: 17 }, (_, at) => `region-${at}`);
    const sixteen = [...regions.slice(1), 'region-1', 5];
    expect(ticketed(lobby({ regions: sixteen })).acceptableRegions).toEqual(regions.slice(1));
    expect(ticketOf(lobby({}, { regions }), mode({ playersPerTeam: 2 }))).toMatchObject({
      refusal: {
        code: 'VALIDATION_ERROR',
        detail: 'player p1: state.regions names 17 regions; at most 16 are allowed',
      },
    });
  });

  // decision 62
  it.each([
    ['without a text', [5, null]],
    ['in capitals', ['US-EAST']],
    ['with spaces', ['us east', '']],
    ['of lists', [['eu']]],
    ['too long', ['e'.repeat(33)]],
  ] as const)('of which none is valid are refused: %s', (_, regions) => {
    expect(ticketOf(lobby({}, { regions }), mode({ playersPerTeam: 2 }))).toEqual({
      ok: false,
      refusal: {
        code: 'VALIDATION_ERROR',
        detail: `player p1: state.regions names no valid region: each ${REGION_FORM}`,
      },
    });
    const watched = mode({ excludedFromQueue: ['spectator'] });
    expect(ticketOf(lobby({}, { regions, role: 'spectator' }), watched).ok).toBe(true);
  });

  it('asks the host first, wherever it stands in the list', () => {
    const input = lobby({ regions: ['us', 'eu'] }, { regions: ['eu', 'us'] });
    const hosted = input.players.map((player) => ({ ...player, isHost: player.id === 'p1' }));
    expect(ticketed({ ...input, players: hosted }).acceptableRegions).toEqual(['eu', 'us']);
  });

  it('are those of eligible players only', () => {
    const spectated = mode({ playersPerTeam: 2, excludedFromQueue: ['spectator'] });
    const input = lobby({ role: 'spectator', regions: ['sa'] }, { regions: ['eu'] });
    expect(ticketed(input, spectated).acceptableRegions).toEqual(['eu']);
  });
});

describe('roles', () => {
  it('are 64 at most, known or not', () => {
    const role = Array.from({ length: 65 }, (_, at) => `role ${at}`);
    expect(ticketOf(lobby({ role: [...role.slice(2), 'killer'] }), HUNT).ok).toBe(true);
    expect(ticketOf(lobby({ role: [...role.slice(1), 'killer'] }), HUNT)).toMatchObject({
      refusal: {
        code: 'VALIDATION_ERROR',
        detail: 'player p0: state.role has more than 64 values',
      },
    });
  });

  // shows: S81, S84
  it.each<[string, JsonObject | null, string[]]>([
    ['one', { role: 'killer' }, ['killer']],
    ['a list, dearest first', { role: ['runner', 'medic'] }, ['runner', 'medic']],
    ['none', {}, []],
    ['no state', null, []],
    ['null', { role: null }, []],
    ['an empty list', { role: [] }, []],
    ['an empty text', { role: '' }, []],
    ['fill', { role: 'fill' }, []],
    ['fill first', { role: ['fill', 'medic'] }, []],
    ['fill later: any from there on', { role: ['medic', 'fill', 'killer'] }, ['medic', 'fill']],
    ['unknown ones beside a known', { role: ['bard', 'medic', 7] }, ['medic']],
    ['one twice', { role: ['medic', 'medic'] }, ['medic']],
  ])('%s', (_, state, expected) => {
    expect(ticketed(lobby(state), HUNT).members).toEqual([{ id: 'p0', roles: expected }]);
  });

  it.each([{ role: 'bard' }, { role: ['bard', 'lute'] }, { role: 7 }, { role: 'constructor' }])(
    'refuses %j, in which no role is known',
    (state) => {
      expect(ticketOf(lobby({}, state), HUNT)).toEqual({
        ok: false,
        refusal: {
          code: 'VALIDATION_ERROR',
          detail: 'player p1: state.role is not a role of this mode (killer, medic, runner)',
        },
      });
    },
  );

  it('mean nothing in a symmetric mode', () => {
    expect(
      ticketed(lobby({ role: 'bard' }, { role: 7 })).members.map((each) => each.roles),
    ).toEqual([[], []]);
  });
});

describe('who queues', () => {
  const spectated = mode({ playersPerTeam: 2, excludedFromQueue: ['spectator', 'coach'] });

  it('is nobody when all are excluded', () => {
    expect(
      ticketOf(lobby({ role: 'spectator' }, { role: ['coach', 'spectator'] }), spectated),
    ).toEqual({
      ok: false,
      refusal: {
        code: 'VALIDATION_ERROR',
        detail: 'nobody in the lobby can queue: all their roles are excluded',
      },
    });
  });

  it('is one who would also play', () => {
    expect(ticketed(lobby({ role: ['spectator', 'medic'] }), spectated).members).toHaveLength(1);
  });

  // shows: S73
  it('is at most maxPartySize, those excluded not counted', () => {
    const two = [{}, {}];
    expect(ticketOf(lobby(...two, { role: 'coach' }), spectated)).toMatchObject({ ok: true });
    expect(ticketOf(lobby(...two, {}), spectated)).toEqual({
      ok: false,
      refusal: {
        code: 'PARTY_SIZE_EXCEEDED',
        detail: 'the party has 3 players; at most 2 may queue together',
      },
    });
  });
});

describe('a party among others', () => {
  // shows: S91
  it('is judged by its mean', () => {
    const rules = compileRules(
      mode({ rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }] }),
    );
    const party = ticketed(lobby({ mmr: 1000 }, { mmr: 1400 }));
    expect(rules.passes(party, ticketed(lobby({ mmr: 1300 })), 1_000)).toBe(true);
    expect(rules.passes(party, ticketed(lobby({ mmr: 1301 })), 1_000)).toBe(false);
  });

  it('has the mean of its deviations, of however many fields, and a bad one is no obstacle', () => {
    const of = mode({
      playersPerTeam: 2,
      rules: [{ type: 'difference', field: 'mmr', maxDifference: 100, uncertainty: true }],
    });
    const many = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`f${at}`, at]));
    const party = [
      { ...many, mmr: 1000, mmrUncertainty: 40 },
      { mmr: 1200, mmrUncertainty: 80 },
    ];
    expect(ticketed(lobby(...party), of).state).toMatchObject({ mmr: 1100, mmrUncertainty: 60 });
    const bad = ticketed(lobby({ mmr: 1000, mmrUncertainty: 'x'.repeat(9_999) }), of);
    expect(bad.state).toEqual({ mmr: 1000 });
  });
});
