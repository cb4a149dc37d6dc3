// How each kind of actor is made. Others may call all methods of its class, but for those that only placement calls: so a class
// has public methods for its contract alone.

import { hookTeller, type TellHook } from '../../fleet/hook';
import { surroundingsOf } from '../../fleet/surroundings';
import { DirectoryActor } from '../directory/actor';
import type { Host } from '../contracts/host';
import { metrics } from '../../common/metrics';
import { journalOf } from '../../common/happening';
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
  readonly make: (host: Host, env: Env) => Rpc & Summoned;
}

function tellerOf(env: Env): TellHook {
  return hookTeller(fetcherOf(env), { waits: env.BOX !== undefined });
}

const ACTORS: { readonly [K in Kind]: ActorKind<Rpcs[K]> } = {
  lobby: {
    of: LobbyActor,
    make: (host, env) => new LobbyActor(host, gameLimitOf(env), journalOf(env)),
  },
  players: { of: PlayersActor, make: (host) => new PlayersActor(host) },
  ratings: { of: RatingsActor, make: (host) => new RatingsActor(host) },
  seat: { of: SeatActor, make: (host) => new SeatActor(host) },
  directory: { of: DirectoryActor, make: (host) => new DirectoryActor(host) },
  queue: {
    of: QueueActor,
    make: (host, env) => new QueueActor(host, journalOf(env), undefined, gameLimitOf(env)),
  },
  match: {
    of: MatchActor,
    make: (host, env) => new MatchActor(host, tellerOf(env), journalOf(env)),
  },
  server: { of: ServerActor, make: (host, env) => new ServerActor(host, surroundingsOf(env)) },
  project: { of: ProjectActor, make: (host, env) => new ProjectActor(host, tellerOf(env)) },
};

/** An actor as placement handles it. Methods of any kind of actor are called by name. */
export type AnyActor = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

export function makeActor(kind: Kind, host: Host, env: Env): AnyActor {
  metrics.send(env.METRICS);
  migrate(host, MIGRATIONS[kind]);
  return ACTORS[kind].make(host, env) as unknown as AnyActor;
}

export function methodsOf(kind: Kind): readonly string[] {
  const all = Object.getOwnPropertyNames(ACTORS[kind].of.prototype);
  return all.filter((method) => method !== 'constructor' && !SUMMONED.has(method));
}
