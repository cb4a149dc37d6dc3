// What the config of a few seeds has besides.

import type { Mode } from '../../src/match/rules/mode';
import type { ConfigDraft } from '../../src/objects/contracts/project';
import type { Random } from './random';

/** More often where lobbies move: both together are rare. */
export function watchesOf(random: Random, wanders: boolean) {
  const watches = random.chance(wanders ? 0.7 : 0.2) ? random.pick([0.3, 0.6]) : 0;
  const places = { max: random.pick([1, 2, 50]), delaySeconds: random.pick([0, 0, 3]) };
  return { watches, watched: watches > 0 ? { spectators: places } : {} };
}

/** Where lobbies move to, half as many may watch. */
export function withFewerWatching(config: ConfigDraft): ConfigDraft {
  const { spectators } = config;
  return spectators === undefined
    ? config
    : { ...config, spectators: { ...spectators, max: Math.ceil(spectators.max / 2) } };
}

export function hostingOf(random: Random) {
  const hostGraceSeconds = random.pick([1, 5]);
  const results = random.chance(0.5) ? ({ results: 'majority' } as const) : {};
  const steers = random.chance(0.5) ? { hostSteers: true } : {};
  return { hosting: 'players', hostGraceSeconds, ...results, ...steers } as const;
}

export function quickOf(random: Random): number {
  return random.chance(0.25) ? random.pick([0.8, 1]) : 0;
}

export function withKeptPlaces(random: Random, modes: Record<string, Mode>): void {
  for (const [name, mode] of Object.entries(modes)) {
    if (mode.allowBackfill && random.chance(0.5)) {
      modes[name] = { ...mode, reconnectSeconds: random.pick([2, 20, 90]) };
    }
  }
}

/** Somebody else says who plays whom in the first mode (matcher.ts). */
export function withMatcher(random: Random, modes: Record<string, Mode>): void {
  const { first } = modes;
  if (first !== undefined && random.chance(0.08)) {
    modes['first'] = { ...first, matcher: 'external' };
  }
}
