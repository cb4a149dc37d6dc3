// The Durable Objects platform behind the ports of `kit/ports.ts`.

import { later } from '../../common/later';
import { nameParts, type InstanceId } from '../../common/ids';
import { logEvent, type Facts } from '../../common/log';
import { isInternal, noteDamage } from '../../common/storage-error';
import { must } from '../../common/result';
import { apart, reachedSince } from './at';
import { signerOf } from '../../common/signed';
import { socketLines } from './sockets';
import { type Env, invitePage } from './env';
import { aboutActor } from '../kit/about';
import { atOnce } from '../kit/commit';
import { disk } from '../kit/disk';
import type { ActorPorts } from '../contracts/actor-ports';
import type { Basics, Page, Store } from '../kit/ports';
import { storeFor } from '../kit/rows';
import { Lag } from '../kit/lag';
import type { Kind } from '../contracts/peers';
import { projectDocument } from '../caches/project';

/**
 * Throws before the write if the disk has no room: a failed commit would end the object with all its streams. If a database could
 * only be opened for reading, the platform says "internal error"; then `refused` is called, and the error thrown says more.
 */
export function writing(write: () => void, refused: () => void = () => {}): void {
  if (disk.level === 'spent') {
    throw new Error('the storage takes no writes: the disk is full');
  }
  try {
    write();
  } catch (error) {
    noteDamage(error);
    if (!isInternal(error)) {
      throw error;
    }
    refused();
    throw new Error(`the storage takes no writes: ${String(error)}`, { cause: error });
  }
}

/** `refused` is called when a write was refused. `explain` turns the error of a read into one that says more. */
export function storeOf(
  storage: DurableObjectStorage,
  refused?: () => void,
  explain: (error: unknown) => unknown = (error) => error,
): Store {
  const unread = (error: unknown): unknown => {
    const explained = explain(error);
    noteDamage(explained);
    return explained;
  };
  return {
    get: <T>(key: string) => {
      try {
        return storage.kv.get<T>(key);
      } catch (error) {
        throw unread(error);
      }
    },
    put: (key, value) => writing(() => storage.kv.put(key, value), refused),
    delete: (key) => writing(() => storage.kv.delete(key), refused),
    *list<T>(prefix: string, page?: Page) {
      const on = page && { startAfter: page.after, limit: page.limit };
      try {
        yield* storage.kv.list<T>({ prefix, ...on });
      } catch (error) {
        throw unread(error);
      }
    },
    isFull: () => disk.level === 'spent',
    atomically: (run, isOne) =>
      isOne === true ? atOnce(run()) : storage.transactionSync(() => atOnce(run())),
    // The output gate holds every answer until these writes are durable, so they need no await.
    clear: () => void storage.deleteAll(),
    setAlarm: (at) => void (at === null ? storage.deleteAlarm() : storage.setAlarm(at)),
  };
}

const drawn = new Uint32Array(256);
let next = drawn.length;

/** In [0, 1). Draws many at once, because a call into the runtime costs as much as many of them. */
function random(): number {
  if (next === drawn.length) {
    crypto.getRandomValues(drawn);
    next = 0;
  }
  const number = (drawn[next] ?? 0) / 2 ** 32;
  drawn[next] = 0;
  next += 1;
  return number;
}

export function basicsOf(env: Env): Basics {
  return {
    now: () => Date.now(),
    uuid: () => crypto.randomUUID(),
    instanceId: () => signerOf(env).id('server') as InstanceId,
    token: (id, of) => signerOf(env).token(id, of),
    invitePage: (to) => invitePage(env, to),
    // It draws codes, so it must be unpredictable: one player's code must not reveal another's.
    random,
  };
}

export function portsOf(ctx: DurableObjectState, env: Env, kind: Kind): ActorPorts {
  const parts = nameParts(must(ctx.id.name, 'the name of an object'));
  const store = storeFor(kind, storeOf(ctx.storage));
  const log = (event: string, facts: Facts): void =>
    logEvent(event, { ...aboutActor(kind, parts, store), ...facts });
  const failed = (error: unknown): void => log('background_failed', { error: String(error) });
  const peers = apart(env);
  const lag = new Lag();
  return {
    name: parts,
    store,
    peers,
    ...basicsOf(env),
    get upSince() {
      // Cloudflare runs objects in ever new isolates, so there the age of one says nothing.
      return env.LISTENS_ON === undefined ? undefined : reachedSince();
    },
    background: (work) => ctx.waitUntil(work.catch(failed)),
    later,
    behindMs: () => {
      lag.note(Date.now, setTimeout);
      return lag.ms;
    },
    lines: socketLines(ctx),
    document: (project) => projectDocument(peers, project, Date.now()),
    abort: (reason) => {
      log('object_aborted', { name: ctx.id.name ?? '', reason });
      ctx.abort(reason);
    },
    log,
  };
}
