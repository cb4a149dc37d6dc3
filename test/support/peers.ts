// Reaches actors in either placement: an object each, or one object for all (PLACEMENT=box).

import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { peersThrough, type Peers } from '../../src/objects/contracts/peers';
import { apart, boxOf, inWorker, type Place, stubs } from '../../src/objects/placement/at';
import type { Box } from '../../src/objects/placement/box/box';
import type { Env } from '../../src/objects/placement/env';

export function peersUnderTest(): Peers {
  const surroundings = env as unknown as Env;
  const { BOX } = surroundings;
  return BOX === undefined
    ? apart(surroundings)
    : peersThrough(stubs((...asked) => (boxOf(BOX) as unknown as Box).call(...asked)));
}

/** Makes the next transaction of the object run and then fail with that error. */
export function failNextTransaction(stub: DurableObjectStub, error: string): Promise<void> {
  return runInDurableObject(stub, (_, { storage }) => {
    const whole = storage.transactionSync.bind(storage);
    storage.transactionSync = <T>(run: () => T): T => {
      // On a box the object outlives its actor's end.
      storage.transactionSync = whole;
      return whole(() => {
        run();
        throw new Error(error);
      });
    };
  });
}

/**
 * Requests are served here, under other settings, and ask the actors wherever they live; settings
 * that bring objects of their own are asked there.
 */
export function placeUnder(settings: Partial<Env>, context: ExecutionContext): Place {
  const surroundings = { ...(env as unknown as Env), ...settings };
  const place = inWorker(surroundings, context);
  return 'PROJECTS' in settings ? place : { ...place, peers: peersUnderTest() };
}
