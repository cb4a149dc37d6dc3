// A small host for one actor under test: its storage in memory, its clock in our hands.

import { setImmediate as turn } from 'node:timers/promises';

import type { Peers } from '../../src/objects/contracts/peers';
import type { InstanceId } from '../../src/common/ids';
import type { ProjectDocument } from '../../src/objects/contracts/project';
import type { ActorPorts } from '../../src/objects/contracts/actor-ports';
import type { Page, Store } from '../../src/objects/kit/ports';

interface Timer {
  readonly at: number;
  readonly run: () => void;
}

export interface FakePorts {
  readonly ports: ActorPorts;
  /** What is saved, for another actor to begin with: a crash keeps nothing else. */
  readonly saved: Map<string, unknown>;
  now(): number;
  /** When its alarm is set for; null: for no time. */
  alarmAt(): number | null;
  /** Lets so much time pass, and everything happen that is due in it. */
  pass(ms: number): Promise<void>;
  /** The process stands still so long: nothing that is due in it happens. */
  stall(ms: number): void;
}

export interface FakeHostOptions {
  readonly name: string;
  readonly document: ProjectDocument;
  readonly peers?: Partial<Peers>;
  readonly saved?: Map<string, unknown>;
  readonly upSince?: number | undefined;
}

const START = 1_800_000_000_000;
/** Turns of the event loop after which whatever was set going by a call has come to rest. */
const TURNS = 20;
let uuids = 0;

export function fakePorts({
  name,
  document,
  peers = {},
  saved,
  upSince,
}: FakeHostOptions): FakePorts {
  const values = new Map(saved);
  const timers = new Set<Timer>();
  let clock = START;
  let alarmAt: number | null = null;
  const store: Store = {
    get: <T>(key: string) => structuredClone(values.get(key)) as T | undefined,
    put: (key, value) => void values.set(key, structuredClone(value)),
    delete: (key) => void values.delete(key),
    list: <T>(prefix: string, page?: Page) => {
      const all = [...values].filter(([key]) => key.startsWith(prefix)) as [string, T][];
      return page === undefined
        ? all
        : all
            .filter(([key]) => key > page.after)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .slice(0, page.limit);
    },
    atomically: (run) => run(),
    clear: () => values.clear(),
    setAlarm: (at) => void (alarmAt = at),
  };
  const ports: ActorPorts = {
    name: [name],
    store,
    peers: peers as Peers,
    now: () => clock,
    upSince,
    uuid: () => {
      uuids += 1;
      return `uuid-${uuids}`;
    },
    instanceId: () => {
      uuids += 1;
      return `uuid-${uuids}` as InstanceId;
    },
    token: (id) => {
      uuids += 1;
      return `token ${uuids} of ${id}`;
    },
    random: () => 0.5,
    behindMs: () => 0,
    background: (work) => void work.catch(() => undefined),
    later: (ms, run) => {
      const timer = { at: clock + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    lines: {
      open: () => {
        throw new Error('no streams here');
      },
      all: () => [],
      watch: () => {
        throw new Error('no pages here');
      },
      watchers: () => [],
    },
    document: async () => document,
    abort: (reason) => {
      throw new Error(`aborted: ${reason}`);
    },
    log: () => undefined,
  };

  async function pass(ms: number): Promise<void> {
    const end = clock + ms;
    for (;;) {
      for (let count = 0; count < TURNS; count += 1) {
        await turn();
      }
      const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (next === undefined) {
        clock = end;
        return;
      }
      timers.delete(next);
      clock = Math.max(clock, next.at);
      next.run();
    }
  }

  const stall = (ms: number): void => {
    clock += ms;
  };
  return { ports, saved: values, now: () => clock, alarmAt: () => alarmAt, pass, stall };
}

/** Lets the time pass, with each alarm of the host's actor when it is due. */
export async function lives(
  fake: ReturnType<typeof fakePorts>,
  alarm: () => Promise<void>,
  ms: number,
): Promise<void> {
  const end = fake.now() + ms;
  for (let at = 0; at <= end;) {
    await fake.pass(0);
    at = fake.alarmAt() ?? Infinity;
    if (at <= end) {
      await fake.pass(Math.max(0, at - fake.now()));
      fake.ports.store.setAlarm(null);
      const fired = alarm();
      await fake.pass(0);
      await fired;
    }
  }
  await fake.pass(end - fake.now());
}
