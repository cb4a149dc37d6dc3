// Deliberate bugs of a lobby that is asked to hold, and of a directory that is asked for a lobby (see bugs.ts).

import type { MatchUpdate } from '../../src/lobby/command';
import { defaultConfig } from '../../src/lobby/config';
import type { Hold } from '../../src/lobby/queueing';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { HoldReply } from '../../src/objects/contracts/lobby';
import type { Peers } from '../../src/objects/contracts/peers';
import type { QueueRpc } from '../../src/objects/contracts/queue';
import type { QuickJoin } from '../../src/objects/contracts/directory';
import { DirectoryActor } from '../../src/objects/directory/actor';
import { LobbyActor } from '../../src/objects/lobby/actor';
import { partySnapshot } from '../../src/objects/lobby/game';
import { loadLobby } from '../../src/objects/lobby/store';
import { rewired } from './rewired';
import { JOURNAL } from './world';

/** Holds any ticket that it is asked for. */
export class Fenceless extends LobbyActor {
  protected readonly ports: ActorPorts;

  constructor(ports: ActorPorts) {
    super(ports, undefined, JOURNAL);
    this.ports = ports;
  }

  protected honest(request: Hold): Promise<HoldReply> {
    return super.hold(request);
  }

  override async hold(request: Hold): Promise<HoldReply> {
    const reply = await super.hold(request);
    const { lobby = null } = loadLobby(this.ports.store) ?? {};
    return reply.held || lobby === null
      ? reply
      : {
          held: true,
          party: partySnapshot(lobby, request.ticketId, {
            config: defaultConfig('any'),
            hasHooks: false,
          }),
        };
  }
}

/** A lobby that is held for one of its modes holds for another one too. */
export class Promiser extends Fenceless {
  override async hold(request: Hold): Promise<HoldReply> {
    const { search = null } = loadLobby(this.ports.store)?.lobby ?? {};
    const isOther = search?.also?.some(({ ticketId }) => ticketId === request.ticketId) === true;
    return isOther && search.hold !== null ? super.hold(request) : this.honest(request);
  }
}

/** Does not hear which places its players have lost, or who was put out. */
export class Deaf extends LobbyActor {
  readonly #ports: ActorPorts;
  readonly #key: 'members' | 'kicked';

  constructor(ports: ActorPorts, key: 'members' | 'kicked') {
    super(ports, undefined, JOURNAL);
    this.#ports = ports;
    this.#key = key;
  }

  override matchUpdate(update: MatchUpdate): Promise<boolean> {
    const known = loadLobby(this.#ports.store)?.lobby.part?.places;
    const kept = known?.[this.#key] ?? (this.#key === 'kicked' ? [] : update.places.members);
    return super.matchUpdate({ ...update, places: { ...update.places, [this.#key]: kept } });
  }
}

/** Does not hear that the mode keeps places. */
export class Lavish extends LobbyActor {
  override matchUpdate({ places, ...update }: MatchUpdate): Promise<boolean> {
    const { keptSeconds: _, ...told } = places;
    return super.matchUpdate({ ...update, places: told });
  }
}

/** Leaves no other queue when one has a match for it. */
export function staying(ports: ActorPorts): LobbyActor {
  const { peers } = ports;
  const queue: Peers['queue'] = (...place) => {
    const rpc = peers.queue(...place);
    const leave: QueueRpc['leave'] = async (ticketId, reason) =>
      reason === 'matched_elsewhere' ? undefined : rpc.leave(ticketId, reason);
    return new Proxy(rpc, {
      get: (_, method: keyof QueueRpc) => (method === 'leave' ? leave : rpc[method]),
    });
  };
  return new LobbyActor(rewired(ports, { peers: { ...peers, queue } }), undefined, JOURNAL);
}

/** Founds a lobby for whoever finds none on a page of browsing that may be half a second old. */
export class Hurried extends DirectoryActor {
  readonly #ports: ActorPorts;
  readonly #pages = new Map<string, { readonly at: number; readonly total: number }>();

  constructor(ports: ActorPorts) {
    super(ports);
    this.#ports = ports;
  }

  override async quickJoin(wanted: QuickJoin): ReturnType<DirectoryActor['quickJoin']> {
    const { create, sought } = wanted;
    const { region, status, ...what } = sought;
    const key = JSON.stringify(what);
    const at = this.#ports.now();
    const page = this.#pages.get(key);
    if (page === undefined || Math.abs(at - page.at) > 500) {
      const search = { ...what, sort: 'players', after: null } as const;
      const { total } = await this.browse({ region, status, limit: 1, offset: 0, search });
      this.#pages.set(key, { at, total });
    }
    return this.#pages.get(key)?.total === 0
      ? this.#ports.peers.lobby(create.id, create.region).create(create)
      : super.quickJoin(wanted);
  }
}
