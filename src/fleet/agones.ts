// A fleet on Kubernetes with Agones. A launch is a GameServerAllocation, which takes a ready GameServer out of the
// Agones Fleet that the build names. Written against release 1.56.0.
//
// Launches are idempotent by a label with the instance id: every launch first lists the GameServers that have it.
// If a call that timed out arrives late and a second GameServer gets the label, the one allocated first stays and
// the other is deleted, at the next launch or inspection. Kubernetes keeps no tombstones of stopped instances, so
// the caller makes sure that an ended instance is never launched again (objects/server).
// Required rights: create gameserverallocations; list and delete gameservers.

import { isObject, type JsonObject } from '../common/json';
import {
  allocation,
  deletionOf,
  gameServersIn,
  INSTANCE_LABEL,
  isLive,
  unfit,
  type GameServer,
} from './agones-objects';
import { musterJson } from './muster-json';
import type { Fleet, Inspection, Launched } from './port';
import { asker, failureOf, hasEnded, unreachable } from './provider';
import type { ProviderAnswer, ProviderOptions } from './provider';

/** `url`: the Kubernetes API, such as `https://10.0.0.1:6443`. `token`: that of a service account. */
export interface AgonesFleetOptions extends ProviderOptions {
  readonly namespace: string;
  /** Agones Fleet for builds that name none. Null: such builds are refused. */
  readonly fleetName: string | null;
}

/** Attempts to allocate. Contention at the allocator passes within milliseconds. */
const ALLOCATIONS = 3;
/** Attempts to delete. A GameServer that changed between reading and deleting is read again. */
const DELETIONS = 3;

/** decision 37; docs/internals/design.md: A game server. */
export function agonesFleet(options: AgonesFleetOptions): Fleet {
  const { namespace, fleetName } = options;
  const ask = asker(options, 'Bearer');
  const allocations = `/apis/allocation.agones.dev/v1/namespaces/${namespace}/gameserverallocations`;
  const gameServers = `/apis/agones.dev/v1/namespaces/${namespace}/gameservers`;

  /** All GameServers with the instance's label, the one to keep first. Surplus live ones are deleted. */
  async function find(instanceId: string): Promise<readonly GameServer[]> {
    const selector = encodeURIComponent(`${INSTANCE_LABEL}=${instanceId}`);
    const { status, body, said } = await ask(`GET ${gameServers}?labelSelector=${selector}`);
    if (status !== 200) {
      throw new Error(`Kubernetes did not list ${instanceId}: ${said}`);
    }
    const found = gameServersIn(body);
    await Promise.all(found.filter(isLive).slice(1).map(remove));
    return found;
  }

  /** Deletes the GameServer as it was read. False: it has changed since. */
  async function remove({ name, resourceVersion }: GameServer): Promise<boolean> {
    const line = `DELETE ${gameServers}/${encodeURIComponent(name)}` as const;
    const { status, said } = await ask(line, deletionOf(resourceVersion));
    if (![200, 202, 404, 409].includes(status)) {
      throw new Error(`Kubernetes did not delete ${name}: ${said}`);
    }
    return status !== 409;
  }

  async function allocate(body: JsonObject): Promise<Exclude<Launched, { ok: true }> | null> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await ask(`POST ${allocations}`, body);
      const state = stateOf(answer);
      if (state === 'Allocated') {
        return null;
      }
      if (state !== 'Contention' || attempt === ALLOCATIONS) {
        return declinedOf(answer, state);
      }
    }
  }

  return {
    keepsReady: true,
    async launch(spec): Promise<Launched> {
      const group = spec.build.launch.fleetName ?? fleetName;
      const config = JSON.stringify(musterJson(spec));
      if (group === null) {
        return { ok: false, reason: 'refused', detail: 'the build names no Agones Fleet' };
      }
      const problem = unfit(spec, config);
      if (problem !== null) {
        return { ok: false, reason: 'refused', detail: problem, ofOrder: true };
      }
      try {
        const [known] = await find(spec.instanceId);
        const failure = known ? null : await allocate(allocation(spec, group, config));
        if (failure !== null) {
          return failure;
        }
        const taken = known ?? (await find(spec.instanceId))[0];
        return taken !== undefined && isLive(taken) ? { ok: true, ports: taken.ports } : ENDED;
      } catch (error) {
        return unreachable(error);
      }
    },

    async inspect(instanceId): Promise<Inspection> {
      const [found] = await find(instanceId);
      if (found === undefined) {
        return { state: 'unknown', ports: [] };
      }
      const { state, ports } = found;
      return { state: state === 'ended' || state === 'pooled' ? 'stopped' : state, ports };
    },

    async stop(instanceId): Promise<void> {
      for (let attempt = 1; ; attempt += 1) {
        const left = (await find(instanceId)).filter(({ state }) => state !== 'pooled');
        const gone = await Promise.all(left.map(remove));
        if (!gone.includes(false)) {
          return;
        }
        if (attempt === DELETIONS) {
          throw new Error(`the GameServer of ${instanceId} keeps changing`);
        }
      }
    },
  };
}

const ENDED = hasEnded('GameServer');

function stateOf({ status, body }: ProviderAnswer): string | null {
  const state = isObject(body) && isObject(body['status']) ? body['status']['state'] : undefined;
  return (status === 200 || status === 201) && typeof state === 'string' ? state : null;
}

function declinedOf(answer: ProviderAnswer, state: string | null): Exclude<Launched, { ok: true }> {
  return state === 'UnAllocated' || state === 'Contention'
    ? { ok: false, reason: 'no_capacity', detail: `Agones answered ${state}` }
    : { ok: false, reason: failureOf(answer), detail: answer.said };
}
