// Decision 61: a setting that is saved and does nothing is warned of, with the reason; settings that contradict each
// other are refused.

import { describe, expect, it } from 'vitest';
import { must } from '../../src/common/result';
import { parseConfig } from '../../src/lobby/config';
import { decaysApart, unevenlyRated, withoutEffect } from '../../src/lobby/without-effect';
import { parseMode } from '../../src/match/rules/schema';

function warned(body: object): readonly string[] {
  const parsed = parseConfig('arena', body);
  if (!parsed.ok) {
    throw new Error(JSON.stringify(parsed.refusal));
  }
  // A config is answered with every default filled in, and people send it again.
  expect(withoutEffect(parsed.value, { ...parsed.value }).length).toBeLessThanOrEqual(
    withoutEffect(parsed.value, body).length,
  );
  return withoutEffect(parsed.value, body).map(({ path, message }) => `${path} ${message}`);
}

const ofMode = (duel: object): readonly string[] => warned({ matchmaking: { modes: { duel } } });
const DUEL = 'matchmaking.modes.duel.';
const NO_CONFIRMATION = 'has no effect unless matchConfirmation is enabled';

describe('a setting without effect', () => {
  it.each([
    [{ heartbeatTimeout: 20 }, 'heartbeatTimeout has no effect unless heartbeat is true'],
    [{ heartbeatTimeout: 60 }, 'heartbeatTimeout has no effect unless heartbeat is true'],
    [
      { heartbeat: false, heartbeatTimeout: 20 },
      'heartbeatTimeout has no effect unless heartbeat is true',
    ],
    [{ queuePresenceSeconds: 5 }, 'queuePresenceSeconds has no effect without a mode'],
    [
      { serverSettings: { results: 'majority', matchOnStart: false } },
      'serverSettings.results has no effect without a mode and with matchOnStart false: no game has a match',
    ],
    [
      { serverSettings: { hostSteers: true, matchOnStart: false } },
      'serverSettings.hostSteers has no effect without a mode and with matchOnStart false: no game has a match',
    ],
  ])('of a config: %j', (body, warning) => {
    expect(warned(body)).toEqual([warning]);
  });

  const composition = { red: { tank: 1, damage: 2 }, blue: { tank: 1, damage: 2 } };
  const singles = { red: { tank: 1, heal: 1 }, blue: { tank: 1, heal: 1 } };
  const ONCE = 'has no effect beside teamComposition: a short team lacks no role that it has once';
  it.each([
    [{ onDecline: 'requeue' }, [`${DUEL}onDecline ${NO_CONFIRMATION}`]],
    [{ onDecline: 'return' }, [`${DUEL}onDecline ${NO_CONFIRMATION}`]],
    [
      { onDecline: 'requeue', matchConfirmation: { timeoutSeconds: 20 } },
      [
        `${DUEL}onDecline ${NO_CONFIRMATION}`,
        `${DUEL}matchConfirmation.timeoutSeconds ${NO_CONFIRMATION}`,
      ],
    ],
    [
      { matchConfirmation: { enabled: false, timeoutSeconds: 20 } },
      [`${DUEL}matchConfirmation.timeoutSeconds ${NO_CONFIRMATION}`],
    ],
    [
      { teamComposition: singles, minPlayersPerTeam: 1, minTeams: 1 },
      [`${DUEL}minPlayersPerTeam ${ONCE}`],
    ],
    [{ sameSize: true }, [`${DUEL}sameSize has no effect where every match is full`]],
    [
      { rules: [{ type: 'equals', field: 'map' }], teams: 1, playersPerTeam: 1 },
      [`${DUEL}rules has no effect where one player is a whole match`],
    ],
  ] as [object, readonly string[]][])('of a mode: %j', (mode, warnings) => {
    expect(ofMode(mode)).toEqual(warnings);
  });

  it('is none that does something, nor one that says what is so anyway', () => {
    const matchConfirmation = { enabled: true, timeoutSeconds: 20 };
    const duel = { matchConfirmation, onDecline: 'requeue', minTeams: 1, teams: 3 };
    const hunt = { teamComposition: composition, minPlayersPerTeam: 3, minTeams: 2, teams: 2 };
    const falling = { playersPerTeam: 5, steps: [{ afterSeconds: 9, minPlayersPerTeam: 4 }] };
    const short = { teamComposition: composition, minPlayersPerTeam: 2, minTeams: 1 };
    const body = {
      heartbeat: true,
      heartbeatTimeout: 20,
      queuePresenceSeconds: 5,
      matchmaking: {
        modes: { duel, hunt, short, falling: { ...falling, sameSize: true }, none: {} },
      },
    };
    expect(warned(body)).toEqual([]);
    const parsed = parseConfig('arena', {});
    expect(parsed.ok && warned(parsed.value)).toEqual([]);
    expect(warned({ heartbeatTimeout: null, queuePresenceSeconds: null })).toEqual([]);
  });
});

