// The invariants of the architecture, checked on a picture of the service at rest. A state that may
// need a moment (a launch in progress, a deadline to pass) gets that time, within a bound.

import type { Lobby } from '../../scripts/player.ts';
import type { Client } from './client.ts';
import { MODES, shapeOf } from './configs.ts';
import { launchedAgainst, lobbiesOf, misformed } from './matches.ts';
import { placeOf } from './membership.ts';
import type { Picture } from './picture.ts';
import type { World } from './world.ts';

/** Wrong so far, but perhaps not final. */
export interface Unsettled {
  readonly what: string;
  readonly tags: readonly string[];
}

const PASSING = ['matched', 'match_found', 'starting'];

export class Checker {
  readonly #world: World;
  /** A match never has a second instance, in all its time. */
  readonly #instanceOf = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  /** States that are wrong at any moment of rest. */
  judge(picture: Picture, clients: readonly Client[]): void {
    this.#codes(picture);
    this.#members(picture, clients);
    this.#instances(picture);
    this.#launches(picture);
  }

  #codes({ lobbies }: Picture): void {
    const byCode = new Map<string, string>();
    for (const { id, config, code } of lobbies.values()) {
      const other = byCode.get(`${config}/${code}`);
      if (other !== undefined) {
        this.#world.log.violation(`lobbies ${other} and ${id} share the code ${code}`, [other, id]);
      }
      byCode.set(`${config}/${code}`, id);
    }
  }

  #members({ lobbies }: Picture, clients: readonly Client[]): void {
    const { log } = this.#world;
    const lobbyOf = new Map<string, string>();
    for (const { id, config, players } of lobbies.values()) {
      for (const player of players) {
        const place = placeOf(config, player.id);
        const other = lobbyOf.get(place);
        if (other !== undefined) {
          log.violation(`${place} is in two lobbies: ${other} and ${id}`, [place, other, id]);
        }
        lobbyOf.set(place, id);
      }
    }
    for (const { place, view } of clients) {
      const listed = lobbyOf.get(place) ?? null;
      if ((view?.id ?? null) !== listed) {
        const what = `${place} is told of lobby ${view?.id ?? 'none'}, and is in ${listed ?? 'none'}`;
        log.violation(what, [place, view?.id ?? '', listed ?? '']);
      }
    }
  }

  #instances({ servers }: Picture): void {
    for (const { instance_id: instance, match_id: match } of servers.values()) {
      const known = match === null ? instance : this.#instanceOf.get(match);
      if (known !== undefined && known !== instance) {
        const what = `match ${String(match)} has two servers: ${known} and ${instance}`;
        this.#world.log.violation(what, []);
      }
      this.#instanceOf.set(match ?? instance, instance);
    }
  }

  #launches({ servers }: Picture): void {
    const { log, declined } = this.#world;
    for (const server of servers.values()) {
      misformed(server, shapeOf).forEach((what) => log.violation(what, lobbiesOf(server)));
    }
    for (const { lobby, match } of launchedAgainst(declined, servers.values())) {
      log.violation(`match ${match} was launched though lobby ${lobby} had declined it`, [lobby]);
    }
  }

  /** Empty once everything is in its final state. */
  unsettled(picture: Picture, clients: readonly Client[]): readonly Unsettled[] {
    return [
      ...[...picture.lobbies.values()].flatMap((lobby) => lobbyUnsettled(lobby, picture)),
      ...queuesUnsettled(picture),
      ...serversUnsettled(picture),
      ...browsingUnsettled(picture),
      ...streamsUnsettled(picture, clients),
      ...this.#gamesUnsettled(picture),
    ];
  }

  /** Acknowledged starts and ends of games. */
  #gamesUnsettled({ lobbies, servers }: Picture): readonly Unsettled[] {
    const found: Unsettled[] = [];
    for (const { lobby, instance } of this.#world.started) {
      const isOn = lobbies.get(lobby)?.server?.instance_id === instance;
      if (!isOn && servers.get(instance)?.status !== 'stopped') {
        const what = `lobby ${lobby} started server ${instance}, which neither plays nor stopped`;
        found.push({ what, tags: [lobby] });
      }
    }
    for (const { lobby, instance } of this.#world.ended) {
      if (servers.get(instance)?.status !== 'stopped') {
        const what = `lobby ${lobby} ended server ${instance}, which has not stopped`;
        found.push({ what, tags: [lobby] });
      }
    }
    return found;
  }

  /** Compares the tickets taken from queues with the launches. Returns how many. */
  prove({ servers }: Picture): number {
    const matches = [...servers.values()].filter(({ match_id: match }) => match !== null);
    return this.#world.facts.searches.prove(
      matches.map((server) => ({
        at: Date.parse(server.created_at),
        lobbies: lobbiesOf(server),
      })),
    );
  }
}

