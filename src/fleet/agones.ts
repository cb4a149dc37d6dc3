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
import {
  askJson,
  messageOf,
  OWN_FETCHER,
  TIME_LIMITS,
  type RestAnswer,
  type Fetcher,
  type TimeLimits,
} from './rest';

export interface AgonesFleetOptions {
  /** Address of the Kubernetes API, such as `https://10.0.0.1:6443`. */
  readonly url: string;
  /** Token of a service account. */
  readonly token: string;
  /** Namespace of the GameServers. */
  readonly namespace: string;
  /** Agones Fleet for builds that name none. Null: such builds are refused. */
  readonly fleetName: string | null;
  readonly timeLimits?: TimeLimits | undefined;
  /** How the API is reached. Absent: by the platform's own fetch, which must trust the API's CA. */
  readonly fetcher?: Fetcher | undefined;
}

/** Attempts to allocate. Contention at the allocator passes within milliseconds. */
const ALLOCATIONS = 3;
/** Attempts to delete. A GameServer that changed between reading and deleting is read again. */
const DELETIONS = 3;

/** decision 37; docs/internals/design.md: A game server. */
export function agonesFleet(options: AgonesFleetOptions): Fleet {
  const { token, namespace, fleetName, timeLimits = TIME_LIMITS } = options;
  const { fetcher = OWN_FETCHER } = options;
  const base = options.url.replace(/\/+$/, '');
  const allocations = `/apis/allocation.agones.dev/v1/namespaces/${namespace}/gameserverallocations`;
  const gameServers = `/apis/agones.dev/v1/namespaces/${namespace}/gameservers`;

  function call(
    line: `${'GET' | 'POST' | 'DELETE'} ${string}`,
    body: JsonObject | null,
    limitMs: number,
  ): Promise<RestAnswer> {
    const [method = 'GET', path = ''] = line.split(' ');
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const init = { method, body: body === null ? '' : JSON.stringify(body), headers };
    return askJson(fetcher, base + path, init, limitMs);
  }

  /** All GameServers with the instance's label, the one to keep first. Surplus live ones are deleted. */
  async function find(instanceId: string): Promise<readonly GameServer[]> {
    const selector = encodeURIComponent(`${INSTANCE_LABEL}=${instanceId}`);
    const path = `${gameServers}?labelSelector=${selector}`;
    const { status, body } = await call(`GET ${path}`, null, timeLimits.askMs);
    if (status !== 200) {
      throw new Error(`Kubernetes did not list ${instanceId}: ${detailOf(status, body)}`);
    }
    const found = gameServersIn(body);
    await Promise.all(found.filter(isLive).slice(1).map(remove));
    return found;
  }

  /** Deletes the GameServer as it was read. False: it has changed since. */
  async function remove({ name, resourceVersion }: GameServer): Promise<boolean> {
    const line = `DELETE ${gameServers}/${encodeURIComponent(name)}` as const;
    const { status, body } = await call(line, deletionOf(resourceVersion), timeLimits.askMs);
    if (status === 409) {
      return false;
    }
    if (status !== 200 && status !== 202 && status !== 404) {
      throw new Error(`Kubernetes did not delete ${name}: ${detailOf(status, body)}`);
    }
    return true;
  }

  /** Allocates a GameServer. Null on success. */
  async function allocate(body: JsonObject): Promise<Exclude<Launched, { ok: true }> | null> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await call(`POST ${allocations}`, body, timeLimits.launchMs);
      const state = stateOf(answer);
      if (state === 'Allocated') {
        return null;
      }
      if (state !== 'Contention' || attempt === ALLOCATIONS) {
        return failureOf(answer, state);
      }
    }
  }

  return {
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
        if (known !== undefined) {
          return isLive(known) ? { ok: true, ports: known.ports } : ENDED;
        }
        const failure = await allocate(allocation(spec, group, config));
        if (failure !== null) {
          return failure;
        }
        const [taken] = await find(spec.instanceId);
        return taken !== undefined && isLive(taken) ? { ok: true, ports: taken.ports } : ENDED;
      } catch (error) {
        return { ok: false, reason: 'unreachable', detail: messageOf(error) };
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

const ENDED: Launched = {
  ok: false,
  reason: 'ended',
  detail: 'the GameServer of this instance has already ended',
};

function stateOf({ status, body }: RestAnswer): string | null {
  const told = isObject(body) && isObject(body['status']) ? body['status']['state'] : undefined;
  return (status === 200 || status === 201) && typeof told === 'string' ? told : null;
}

/** A 429 or 5xx leaves the outcome of the allocation unknown. Every other 4xx is a refusal. */
function failureOf(
  { status, body }: RestAnswer,
  state: string | null,
): Exclude<Launched, { ok: true }> {
  if (state === 'UnAllocated' || state === 'Contention') {
    return { ok: false, reason: 'no_capacity', detail: `Agones answered ${state}` };
  }
  const isRefused = status >= 400 && status < 500 && status !== 429;
  const reason = isRefused ? 'refused' : 'unreachable';
  return { ok: false, reason, detail: detailOf(status, body) };
}

function detailOf(status: number, body: unknown): string {
  const message = isObject(body) ? body['message'] : undefined;
  return typeof message === 'string' && message !== '' ? message : `status ${status}`;
}
