// A world in which nothing is left to chance, so that what happens can be counted: messages take no
// time, each commit takes a millisecond, and events of one instant come in the order of their causes.

import { CALM, Weather } from './faults';
import type { Placement } from './parts';
import { Random } from './random';
import { REAL, World } from './world';

/** How long each commit takes: the time between two events counts the commits in a row. */
export const COMMIT_MS = 1;

class StillWeather extends Weather {
  override latency(): number {
    return 0;
  }

  override commit(): number {
    return COMMIT_MS;
  }

  override alarm(): number {
    return 0;
  }
}

class NoChance extends Random {
  override chance(): boolean {
    return false;
  }

  override between(low: number): number {
    return low;
  }

  override below(): number {
    return 0;
  }
}

/** `startMs`: how long the fleet takes to start a server. */
export function stillWorld(startMs: number, placement: Placement = 'objects'): World {
  return new World({
    seed: 1,
    placement,
    tracing: false,
    rates: CALM,
    weather: new StillWeather(new NoChance(1, 3), CALM),
    luck: NoChance,
    makers: REAL,
    startMs,
    reports: true,
  });
}