function lobbyUnsettled(lobby: Lobby, { servers, processes }: Picture): readonly Unsettled[] {
  const { id, status, server } = lobby;
  const found: string[] = [];
  if (PASSING.includes(status)) {
    found.push(`lobby ${id} is stuck in ${status}`);
  }
  if (status === 'in_queue' && lobby.matchmaking?.mode === 'brief') {
    found.push(`lobby ${id} is queued beyond the time-out of its mode`);
  }
  if (status === 'in_game' && server !== null) {
    const { instance_id: instance } = server;
    const row = servers.get(instance)?.status ?? 'unknown';
    if (server.status !== 'running' || row !== 'running') {
      found.push(`lobby ${id} is in game, its server ${instance} ${server.status}, listed ${row}`);
    }
    const count = processes.get(instance)?.length ?? 0;
    if (count !== 1) {
      found.push(`lobby ${id} is in game, its server ${instance} has ${count} processes`);
    }
  }
  return found.map((what) => ({ what, tags: [id] }));
}

/** Lobbies that are queued and could have been matched. */
function queuesUnsettled({ lobbies }: Picture): readonly Unsettled[] {
  const queues = new Map<string, Lobby[]>();
  for (const lobby of lobbies.values()) {
    if (lobby.status === 'in_queue') {
      const queue = `${lobby.config}/${lobby.matchmaking?.mode ?? ''}`;
      queues.set(queue, [...(queues.get(queue) ?? []), lobby]);
    }
  }
  return [...queues].flatMap(([queue, queued]) => {
    const mode = MODES[queue.split('/')[1] ?? ''];
    if (mode?.mustMatch(queued.map(({ players }) => players.length)) !== true) {
      return [];
    }
    const ids = queued.map(({ id }) => id);
    return [{ what: `${queue} holds lobbies that fit: ${ids.join(', ')}`, tags: ids }];
  });
}

/** No server without an owner, and the lobbies of one match on one server. */
export function serversUnsettled(picture: Picture): readonly Unsettled[] {
  const { lobbies, servers, processes, containers } = picture;
  const found: Unsettled[] = [];
  const owners = new Map<string, Lobby>();
  const serverOfMatch = new Map<string, string>();
  for (const lobby of lobbies.values()) {
    if (lobby.status === 'in_game' && lobby.server !== null) {
      const instance = lobby.server.instance_id;
      owners.set(instance, lobby);
      const match = lobby.matchId ?? instance;
      const known = serverOfMatch.get(match) ?? instance;
      serverOfMatch.set(match, known);
      if (known !== instance) {
        const what = `match ${match} plays on ${known} and on ${instance}`;
        found.push({ what, tags: [lobby.id] });
      }
    }
  }
  for (const server of servers.values()) {
    const { instance_id: instance, status } = server;
    if (status !== 'stopped' && !owners.has(instance)) {
      const what = `server ${instance} is ${status}, and no lobby plays on it`;
      found.push({ what, tags: lobbiesOf(server) });
    }
    // A lobby only leaves a running match when the lobby itself ends.
    for (const id of status === 'stopped' ? [] : lobbiesOf(server)) {
      const lobby = lobbies.get(id);
      if (lobby !== undefined && lobby.server?.instance_id !== instance) {
        const what = `server ${instance} is ${status}, its lobby ${id} is ${lobby.status} elsewhere`;
        found.push({ what, tags: [id] });
      }
    }
  }
  const running = [
    ...[...processes].map(
      ([instance, pids]) => [instance, `process ${pids.join(', ')} runs`] as const,
    ),
    ...[...containers].map(
      ([instance, state]) => [instance, `a container, ${state}, has`] as const,
    ),
  ];
  for (const [instance, does] of running) {
    if (!owners.has(instance)) {
      const server = servers.get(instance);
      const what = `${does} server ${instance}, which no lobby plays on`;
      found.push({ what, tags: server === undefined ? [] : lobbiesOf(server) });
    }
  }
  return found;
}

/** Browsing lists the public lobbies as they are, and no others. */
function browsingUnsettled({ lobbies, browsed }: Picture): readonly Unsettled[] {
  const found: Unsettled[] = [];
  for (const lobby of lobbies.values()) {
    const listed = browsed.get(lobby.id);
    const revision = lobby.isPrivate ? undefined : lobby.revision;
    if (listed?.revision !== revision) {
      const what = `lobby ${lobby.id} is at revision ${lobby.revision}, browsing shows ${listed?.revision ?? 'nothing'}`;
      found.push({ what, tags: [lobby.id] });
    }
  }
  for (const id of browsed.keys()) {
    if (!lobbies.has(id)) {
      found.push({ what: `lobby ${id} is listed by browsing, and is not there`, tags: [id] });
    }
  }
  return found;
}

/** Listeners have heard of the newest state of their lobby. */
function streamsUnsettled({ lobbies }: Picture, clients: readonly Client[]): readonly Unsettled[] {
  return clients.flatMap((client) => {
    const { listener, view, place } = client;
    const { heard } = listener;
    const lobby = view === null ? null : (lobbies.get(view.id) ?? null);
    if (!listener.isOpen || lobby === null) {
      return [];
    }
    const isFresh = heard?.lobby === lobby.id && heard.revision >= lobby.revision;
    const heardOf = heard === null ? 'nothing' : `${heard.lobby ?? 'none'} r${heard.revision}`;
    const what = `the stream of ${place} showed ${heardOf}, lobby ${lobby.id} is at ${lobby.revision}`;
    return isFresh ? [] : [{ what, tags: [place, lobby.id] }];
  });
}
