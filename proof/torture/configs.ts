// The configs of the torture. Together they have every kind of mode, and both behaviours of a
// leaving host. Each mode states what the checker may expect.

import type { Shape } from './matches.ts';
import type { ModePromise } from './searches.ts';

interface TorturedMode {
  readonly weight: number;
  readonly mode: Readonly<Record<string, unknown>> & {
    readonly teams: number;
    readonly playersPerTeam: number;
    readonly minPlayersPerTeam?: number;
  };
  readonly promised: ModePromise;
  /** Whether lobbies of these sizes, all in the queue for long, must have been matched. */
  readonly mustMatch: (sizes: readonly number[]) => boolean;
}

const LONG = 3_600;
const proved = { never: false, timeout: LONG, proves: true };
const unproved = { never: false, timeout: LONG, proves: false };

/** Two teams of two, of parties of one or two. */
function twoPairs(sizes: readonly number[]): boolean {
  const pairs = sizes.filter((size) => size === 2).length;
  const singles = sizes.filter((size) => size === 1).length;
  return pairs + Math.floor(singles / 2) >= 2;
}

export const MODES: Readonly<Record<string, TorturedMode>> = {
  duel: {
    weight: 5,
    mode: {
      teams: 2,
      playersPerTeam: 1,
      maxPartySize: 1,
      timeout: LONG,
      rating: { field: 'mmr', system: 'openskill' },
    },
    promised: proved,
    mustMatch: (sizes) => sizes.length >= 2,
  },
  pairs: {
    weight: 4,
    mode: { teams: 2, playersPerTeam: 2, timeout: LONG },
    promised: proved,
    mustMatch: twoPairs,
  },
  ready: {
    weight: 5,
    mode: {
      teams: 2,
      playersPerTeam: 1,
      timeout: LONG,
      matchConfirmation: { enabled: true, timeoutSeconds: 4 },
    },
    promised: unproved,
    mustMatch: (sizes) => sizes.length >= 2,
  },
  again: {
    weight: 3,
    mode: {
      teams: 2,
      playersPerTeam: 1,
      timeout: LONG,
      matchConfirmation: { enabled: true, timeoutSeconds: 3 },
      onDecline: 'requeue',
    },
    promised: unproved,
    mustMatch: () => false,
  },
  open: {
    weight: 4,
    mode: { teams: 2, playersPerTeam: 2, minPlayersPerTeam: 1, timeout: LONG, allowBackfill: true },
    promised: unproved,
    mustMatch: (sizes) => sizes.length >= 2,
  },
  /** Its rule compares a field that differs for everybody. */
  lone: {
    weight: 3,
    mode: {
      teams: 2,
      playersPerTeam: 2,
      timeout: LONG,
      rules: [{ type: 'difference', field: 'lone', maxDifference: 0.001 }],
    },
    promised: { never: true, timeout: LONG, proves: false },
    mustMatch: () => false,
  },
  brief: {
    weight: 2,
    mode: { teams: 8, playersPerTeam: 1, maxPartySize: 1, timeout: 2 },
    promised: { never: false, timeout: 1.5, proves: false },
    mustMatch: () => false,
  },
};

/** How its matches must be; none of the modes may begin with teams missing. */
export function shapeOf(name: string): Shape | null {
  const mode = MODES[name]?.mode;
  if (mode === undefined) {
    return null;
  }
  const { teams, playersPerTeam, minPlayersPerTeam = playersPerTeam } = mode;
  return { teams, playersPerTeam, minPlayersPerTeam };
}

/** The key of the players' states that the backend sets. */
export const TIER = 'tier';
/** The keys that results set. The judge knows them by the config's `trusted`. */
const RATINGS = ['mmr', 'mmrUncertainty'];

const common = {
  timeout: 24 * 3_600,
  trusted: [TIER, ...RATINGS],
  matchmaking: {
    modes: Object.fromEntries(Object.entries(MODES).map(([name, { mode }]) => [name, mode])),
  },
};

export const CONFIGS: Readonly<Record<string, object>> = {
  arena: { ...common, hostLeaveBehavior: 'promote' },
  tavern: {
    ...common,
    hostLeaveBehavior: 'delete',
    inviteCodeConfig: { type: 'numeric', length: 3 },
  },
};

/** With a build, the servers of one of them are of that build. */
export function configsWith(build: string | null): readonly (readonly [string, object])[] {
  return Object.entries(CONFIGS).map(([name, config]) => {
    const isOfBuild = build !== null && name === 'tavern';
    return [name, isOfBuild ? { ...config, serverSettings: { gameBuild: build } } : config];
  });
}

export const MODE_WEIGHTS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(MODES).map(([name, { weight }]) => [name, weight]),
);

/** The ladders. */
export const RATED = Object.keys(CONFIGS).map((config) => ({ config, mode: 'duel' }));
