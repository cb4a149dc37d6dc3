// The simulated fleet of the service in this isolate, which does as the test says once a test imports it.

import { simulatedFleet as served } from '../../src/fleet/simulated';
import { simulatedFleet } from '../../proof/sim/simulated-fleet';

export const controlled = Object.assign(
  served,
  simulatedFleet({ now: () => Date.now(), unknownIs: 'running' }),
);
