// The Lobby object on the platform: hands every call and alarm to its actor.

import { DurableObject } from 'cloudflare:workers';
import type { LobbyRpc } from './contracts';
import { gameLimitOf, type Env } from './env';
import { LobbyActor } from './lobby';
import { hostOf } from './platform';

export class LobbyObject extends DurableObject<Env> implements LobbyRpc {
  readonly #actor: LobbyActor;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#actor = new LobbyActor(hostOf(ctx, env), gameLimitOf(env));
  }

  create(...args: Parameters<LobbyRpc['create']>): ReturnType<LobbyRpc['create']> {
    return this.#actor.create(...args);
  }

  join(...args: Parameters<LobbyRpc['join']>): ReturnType<LobbyRpc['join']> {
    return this.#actor.join(...args);
  }

  execute(...args: Parameters<LobbyRpc['execute']>): ReturnType<LobbyRpc['execute']> {
    return this.#actor.execute(...args);
  }

  read(...args: Parameters<LobbyRpc['read']>): ReturnType<LobbyRpc['read']> {
    return this.#actor.read(...args);
  }

  adminRead(...args: Parameters<LobbyRpc['adminRead']>): ReturnType<LobbyRpc['adminRead']> {
    return this.#actor.adminRead(...args);
  }

  adminDelete(...args: Parameters<LobbyRpc['adminDelete']>): ReturnType<LobbyRpc['adminDelete']> {
    return this.#actor.adminDelete(...args);
  }

  deleteIfHost(
    ...args: Parameters<LobbyRpc['deleteIfHost']>
  ): ReturnType<LobbyRpc['deleteIfHost']> {
    return this.#actor.deleteIfHost(...args);
  }

  events(...args: Parameters<LobbyRpc['events']>): ReturnType<LobbyRpc['events']> {
    return this.#actor.events(...args);
  }

  knows(...args: Parameters<LobbyRpc['knows']>): ReturnType<LobbyRpc['knows']> {
    return this.#actor.knows(...args);
  }

  hold(...args: Parameters<LobbyRpc['hold']>): ReturnType<LobbyRpc['hold']> {
    return this.#actor.hold(...args);
  }

  release(...args: Parameters<LobbyRpc['release']>): ReturnType<LobbyRpc['release']> {
    return this.#actor.release(...args);
  }

  matchUpdate(...args: Parameters<LobbyRpc['matchUpdate']>): ReturnType<LobbyRpc['matchUpdate']> {
    return this.#actor.matchUpdate(...args);
  }

  returned(...args: Parameters<LobbyRpc['returned']>): ReturnType<LobbyRpc['returned']> {
    return this.#actor.returned(...args);
  }

  serverReport(
    ...args: Parameters<LobbyRpc['serverReport']>
  ): ReturnType<LobbyRpc['serverReport']> {
    return this.#actor.serverReport(...args);
  }

  refresh(...args: Parameters<LobbyRpc['refresh']>): ReturnType<LobbyRpc['refresh']> {
    return this.#actor.refresh(...args);
  }

  override alarm(): Promise<void> {
    return this.#actor.alarm();
  }
}
