// Sizes that relax: how few players a match may have after the wait of its anchor (docs/internals/design.md A20). A mode is
// followed by one for each of its steps, which differs in the minima alone.

import type { Mode } from './mode';

export interface StepSizes {
  /** They hold after so long a wait, until the next. */
  readonly afterMs: number;
  readonly mode: Mode;
}

/** The mode itself, and what it is after each of its steps. The last is the loosest. */
export function sizesOf(mode: Mode): readonly [StepSizes, ...StepSizes[]] {
  let { minPlayersPerTeam, minTeams } = mode;
  const after = (mode.steps ?? []).map((step): StepSizes => {
    minPlayersPerTeam = step.minPlayersPerTeam ?? minPlayersPerTeam;
    minTeams = step.minTeams ?? minTeams;
    return { afterMs: step.afterSeconds * 1000, mode: { ...mode, minPlayersPerTeam, minTeams } };
  });
  return [{ afterMs: 0, mode }, ...after];
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
