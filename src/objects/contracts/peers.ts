// The actors that an actor or the Worker may call. This is the one place that builds the names of actors. Placement
// decides where an actor lives, and passes in a function that reaches it. The methods of an actor (its contract is
// beside this file) return complete plain values, and refusals are values too. Every method is idempotent for the same
// arguments, unless its docstring says otherwise.

import { fnv1a } from '../../common/signed';
import {
  type InstanceId,
  type LobbyId,
  type MatchId,
  type PlayerId,
  objectName,
} from '../../common/ids';
import type { DirectoryRpc } from './directory';
import type { LobbyRpc } from './lobby';
import type { PlayersRpc } from './players';
import type { MatchRpc } from './match';
import type { SeatRpc } from './seat';
import type { ServerRpc } from './server';
import type { ProjectRpc } from './project';
import type { QueueRpc } from './queue';
import type { RatingsRpc } from './ratings';

/** The kinds of actor, with the methods of each. */
export interface Rpcs {
  readonly lobby: LobbyRpc;
  readonly seat: SeatRpc;
  readonly directory: DirectoryRpc;
  readonly queue: QueueRpc;
  readonly match: MatchRpc;
  readonly server: ServerRpc;
  readonly project: ProjectRpc;
  readonly players: PlayersRpc;
  readonly ratings: RatingsRpc;
}

export type Kind = keyof Rpcs;

/** `region` is where the actor is created if it does not exist yet. */
export interface Peers {
  lobby(id: LobbyId, region?: string): LobbyRpc;
  seat(project: string, config: string, player: PlayerId): SeatRpc;
  directory(project: string, config: string): DirectoryRpc;
  queue(project: string, config: string, mode: string, region?: string): QueueRpc;
  match(id: MatchId): MatchRpc;
  server(id: InstanceId, region?: string): ServerRpc;
  project(id: string): ProjectRpc;
  players(project: string, player: PlayerId): PlayersRpc;
  /** The ladder of a rated field. */
  ratings(project: string, field: string): RatingsRpc;
}

/** The actor of that kind and name. Each call makes a new stub, because a stub that threw may be broken. */
export type ReachActor = <K extends Kind>(kind: K, name: string, region?: string) => Rpcs[K];

/**
 * How many objects share the seats of a config, or the records of a project: one for each player would cost more to create than
 * the seat is worth (decision 0012). The number is part of the objects' names: never change it.
 */
const SEAT_SHARES = 64;

/** The share of a config's or project's players that this player belongs to. */
export function seatShare(player: string): string {
  return String((fnv1a(player) >>> 0) % SEAT_SHARES);
}

export function peersThrough(reach: ReachActor): Peers {
  return {
    lobby: (id, region) => reach('lobby', objectName(id), region),
    seat: (project, config, player) =>
      reach('seat', objectName(project, config, seatShare(player))),
    directory: (project, config) => reach('directory', objectName(project, config)),
    queue: (project, config, mode, region) =>
      reach('queue', objectName(project, config, mode), region),
    match: (id) => reach('match', objectName(id)),
    server: (id, region) => reach('server', objectName(id), region),
    project: (id) => reach('project', objectName(id)),
    players: (project, player) => reach('players', objectName(project, seatShare(player))),
    ratings: (project, field) => reach('ratings', objectName(project, field)),
  };
}
