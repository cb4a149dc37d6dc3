// A Kubernetes API with Agones in it, as small as the service can be tested against: GameServers
// in memory, allocated as the allocator of Agones 1.56.0 does it. Every body that comes is read by
// the published schema, every one that goes is checked against it.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type * as z from 'zod';

import { Allocated, DeleteOptions, GameServer, GameServerAllocation } from './agones-schema.ts';

export type FakeGameServer = z.infer<typeof GameServer>;
type Allocation = z.infer<typeof GameServerAllocation>;

export const NAMESPACE = 'games';
export const TOKEN = 'token-of-a-service-account';

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface FakeKubernetes {
  readonly url: string;
  readonly gameServers: FakeGameServer[];
  /** A GameServer in the state Ready, of an Agones Fleet. */
  ready(fleet: string): FakeGameServer;
  /** `METHOD path` of every call, oldest first. */
  readonly calls: string[];
  /** Answers the next allocations so instead; `started`: although it was carried out. */
  failAllocations(answers: readonly (number | 'Contention')[], how?: { started: boolean }): void;
  /** Runs before the next call of that method is answered. */
  before(method: string, run: () => void): void;
  close(): Promise<void>;
}

let made = 0;

/** With key and certificate, as PEM, it speaks https, as a real one always does. */
export async function startFakeKubernetes(
  tls: { readonly key: string; readonly cert: string } | null = null,
): Promise<FakeKubernetes> {
  const gameServers: FakeGameServer[] = [];
  const calls: string[] = [];
  const failures: { answer: number | 'Contention'; started: boolean }[] = [];
  const befores: { method: string; run: () => void }[] = [];

  function allocate(allocation: Allocation): Answer {
    for (const { gameServerState = 'Ready', matchLabels = {} } of allocation.spec.selectors) {
      const taken = gameServers.find(
        ({ metadata, status }) =>
          status.state === gameServerState &&
          metadata.deletionTimestamp === undefined &&
          Object.entries(matchLabels).every(([name, value]) => metadata.labels?.[name] === value),
      );
      if (taken !== undefined) {
        const { labels, annotations } = allocation.spec.metadata ?? {};
        const stamp = { 'agones.dev/last-allocated': new Date().toISOString() };
        taken.metadata.labels = { ...taken.metadata.labels, ...labels };
        taken.metadata.annotations = { ...taken.metadata.annotations, ...annotations, ...stamp };
        changed(taken, 'Allocated');
        return allocated(allocation, taken);
      }
    }
    return unallocated(allocation, 'UnAllocated');
  }

  function allocations(body: unknown): Answer {
    const allocation = GameServerAllocation.safeParse(body);
    if (!allocation.success) {
      return failed(422, allocation.error.message);
    }
    const failure = failures.shift();
    if (failure?.started === true) {
      allocate(allocation.data);
    }
    if (failure === undefined) {
      return allocate(allocation.data);
    }
    return failure.answer === 'Contention'
      ? unallocated(allocation.data, 'Contention')
      : failed(failure.answer, `told to answer ${failure.answer}`);
  }

  function remove(name: string, body: unknown): Answer {
    const options = DeleteOptions.parse(body);
    const found = gameServers.find(({ metadata }) => metadata.name === name);
    if (found === undefined) {
      return failed(404, `gameservers.agones.dev "${name}" not found`);
    }
    const version = options.preconditions?.resourceVersion;
    if (version !== undefined && version !== found.metadata.resourceVersion) {
      return failed(409, 'the ResourceVersion in the precondition does not match');
    }
    gameServers.splice(gameServers.indexOf(found), 1);
    return { status: 200, body: { apiVersion: 'v1', kind: 'Status', status: 'Success' } };
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    const text = (await request.setEncoding('utf8').toArray()).join('');
    const body: unknown = text === '' ? null : JSON.parse(text);
    const url = new URL(request.url ?? '', 'http://kubernetes');
    const at = befores.findIndex(({ method }) => method === request.method);
    befores.splice(at, at < 0 ? 0 : 1).forEach(({ run }) => run());
    calls.push(`${request.method} ${url.pathname}`);
    if (request.headers.authorization !== `Bearer ${TOKEN}`) {
      return failed(401, 'Unauthorized');
    }
    const line = `${request.method} ${url.pathname}`;
    const servers = `/apis/agones.dev/v1/namespaces/${NAMESPACE}/gameservers`;
    if (
      line === `POST /apis/allocation.agones.dev/v1/namespaces/${NAMESPACE}/gameserverallocations`
    ) {
      return allocations(body);
    }
    if (line === `GET ${servers}`) {
      const [label = '', value] = (url.searchParams.get('labelSelector') ?? '').split('=');
      const items = gameServers.filter(({ metadata }) => metadata.labels?.[label] === value);
      return { status: 200, body: listOf(items) };
    }
    if (line.startsWith(`DELETE ${servers}/`)) {
      return remove(url.pathname.slice(servers.length + 1), body);
    }
    return failed(404, 'the server could not find the requested resource');
  }

  function serve(request: IncomingMessage, response: ServerResponse): void {
    void answer(request).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  }
  const server = tls === null ? createServer(serve) : createTlsServer(tls, serve);
  const { port } = await listening(server);
  return {
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${port}`,
    gameServers,
    calls,
    ready: (fleet) => {
      const one = newGameServer(fleet);
      gameServers.push(one);
      return one;
    },
    failAllocations: (answers, { started } = { started: false }) => {
      failures.push(...answers.map((each) => ({ answer: each, started })));
    },
    before: (method, run) => befores.push({ method, run }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listening(server: Server): Promise<AddressInfo> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server.address() as AddressInfo;
}

function newGameServer(fleet: string): FakeGameServer {
  made += 1;
  return {
    apiVersion: 'agones.dev/v1',
    kind: 'GameServer',
    metadata: {
      name: `${fleet}-${made}`,
      namespace: NAMESPACE,
      uid: crypto.randomUUID(),
      resourceVersion: '1',
      creationTimestamp: new Date().toISOString(),
      labels: { 'agones.dev/fleet': fleet },
    },
    spec: {
      ports: [
        {
          name: 'game',
          portPolicy: 'Dynamic',
          protocol: 'UDP',
          containerPort: 7654,
          hostPort: 7000 + made,
        },
      ],
      template: {},
    },
    status: {
      state: 'Ready',
      ports: [{ name: 'game', port: 7000 + made }],
      address: '203.0.113.7',
      addresses: [{ type: 'ExternalIP', address: '203.0.113.7' }],
      nodeName: 'node-1',
      reservedUntil: null,
    },
  };
}

/** As every write does: the next version of the object. */
export function changed(one: FakeGameServer, state: FakeGameServer['status']['state']): void {
  one.status.state = state;
  one.metadata.resourceVersion = String(Number(one.metadata.resourceVersion) + 1);
}

function allocated({ spec }: Allocation, { metadata, status }: FakeGameServer): Answer {
  const { labels = {}, annotations = {} } = metadata;
  const body = Allocated.parse({
    apiVersion: 'allocation.agones.dev/v1',
    kind: 'GameServerAllocation',
    metadata: { name: metadata.name, namespace: metadata.namespace },
    spec,
    status: {
      state: 'Allocated',
      gameServerName: metadata.name,
      ports: status.ports ?? [],
      address: status.address,
      addresses: status.addresses ?? [],
      nodeName: status.nodeName,
      source: 'local',
      metadata: { labels, annotations },
    },
  });
  return { status: 201, body };
}

function unallocated({ spec }: Allocation, state: 'UnAllocated' | 'Contention'): Answer {
  const body = Allocated.parse({
    apiVersion: 'allocation.agones.dev/v1',
    kind: 'GameServerAllocation',
    metadata: { namespace: NAMESPACE },
    spec,
    status: { state, gameServerName: '', source: '' },
  });
  return { status: 201, body };
}

function listOf(items: readonly FakeGameServer[]): unknown {
  return {
    apiVersion: 'agones.dev/v1',
    kind: 'GameServerList',
    metadata: { resourceVersion: '1' },
    items: items.map((item) => GameServer.parse(item)),
  };
}

function failed(code: number, message: string): Answer {
  return {
    status: code,
    body: { apiVersion: 'v1', kind: 'Status', status: 'Failure', message, code },
  };
}
