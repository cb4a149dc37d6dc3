// The Directory object on the platform: hands every call and alarm to its actor.

import { DurableObject } from 'cloudflare:workers';
import type { DirectoryRpc } from './contracts';
import type { Env } from './env';
import { DirectoryActor } from './directory';
import { hostOf } from './platform';

export class DirectoryObject extends DurableObject<Env> implements DirectoryRpc {
  readonly #actor: DirectoryActor;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#actor = new DirectoryActor(hostOf(ctx, env));
  }

  allocate(...args: Parameters<DirectoryRpc['allocate']>): ReturnType<DirectoryRpc['allocate']> {
    return this.#actor.allocate(...args);
  }

  find(...args: Parameters<DirectoryRpc['find']>): ReturnType<DirectoryRpc['find']> {
    return this.#actor.find(...args);
  }

  put(...args: Parameters<DirectoryRpc['put']>): ReturnType<DirectoryRpc['put']> {
    return this.#actor.put(...args);
  }

  remove(...args: Parameters<DirectoryRpc['remove']>): ReturnType<DirectoryRpc['remove']> {
    return this.#actor.remove(...args);
  }

  browse(...args: Parameters<DirectoryRpc['browse']>): ReturnType<DirectoryRpc['browse']> {
    return this.#actor.browse(...args);
  }

  census(): ReturnType<DirectoryRpc['census']> {
    return this.#actor.census();
  }

  override alarm(): Promise<void> {
    return this.#actor.alarm();
  }
}
