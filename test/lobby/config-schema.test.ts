// Lobby configs as they are saved (spec: Lobby config; decisions 1, 5, 27 and 33): every refusal
// with its place. What is wrong within a mode is told by the test of modes; here, where it stands.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../src/lobby/config';

const FULL = {
  name: 'arena',
  enabled: false,
  timeout: 120,
  serverSettings: { serverSize: 'large', gameBuild: 'v1.2' },
  matchmaking: {
    modes: {
      ranked: {
        teams: 2,
        playersPerTeam: 5,
        rules: [{ type: 'difference', field: 'mmr', maxDifference: 100 }],
      },
      'hide and seek': { teamComposition: { hunter: { killer: 1 }, prey: { runner: 4 } } },
    },
  },
  maxPlayers: 8,
  hostLeaveBehavior: 'delete',
  inviteCodeConfig: { type: 'numeric', length: 6, prefix: 'GG-' },
  heartbeat: true,
  heartbeatTimeout: 20,
  queuePresenceSeconds: 5,
  customProperties: { theme: { colour: 'red' } },
};

describe('a config', () => {
  // shows: S58
  it('is read as it was written', () => {
    const parsed = parseConfig('arena', FULL);
    expect(parsed).toMatchObject({ ok: true, value: { ...FULL, matchmaking: { modes: {} } } });
    const modes = parsed.ok ? parsed.value.matchmaking.modes : {};
    expect(Object.keys(modes)).toEqual(['ranked', 'hide and seek']);
    expect(modes['ranked']).toMatchObject({ minTeams: 2, maxPartySize: 5, timeout: 60 });
  });

  it('reads again to the same, with all that a read adds to it', () => {
    const parsed = parseConfig('arena', FULL);
    const saved = { ...(parsed.ok ? parsed.value : {}), id: 'c-1', revision: 4, updatedAt: 'now' };
    expect(parseConfig('arena', saved, { id: 'c-1', revision: 5 })).toEqual(parsed);
  });

  it.each<[string, object, object]>([
    [
      'null is nothing said',
      { enabled: null, matchmaking: null, inviteCodeConfig: null, customProperties: null },
      {},
    ],
    ['unknown keys', { maxPlayer: 4, colour: 'red' }, {}],
    ['no modes', { matchmaking: { modes: null } }, {}],
    [
      'a code without a prefix',
      { inviteCodeConfig: { type: 'alphabetic', length: 1 } },
      { inviteCodeConfig: { type: 'alphabetic', length: 1, prefix: null } },
    ],
    [
      'a code with an empty prefix',
      { inviteCodeConfig: { type: 'alphanumeric', length: 16, prefix: '' } },
      { inviteCodeConfig: { type: 'alphanumeric', length: 16, prefix: null } },
    ],
    [
      'a build only',
      { serverSettings: { gameBuild: 'v1' } },
      { serverSettings: { serverSize: 'small', gameBuild: 'v1' } },
    ],
  ])('%s', (_, body, over) => {
    const plain = parseConfig('arena', {});
    expect(parseConfig('arena', body)).toEqual({
      ok: true,
      value: { ...(plain.ok ? plain.value : {}), ...over },
    });
  });
});

const NAME = 'a name has 1 to 64 letters, digits, spaces, or any of _ - .';
const modes = (ranked: unknown) => ({ matchmaking: { modes: { ranked } } });

