// One object for all actors of a box: their rows lie in one database, what one stretch of work
// writes is one commit, and they call each other in the process. None of them knows.

import { DurableObject } from 'cloudflare:workers';
import type { Later } from '../../../later';
import { logEvent } from '../../../log';
import type { InstanceId } from '../../../ids';
import { lag } from '../../kit/lag';
import { Timers } from '../../kit/timers';
import { projectDocument } from '../../kit/project-cache';
import { peersThrough, type Kind } from '../../kit/peers';
import { makeActor } from '../actors';
import type { Place } from '../at';
import type { Env } from '../env';
import { chance, storeOf } from '../platform';
import { signerOf } from '../signer';
import { stubs } from '../stubs';
import { Adoption } from './adopt';
import { alarmTable } from './alarm-rows';
import { copied } from './copied';
import { Gate } from './gate';
import type { Ground } from './ground';
import { Mailbox } from './mailbox';
import { Residents } from './residents';
import { Slices } from './slices';
import { Together } from './together';

/** A database that could only be opened for reading is opened anew so often. */
const OPEN_ANEW_MS = 5_000;

interface GroundOptions {
  readonly slices: Slices;
  readonly later: Later;
  /** Settles when all written so far is durable. */
  readonly saved: () => Promise<void>;
}

function groundOf(ctx: DurableObjectState, env: Env, options: GroundOptions): Ground {
  const { slices, later, saved } = options;
  const adoption = new Adoption(ctx.storage.kv, env.PROJECTS);
  const signer = signerOf(env);
  const gate = new Gate(saved);
  const openedAt = Date.now();
  const refused = (): void => {
    if (Math.abs(Date.now() - openedAt) >= OPEN_ANEW_MS) {
      ctx.abort('the storage takes no writes');
    }
  };
  return {
    rows: storeOf(ctx.storage, refused),
    alarms: alarmTable(ctx.storage, refused),
    make: (kind, host) => makeActor(kind, host, env),
    now: () => Date.now(),
    uuid: () => crypto.randomUUID(),
    instanceId: () => signer.id('server') as InstanceId,
    token: (id) => signer.token(id),
    random: chance,
    later: (ms, run) => (ms > 0 ? later(ms, run) : slices.add(run)),
    log: logEvent,
    // Nothing evicts a box, so nothing has to say that it is still at work: `waitUntil` would only cost.
    background: () => {},
    post: (hungUp) => new Mailbox(hungUp),
    gate: (send, fail) => gate.pass(send, fail),
    document: (peers, project) => projectDocument(peers, project, Date.now()),
    copy: copied,
    adopt: (project) => adoption.project(project),
  };
}

/** Who extends it says how requests are served: that is no matter of placement. */
export abstract class Box extends DurableObject<Env> {
  readonly #slices: Slices;
  readonly #residents: Residents;
  readonly #place: Place;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { later } = new Timers(
      () => Date.now(),
      (run, ms) => setTimeout(run, ms),
    );
    this.#slices = new Slices({ now: () => Date.now(), later });
    const saved = (): Promise<void> => ctx.storage.sync();
    const residents = new Residents(groundOf(ctx, env, { slices: this.#slices, later, saved }));
    this.#residents = residents;
    const together = new Together(saved);
    this.#place = {
      env,
      peers: peersThrough(stubs((...asked) => residents.run(...asked))),
      background: (work) => ctx.waitUntil(work),
      later,
      saved,
      together: () => together.begin(),
    };
  }

  protected abstract serve(request: Request, place: Place): Promise<Response>;

  override fetch(request: Request): Promise<Response> {
    lag.note(Date.now, setTimeout);
    return this.#slices.ahead(() => this.serve(request, this.#place));
  }

  /** A call of somebody who is no request: tests, and what reaches an actor by its name. */
  call(kind: Kind, name: string, method: string, args: readonly unknown[]): Promise<unknown> {
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
