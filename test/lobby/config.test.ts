// The config there is when nobody saved one (spec: Lobby config, defaults).

import { describe, expect, it } from 'vitest';
import { defaultConfig, modeOf, parseConfig } from '../../src/lobby/config';
import { configOf } from '../../src/objects/caches/project';

describe('the config of a name nobody saved', () => {
  // shows: S3, S63
  it('is the defaults of the spec', () => {
    expect(defaultConfig('any')).toEqual({
      id: '',
      name: 'any',
      enabled: true,
      timeout: 300,
      serverSettings: { serverSize: 'small', gameBuild: null },
      matchmaking: { modes: {} },
      hostLeaveBehavior: 'promote',
      inviteCodeConfig: null,
      heartbeat: false,
      heartbeatTimeout: 60,
      queuePresenceSeconds: 30,
      customProperties: {},
      revision: 0,
    });
  });

  it('is what an empty body says', () => {
    expect(parseConfig('any', {})).toEqual({
      ok: true,
      value: (({ id: _id, revision: _revision, ...rest }) => rest)(defaultConfig('any')),
    });
  });
});

it('a disabled config reads as none, but for its build and spectators: a launch keeps its build (decision 22), a game its delay', () => {
  const serverSettings = { serverSize: 'large', gameBuild: 'of-its-own' };
  const spectators = { max: 2, delaySeconds: 60 };
  const arena = {
    ...defaultConfig('arena'),
    enabled: false,
    heartbeat: true,
    serverSettings,
    spectators,
  };
  const document = { revision: 1, configs: { arena }, builds: {} };
  expect(configOf(document, 'arena')).toEqual({
    ...defaultConfig('arena'),
    enabled: false,
    serverSettings,
    spectators,
  });
});

describe('a mode', () => {
  it('is found by its own name only', () => {
    const parsed = parseConfig('c', {
      matchmaking: { modes: { ranked: {}, constructor: { teams: 3 } } },
    });
    const config = { ...defaultConfig('c'), ...(parsed.ok ? parsed.value : {}) };
    expect(modeOf(config, 'ranked')).toMatchObject({ teams: 2 });
    expect(modeOf(config, 'constructor')).toMatchObject({ teams: 3 });
    expect(modeOf(config, 'casual')).toBe(null);
    for (const name of ['constructor', 'toString', '__proto__']) {
      expect(modeOf(defaultConfig('c'), name)).toBe(null);
    }
  });
});
