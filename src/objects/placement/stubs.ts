// Stubs of actors: objects with the methods of the contracts. Calling a method sends the call somewhere.

import type { Kind, Reach, Rpcs } from '../peers';

/** A call: the actor's kind and name, the method and the arguments. */
export type Asked = readonly [kind: Kind, name: string, method: string, args: readonly unknown[]];

/** Reaches actors through `send`, which delivers the call and returns the answer. */
export function stubs(send: (...asked: Asked) => Promise<unknown>): Reach {
  return <K extends Kind>(kind: K, name: string) =>
    new Proxy({} as Rpcs[K], {
      get: (_, method) =>
        // Without a method `then`, a stub that is awaited by mistake is no promise that never resolves.
        method === 'then'
          ? undefined
          : (...args: readonly unknown[]) => send(kind, name, String(method), args),
    });
}
