// Where requests are served, and how the actors are reached from there: each as an object of its own,
// or within the one object that holds all of them. Contracts are cast to once, here and in stubs.ts:
// the platform's own RPC types lose `unknown`.

import { later, type Later } from '../../later';
import { must } from '../../result';
import { peersThrough, type Kind, type Peers, type Rpcs } from '../peers';
import { isLine } from './actors';
import type { Env } from './env';
import { hintFor } from './regions';
import { fromResponse, upgradeTo } from './sockets';
import { stubsFrom } from './stubs';

/** Where requests are served: in the Worker, or on a box in the object that holds all actors. */
export interface Place {
  readonly env: Env;
  readonly peers: Peers;
  /** Work that outlives the answer. */
  readonly background: (work: Promise<unknown>) => void;
  readonly later: Later;
  /** Resolves once nothing holds back answers that have been given: what they rest on is saved. */
  readonly saved: () => Promise<void>;
  /** On a box: reads the next rows of the database, by turns all; throws where it is damaged. */
  readonly readRows: () => void;
  /** Resolves when work that writes is to begin: on a box together with other such work (box/together.ts). */
  readonly together: () => Promise<void>;
}

/** In the Worker: each actor is an object of its own. */
export function inWorker(env: Env, context: ExecutionContext): Place {
  return {
    env,
    peers: apart(env),
    background: (work) => context.waitUntil(work),
    later,
    // Objects have saved what they answer before the Worker hears of it.
    saved: () => Promise.resolve(),
    readRows: () => {},
    together: () => Promise.resolve(),
  };
}

let known: { readonly namespace: DurableObjectNamespace; readonly id: DurableObjectId } | null =
  null;

/** The object that holds all actors of a box. Its id is a digest, made once. */
export function boxOf(namespace: DurableObjectNamespace): DurableObjectStub {
  if (known?.namespace !== namespace) {
    known = { namespace, id: namespace.idFromName('box') };
  }
  return namespace.get(known.id);
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
  };
  return peersThrough(<K extends Kind>(kind: K, name: string, region?: string) => {
    const hint = region === undefined ? null : hintFor(region);
    const stub = namespaces[kind].getByName(name, hint === null ? {} : { locationHint: hint });
    return UNHEARD.has(kind) ? (stub as unknown as Rpcs[K]) : withLines(stub)(kind, name);
  });
}

/** Kinds whose actors open no lines. */
const UNHEARD: ReadonlySet<Kind> = new Set(['match', 'server']);

/** The stub, but for methods that answer with a line: a socket comes by an upgrade. */
const withLines = stubsFrom<DurableObjectStub>((stub, ...[kind, , method, args]) => {
  const rpc = stub as unknown as Readonly<Record<string, (...all: unknown[]) => Promise<unknown>>>;
  return isLine(kind, method)
    ? stub.fetch(upgradeTo({ method, args })).then(fromResponse)
    : must(rpc[method], 'a method of a stub')(...args);
});