describe('settings that contradict each other are refused', () => {
  const teamComposition = { hunter: { killer: 1 }, prey: { runner: 4 } };
  it.each([
    [{ teams: 3 }, 'teams', 'contradicts teamComposition, which makes it 2'],
    [{ teams: 1 }, 'teams', 'contradicts teamComposition, which makes it 2'],
    [{ playersPerTeam: 5 }, 'playersPerTeam', 'contradicts teamComposition, which makes it 4'],
  ])('%j', (more, path, message) => {
    expect(parseMode({ teamComposition, ...more })).toEqual({
      ok: false,
      refusal: [{ path, message }],
    });
  });

  it('and those that agree are not', () => {
    expect(parseMode({ teamComposition, teams: 2, playersPerTeam: 4 }).ok).toBe(true);
  });
});

describe('a rated mode whose teams may be uneven', () => {
  const rating = { field: 'mmr', system: 'openskill' };
  const short = { playersPerTeam: 3, minPlayersPerTeam: 2 };
  const warnings = (duel: object): readonly string[] => {
    const parsed = parseConfig('arena', { matchmaking: { modes: { duel: { rating, ...duel } } } });
    const modes = parsed.ok ? parsed.value.matchmaking.modes : {};
    return unevenlyRated(modes).map(({ path, message }) => `${path} ${message}`);
  };
  const bots = [{ afterSeconds: 9, bots: true }];

  it.each([
    [short, 'set sameSize'],
    [{ ...short, sameSize: true, steps: bots }, 'bots are not rated'],
    [{ playersPerTeam: 2, steps: [{ afterSeconds: 9, minPlayersPerTeam: 1 }] }, 'set sameSize'],
  ])('is warned of: %j', (duel, why) => {
    expect(warnings(duel)).toEqual([expect.stringContaining(why)]);
    expect(warnings(duel)[0]).toContain('matchmaking.modes.duel.rating');
  });

  it.each([
    [{ ...short, sameSize: true }],
    [{ teams: 8, minTeams: 2 }],
    [{ teams: 8, steps: [{ afterSeconds: 9, minTeams: 2 }] }],
    [{ steps: bots }],
    [{ teamComposition: { hunter: { any: 1 }, prey: { any: 4 } } }],
    [{ ...short, rating: undefined }],
  ])('is no other: %j', (duel) => {
    expect(warnings(duel)).toEqual([]);
  });
});

describe('ratings of one ladder that decay differently', () => {
  const rated = (field: string, afterDays: number | null) => ({
    rating: {
      field,
      system: 'openskill',
      ...(afterDays !== null && { decay: { afterDays, sigma: 50 } }),
    },
  });
  const configOf = (name: string, modes: object) => {
    const parsed = parseConfig(name, { matchmaking: { modes } });
    return must(parsed.ok ? parsed.value : null, 'a valid config');
  };

  it('are told of in the config that is saved, wherever the other mode is', () => {
    const arena = configOf('arena', { duel: rated('mmr', 30), duos: rated('elo', 30), casual: {} });
    const lab = configOf('lab', { solo: rated('mmr', null), duos: rated('elo', 30) });
    const told = decaysApart([arena, lab], 'arena');
    expect(told).toEqual([
      {
        path: 'matchmaking.modes.duel.rating.decay',
        didYouMean: null,
        message:
          'differs from that of lab / solo, which has the same ladder: the last one listed counts',
      },
    ]);
    expect(decaysApart([arena, lab], 'lab')).toHaveLength(1);
    expect(decaysApart([arena], 'arena')).toEqual([]);
  });

  it('are told of where both are in one config, for each', () => {
    const arena = configOf('arena', { duel: rated('mmr', 30), duos: rated('mmr', 60) });
    expect(decaysApart([arena], 'arena')).toHaveLength(2);
  });
});
