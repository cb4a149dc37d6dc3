// The drills of docs/internals/crash-table.md: each step of the protocols, with a crash of any object at
// every point of it.

import { Drill, type DrillOptions, type DrillOutcome } from './drill';
import { MODES, type Play } from './drill-steps';
import { CHANGED_DRILLS } from './drills-changed';
import { ENTRY_DRILLS } from './drills-entry';
import { LINE_DRILLS } from './drills-line';
import { MADE_DRILLS } from './drills-made';
import { MATCH_DRILLS } from './drills-match';
import { MOVED_DRILLS } from './drills-moved';
import { WARM_DRILLS } from './drills-warm';
import { MODES_DRILLS } from './drills-modes';
import { START_DRILLS } from './drills-start';
import { PLACEMENTS } from './parts';

/** Step of the crash table -> what is played; the watched part is where the crashes fall. */
export const DRILLS: Readonly<Record<string, Play>> = {
  ...ENTRY_DRILLS,
  ...MODES_DRILLS,
  ...MATCH_DRILLS,
  ...CHANGED_DRILLS,
  ...LINE_DRILLS,
  ...WARM_DRILLS,
  ...START_DRILLS,
  ...MADE_DRILLS,
  ...MOVED_DRILLS,
};

export interface Drilled {
  readonly crashes: number;
  readonly violations: readonly string[];
}

export function drilledOnce(step: string, options: DrillOptions): Promise<DrillOutcome> {
  const play = DRILLS[step];
  if (play === undefined) {
    throw new Error(`there is no drill ${step}`);
  }
  return new Drill(MODES, options).run(play);
}

/** Where a drill is played. */
export const GROUNDS = [...PLACEMENTS, 'moving box'] as const;

function groundOf(ground: (typeof GROUNDS)[number]): Pick<DrillOptions, 'placement' | 'moves'> {
  return ground === 'moving box' ? { placement: 'box', moves: true } : { placement: ground };
}

/** The drill without a crash, then once for every point of it, or for each so many. A box that moves crashes by moving. */
export async function drilled(
  step: string,
  ground: (typeof GROUNDS)[number],
  seeds: readonly number[],
  each = 1,
): Promise<Drilled> {
  const on = groundOf(ground);
  const violations: string[] = [];
  let crashes = 0;
  for (const seed of seeds) {
    const calm = await drilledOnce(step, { seed, ...on, crashAt: null });
    calm.violations.forEach((text) => violations.push(`seed ${seed}, no crash: ${text}`));
    for (const [at, { domain, where }] of calm.points.entries()) {
      if (at % each !== seed % each) {
        continue;
      }
      const crashed = await drilledOnce(step, { seed, ...on, crashAt: at });
      crashes += 1;
      crashed.violations.forEach((text) =>
        violations.push(`seed ${seed}, crash ${at} (${domain}, ${where}): ${text}`),
      );
    }
  }
  return { crashes, violations };
}
