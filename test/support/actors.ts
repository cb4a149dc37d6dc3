// An actor under test, in either placement: its saved rows, its alarm, its end. Workers tests run
// with an object for each actor, and with one object for all (PLACEMENT=box).

import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { objectName } from '../../src/common/ids';
import type { Kind } from '../../src/objects/contracts/peers';
import type { Box } from '../../src/objects/placement/box/box';
import type { Env } from '../../src/objects/placement/env';
import { storeFor } from '../../src/objects/kit/rows';
import type { Store } from '../../src/objects/kit/ports';
import { storeOf } from '../../src/objects/placement/platform';

const surroundings = env as unknown as Env;

const NAMESPACES = {
  lobby: 'LOBBIES',
  seat: 'SEATS',
  directory: 'DIRECTORIES',
  queue: 'QUEUES',
  match: 'MATCHES',
  server: 'SERVERS',
  project: 'PROJECTS',
  players: 'PLAYERS',
  ratings: 'RATINGS',
} as const;

export interface ActorUnderTest {
  row<T>(key: string): Promise<T | undefined>;
  /** Keys without the prefix of the placement. */
  rows<T>(prefix: string): Promise<readonly (readonly [string, T])[]>;
  /** The same as storage has them: those of a pack as one, and large values in parts. */
  stored(): Promise<readonly (readonly [string, unknown])[]>;
  /** Counts from the actor's next life. */
  put(key: string, value: unknown): Promise<void>;
  /** When its alarm is armed for, epoch milliseconds. */
  alarmAt(): Promise<number | null>;
  /** Fires its alarm now. */
  ring(): Promise<void>;
  /** Evicts it: its memory is lost, and its rows stay. */
  evict(): Promise<void>;
}

export function actorAt(kind: Kind, ...parts: readonly string[]): ActorUnderTest {
  const name = objectName(...parts);
  const { BOX } = surroundings;
  const key = `${kind}|${name}`;
  const stub =
    BOX === undefined ? surroundings[NAMESPACES[kind]].getByName(name) : BOX.getByName('box');
  const box = stub as unknown as Box;
  const before = BOX === undefined ? '' : `${key}>`;
  const beneathKey = <T>(use: (store: Store) => T): Promise<T> =>
    runInDurableObject(stub, (_, { storage }) => use(beneath(storeOf(storage), before)));
  const stored = <T>(use: (store: Store) => T): Promise<T> =>
    beneathKey((store) => use(storeFor(kind, store)));
  return {
    row: (of) => stored((store) => store.get(of)),
    rows: <T>(prefix: string) => stored((store) => [...store.list<T>(prefix)]),
    stored: () => beneathKey((store) => [...store.list('')]),
    put: (of, value) => stored((store) => store.put(of, value)),
    alarmAt: () =>
      runInDurableObject(stub, async (_, { storage }) => {
        if (BOX === undefined) {
          return storage.getAlarm();
        }
        const rows = storage.sql.exec<{ at: number }>('SELECT at FROM alarms WHERE actor = ?', key);
        return rows.toArray()[0]?.at ?? null;
      }),
    ring: async () => {
      if (BOX === undefined) {
        await runDurableObjectAlarm(stub);
      } else {
        await box.call(kind, name, 'alarm', []);
      }
    },
    evict: () => (BOX === undefined ? evictDurableObject(stub) : box.letGo(kind, name)),
  };
}

/** The rows of an actor whose keys begin so. */
export function beneath(rows: Store, before: string): Store {
  return {
    ...rows,
    get: (key) => rows.get(before + key),
    put: (key, value) => rows.put(before + key, value),
    delete: (key) => rows.delete(before + key),
    list: <T>(prefix: string) =>
      Array.from(
        rows.list<T>(before + prefix),
        ([key, row]) => [key.slice(before.length), row] as const,
      ),
  };
}
