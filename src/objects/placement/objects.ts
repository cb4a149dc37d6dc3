// The placement at the edge: one object for each actor, which passes every call and alarm to it.

import { DurableObject } from 'cloudflare:workers';
import type { Kind } from '../contracts/peers';
import type { Reply } from '../../lobby/refusals';
import type { FarEnd } from '../kit/ports';
import { LINES, makeActor, methodsOf, type AnyActor } from './actors';
import type { Env } from './env';
import { portsOf } from './platform';
import { asResponse, closedBy, readUpgrade } from './sockets';

function objectOf(kind: Kind): typeof DurableObject<Env> {
  class ActorObject extends DurableObject<Env> {
    readonly #actor: AnyActor;

    // RPC only finds methods of the class, so the class gets all those of the contract.
    static {
      for (const method of methodsOf(kind)) {
        const value = function value(this: ActorObject, ...args: unknown[]): unknown {
          return this.#actor[method]?.(...args);
        };
        Object.assign(this.prototype, { [method]: value });
      }
    }

    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, env);
      this.#actor = makeActor(kind, portsOf(ctx, env, kind), env);
    }

    /** Only relays call this. Nobody can reach an object from outside. */
    override async fetch(request: Request): Promise<Response> {
      const { method, args } = readUpgrade(request);
      return LINES.has(method)
        ? asResponse((await this.#actor[method]?.(...args)) as Reply<FarEnd>)
        : new Response(null, { status: 404 });
    }

    override webSocketError(socket: WebSocket): Promise<void> {
      return this.webSocketClose(socket);
    }

    override async webSocketClose(socket: WebSocket): Promise<void> {
      const player = closedBy(this.ctx, socket);
      if (player !== null) {
        await this.#actor['lineClosed']?.(player);
      }
    }

    override async alarm(): Promise<void> {
      await this.#actor['alarm']?.();
    }
  }
  return ActorObject;
}

export class LobbyObject extends objectOf('lobby') {}
export class SeatObject extends objectOf('seat') {}
export class DirectoryObject extends objectOf('directory') {}
export class QueueObject extends objectOf('queue') {}
export class MatchObject extends objectOf('match') {}
export class ServerObject extends objectOf('server') {}
export class ProjectObject extends objectOf('project') {}
export class PlayersObject extends objectOf('players') {}
export class RatingsObject extends objectOf('ratings') {}
