// Which fleet the service launches on, as its surroundings say.

import { localFleet } from '../fleet/local';
import type { Fleet } from '../fleet/port';
import { simulatedFleet } from '../fleet/simulated';
import { must } from '../result';
import type { Env } from './env';
import type { ServerSurroundings } from './server';

/** One an isolate: a simulated fleet remembers what it pretends to run. */
let simulated: Fleet | null = null;

export function surroundingsOf(env: Env): ServerSurroundings {
  return { fleet: fleetOf(env), publicUrl: env.PUBLIC_URL ?? '' };
}

function fleetOf(env: Env): Fleet {
  if (env.FLEET === 'local') {
    return localFleet({
      url: must(env.FLEET_URL, 'FLEET_URL, where the agent listens'),
      secret: must(env.FLEET_SECRET, 'FLEET_SECRET, which the agent knows too'),
    });
  }
  if (env.FLEET === 'simulated') {
    simulated ??= simulatedFleet({ now: () => Date.now(), unknownIs: 'running' });
    return simulated;
  }
  return NO_FLEET;
}

/** A service without a fleet still has lobbies; every launch is refused and says why. */
const NO_FLEET: Fleet = {
  launch: async () => ({ ok: false, reason: 'refused', detail: 'No fleet is configured' }),
  inspect: async () => ({ state: 'unknown', ports: [] }),
  stop: async () => {},
};
