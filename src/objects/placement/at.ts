// The place where requests are served, and how it reaches the actors: each is an object of its own, or one object holds
// all. Only this file casts stubs to contracts, because the platform's own RPC types lose `unknown`.

import { later, type Later } from '../../common/later';
import { must } from '../../common/result';
import {
  peersThrough,
  type Kind,
  type Peers,
  type ReachActor,
  type Rpcs,
} from '../contracts/peers';
import { LINES, type AnyActor } from './actors';
import type { Env } from './env';
import { hintFor } from './regions';
import { fromResponse, upgradeTo } from './sockets';

/** The place where requests are served: the Worker, or on a box the object that holds all actors. */
export interface Place {
  readonly env: Env;
  readonly peers: Peers;
  /** Keeps work alive that outlives the answer. */
  readonly background: (work: Promise<unknown>) => void;
  readonly later: Later;
  /** Resolves once the answers given so far may leave, because the writes they depend on are durable. */
  readonly saved: () => Promise<void>;
  /** On a box: reads the next rows of the database, and over many calls all of them. Throws if it is damaged. */
  readonly readRows: () => void;
  /** Resolves when work that writes may begin. On a box it begins together with other such work (box/thread.ts). */
  readonly together: () => Promise<void>;
}

/** When the first request came to this isolate. In a process of our own (`wrangler dev`), nobody could ask before. */
let firstAt: number | undefined;

export function reachedSince(): number {
  return firstAt ?? Date.now();
}

/** The Worker as the place: each actor is an object of its own. */
export function inWorker(env: Env, context: ExecutionContext): Place {
  firstAt ??= Date.now();
  return {
    env,
    peers: apart(env),
    background: (work) => context.waitUntil(work),
    later,
    // Objects save before their answers reach the Worker.
    saved: () => Promise.resolve(),
    readRows: () => {},
    together: () => Promise.resolve(),
  };
}

const boxes = new WeakMap<DurableObjectNamespace, DurableObjectId>();

/** The object that holds all actors of a box. Its id is a digest, which is computed once. */
export function boxOf(namespace: DurableObjectNamespace): DurableObjectStub {
  const id = boxes.get(namespace) ?? namespace.idFromName('box');
  boxes.set(namespace, id);
  return namespace.get(id);
}

export function apart(env: Env): Peers {
  const namespaces: Readonly<Record<Kind, DurableObjectNamespace>> = {
    lobby: env.LOBBIES,
    seat: env.SEATS,
    directory: env.DIRECTORIES,
    queue: env.QUEUES,
    match: env.MATCHES,
    server: env.SERVERS,
    project: env.PROJECTS,
    players: env.PLAYERS,
    ratings: env.RATINGS,
  };
  return peersThrough(<K extends Kind>(kind: K, name: string, region?: string) => {
    const hint = region === undefined ? null : hintFor(region);
    const stub = namespaces[kind].getByName(name, hint === null ? {} : { locationHint: hint });
    const rpc = stub as unknown as AnyActor;
    // A line is opened by an upgrade request, because sockets do not travel over RPC.
    const reach = stubs((...[, , method, args]) =>
      LINES.has(method)
        ? stub.fetch(upgradeTo(method, args)).then(fromResponse)
        : must(rpc[method], 'a method of a stub')(...args),
    );
    return reach(kind, name);
  });
}

/** A call: the actor's kind and name, the method and the arguments. */
export type Asked = readonly [kind: Kind, name: string, method: string, args: readonly unknown[]];

/** Reaches actors through `send`, which delivers the call and returns the answer. */
export function stubs(send: (...asked: Asked) => Promise<unknown>): ReachActor {
  return <K extends Kind>(kind: K, name: string) =>
    new Proxy({} as Rpcs[K], {
      get: (_, method) =>
        // Without a method `then`, a stub that is awaited by mistake is no promise that never resolves.
        method === 'then'
          ? undefined
          : (...args: readonly unknown[]) => send(kind, name, String(method), args),
    });
}
