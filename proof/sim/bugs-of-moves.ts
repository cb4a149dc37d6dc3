// Deliberate bugs that show only where the owner of a box moves to another machine.

import { LobbyActor } from '../../src/objects/lobby/actor';
import { rewired } from './rewired';
import { JOURNAL, REAL, type Makers } from './world';

/** Does not know since when anybody serves: it counts the time away as silence. */
export const COUNTS_THE_OUTAGE: Makers = {
  ...REAL,
  lobby: (host) => new LobbyActor(rewired(host, {}), undefined, JOURNAL),
};
