// The Queue object on the platform: hands every call and alarm to its actor.

import { DurableObject } from 'cloudflare:workers';
import type { QueueRpc } from './contracts';
import type { Env } from './env';
import { QueueActor } from './queue';
import { hostOf } from './platform';

export class QueueObject extends DurableObject<Env> implements QueueRpc {
  readonly #actor: QueueActor;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#actor = new QueueActor(hostOf(ctx, env));
  }

  put(...args: Parameters<QueueRpc['put']>): ReturnType<QueueRpc['put']> {
    return this.#actor.put(...args);
  }

  leave(...args: Parameters<QueueRpc['leave']>): ReturnType<QueueRpc['leave']> {
    return this.#actor.leave(...args);
  }

  stats(): ReturnType<QueueRpc['stats']> {
    return this.#actor.stats();
  }

  report(...args: Parameters<QueueRpc['report']>): ReturnType<QueueRpc['report']> {
    return this.#actor.report(...args);
  }

  modeChanged(...args: Parameters<QueueRpc['modeChanged']>): ReturnType<QueueRpc['modeChanged']> {
    return this.#actor.modeChanged(...args);
  }

  offer(...args: Parameters<QueueRpc['offer']>): ReturnType<QueueRpc['offer']> {
    return this.#actor.offer(...args);
  }

  override alarm(): Promise<void> {
    return this.#actor.alarm();
  }
}
