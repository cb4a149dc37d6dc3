// What is played: populations, rates and the policies for each.

import type { Mode } from '../../../src/match/rules/mode';
import { muster } from './muster';
import { BRAWL, DUELS, FOURS, type Population, SQUADS } from './population';
import { bar, colyseus, faf, nearest, type Policy, waves } from './rivals';

export interface Scenario {
  readonly population: Population;
  /** Parties a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly policies: readonly Policy[];
}

export const SEED = 7;

const within = (maxDifference: number, over: object = {}) =>
  ({ type: 'difference', field: 'mmr', maxDifference, ...over }) as const;

const target = (seconds: number, most: number, over: Partial<Mode> = {}): Policy =>
  muster(`target wait ${seconds} s within ${most}`, {
    rules: [within(most, { widenTo: most })],
    timeout: 300,
    targetWait: seconds,
    ...over,
  });

const duels: readonly Policy[] = [
  ...[4, 12, 30].map(waves),
  colyseus,
  nearest,
  muster('within 100', { rules: [within(100)], timeout: 60 }),
  ...[1, 2, 3, 4, 5, 7, 12, 20].map((seconds) => target(seconds, 150)),
];

const evenTo = (maxDifference: number, widenTo: number) =>
  ({ type: 'balance', field: 'mmr', maxDifference, widenTo }) as const;

const fours: readonly Policy[] = [
  muster('within 200, even teams 10 to 60', { rules: [within(200), evenTo(10, 60)], timeout: 120 }),
  muster('even teams alone, 15 to 75', { rules: [evenTo(15, 75)], timeout: 120 }),
];

const teams = (most: number): readonly Policy[] => [
  muster(`within ${most}`, { rules: [within(most)], timeout: 120 }),
  muster(`within ${most}, even teams 15 to 75`, {
    rules: [within(most), evenTo(15, 75)],
    timeout: 120,
  }),
  muster('target wait 20 s, even teams 15 to 75', {
    rules: [within(400, { widenTo: 400 }), evenTo(15, 75)],
    timeout: 240,
    targetWait: 20,
  }),
];

/** Long enough for some 5,000 parties, and for the tail of their waits. A crowd needs no hour to show its tail. */
const secondsOf = (rate: number): number =>
  rate > 10 ? 900 : Math.max(3_000, Math.round(5_000 / rate));

const at = (population: Population, policies: readonly Policy[], ...rates: readonly number[]) =>
  rates.map((rate): Scenario => ({ population, rate, seconds: secondsOf(rate), policies }));

export const SCENARIOS: readonly Scenario[] = [
  ...at(DUELS, duels, 0.05, 0.2, 1, 5, 20),
  ...at({ ...DUELS, name: '1v1, long tail', isLongTailed: true }, duels, 1),
  ...at(SQUADS, teams(200), 0.3, 1, 3, 20),
  ...at(FOURS, [faf, bar, ...teams(200), ...fours], 0.3, 1),
  ...at(
    BRAWL,
    [colyseus, nearest, muster('within 200', { rules: [within(200)] }), target(10, 300)],
    1,
  ),
];

/** A day in 24 hours, with the target that its searches shall take. */
export const DAY = {
  population: { ...DUELS, name: '1v1, a day', isDay: true },
  rate: 0.3,
  seconds: 86_400,
  targetWait: 20,
} as const;

export const daily: Policy = target(DAY.targetWait, 200);
