// One object for all actors of a box: their rows lie in one database, what one stretch of work
// writes is one commit, and they call each other in the process. None of them knows.

import { DurableObject } from 'cloudflare:workers';
import { logEvent } from '../../../log';
import type { InstanceId } from '../../../ids';
import { lag } from '../../kit/lag';
import { projectDocument } from '../../kit/project-cache';
import type { Kind } from '../../kit/peers';
import { makeActor } from '../actors';
import type { Env } from '../env';
import { channel, storeOf } from '../platform';
import { signerOf } from '../signer';
import { Adoption } from './adopt';
import { alarmTable } from './alarm-rows';
import type { Ground } from './ground';
import { Residents } from './residents';

function groundOf(ctx: DurableObjectState, env: Env): Ground {
  const adoption = new Adoption(ctx.storage.kv, env.PROJECTS);
  const signer = signerOf(env);
  return {
    rows: storeOf(ctx.storage),
    alarms: alarmTable(ctx.storage),
    make: (kind, host) => makeActor(kind, host, env),
    now: () => Date.now(),
    uuid: () => crypto.randomUUID(),
    instanceId: () => signer.id('server') as InstanceId,
    token: (id) => signer.token(id),
    random: () => Math.random(),
    later: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    log: logEvent,
    background: (work) => ctx.waitUntil(work),
    channel,
    document: (peers, project) => projectDocument(peers, project, Date.now()),
    copy: (value) => structuredClone(value),
    adopt: (project) => adoption.project(project),
  };
}

export class BoxObject extends DurableObject<Env> {
  readonly #residents: Residents;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#residents = new Residents(groundOf(ctx, env));
  }

  /** A call from the Worker. */
  call(kind: Kind, name: string, method: string, args: readonly unknown[]): Promise<unknown> {
    lag.note(Date.now, setTimeout);
    return this.#residents.run(kind, name, method, args);
  }

  /** How much it holds in memory. */
  async residents(): Promise<number> {
    return this.#residents.size;
  }

  /** Lets go of an actor that has nothing under way, sooner than by itself. */
  async letGo(kind: Kind, name: string): Promise<void> {
    this.#residents.letGo(kind, name);
  }

  override async alarm(): Promise<void> {
    this.#residents.alarm();
  }
}
