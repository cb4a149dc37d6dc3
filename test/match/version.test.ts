// Which build a match runs on (spec: Rule semantics 9; decision 29).

import { describe, expect, it } from 'vitest';
import { resolveBuild } from '../../src/match/ticket/ticket';

const BUILDS = [
  { name: 'default', status: 'ready' },
  { name: 'v1', status: 'ready' },
  { name: 'v2', status: 'not_ready' },
] as const;

describe('a build is chosen', () => {
  // shows: S57, S99, S102
  it.each<[string, string | null, string | null, string | null, object]>([
    ['of the state', 'build', 'v1', 'default', { ok: true, value: 'v1' }],
    ['of the state, without another', 'build', 'v1', null, { ok: true, value: 'v1' }],
    ['of the config, when all lack the field', 'build', null, 'v1', { ok: true, value: 'v1' }],
    [
      'none, when all lack it and the config has none',
      'build',
      null,
      null,
      { ok: false, refusal: 'version_missing' },
    ],
    ['none of that name', 'build', 'v9', 'v1', { ok: false, refusal: 'build_missing' }],
    ['one that is not ready', 'build', 'v2', 'v1', { ok: false, refusal: 'build_not_ready' }],
    [
      'of the config that is not ready',
      'build',
      null,
      'v2',
      { ok: false, refusal: 'build_not_ready' },
    ],
    ['of the config, whatever the state says', null, 'v9', 'v1', { ok: true, value: 'v1' }],
    ['the default', null, null, null, { ok: true, value: 'default' }],
    ['of the config, that is gone', null, null, 'v9', { ok: false, refusal: 'build_missing' }],
    ['by its exact name', 'build', 'V1', null, { ok: false, refusal: 'build_missing' }],
  ])('%s', (_, ...row) => {
    const [useVersionFromState, version, gameBuild, expected] = row;
    expect(resolveBuild({ useVersionFromState }, version, gameBuild, BUILDS)).toEqual(expected);
  });

  it('and not even the default one is taken for granted', () => {
    const mode = { useVersionFromState: null };
    expect(resolveBuild(mode, null, null, [])).toEqual({ ok: false, refusal: 'build_missing' });
  });
});
