// Unknown fields of configs and builds: each is found where it stands, whatever the schema around it
// is made of, and nothing that the service reads is taken for one (decision 49).

import { describe, expect, it } from 'vitest';
import { buildInput, parseBuild } from '../../../src/fleet/build';
import { configInput, parseConfig } from '../../../src/lobby/config';
import { ProjectSettingsBody } from '../../../src/http/operators/configs';
import { TokenBody, TokenSecretBody } from '../../../src/http/operators/identity';
import { parseWith, unknownFields } from '../../../src/common/shape';
import { similar } from '../../../src/common/similar';
import { CONFIG, CONFIG_INPUT } from '../../../dashboard/description/examples';

const told = (schema: typeof configInput | typeof buildInput, body: unknown): readonly string[] =>
  unknownFields(schema, body).map(({ path, didYouMean }) => `${path} -> ${didYouMean}`);

describe('unknown fields', () => {
  it('of a config are found at every depth', () => {
    const duel = {
      playersPerTeams: 3,
      matchConfirmation: { enable: true },
      rules: [
        { type: 'equals', field: 'map' },
        { type: 'difference', field: 'mmr', maxDifference: 1, maxDiference: 2, cel: 'x' },
      ],
      teamComposition: { red: { tank: 1 } },
    };
    const body = {
      timeuot: 90,
      serverSettings: { game_build: 'x' },
      inviteCodeConfig: { type: 'numeric', length: 4, lenght: 5 },
      customProperties: { anything: { goes: true } },
      matchmaking: { modes: { duel }, mode: {} },
      modes: null,
    };
    expect(parseConfig('arena', body).ok).toBe(true);
    expect(told(configInput, body)).toEqual([
      'timeuot -> timeout',
      'serverSettings.game_build -> gameBuild',
      'inviteCodeConfig.lenght -> length',
      'matchmaking.modes.duel.playersPerTeams -> playersPerTeam',
      'matchmaking.modes.duel.matchConfirmation.enable -> enabled',
      'matchmaking.modes.duel.rules[1].maxDiference -> maxDifference',
      'matchmaking.modes.duel.rules[1].cel -> null',
      'matchmaking.mode -> modes',
      'modes -> matchmaking.modes',
    ]);
  });

  it('of a build are found, and variables of its program are its own', () => {
    const body = {
      lable: 'x',
      launch: { comand: './game', env: { ANY: '1' } },
      ports: [{ name: 'game', internal_port: 7777, internalPort: 1 }],
    };
    expect(parseBuild('b', body).ok).toBe(true);
    expect(told(buildInput, body)).toEqual([
      'lable -> label',
      'launch.comand -> command',
      'ports[0].internalPort -> internal_port',
    ]);
  });

  it('are none in what the service answers, or takes by another name', () => {
    const modes = { duel: { matchmakingRules: [{ type: 'region', minOverlap: 1 }] } };
    for (const body of [{ ...CONFIG, warnings: [] }, CONFIG_INPUT, { matchmaking: { modes } }]) {
      expect(told(configInput, body)).toEqual([]);
    }
    const build = { name: 'b', version: 3, label: null, status: 'ready', launch: {}, ports: [] };
    expect(told(buildInput, { ...build, failing: true, warnings: [] })).toEqual([]);
  });

  it('are told by names alone, such as those of every object', () => {
    expect(told(configInput, JSON.parse('{"constructor": 1, "__proto__": 2}'))).toEqual([
      'constructor -> null',
      '__proto__ -> null',
    ]);
  });
});

describe('beside security settings', () => {
  it.each([
    [ProjectSettingsBody, { playerAuht: 'token' }, 'playerAuht', 'playerAuth'],
    [
      ProjectSettingsBody,
      { playerTokens: { isuer: 'x', issuer: 'y' } },
      'playerTokens.isuer',
      'issuer',
    ],
    [TokenBody, { ttI: 60 }, 'ttI', 'ttl'],
    [TokenSecretBody, { secert: 'x' }, 'secert', 'secret'],
  ])('an unknown field is refused', (schema, body, path, meant) => {
    const message = `is unknown; did you mean ${meant}?`;
    expect(parseWith<unknown>(schema, body)).toEqual({ ok: false, refusal: [{ path, message }] });
  });

  it('every wrong field is named', () => {
    const parsed = parseWith(ProjectSettingsBody, { playerAuth: 'tokens', configs: [], x: 1 });
    expect(parsed).toEqual({
      ok: false,
      refusal: [
        { path: 'playerAuth', message: 'must be one of trust, token' },
        { path: 'configs', message: 'is unknown; did you mean lobby_configs?' },
        { path: 'x', message: 'is unknown' },
      ],
    });
  });
});

describe('a similar name', () => {
  it.each([
    ['Duel', ['duel', 'ranked'], 'duel'],
    ['players_per_team', ['playersPerTeam', 'minPlayersPerTeam'], 'playersPerTeam'],
    ['tiemout', ['teams', 'timeout'], 'timeout'],
    ['foo', ['bar', 'cel'], null],
    ['', ['a'], 'a'],
    ['build', ['serverSize', 'gameBuild'], 'gameBuild'],
    ['min', ['minTeams'], null],
    ['x'.repeat(65), ['x'.repeat(64)], null],
  ])('of %j among %j is %j', (given, known, meant) => {
    expect(similar(given, known)).toBe(meant);
  });
});
