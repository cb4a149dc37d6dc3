// An object an actor: how Muster is placed at the edge. Each class hands every call and alarm to
// the one actor that it holds.

import { DurableObject } from 'cloudflare:workers';
import type { Kind } from '../kit/peers';
import { defineMethods, makeActor, type AnyActor } from './actors';
import type { Env } from './env';
import { hostOf } from './platform';

function objectOf(kind: Kind): typeof DurableObject<Env> {
  class ActorObject extends DurableObject<Env> {
    readonly #actor: AnyActor;

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      this.#actor = makeActor(kind, hostOf(ctx, env), env);
    }

    /** The methods of the contract, which go on the prototype, end here. */
    static ask(this: void, object: ActorObject, method: string, args: unknown[]): unknown {
      return object.#actor[method]?.(...args);
    }

    override async alarm(): Promise<void> {
      await this.#actor['alarm']?.();
    }
  }
  defineMethods(ActorObject, kind, ActorObject.ask);
  return ActorObject;
}

export class LobbyObject extends objectOf('lobby') {}
export class SeatObject extends objectOf('seat') {}
export class DirectoryObject extends objectOf('directory') {}
export class QueueObject extends objectOf('queue') {}
export class MatchObject extends objectOf('match') {}
export class ServerObject extends objectOf('server') {}
export class ProjectObject extends objectOf('project') {}
