// Deliberate bugs of a lobby that is watched (record 0108).

import type { Command } from '../../src/lobby/command';
import { isSpectator } from '../../src/lobby/lobby';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { Membership } from '../../src/objects/contracts/lobby';
import { LobbyActor } from '../../src/objects/lobby/actor';
import { loadLobby } from '../../src/objects/lobby/store';
import { JOURNAL, REAL, type Makers } from './world';

/** Accepts whatever a spectator says, and does nothing of it. */
class Obliging extends LobbyActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts) {
    super(ports, undefined, JOURNAL);
    this.#ports = ports;
  }

  override execute(command: Command): ReturnType<LobbyActor['execute']> {
    const { lobby } = loadLobby(this.#ports.store) ?? {};
    const { type, player } = command;
    const isVain = type !== 'leave' && lobby !== undefined && isSpectator(lobby, player);
    return super.execute(isVain ? { type: 'heartbeat', player } : command);
  }
}

/** Denies its spectators, so their seats are free to take. */
class Blind extends LobbyActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts) {
    super(ports, undefined, JOURNAL);
    this.#ports = ports;
  }

  override async knows(membership: Membership): Promise<boolean> {
    const { lobby } = loadLobby(this.#ports.store) ?? {};
    const isWatching = lobby !== undefined && isSpectator(lobby, membership.player);
    return !isWatching && super.knows(membership);
  }
}

const isWatched = ({ watches }: { readonly watches: number }): boolean => watches > 0;

export const OF_SPECTATORS = [
  {
    in: isWatched,
    name: 'take the word of a spectator',
    makers: { ...REAL, lobby: (ports) => new Obliging(ports) },
  },
  {
    in: isWatched,
    name: 'give away the seat of a spectator',
    makers: { ...REAL, lobby: (ports) => new Blind(ports) },
  },
] as const satisfies readonly {
  readonly in: typeof isWatched;
  readonly name: string;
  readonly makers: Makers;
}[];
