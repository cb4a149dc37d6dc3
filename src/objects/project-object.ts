// The Project object on the platform: hands every call and alarm to its actor.

import { DurableObject } from 'cloudflare:workers';
import type { ProjectRpc } from './contracts';
import type { Env } from './env';
import { ProjectActor } from './project';
import { hostOf } from './platform';

export class ProjectObject extends DurableObject<Env> implements ProjectRpc {
  readonly #actor: ProjectActor;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#actor = new ProjectActor(hostOf(ctx, env));
  }

  document(): ReturnType<ProjectRpc['document']> {
    return this.#actor.document();
  }

  saveConfigs(
    ...args: Parameters<ProjectRpc['saveConfigs']>
  ): ReturnType<ProjectRpc['saveConfigs']> {
    return this.#actor.saveConfigs(...args);
  }

  removeConfig(
    ...args: Parameters<ProjectRpc['removeConfig']>
  ): ReturnType<ProjectRpc['removeConfig']> {
    return this.#actor.removeConfig(...args);
  }

  saveBuild(...args: Parameters<ProjectRpc['saveBuild']>): ReturnType<ProjectRpc['saveBuild']> {
    return this.#actor.saveBuild(...args);
  }

  removeBuild(
    ...args: Parameters<ProjectRpc['removeBuild']>
  ): ReturnType<ProjectRpc['removeBuild']> {
    return this.#actor.removeBuild(...args);
  }

  serverChanged(
    ...args: Parameters<ProjectRpc['serverChanged']>
  ): ReturnType<ProjectRpc['serverChanged']> {
    return this.#actor.serverChanged(...args);
  }

  servers(...args: Parameters<ProjectRpc['servers']>): ReturnType<ProjectRpc['servers']> {
    return this.#actor.servers(...args);
  }

  override alarm(): Promise<void> {
    return this.#actor.alarm();
  }
}
