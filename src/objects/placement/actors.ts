// How each kind of actor is made. Others may call all methods of its class, but for those that only placement calls: so a class
// has public methods for its contract alone.

import { hookTeller, type TellHook } from '../../fleet/hook';
import { surroundingsOf } from '../../fleet/surroundings';
import { DirectoryActor } from '../directory/actor';
import type { ActorPorts } from '../contracts/actor-ports';
import { metrics } from '../../common/metrics';
import { sampleOf, spanSender } from '../../common/otlp';
import { journalOf, type JournalSettings } from '../../common/happening';
import { MIGRATIONS, migrate } from './migrations';
import type { Kind, Rpcs } from '../contracts/peers';
import { LobbyActor } from '../lobby/actor';
import { PlayersActor } from '../players/actor';
import { MatchActor } from '../match/actor';
import { ProjectActor } from '../project/actor';
import { QueueActor } from '../queue/actor';
import { RatingsActor } from '../ratings/actor';
import { SeatActor } from '../seat/actor';
import { ServerActor } from '../server/actor';
import { fetcherOf, gameLimitOf, type Env } from './env';

/** Methods that only placement calls. */
interface Summoned {
  alarm?(): Promise<void>;
  lineClosed?(player: string): Promise<void>;
}

const SUMMONED: ReadonlySet<string> = new Set<keyof Summoned>(['alarm', 'lineClosed']);

/** Methods that return the far end of a line, which cannot be copied. All others return plain values. */
export const LINES: ReadonlySet<string> = new Set(['events', 'changes', 'watch']);

interface ActorKind<Rpc> {
  readonly of: { readonly prototype: Rpc & Summoned };
  readonly make: (ports: ActorPorts, env: Env) => Rpc & Summoned;
}

function tellerOf(env: Env): TellHook {
  return hookTeller(fetcherOf(env), { waits: env.BOX !== undefined });
}

/** A trace is made of a history. */
function journalFor(env: Env): JournalSettings {
  const journal = journalOf(env);
  const traced = journal.keepMs === 0 ? undefined : sampleOf(env);
  return traced === undefined ? journal : { ...journal, traced };
}

const ACTORS: { readonly [K in Kind]: ActorKind<Rpcs[K]> } = {
  lobby: {
    of: LobbyActor,
    make: (ports, env) => new LobbyActor(ports, gameLimitOf(env), journalFor(env)),
  },
  players: { of: PlayersActor, make: (ports) => new PlayersActor(ports) },
  ratings: { of: RatingsActor, make: (ports) => new RatingsActor(ports) },
  seat: { of: SeatActor, make: (ports) => new SeatActor(ports) },
  directory: { of: DirectoryActor, make: (ports) => new DirectoryActor(ports) },
  queue: {
    of: QueueActor,
    make: (ports, env) => new QueueActor(ports, journalOf(env), undefined, gameLimitOf(env)),
  },
  match: {
    of: MatchActor,
    make: (ports, env) => {
      const sendSpans = spanSender(env, env.BOX !== undefined);
      return new MatchActor(ports, tellerOf(env), journalFor(env), sendSpans);
    },
  },
  server: { of: ServerActor, make: (ports, env) => new ServerActor(ports, surroundingsOf(env)) },
  project: { of: ProjectActor, make: (ports, env) => new ProjectActor(ports, tellerOf(env)) },
};

/** An actor as placement handles it. Methods of any kind of actor are called by name. */
export type AnyActor = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

export function makeActor(kind: Kind, ports: ActorPorts, env: Env): AnyActor {
  metrics.send(env.METRICS);
  migrate(ports, MIGRATIONS[kind]);
  return ACTORS[kind].make(ports, env) as unknown as AnyActor;
}

export function methodsOf(kind: Kind): readonly string[] {
  const all = Object.getOwnPropertyNames(ACTORS[kind].of.prototype);
  return all.filter((method) => method !== 'constructor' && !SUMMONED.has(method));
}
