// Deliberate bugs of warm servers (record 0073).

import type { Fleet } from '../../src/fleet/port';
import { onlyFleet } from '../../src/fleet/fleets';
import type { InstanceId } from '../../src/common/ids';
import { ok } from '../../src/common/result';
import { ProjectActor } from '../../src/objects/project/actor';
import { ServerActor } from '../../src/objects/server/actor';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { WarmWanted } from '../../src/objects/contracts/project';
import type { LaunchOrder } from '../../src/objects/contracts/server';
import { REAL, type Makers } from './world';

/** Gives the server that it gave last once more. */
class Repeater extends ProjectActor {
  #last: InstanceId | null = null;

  override async takeWarm(wanted: WarmWanted): Promise<InstanceId | null> {
    this.#last ??= await super.takeWarm(wanted);
    return this.#last;
  }
}

/** Tells every match that asks that the server is its own. */
class Everybodys extends ServerActor {
  constructor(ports: ActorPorts, fleet: Fleet) {
    super(ports, { fleets: onlyFleet(fleet), publicUrl: '' });
  }

  override async launch(order: LaunchOrder): ReturnType<ServerActor['launch']> {
    const launched = await super.launch(order);
    const read = launched.ok ? null : await this.read(order.project);
    return read?.ok === true && read.value.status === 'running'
      ? ok({ instanceId: order.instanceId, seq: 1_000, block: read.value })
      : launched;
  }
}

/** Lives on when its build does not want it any more. */
class Lingerer extends ServerActor {
  constructor(ports: ActorPorts, fleet: Fleet) {
    super(ports, { fleets: onlyFleet(fleet), publicUrl: '' });
  }

  override async stop(by: boolean | 'warm' = false): Promise<void> {
    return by === 'warm' ? undefined : super.stop(by);
  }
}

export const GIVEN_TWICE: Makers = {
  ...REAL,
  project: (ports) => new Repeater(ports),
  server: (ports, fleet) => new Everybodys(ports, fleet),
};

export const OWNERLESS: Makers = { ...REAL, server: (ports, fleet) => new Lingerer(ports, fleet) };
