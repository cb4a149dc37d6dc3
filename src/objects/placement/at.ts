// How the Worker and the actors reach an actor: as an object of its own, or through the one object
// that holds all of them, as the bindings say. Contracts are cast to once, here and in stubs.ts: the
// platform's own RPC types lose `unknown`.

import { peersThrough, type Kind, type Peers, type Rpcs } from '../kit/peers';
import type { Env } from './env';
import { hintFor } from './regions';
import { stubs, type Send } from './stubs';

/** What the Worker may ask of the object that holds all actors. */
interface Box {
  readonly call: Send;
}

export function peersOf(env: Env): Peers {
  return env.BOX === undefined ? apart(env) : inBox(env.BOX);
}

const BOX_NAME = 'box';

function inBox(namespace: DurableObjectNamespace): Peers {
  return peersThrough(
    stubs((...call) => {
      const box = namespace.getByName(BOX_NAME) as unknown as Box;
      return box.call(...call);
    }),
  );
}

function apart(env: Env): Peers {
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
    return stub as unknown as Rpcs[K];
  });
}
