// The Durable Objects platform behind the ports of `host.ts`.

import { nameParts, type InstanceId } from '../../ids';
import { logEvent } from '../../log';
import { must } from '../../result';
import { apart } from './at';
import { signerOf } from './signer';
import type { Env } from './env';
import type { Channel, Host, Store } from '../kit/host';
import { projectDocument } from '../kit/project-cache';

/** Bytes a stream may hold before its `desiredSize` turns negative. */
const STREAM_HIGH_WATER = 64 * 1024;

export function storeOf(storage: DurableObjectStorage): Store {
  return {
    get: <T>(key: string) => storage.kv.get<T>(key),
    put: (key, value) => storage.kv.put(key, value),
    delete: (key) => {
      storage.kv.delete(key);
    },
    list: <T>(prefix: string) => storage.kv.list<T>({ prefix }),
    atomically: (run) => storage.transactionSync(run),
    // Not awaited: the output gate holds every answer until these writes are durable.
    clear: () => {
      void storage.deleteAll();
    },
    setAlarm: (at) => {
      void (at === null ? storage.deleteAlarm() : storage.setAlarm(at));
    },
  };
}

/** `closed` settles when the channel has ended, whoever ended it. */
export function channel(): Channel & { readonly closed: Promise<void> } {
  // Identity streams: the output gate then covers every write, so that nothing is announced
  // that a crash could still undo (docs/gotchas.md: Streams).
  const { readable, writable } = new IdentityTransformStream({ highWaterMark: STREAM_HIGH_WATER });
  const writer = writable.getWriter();
  const encoder = new TextEncoder();
  const closed = writer.closed.catch(() => {
    // The reader left; every later write says so too.
  });
  return {
    readable,
    closed,
    write: (text) => writer.write(encoder.encode(text)),
    close: () => writer.close(),
    abort: () => {
      void writer.abort().catch(() => {
        // Already broken: that is what was wanted.
      });
    },
  };
}

export function hostOf(ctx: DurableObjectState, env: Env): Host {
  const peers = apart(env);
  return {
    name: nameParts(must(ctx.id.name, 'the name of an object')),
    store: storeOf(ctx.storage),
    peers,
    now: () => Date.now(),
    uuid: () => crypto.randomUUID(),
    instanceId: () => signerOf(env).id('server') as InstanceId,
    token: (id) => signerOf(env).token(id),
    random: () => Math.random(),
    background: (work) => {
      ctx.waitUntil(
        work.catch((error: unknown) => logEvent('background_failed', { error: String(error) })),
      );
    },
    later: (ms, run) => {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    channel,
    document: (project) => projectDocument(peers, project, Date.now()),
    abort: (reason) => {
      logEvent('object_aborted', { name: ctx.id.name ?? '', reason });
      ctx.abort(reason);
    },
    log: logEvent,
  };
}
