// One of several machines that share a bucket (docs/several-machines.md). One of them, the owner, runs the object of the box,
// and the others forward to it. Here is what an instance answers itself, and how long it waits for the owner.

import { pause, within, later } from '../../common/later';
import type { Refusal } from '../../lobby/refusals';
import { boxOf } from '../../objects/placement/at';
import type { Box } from '../../objects/placement/box/box';
import type { Env } from '../../objects/placement/env';
import { type BucketTrouble, instance } from '../isolate/instance';
import { json, Refused } from '../wire/answer';
import { bytesOf } from '../wire/body';
import { problem } from '../wire/problem';
import { sameRequest } from '../wire/requests';

/** A healthy owner answers a check within this time. */
const CHECK_MS = 2_000;
const AGAIN_MS = 100;
/** How long a client should wait while the owner is away: 20 s at most, as its lease lasts. */
const AWAY_RETRY_SECONDS = 5;

const LEAVING = 'This machine stops';
const AWAY =
  'The machine that owns the lobbies does not answer, so another takes over within 20 seconds';

/** Methods of the object as they are over RPC. */
interface Owner {
  whose(): Promise<ReturnType<Box['whose']>>;
  leave(from: string): Promise<ReturnType<Box['leave']>>;
  isEmpty(): Promise<ReturnType<Box['isEmpty']>>;
  take: Box['take'];
}

function ownerIn(namespace: DurableObjectNamespace): Owner {
  return boxOf(namespace) as unknown as Owner;
}

/** Takes a message of the program that started this instance. */
export async function toldByStarter(
  request: Request,
  { INSTANCE = '' }: Pick<Env, 'INSTANCE'>,
  namespace: DurableObjectNamespace,
): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/bucket') {
    instance.bucket = await request.json<BucketTrouble>();
  } else if (pathname === '/leaving') {
    instance.isLeaving = true;
  } else if (pathname === '/empty') {
    return json({ isEmpty: await ownerIn(namespace).isEmpty() });
  } else if (pathname === '/import') {
    const batch = await request.json<Parameters<Box['take']>[0]>();
    return json({ refused: await ownerIn(namespace).take(batch) });
  } else if (pathname === '/leave') {
    await ownerIn(namespace).leave(INSTANCE);
  } else {
    return new Response(null, { status: 404 });
  }
  return new Response(null, { status: 204 });
}

/** The answer to a request: of this instance itself, or the owner's. Throws what `failure` answers. */
export async function byInstance(
  request: Request,
  url: URL,
  own: string,
  namespace: DurableObjectNamespace,
): Promise<Response> {
  const answer = await ownAnswer(request, url, own, namespace);
  return answer ?? fromOwner(boxOf(namespace).fetch(await inMemory(request)));
}

/**
 * With the body in memory: while the object moves, the platform fails what it would have to stream (findings/workerd-cluster-handoff.sh).
 */
async function inMemory(request: Request): Promise<Request> {
  const { method } = request;
  if (request.body === null || method === 'GET' || method === 'HEAD') {
    return request;
  }
  const body = await bytesOf(request, later);
  return sameRequest(new Request(request, { method, body }), request);
}

export function retrySeconds({ INSTANCE }: Pick<Env, 'INSTANCE'>): number {
  return INSTANCE === undefined ? 1 : AWAY_RETRY_SECONDS;
}

/** `GET /ready`, for proxies, and `GET /health`. Null: anything else, which the owner answers. */
async function ownAnswer(
  { method }: Request,
  { pathname, search }: URL,
  own: string,
  namespace: DurableObjectNamespace,
): Promise<Response | null> {
  const isReady = pathname === '/ready';
  if (method !== 'GET' || (!isReady && (pathname !== '/health' || search !== ''))) {
    if (instance.isLeaving && pathname.endsWith('/events')) {
      throw new Refused(unavailable(LEAVING, 1));
    }
    return null;
  }
  if (instance.isLeaving && isReady) {
    return problem(unavailable(LEAVING, 1));
  }
  try {
    const owner = await ownerNow(namespace);
    instance.awaySince = null;
    return instance.bucket.now === null
      ? json({ status: 'ok', isOwner: owner === own })
      : problem(unavailable(instance.bucket.now));
  } catch {
    instance.awaySince ??= Date.now();
    const since = new Date(instance.awaySince).toISOString();
    return problem(unavailable(instance.bucket.now ?? `${AWAY} (no answer since ${since})`));
  }
}

/**
 * The instance that owns the lobbies. Asks again after a failure, as an object that moves fails a call: an instance that were not
 * ready for it would leave a proxy with none while the other one stops. Throws if there is no answer in CHECK_MS.
 */
async function ownerNow(namespace: DurableObjectNamespace): ReturnType<Owner['whose']> {
  const until = Date.now() + CHECK_MS;
  for (;;) {
    try {
      return await within({ later }, until - Date.now(), ownerIn(namespace).whose());
    } catch (error) {
      if (Date.now() + AGAIN_MS >= until) {
        throw error;
      }
      await pause(AGAIN_MS, { later });
    }
  }
}

function unavailable(detail: string, retryAfter = AWAY_RETRY_SECONDS): Refusal {
  return { code: 'UNAVAILABLE', detail, retryAfter };
}

/**
 * The owner's answer. The platform lets a request without a body wait until an owner that died has a successor. Ours is
 * refused as soon as a check has found the owner away, so that its client knows.
 */
async function fromOwner(asked: Promise<Response>): Promise<Response> {
  try {
    for (;;) {
      const answer = await Promise.race([asked, pause(CHECK_MS, { later })]);
      if (answer !== undefined) {
        instance.awaySince = null;
        return answer;
      }
      if (instance.awaySince !== null) {
        throw new Refused(unavailable(instance.bucket.now ?? AWAY));
      }
    }
  } catch (error) {
    instance.awaySince ??= Date.now();
    throw error;
  }
}
