// Sizes that relax as the anchor waits (docs/internals/design.md A20, A23): a mode for each step, with other minima. And how short a
// match or a team may start by them (decision 61).

import { must } from '../../common/result';
import { type Mode, sizeOf } from './mode';

/** A mode in which bots take every place that is left has no minima but one: the players of a whole match. */
export interface SizedMode extends Mode {
  /** Absent: no bots take places. */
  readonly minHumans?: number;
}

export interface StepSizes {
  /** They hold after so long a wait, until the next. */
  readonly afterMs: number;
  readonly mode: SizedMode;
}

/** The mode itself, and what it is after each of its steps. The last is the loosest. */
export function sizesOf(mode: Mode): readonly [StepSizes, ...StepSizes[]] {
  let { minPlayersPerTeam, minTeams } = mode;
  const after = (mode.steps ?? []).map((step): StepSizes => {
    minPlayersPerTeam = step.minPlayersPerTeam ?? minPlayersPerTeam;
    minTeams = step.minTeams ?? minTeams;
    const { afterSeconds, bots, minHumans = 1 } = step;
    const minima = bots
      ? { minPlayersPerTeam: 0, minTeams: mode.teams, sameSize: false, minHumans }
      : { minPlayersPerTeam, minTeams };
    return { afterMs: afterSeconds * 1000, mode: { ...mode, ...minima } };
  });
  return [{ afterMs: 0, mode }, ...after];
}

/** What the mode is after the last of its steps. */
function loosest(given: Mode): SizedMode {
  return must(sizesOf(given).at(-1), 'the loosest sizes').mode;
}

/** How many steps have come by `at` for a wait that began at `startedAt`. */
export function stepsBy(sizes: readonly StepSizes[], startedAt: number, at: number): number {
  let steps = 0;
  while (stepAt(sizes, startedAt, steps + 1) <= at) {
    steps += 1;
  }
  return steps;
}

/** When after `at` the next step comes: a whole ms, or Infinity for never. */
export function nextStep(sizes: readonly StepSizes[], startedAt: number, at: number): number {
  return stepAt(sizes, startedAt, stepsBy(sizes, startedAt, at) + 1);
}

function stepAt(sizes: readonly StepSizes[], startedAt: number, step: number): number {
  return Math.ceil(startedAt + (sizes[step]?.afterMs ?? Infinity));
}

/** How many players a team has. `isAll`: false if there may be more than are known. */
export interface TeamSize {
  readonly count: number;
  readonly isAll: boolean;
}

/** Why teams of so many players, in the order of the mode's, are no match of it (decision 76). Empty: they may be one. */
export function sizesProblems(mode: Mode, sizes: readonly TeamSize[]): readonly string[] {
  const { mode: least } = must(
    sizesOf(mode).findLast((each) => each.mode.minHumans === undefined),
    'sizes without bots',
  );
  const { teams, minTeams, minPlayersPerTeam, playersPerTeam, teamComposition } = least;
  const full = teamComposition === null ? null : Object.values(teamComposition).map(sizeOf);
  const range = minTeams === teams ? teams : `${minTeams} to ${teams}`;
  const isOther = sizes.length > teams || sizes.length < minTeams;
  const wrong = sizes.flatMap(({ count, isAll }, team) => {
    const most = full?.[team] ?? playersPerTeam;
    const fewest = Math.min(minPlayersPerTeam, most);
    const places = fewest < most ? `${fewest} to ${most}` : `${most}`;
    const isWrong = count > most || (isAll && count < fewest);
    return isWrong ? [`team ${team} has ${count} players and must have ${places}`] : [];
  });
  const counts = new Set(sizes.map(({ count }) => count));
  const isUneven = least.sameSize && sizes.every(({ isAll }) => isAll) && counts.size > 1;
  return [
    ...(isOther ? [`must be ${range} teams`] : []),
    ...wrong,
    ...(isUneven && wrong.length === 0 ? ['must be of one size'] : []),
  ];
}

/** A short team also has one player of each role that a team has once. */
export function leastOfRole(count: number): number {
  return count === 1 ? 1 : 0;
}

/** How few teams, and how few players on each, a match may have. A smaller team is full. Bots take any place. */
export type Minima = Pick<SizedMode, 'minTeams' | 'minPlayersPerTeam' | 'sameSize' | 'minHumans'>;

/** The fewest players of a team that wants so many of each role. */
export function leastOf(demand: readonly number[], minima: Minima): number {
  const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);
  const ofRoles = minima.minHumans === undefined ? sum(demand.map(leastOfRole)) : 0;
  return Math.max(Math.min(minima.minPlayersPerTeam, sum(demand)), ofRoles);
}

/** Whether a match may start with less than all its places, by the mode's minima or those of its last step. */
export function startsShort(given: Mode): boolean {
  const mode = loosest(given);
  return mode.minTeams < mode.teams || hasShortTeams(given);
}

/** Whether a team may start with fewer players than it has places. */
export function hasShortTeams(given: Mode): boolean {
  const mode = loosest(given);
  const teams = Object.values(mode.teamComposition ?? { any: { any: mode.playersPerTeam } });
  return teams.some((roles) => leastOf(Object.values(roles), mode) < sizeOf(roles));
}

/** The fewest players of a match. `demand`: how many each team wants of each role. */
export function fewestOf(demand: readonly (readonly number[])[], minima: Minima): number {
  const least = demand.map((team) => leastOf(team, minima)).sort((a, b) => a - b);
  return minima.minHumans ?? least.slice(0, minima.minTeams).reduce((sum, count) => sum + count, 0);
}
