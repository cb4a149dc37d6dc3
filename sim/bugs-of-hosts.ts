// Deliberate bugs in games that players host (record 0069).

import type { Fleet, StatusReport } from '../src/fleet/port';
import type { Host } from '../src/objects/contracts/host';
import { onlyFleet } from '../src/fleet/fleets';
import { ServerActor } from '../src/objects/server/actor';
import type { Instance } from '../src/objects/server/state';
import { forwarded, rewired } from './rewired';

/** Takes the report of a former host for one of the host. */
export class Believer extends ServerActor {
  readonly #host: Host;

  constructor(host: Host, fleet: Fleet) {
    super(host, { fleets: onlyFleet(fleet), publicUrl: '' });
    this.#host = host;
  }

  override async report(token: string, told: StatusReport): ReturnType<ServerActor['report']> {
    const { hosting, token: current = token } = this.#host.store.get<Instance>('instance') ?? {};
    return super.report(hosting === undefined ? token : current, told);
  }
}

/** Elects the next host without a next term. */
export function twoHosts(host: Host, fleet: Fleet): ServerActor {
  const store = {
    ...forwarded(host.store),
    put: (key: string, value: unknown) => {
      const { hosting } = key === 'instance' ? (value as Instance) : {};
      host.store.put(key, hosting === undefined ? value : { ...(value as Instance), run: 0 });
    },
  };
  return new ServerActor(rewired(host, { store }), { fleets: onlyFleet(fleet), publicUrl: '' });
}
