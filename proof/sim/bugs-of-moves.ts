// Deliberate bugs that show only where the owner of a box moves to another machine.

import { LobbyActor } from '../../src/objects/lobby/actor';
import { MatchActor } from '../../src/objects/match/actor';
import { rewired } from './rewired';
import { JOURNAL, REAL, type Makers } from './world';

/** An actor that does not know since when anybody serves takes an outage for the silence of its players. */
export const MOVING_BUGS = [
  {
    name: 'count an outage as silence',
    makers: { ...REAL, lobby: (ports) => new LobbyActor(rewired(ports, {}), undefined, JOURNAL) },
    moving: {},
  },
  {
    name: 'count an outage as a no',
    makers: { ...REAL, match: (ports, tell) => new MatchActor(rewired(ports, {}), tell, JOURNAL) },
    moving: {},
  },
  { name: 'tell before the bucket has it', makers: REAL, moving: { tellsEarly: true } },
] as const satisfies readonly {
  readonly name: string;
  readonly makers: Makers;
  readonly moving: object;
}[];