describe('refused, and where', () => {
  // shows: D5d
  it.each<[unknown, string, string]>([
    [null, '', 'must be an object'],
    ['{}', '', 'must be an object'],
    [[], '', 'must be an object'],
    [{ name: 'other' }, 'name', 'must be arena, as in the path'],
    [{ name: 7 }, 'name', 'must be arena, as in the path'],
    [{ id: 'c-2' }, 'id', "is another config's id"],
    [{ enabled: 'yes' }, 'enabled', 'must be true or false'],
    [{ timeout: 0 }, 'timeout', 'must be at least 1'],
    [{ timeout: -300 }, 'timeout', 'must be at least 1'],
    [{ timeout: 86_401 }, 'timeout', 'must be at most 86400'],
    [{ timeout: 1.5 }, 'timeout', 'must be a whole number'],
    [{ timeout: '300' }, 'timeout', 'must be a whole number'],
    [{ serverSettings: 'small' }, 'serverSettings', 'must be an object'],
    [{ serverSettings: { serverSize: 2 } }, 'serverSettings.serverSize', 'must be a string'],
    [{ serverSettings: { serverSize: '' } }, 'serverSettings.serverSize', 'must not be empty'],
    [{ serverSettings: { gameBuild: 'a/b' } }, 'serverSettings.gameBuild', NAME],
    [{ matchmaking: [] }, 'matchmaking', 'must be an object'],
    [{ matchmaking: { modes: [] } }, 'matchmaking.modes', 'must be an object'],
    [{ matchmaking: { modes: { 'a/b': {} } } }, 'matchmaking.modes.a/b', NAME],
    [{ matchmaking: { modes: { '': {} } } }, 'matchmaking.modes.', NAME],
    [
      JSON.parse('{"matchmaking":{"modes":{"__proto__":{}}}}'),
      'matchmaking.modes.__proto__',
      'this name is reserved',
    ],
    [
      {
        matchmaking: {
          modes: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`m${n}`, {}])),
        },
      },
      'matchmaking.modes',
      'must have at most 10 entries',
    ],
    [modes('1v1'), 'matchmaking.modes.ranked', 'must be an object'],
    [modes({ teams: 0 }), 'matchmaking.modes.ranked.teams', 'must be at least 1'],
    [
      modes({ minTeams: 9 }),
      'matchmaking.modes.ranked.minTeams',
      'must be at most the 2 teams in the mode',
    ],
    [
      modes({ rules: [{ type: 'region' }, { type: 'equals' }] }),
      'matchmaking.modes.ranked.rules[1].field',
      'is missing: it must be a string',
    ],
    [
      modes({ rules: [{ type: 'expression', cel: 'a.state.mmr <' }] }),
      'matchmaking.modes.ranked.rules[0].cel',
      'Unexpected token: EOF (at character 14)',
    ],
    [
      modes({ useVersionFromState: 'build' }),
      'matchmaking.modes.ranked.useVersionFromState',
      'needs an equals rule on the field build',
    ],
    [{ hostLeaveBehavior: 'close' }, 'hostLeaveBehavior', 'must be one of promote, delete'],
    [{ inviteCodeConfig: 'numeric' }, 'inviteCodeConfig', 'must be an object'],
    [
      { inviteCodeConfig: { length: 4 } },
      'inviteCodeConfig.type',
      'is missing: it must be one of numeric, alphanumeric, alphabetic',
    ],
    [
      { inviteCodeConfig: { type: 'hex', length: 4 } },
      'inviteCodeConfig.type',
      'must be one of numeric, alphanumeric, alphabetic',
    ],
    [
      { inviteCodeConfig: { type: 'numeric' } },
      'inviteCodeConfig.length',
      'is missing: it must be a whole number',
    ],
    [
      { inviteCodeConfig: { type: 'numeric', length: 0 } },
      'inviteCodeConfig.length',
      'must be at least 1',
    ],
    [
      { inviteCodeConfig: { type: 'numeric', length: 17 } },
      'inviteCodeConfig.length',
      'must be at most 16',
    ],
    [
      { inviteCodeConfig: { type: 'numeric', length: 4, prefix: 5 } },
      'inviteCodeConfig.prefix',
      'must be a string',
    ],
    [
      { inviteCodeConfig: { type: 'numeric', length: 4, prefix: 'x'.repeat(33) } },
      'inviteCodeConfig.prefix',
      'must be at most 32 characters long',
    ],
    [
      { inviteCodeConfig: { type: 'numeric', length: 4, prefix: 'a b' } },
      'inviteCodeConfig.prefix',
      'must have only printable characters, and no spaces',
    ],
    [{ heartbeat: 1 }, 'heartbeat', 'must be true or false'],
    [{ heartbeatTimeout: 0 }, 'heartbeatTimeout', 'must be at least 1'],
    [{ maxPlayers: 3, minPlayers: 4 }, 'minPlayers', 'must not be more than maxPlayers'],
    [{ queuePresenceSeconds: -1 }, 'queuePresenceSeconds', 'must be at least 0'],
    [{ customProperties: [] }, 'customProperties', 'must be an object'],
    [
      { customProperties: { x: 'y'.repeat(16 * 1024) } },
      'customProperties',
      'must be at most 16384 bytes of JSON',
    ],
  ])('%j', (body, path, message) => {
    const parsed = parseConfig('arena', body, { id: 'c-1', revision: 1 });
    expect(parsed).toEqual({ ok: false, refusal: [{ path, message }] });
  });

  it.each(['', 'a/b', 'x'.repeat(65), 'naïve', 'new\nline', '__proto__'])('the name %j', (name) => {
    const message = name === '__proto__' ? 'this name is reserved' : NAME;
    expect(parseConfig(name, {})).toEqual({ ok: false, refusal: [{ path: 'name', message }] });
  });

  // shows: D33c
  it('names all that is wrong at once, in every mode', () => {
    const body = {
      timeout: 0,
      matchmaking: { modes: { a: { teams: 0 }, b: { rules: [{ type: 'x' }] } } },
    };
    const parsed = parseConfig('arena', body);
    expect(parsed.ok ? [] : parsed.refusal.map((issue) => issue.path).toSorted()).toEqual([
      'matchmaking.modes.a.teams',
      'matchmaking.modes.b.rules[0].type',
      'timeout',
    ]);
  });
});

describe('whatever is sent', () => {
  it('is read or refused, never thrown at', () => {
    const keys = [...Object.keys(FULL), '__proto__', 'constructor', 'id'];
    const anything = fc.oneof(fc.jsonValue(), fc.constantFrom(...Object.values(FULL)));
    let read = 0;
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...keys), anything, { maxKeys: 4 }), (body) => {
        const parsed = parseConfig('arena', body);
        if (parsed.ok) {
          read += 1;
          expect(parseConfig('arena', JSON.parse(JSON.stringify(parsed.value)))).toEqual(parsed);
        } else {
          expect(parsed.refusal.length).toBeGreaterThan(0);
        }
      }),
      { seed: 90_210, numRuns: 1_000 },
    );
    expect(read).toBeGreaterThan(50);
  });
});
