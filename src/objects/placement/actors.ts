// The one table of actors: how each kind is made, and which of its methods others may call. If a contract gains
// a method that this table lacks, the code does not compile.

import { hookTeller } from '../../fleet/hook';
import { surroundingsOf } from '../../fleet/surroundings';
import { DirectoryActor } from '../directory/actor';
import type { Host } from '../host';
import { metrics } from '../../common/metrics';
import { journalOf } from '../kit/journal';
import { MIGRATIONS, migrate } from './migrations';
import type { Kind, Rpcs } from '../peers';
import { LobbyActor } from '../lobby/actor';
import { PlayersActor } from '../players/actor';
import { MatchActor } from '../match/actor';
import { ProjectActor } from '../project/actor';
import { QueueActor } from '../queue/actor';
import { SeatActor } from '../seat/actor';
import { ServerActor } from '../server/actor';
import { fetcherOf, gameLimitOf, type Env } from './env';

/** What a method returns: plain values, or the far end of a line. */
type Answers = 'values' | 'lines';

/** Methods that only placement calls. */
interface Summoned {
  alarm?(): Promise<void>;
  lineClosed?(player: string): Promise<void>;
}

interface ActorKind<Rpc> {
  readonly make: (host: Host, env: Env) => Rpc & Summoned;
  readonly methods: Readonly<Record<keyof Rpc & string, Answers>>;
}

export const ACTORS: { readonly [K in Kind]: ActorKind<Rpcs[K]> } = {
  lobby: {
    make: (host, env) => new LobbyActor(host, gameLimitOf(env), journalOf(env)),
    methods: {
      create: 'values',
      join: 'values',
      execute: 'values',
      read: 'values',
      answered: 'values',
      adminRead: 'values',
      adminDelete: 'values',
      operate: 'values',
      adminMember: 'values',
      history: 'values',
      deleteIfHost: 'values',
      events: 'lines',
      changes: 'lines',
      knows: 'values',
      hold: 'values',
      release: 'values',
      matchUpdate: 'values',
      refresh: 'values',
      returned: 'values',
      serverReport: 'values',
      attributes: 'values',
      result: 'values',
    },
  },
  players: {
    make: (host) => new PlayersActor(host),
    methods: { read: 'values', change: 'values', spend: 'values' },
  },
  seat: {
    make: (host) => new SeatActor(host),
    methods: {
      claim: 'values',
      release: 'values',
      where: 'values',
      elsewhere: 'values',
      watch: 'lines',
    },
  },
  directory: {
    make: (host) => new DirectoryActor(host),
    methods: {
      allocate: 'values',
      find: 'values',
      beginning: 'values',
      put: 'values',
      remove: 'values',
      browse: 'values',
      census: 'values',
      changes: 'lines',
    },
  },
  queue: {
    make: (host, env) => new QueueActor(host, journalOf(env)),
    methods: {
      enter: 'values',
      leave: 'values',
      stats: 'values',
      shown: 'values',
      report: 'values',
      whyWaits: 'values',
      matchFailed: 'values',
      formed: 'values',
      trends: 'values',
      journal: 'values',
      offer: 'values',
      modeChanged: 'values',
      changes: 'lines',
    },
  },
  match: {
    make: (host, env) => new MatchActor(host, hookTeller(fetcherOf(env)), journalOf(env)),
    methods: {
      open: 'values',
      outcome: 'values',
      confirm: 'values',
      decline: 'values',
      left: 'values',
      roster: 'values',
      admit: 'values',
      end: 'values',
      endByOperator: 'values',
      result: 'values',
      record: 'values',
      serverReport: 'values',
    },
  },
  server: {
    make: (host, env) => new ServerActor(host, surroundingsOf(env)),
    methods: {
      launch: 'values',
      read: 'values',
      restart: 'values',
      logs: 'values',
      stop: 'values',
      report: 'values',
      matchOf: 'values',
      update: 'values',
    },
  },
  project: {
    make: (host) => new ProjectActor(host),
    methods: {
      document: 'values',
      saveConfigs: 'values',
      removeConfig: 'values',
      configHistory: 'values',
      buildHistory: 'values',
      saveBuild: 'values',
      removeBuild: 'values',
      secrets: 'values',
      hook: 'values',
      changeSecrets: 'values',
      bans: 'values',
      changeBans: 'values',
      noteDeed: 'values',
      deeds: 'values',
      serverChanged: 'values',
      servers: 'values',
      serverGroups: 'values',
      lists: 'values',
      admitServer: 'values',
      probe: 'values',
      changes: 'lines',
    },
  },
};

/** An actor as placement handles it. Methods of any kind of actor are called by name. */
export type AnyActor = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

export function makeActor(kind: Kind, host: Host, env: Env): AnyActor {
  metrics.send(env.METRICS);
  migrate(host, MIGRATIONS[kind]);
  return ACTORS[kind].make(host, env) as unknown as AnyActor;
}

/** Whether the method returns the far end of a line, which cannot be copied. */
export function isLine(kind: Kind, method: string): boolean {
  const methods: Readonly<Record<string, Answers>> = ACTORS[kind].methods;
  return methods[method] === 'lines';
}

/** Adds the methods of a kind's contract to a class of stubs or objects. */
export function defineMethods<Instance extends object>(
  of: { readonly prototype: Instance },
  kind: Kind,
  call: (on: Instance, method: string, args: unknown[]) => unknown,
): void {
  for (const method of Object.keys(ACTORS[kind].methods)) {
    const value = function value(this: Instance, ...args: unknown[]): unknown {
      return call(this, method, args);
    };
    Object.defineProperty(of.prototype, method, { value, configurable: true, writable: true });
  }
}
