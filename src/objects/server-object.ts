// The Server object on the platform: hands every call and alarm to its actor.

import { DurableObject } from 'cloudflare:workers';
import type { ServerRpc } from './contracts';
import type { Env } from './env';
import { ServerActor } from './server';
import { hostOf } from './platform';
import { surroundingsOf } from './fleet-choice';

export class ServerObject extends DurableObject<Env> implements ServerRpc {
  readonly #actor: ServerActor;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#actor = new ServerActor(hostOf(ctx, env), surroundingsOf(env));
  }

  launch(...args: Parameters<ServerRpc['launch']>): ReturnType<ServerRpc['launch']> {
    return this.#actor.launch(...args);
  }

  read(...args: Parameters<ServerRpc['read']>): ReturnType<ServerRpc['read']> {
    return this.#actor.read(...args);
  }

  stop(): ReturnType<ServerRpc['stop']> {
    return this.#actor.stop();
  }

  report(...args: Parameters<ServerRpc['report']>): ReturnType<ServerRpc['report']> {
    return this.#actor.report(...args);
  }

  update(...args: Parameters<ServerRpc['update']>): ReturnType<ServerRpc['update']> {
    return this.#actor.update(...args);
  }

  override alarm(): Promise<void> {
    return this.#actor.alarm();
  }
}
