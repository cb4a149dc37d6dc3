// Sizes that relax as the anchor waits (docs/internals/design.md A20, A23): a mode for each step, with other minima.

import { must } from '../../common/result';
import type { Mode } from './mode';

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
export function loosest(given: Mode): SizedMode {
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
