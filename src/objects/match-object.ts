// The Match object on the platform: hands every call and alarm to its actor.

import { DurableObject } from 'cloudflare:workers';
import type { MatchRpc } from './contracts';
import type { Env } from './env';
import { MatchActor } from './match';
import { hostOf } from './platform';

export class MatchObject extends DurableObject<Env> implements MatchRpc {
  readonly #actor: MatchActor;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#actor = new MatchActor(hostOf(ctx, env));
  }

  open(...args: Parameters<MatchRpc['open']>): ReturnType<MatchRpc['open']> {
    return this.#actor.open(...args);
  }

  outcome(...args: Parameters<MatchRpc['outcome']>): ReturnType<MatchRpc['outcome']> {
    return this.#actor.outcome(...args);
  }

  confirm(...args: Parameters<MatchRpc['confirm']>): ReturnType<MatchRpc['confirm']> {
    return this.#actor.confirm(...args);
  }

  decline(...args: Parameters<MatchRpc['decline']>): ReturnType<MatchRpc['decline']> {
    return this.#actor.decline(...args);
  }

  left(...args: Parameters<MatchRpc['left']>): ReturnType<MatchRpc['left']> {
    return this.#actor.left(...args);
  }

  end(...args: Parameters<MatchRpc['end']>): ReturnType<MatchRpc['end']> {
    return this.#actor.end(...args);
  }

  serverReport(
    ...args: Parameters<MatchRpc['serverReport']>
  ): ReturnType<MatchRpc['serverReport']> {
    return this.#actor.serverReport(...args);
  }

  roster(...args: Parameters<MatchRpc['roster']>): ReturnType<MatchRpc['roster']> {
    return this.#actor.roster(...args);
  }

  admit(...args: Parameters<MatchRpc['admit']>): ReturnType<MatchRpc['admit']> {
    return this.#actor.admit(...args);
  }

  override alarm(): Promise<void> {
    return this.#actor.alarm();
  }
}
