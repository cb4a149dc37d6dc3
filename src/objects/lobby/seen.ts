// What the parts of an object see of its lobby.

import type { Lobby } from '../../lobby/lobby';
import type { LobbyView } from '../../lobby/view';
import type { ActorPorts } from '../contracts/actor-ports';

export interface Seen {
  readonly ports: ActorPorts;
  readonly lobby: Lobby | null;
  /** How much later spectators hear of it, ms. */
  readonly delayMs: number;
  /** What players see of it, once `wake` has loaded the config. */
  view(lobby: Lobby): LobbyView;
  wake(): Promise<void>;
}
