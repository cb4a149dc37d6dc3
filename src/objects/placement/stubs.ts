// Stubs of actors: classes with the methods of the contracts. Calling a method sends the call somewhere.

import type { Kind, Reach, Rpcs } from '../peers';
import { defineMethods, KINDS } from './actors';

/** A call: the actor's kind and name, the method and the arguments. */
export type Asked = readonly [kind: Kind, name: string, method: string, args: readonly unknown[]];

export type Send = (...asked: Asked) => Promise<unknown>;

/** Reaches actors through `send`, which delivers the call and returns the answer. */
export function stubs(send: Send): Reach {
  return stubsFrom<null>((_, ...asked) => send(...asked))(null);
}

/** Does the same for many callers. `send` also gets the caller. */
export function stubsFrom<From>(
  send: (from: From, ...asked: Asked) => Promise<unknown>,
): (from: From) => Reach {
  class Stub {
    readonly from: From;
    readonly name: string;

    constructor(from: From, name: string) {
      this.from = from;
      this.name = name;
    }
  }
  const classes = new Map<Kind, typeof Stub>();
  for (const kind of KINDS) {
    class Of extends Stub {}
    defineMethods(Of, kind, ({ from, name }, method, args) => send(from, kind, name, method, args));
    classes.set(kind, Of);
  }
  return (from) =>
    <K extends Kind>(kind: K, name: string) => {
      const Of = classes.get(kind) ?? Stub;
      return new Of(from, name) as unknown as Rpcs[K];
    };
}
