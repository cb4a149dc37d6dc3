// Deliberate bugs of the line for room, and of fleets in order (record 0068).

import type { Fleet } from '../../src/fleet/port';
import { ProjectActor } from '../../src/objects/project/actor';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { ServerActor } from '../../src/objects/server/actor';
import type { InLine, TurnInLine } from '../../src/objects/contracts/project';
import { serverOf } from './world';

/** Lets everybody who comes have a try, whoever waits. */
class Doorless extends ProjectActor {
  override async standInLine(asked: InLine, isFull: boolean): Promise<TurnInLine> {
    return asked.since === null && !isFull
      ? { position: 0, since: 0, isTurn: true, againMs: 0 }
      : super.standInLine(asked, isFull);
  }
}

/** Tells whoever finds the fleets full its place, and does not note it. */
class Noteless extends ProjectActor {
  readonly #ports: ActorPorts;

  constructor(ports: ActorPorts) {
    super(ports);
    this.#ports = ports;
  }

  override async standInLine(asked: InLine, isFull: boolean): Promise<TurnInLine> {
    const { since } = asked;
    return isFull || since !== null
      ? { position: 1, since: since ?? this.#ports.now(), isTurn: !isFull, againMs: 1_000 }
      : super.standInLine(asked, isFull);
  }
}

/** Takes a fleet that does not answer for one that is full, and asks the next one. */
export function hasty(ports: ActorPorts, fleet: Fleet, next: Fleet): ServerActor {
  const sure: Fleet = {
    ...fleet,
    launch: async (spec) => {
      const launched = await fleet.launch(spec);
      return launched.ok || launched.reason !== 'unreachable'
        ? launched
        : { ...launched, reason: 'no_capacity' };
    },
  };
  return serverOf(ports, sure, next);
}

export const doorless = (ports: ActorPorts): ProjectActor => new Doorless(ports);
export const noteless = (ports: ActorPorts): ProjectActor => new Noteless(ports);
