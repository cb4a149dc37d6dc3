// What we send and read of Agones 1.56.0: GameServerAllocation (allocation.agones.dev/v1), GameServer (agones.dev/v1).

import { isObject, type JsonObject } from '../common/json';
import type { LaunchSpec, Port, ServerStatus } from './port';

/** Label of the GameServer that runs an instance. A repeated launch finds the first one by it. */
export const INSTANCE_LABEL = 'muster/instance';
const CONFIG_ANNOTATION = 'muster/config';
/** Annotation with the id of the request that led to the launch. Empty if unknown: an earlier one may stand there. */
const REQUEST_ANNOTATION = 'muster/request-id';
/** Set by Agones at each allocation, RFC 3339. */
const LAST_ALLOCATED = 'agones.dev/last-allocated';
const FLEET_LABEL = 'agones.dev/fleet';
/** Kubernetes allows 256 KiB for all annotations of an object, and some of them are not ours. */
const MAX_CONFIG_BYTES = 240 * 1024;

export function unfit({ instanceId }: LaunchSpec, config: string): string | null {
  if (!/^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/.test(instanceId)) {
    return 'the instance id can be no label';
  }
  return new TextEncoder().encode(config).length > MAX_CONFIG_BYTES
    ? `the config of the game server is over ${MAX_CONFIG_BYTES} bytes`
    : null;
}

/** Allocates the GameServer that has this instance, or else a ready one, and labels it in the same step. */
export function allocation(
  { instanceId, requestId = '' }: Pick<LaunchSpec, 'instanceId' | 'requestId'>,
  fleetName: string,
  config: string,
): JsonObject {
  return {
    apiVersion: 'allocation.agones.dev/v1',
    kind: 'GameServerAllocation',
    spec: {
      scheduling: 'Packed',
      selectors: [
        { gameServerState: 'Allocated', matchLabels: { [INSTANCE_LABEL]: instanceId } },
        { gameServerState: 'Ready', matchLabels: { [FLEET_LABEL]: fleetName } },
      ],
      metadata: {
        labels: { [INSTANCE_LABEL]: instanceId },
        annotations: { [CONFIG_ANNOTATION]: config, [REQUEST_ANNOTATION]: requestId },
      },
    },
  };
}

/** Deletes the object only if it is unchanged: it may have gone back to the pool and to another instance. */
export function deletionOf(resourceVersion: string): JsonObject {
  return { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { resourceVersion } };
}

export interface GameServer {
  readonly name: string;
  readonly resourceVersion: string;
  /** `ended`: shutting down or failed. `pooled`: ready for another allocation. Neither runs the instance. */
  readonly state: Exclude<ServerStatus, 'stopped'> | 'ended' | 'pooled';
  readonly ports: readonly Port[];
  readonly allocatedAt: string;
}

function stateOf(state: unknown, isGoing: boolean): GameServer['state'] {
  if (isGoing || state === 'Shutdown' || state === 'Error' || state === 'Unhealthy') {
    return 'ended';
  }
  // The game server called Ready() after its match, so it is open for the next allocation.
  if (state === 'Ready' || state === 'RequestReady') {
    return 'pooled';
  }
  return state === 'Allocated' || state === 'Reserved' ? 'running' : 'launching';
}

/** The GameServers of a list, live ones first, in the order of their allocation. The first is the one to keep. */
export function gameServersIn(list: unknown): readonly GameServer[] {
  const items = isObject(list) && list['items'];
  if (!Array.isArray(items)) {
    throw new Error('Kubernetes returned no list');
  }
  return items.map(gameServerOf).toSorted((one, other) => {
    const live = Number(isLive(other)) - Number(isLive(one));
    return live === 0 ? one.allocatedAt.localeCompare(other.allocatedAt) : live;
  });
}

export function isLive({ state }: GameServer): boolean {
  return state === 'running' || state === 'launching';
}

function gameServerOf(item: unknown): GameServer {
  const metadata = fieldsOf(item, 'metadata');
  const status = fieldsOf(item, 'status');
  const spec = fieldsOf(item, 'spec');
  const { name, resourceVersion, deletionTimestamp } = metadata;
  if (typeof name !== 'string' || typeof resourceVersion !== 'string') {
    throw new Error('Kubernetes returned a GameServer without a name or version');
  }
  const allocatedAt = fieldsOf(metadata, 'annotations')[LAST_ALLOCATED];
  const address = typeof status['address'] === 'string' ? status['address'] : '';
  const listed = (ports: unknown): readonly unknown[] => (Array.isArray(ports) ? ports : []);
  const asked = listed(spec['ports']);
  return {
    name,
    resourceVersion,
    state: stateOf(status['state'], deletionTimestamp !== undefined),
    ports: listed(status['ports']).flatMap((port) => portOf(port, address, asked)),
    allocatedAt: typeof allocatedAt === 'string' ? allocatedAt : '',
  };
}

/** A port with its name and number from the status, and its protocol and container port from the spec. */
function portOf(input: unknown, host: string, asked: readonly unknown[]): readonly Port[] {
  const { name, port } = isObject(input) ? input : {};
  if (typeof port !== 'number' || host === '') {
    return [];
  }
  const spec = asked.find((each) => isObject(each) && each['name'] === name);
  const { protocol, containerPort } = isObject(spec) ? spec : {};
  return [
    {
      name: typeof name === 'string' && name !== '' ? name : 'game',
      host,
      external_port: port,
      internal_port: typeof containerPort === 'number' ? containerPort : port,
      protocol: protocol === 'TCP' ? 'tcp' : 'udp',
      tls_enabled: false,
    },
  ];
}

function fieldsOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const found = isObject(value) ? value[name] : undefined;
  return isObject(found) ? found : {};
}
