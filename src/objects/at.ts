// The one place where names become stubs (style: names map to objects in one file).
// Each stub is cast to its contract once, here: the platform's own RPC types lose `unknown`.

import { fnv1a } from '../hash';
import type { LobbyId, InstanceId, MatchId, PlayerId } from '../ids';
import { objectName } from '../ids';
import type {
  DirectoryRpc,
  LobbyRpc,
  MatchRpc,
  ProjectRpc,
  QueueRpc,
  SeatRpc,
  ServerRpc,
} from './contracts';
import type { Env } from './env';
import { hintFor } from './regions';

/**
 * Whom an object, or the Worker, may talk to; the simulation puts its own in its place. A region,
 * where one is given, is where the object begins if this is the first it is heard of.
 */
export interface Peers {
  lobby(id: LobbyId, region?: string): LobbyRpc;
  seat(project: string, config: string, player: PlayerId): SeatRpc;
  directory(project: string, config: string): DirectoryRpc;
  queue(project: string, config: string, mode: string, region?: string): QueueRpc;
  match(id: MatchId): MatchRpc;
  server(id: InstanceId, region?: string): ServerRpc;
  project(id: string): ProjectRpc;
}

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

function at<Rpc>(namespace: DurableObjectNamespace, name: string, region?: string): Rpc {
  const hint = region === undefined ? null : hintFor(region);
  const stub = namespace.getByName(name, hint === null ? {} : { locationHint: hint });
  return stub as unknown as Rpc;
}

/** A fresh stub at every call: a stub that threw may be broken for good. */
export function peersOf(env: Env): Peers {
  return {
    lobby: (id, region) => at<LobbyRpc>(env.LOBBIES, objectName(id), region),
    seat: (project, config, player) =>
      at<SeatRpc>(env.SEATS, objectName(project, config, seatShare(player))),
    directory: (project, config) => at<DirectoryRpc>(env.DIRECTORIES, objectName(project, config)),
    queue: (project, config, mode, region) =>
      at<QueueRpc>(env.QUEUES, objectName(project, config, mode), region),
    match: (id) => at<MatchRpc>(env.MATCHES, objectName(id)),
    server: (id, region) => at<ServerRpc>(env.SERVERS, objectName(id), region),
    project: (id) => at<ProjectRpc>(env.PROJECTS, objectName(id)),
  };
}
