// The Seat object on the platform: hands every call to its actor.

import { DurableObject } from 'cloudflare:workers';
import type { SeatRpc } from './contracts';
import type { Env } from './env';
import { SeatActor } from './seat';
import { hostOf } from './platform';

export class SeatObject extends DurableObject<Env> implements SeatRpc {
  readonly #actor: SeatActor;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#actor = new SeatActor(hostOf(ctx, env));
  }

  claim(...args: Parameters<SeatRpc['claim']>): ReturnType<SeatRpc['claim']> {
    return this.#actor.claim(...args);
  }

  release(...args: Parameters<SeatRpc['release']>): ReturnType<SeatRpc['release']> {
    return this.#actor.release(...args);
  }

  where(...args: Parameters<SeatRpc['where']>): ReturnType<SeatRpc['where']> {
    return this.#actor.where(...args);
  }

  elsewhere(...args: Parameters<SeatRpc['elsewhere']>): ReturnType<SeatRpc['elsewhere']> {
    return this.#actor.elsewhere(...args);
  }

  watch(...args: Parameters<SeatRpc['watch']>): ReturnType<SeatRpc['watch']> {
    return this.#actor.watch(...args);
  }

  joinFailed(...args: Parameters<SeatRpc['joinFailed']>): ReturnType<SeatRpc['joinFailed']> {
    return this.#actor.joinFailed(...args);
  }

  joinAllowed(...args: Parameters<SeatRpc['joinAllowed']>): ReturnType<SeatRpc['joinAllowed']> {
    return this.#actor.joinAllowed(...args);
  }
}
