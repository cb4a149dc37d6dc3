// Whom an actor, or the Worker, may talk to, and the one place where names of actors are built.
// Placement decides where an actor lives, and hands in how it is reached.
// All that an actor may be asked (its folder's contract.ts) returns complete plain values; refusals are
// values too. Every method is safe to call twice with the same arguments, unless it says otherwise.

import { fnv1a } from '../hash';
import type { InstanceId, LobbyId, MatchId, PlayerId } from '../ids';
import { objectName } from '../ids';
import type { DirectoryRpc } from './directory/contract';
import type { LobbyRpc } from './lobby/contract';
import type { MatchRpc } from './match/contract';
import type { SeatRpc } from './seat/contract';
import type { ServerRpc } from './server/contract';
import type { ProjectRpc } from './project/contract';
import type { QueueRpc } from './queue/contract';

/** The kinds of actor, and what each may be asked. */
export interface Rpcs {
  readonly lobby: LobbyRpc;
  readonly seat: SeatRpc;
  readonly directory: DirectoryRpc;
  readonly queue: QueueRpc;
  readonly match: MatchRpc;
  readonly server: ServerRpc;
  readonly project: ProjectRpc;
}

export type Kind = keyof Rpcs;

/** A region, where one is given, is where the actor begins if this is the first it is heard of. */
export interface Peers {
  lobby(id: LobbyId, region?: string): LobbyRpc;
  seat(project: string, config: string, player: PlayerId): SeatRpc;
  directory(project: string, config: string): DirectoryRpc;
  queue(project: string, config: string, mode: string, region?: string): QueueRpc;
  match(id: MatchId): MatchRpc;
  server(id: InstanceId, region?: string): ServerRpc;
  project(id: string): ProjectRpc;
}

/** The actor of that kind and name; a fresh stub at every call, for one that threw may be broken. */
export type Reach = <K extends Kind>(kind: K, name: string, region?: string) => Rpcs[K];

/**
 * Seats of a config lie in so many objects, each with the seats of a share of its players: an
 * object of its own for every player would cost more to make than the seat (decision 0012). The
 * number is part of the objects' names: never change it.
 */
const SEAT_SHARES = 64;

/** The share of a config's players that this one belongs to. */
export function seatShare(player: string): string {
  return String((fnv1a(player) >>> 0) % SEAT_SHARES);
}

export function peersThrough(reach: Reach): Peers {
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
  };
}
