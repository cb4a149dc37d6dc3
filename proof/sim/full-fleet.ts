// Ten minutes of a fleet with too little room (record 0068): how many matches it loses, whether those that wait are served
// in their order, and what the line costs. In calm weather, without chance.

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Lobby } from '../../src/lobby/lobby';
import { DUEL } from './drill-steps';
import { CALM } from './faults';
import { saveLaunch } from './happenings';
import type { Placement } from './parts';
import { plainConfig, plainLobby } from './scenario';
import { lobbyOn, serverOn } from './truth';
import { REAL, World } from './world';

const PLACES = 60;
const GAME_MS = 90_000;
const MATCHES = 600;
const EACH_MS = 1_000;
/** Longer than a project's document is believed. */
const DOCUMENT_MS = 5_000;

export interface Figures {
  /** Matches that came to no game. */
  readonly lost: number;
  readonly played: number;
  /** Of those that stood in line: games that began before that of a match which was found earlier. */
  readonly overtook: number;
  readonly longestWaitSeconds: number;
  readonly longestLine: number;
  /** Of all objects and the fleet, in the busiest second. */
  readonly calls: number;
}

/** A match a second, in which one lobby plays: it fills the mode alone. */
export async function fullFleet(placement: Placement, capacitySeconds: number): Promise<Figures> {
  const world = new World({
    seed: 1,
    placement,
    tracing: false,
    rates: CALM,
    makers: REAL,
    startMs: 200,
    reports: true,
    crashes: () => false,
  });
  const { loop, fleet } = world;
  const peers = world.peersOf(world.client('admin'));
  /** By the lobby, in the order in which they were found. */
  const foundAt = new Map<string, number>();
  const began: number[] = [];
  const waits: number[] = [];
  const seconds = new Map<number, number>();
  const line = new Set<string>();
  const waited = new Set<string>();
  const games = new Set<string>();
  const over = new Set<string>();
  let lost = 0;
  let played = -PLACES;
  let longestLine = 0;
  const saw = (id: string, lobby: Lobby): void => {
    if (lobby.part?.waiting === undefined || lobby.status !== 'matched') {
      line.delete(id);
    } else {
      line.add(id);
      waited.add(id);
      longestLine = Math.max(longestLine, line.size);
    }
    const isBack = lobby.status === 'waiting' && lobby.returned !== undefined;
    if (over.has(id) || (lobby.status !== 'in_game' && !isBack)) {
      return;
    }
    over.add(id);
    if (isBack) {
      lost += 1;
    } else {
      played += 1;
      began.push(...(waited.has(id) ? [[...foundAt.keys()].indexOf(id)] : []));
      waits.push(loop.now - (foundAt.get(id) ?? 0));
    }
  };
  world.watcher = {
    committed: (node) => {
      // So many matches call more often than a run may.
      world.journal.count('calls', -(world.journal.counts.get('calls') ?? 0));
      const lobby = node.kind === 'lobby' ? lobbyOn(node.disk) : null;
      if (lobby !== null) {
        saw(lobby.id, lobby);
      }
      const server = node.kind === 'server' ? serverOn(node.disk) : null;
      const id = server?.order.instanceId ?? '';
      if (server?.status === 'running' && !games.has(id)) {
        games.add(id);
        loop.after(GAME_MS, () => fleet.crash(id));
      }
    },
    launching: () => {},
    sent: () => {
      const second = Math.floor(loop.now / 1_000);
      seconds.set(second, (seconds.get(second) ?? 0) + 1);
    },
  };
  const one = async (index: number): Promise<void> => {
    const player = `p${index}` as PlayerId;
    const id = world.uuid() as LobbyId;
    await peers.lobby(id).create(plainLobby({ project: world.project, id, player }));
    foundAt.set(id, loop.now);
    await peers.lobby(id).execute({ type: 'enter', player, mode: 'solo' });
  };
  let haveAllCome = false;
  const playing = (async () => {
    const solo = { ...DUEL, teams: 1, minTeams: 1 };
    await peers.project(world.project).saveConfigs([plainConfig({ solo })], null);
    await saveLaunch(world, { capacitySeconds });
    await loop.sleep(DOCUMENT_MS);
    fleet.places = PLACES;
    for (let index = 0; index < PLACES + MATCHES; index += 1) {
      void one(index);
      // The places are taken within as long as a game lasts, so they come free one after another.
      await loop.sleep(index < PLACES ? GAME_MS / PLACES : EACH_MS);
    }
    haveAllCome = true;
  })();
  await loop.run(3_600_000, () => haveAllCome && over.size === PLACES + MATCHES);
  await playing;
  const overtook = began.filter((index, at) => began.slice(at + 1).some((later) => later < index));
  return {
    lost,
    played,
    overtook: overtook.length,
    longestWaitSeconds: Math.round(Math.max(0, ...waits) / 1_000),
    longestLine,
    calls: Math.max(...seconds.values()),
  };
}
