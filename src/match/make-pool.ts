// The one way to a pool of a mode.

import type { Mode } from './mode';
import { makePlainPool } from './plain-pool';
import type { Pool } from './pool';

/** A pool for the mode, empty. A changed mode needs a new pool: the index follows the rules. */
export function makePool(mode: Mode): Pool {
  return makePlainPool(mode);
}
