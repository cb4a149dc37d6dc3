// What the players of a lobby measured to each region (docs/internals/design.md A21).

import type { Json } from '../../common/json';
import { REGION } from '../../common/limits';
import type { Mode } from '../../../packages/js/src/admin-types';

export const MOST_PING_MS = 5_000;

/** Of one region, in whole ms. */
export interface Ping {
  readonly region: string;
  /** The largest that a player measured. */
  readonly worst: number;
  /** Of all players who measured. */
  readonly sum: number;
}

/**
 * Whether it says what was measured, or that nothing was (`{}`, null, or absent). A region that is too far, or did not
 * answer (null), counts as missing. Where no entry could ever count, it is a mistake (decision 82).
 */
export function isMeasured(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) {
    return value === undefined || value === null;
  }
  const entries = Object.entries(value);
  const couldCount = ([region, ms]: readonly [string, Json]): boolean =>
    REGION.test(region) && (ms === null || (typeof ms === 'number' && ms >= 0));
  // An empty table of Lua is written as a list.
  return entries.length === 0 || (!Array.isArray(value) && entries.some(couldCount));
}

/** What one player measured, by region. A number outside 0 to MOST_PING_MS counts as missing. */
export function measuredIn(value: Json | undefined): ReadonlyMap<string, number> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  const entries = isRecord ? Object.entries(value) : [];
  return new Map(
    entries.flatMap(([region, ms]) =>
      REGION.test(region) && typeof ms === 'number' && ms >= 0 && ms <= MOST_PING_MS
        ? [[region, Math.round(ms)] as const]
        : [],
    ),
  );
}

/**
 * The regions, of those `among` the party's lists (null: any), that were measured by everybody who measured any:
 * nearest first. Null: there is none, and the lists decide alone.
 */
export function pingsOf(
  values: readonly (Json | undefined)[],
  among: readonly string[] | null,
): readonly Ping[] | null {
  const [first, ...others] = values.map(measuredIn).filter(({ size }) => size > 0);
  const pings = [...(first ?? [])].flatMap(([region, ms]): readonly Ping[] => {
    const all = [ms, ...others.flatMap((each) => each.get(region) ?? [])];
    const isKnown = all.length === 1 + others.length && (among?.includes(region) ?? true);
    const sum = all.reduce((total, each) => total + each, 0);
    return isKnown ? [{ region, worst: Math.max(...all), sum }] : [];
  });
  return pings.length === 0
    ? null
    : pings.sort((a, b) => a.worst - b.worst || (a.region < b.region ? -1 : 1));
}

/** The state field with what the players measured to each region; undefined if no rule reads it. */
export function pingFieldOf({ rules }: Mode): string | undefined {
  return rules.find((rule) => rule.type === 'latency')?.field;
}
