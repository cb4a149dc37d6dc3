// Invariants once all is quiet: nothing half done remains, all parts agree, and everything that was
// acknowledged exists.

import type { LobbyId, MatchId, PlayerId } from '../../src/common/ids';
import { DEFAULT_LOBBY_TIMEOUT_SECONDS } from '../../src/lobby/defaults';
import { NO_STATS, viewOf } from '../../src/lobby/view';
import type { Attributes } from '../../src/lobby/attributes';
import { inside, isPromised, type Lobby } from '../../src/lobby/lobby';
import { ticketsOf } from '../../src/lobby/tickets';
import { seatShare } from '../../src/objects/contracts/peers';
import { versionOf } from '../../src/match/ticket/ticket';
import { makePool } from '../../src/match/waiting/make-pool';
import { buildNow } from '../../src/objects/caches/project';
import { matchRecordOf } from '../../src/objects/match/history';
import { isSameJson } from '../../src/common/json';
import { botsIn, offerOf } from '../../src/objects/match/room';
import { rulesNow } from '../../src/objects/match/state';
import { termsOf } from '../../src/objects/queue/rows';
import type { MatchRecord } from '../../src/objects/contracts/reports';
import { runIdOf } from '../../src/objects/server/state';
import type { Always } from './always';
import { checkHost } from './always-hosts';
import type { Ledger } from './ledger';
import type { Listener } from './listener';
import { checkListed } from './listed';
import { CONFIG, TIER, YARD, type Scenario } from './scenario';
import { codesOn, debtsOn, documentOn, matchOn, queueOn, rowsOn, seatsOn, serverOn } from './truth';
import { checkWarm, isTried, warmIn } from './warm';
import type { World } from './world';

/** After more, an event waits for longer than a run is quiet. */
const MOST_FAILURES = 7;

export interface Quiet {
  readonly world: World;
  readonly always: Always;
  readonly ledger: Ledger;
  readonly scenario: Scenario;
  readonly listeners: ReadonlySet<Listener>;
}

export function checkQuiet(quiet: Quiet): void {
  for (const lobby of quiet.always.lobbies.values()) {
    checkLobby(quiet, lobby);
    checkAttributes(quiet, lobby);
  }
  checkSeats(quiet);
  checkDirectories(quiet);
  checkQueues(quiet);
  checkModes(quiet);
  checkOffers(quiet);
  checkBots(quiet);
  checkHooks(quiet);
  checkListed(quiet.world);
  checkServers(quiet);
  checkWarm(quiet.world);
  checkPromises(quiet);
  for (const listener of quiet.listeners) {
    checkListener(quiet, listener);
  }
}

/** The server of a match with bots knows which places they have. */
function checkBots({ world, always }: Quiet): void {
  for (const [id, match] of always.matches) {
    const bots = match.phase === 'running' ? botsIn(match) : undefined;
    const { disk } = world.node('server', match.instanceId);
    const told = bots && disk.read<{ readonly bots?: unknown }>('customData')?.bots;
    world.journal.check(
      isSameJson(told, bots),
      () => `${id} has bots ${JSON.stringify(bots)}, and told its server ${JSON.stringify(told)}`,
    );
  }
}

function checkLobby({ world, always, scenario }: Quiet, lobby: Lobby): void {
  const { journal } = world;
  const { id, status, search, part, game } = lobby;
  const stuck = status === 'matched' || status === 'match_found' || status === 'starting';
  const { alarm } = world.node('lobby', id).disk;
  journal.check(alarm !== null, () => `lobby ${id} lives without an alarm`);
  journal.check(!stuck, () => `lobby ${id} is stuck in ${status}`);
  journal.check(!isPromised(lobby), () => `lobby ${id} is stuck in a hold or a booking`);
  for (const { mode, ticketId, entersAt } of ticketsOf(search)) {
    const queue = queueOn(world.node('queue', world.project, lobby.config, mode).disk);
    const has = queue.tickets.some(({ ticket }) => ticket.id === ticketId);
    const isToBe = entersAt === undefined;
    journal.check(
      has === isToBe,
      () =>
        `lobby ${id} searches ${mode} with ${ticketId}, ${isToBe ? 'un' : 'already '}known there`,
    );
  }
  if (search !== null) {
    const { aloneSince } = search;
    const isGhost = typeof aloneSince === 'number' && scenario.config.queuePresenceSeconds !== 0;
    journal.check(!isGhost, () => `lobby ${id} searches though alone since ${aloneSince}`);
  }
  if (part !== null) {
    const match = always.matches.get(part.matchId);
    const who = match?.participants.find((each) => each.lobbyId === id);
    const plays = match?.phase === 'running' && who?.left === false;
    journal.check(plays, () => `lobby ${id} plays in ${part.matchId}, which is ${match?.phase}`);
  }
  if (game !== null) {
    const server = serverOn(world.node('server', game.instanceId).disk);
    const isPlayers = server?.hosting !== undefined;
    const alive = isPlayers || world.fleet.runsOf(game.instanceId).length > 0;
    journal.check(alive, () => `lobby ${id} is in a game whose server ${game.instanceId} is gone`);
    const block = server?.status;
    journal.check(
      block === game.block?.status,
      () => `lobby ${id} shows a server ${game.block?.status} that is ${block}`,
    );
    if (isPlayers) {
      const { upSince } = world;
      checkHost(lobby, server, { journal, upSince, now: world.node('lobby', id).now() });
    }
  }
}

/** Who waits or searches shows what the backend said last. */
function checkAttributes({ world, scenario }: Quiet, { id, status, players }: Lobby): void {
  if (scenario.says === 0 || (status !== 'waiting' && status !== 'in_queue')) {
    return;
  }
  for (const player of players) {
    const share = world.node('players', world.project, seatShare(player.id));
    const record = share.disk.read<Attributes>(`record:${player.id}`);
    const [said, shown] = [record?.attributes[TIER], player.state?.[TIER]].map((each) =>
      JSON.stringify(each),
    );
    world.journal.check(
      said === shown,
      () => `${player.id} shows ${TIER} ${shown} in ${id}, the backend says ${said}`,
    );
  }
}

/**
 * That members hold their seats is always checked. A seat without a member must be free to claim.
 */
function checkSeats({ world, always }: Quiet): void {
  for (const node of world.saved) {
    for (const [player, seat] of node.kind === 'seat' ? seatsOn(node.disk) : []) {
      const lobby = always.lobbies.get(seat.lobbyId);
      const member = inside(lobby ?? null).find(({ id }) => id === player);
      // A seat of a config that the lobby has left leads to it, and is free to claim too.
      const isIts = member !== undefined && lobby?.config === node.name[1];
      world.journal.check(
        !isIts || member.memberId === seat.memberId,
        () => `seat of ${player}: ${seat.memberId}, its lobby says ${member?.memberId}`,
      );
    }
  }
}

function checkDirectories(quiet: Quiet): void {
  for (const config of [CONFIG, ...(quiet.scenario.wanders ? [YARD] : [])]) {
    checkDirectory(quiet, config);
  }
}

function checkDirectory({ world, always: { lobbies: all, changedAt } }: Quiet, config: string) {
  const { disk } = world.node('directory', world.project, config);
  const { journal } = world;
  const lobbies = new Map([...all].filter(([, lobby]) => lobby.config === config));
  const codes = new Map(codesOn(disk).map((row) => [row.lobbyId, row.code]));
  const rows = new Map(rowsOn(disk).map((row) => [row.lobbyId, row]));
  // A lobby that ends before it has pushed its row leaves an older one, by design, until it changes again.
  const mayBeOld = (id: LobbyId): boolean => {
    const endedAt = [`lobby:${id}`, 'box'].map((label) => journal.endedAt.get(label) ?? -1);
    return Math.max(...endedAt) >= (changedAt.get(id) ?? 0);
  };
  for (const [id, code] of codes) {
    journal.check(lobbies.has(id), () => `code ${code} is of no lobby (${id})`);
  }
  for (const id of rows.keys()) {
    journal.check(lobbies.has(id), () => `the directory lists ${id}, which is gone`);
  }
  for (const [id, lobby] of lobbies) {
    const row = rows.get(id);
    journal.check(codes.get(id) === lobby.code, () => `the code of ${id} is not its own`);
    if (lobby.isPrivate) {
      journal.check(
        (row?.view ?? null) === null,
        () => `the directory shows the private lobby ${id}`,
      );
    } else {
      const shown = row?.view?.revision ?? 0;
      // An older row may be of a time when the lobby was private, and shows nothing then.
      const isOlder = row !== undefined && row.revision > 0 && row.revision < lobby.revision;
      journal.check(
        shown === lobby.revision || (mayBeOld(id) && isOlder),
        () => `the directory shows ${id} at ${shown}, it is at ${lobby.revision}`,
      );
    }
  }
}

function checkQueues({ world }: Quiet): void {
  const document = documentOn(world.node('project', world.project).disk);
  for (const node of world.saved) {
    if (node.kind !== 'queue') {
      continue;
    }
    const { tickets, proposals, meta } = queueOn(node.disk);
    const [, name = ''] = node.name;
    const { journal } = world;
    const hasNoBuild = ({ ticket }: (typeof tickets)[number]): boolean => {
      const version = meta && versionOf(ticket, meta.mode.useVersionFromState);
      return meta !== null && document !== null && !buildNow(document, name, meta.mode, version).ok;
    };
    const unbuilt = new Set(tickets.filter(hasNoBuild).map(({ ticket }) => ticket.id));
    // A match without a build is held until there is one.
    const isHeld = ({ held, tickets: of }: (typeof proposals)[number]): boolean =>
      held === true && of.every((id) => unbuilt.has(id));
    const taken = new Set(proposals.filter(isHeld).flatMap((each) => each.tickets));
    journal.check(proposals.every(isHeld), () => `${node.label} has proposals under way`);
    const config = document?.configs[name];
    const mode = config?.enabled === true ? config.matchmaking.modes[node.name[2] ?? ''] : null;
    journal.check(
      tickets.length === 0 || (mode ?? null) !== null,
      () => `${node.label} has tickets of a mode that is gone`,
    );
    if (meta !== null && tickets.length > 0) {
      const pool = makePool(meta.mode);
      const free = tickets.filter(({ ticket }) => !taken.has(ticket.id));
      free.forEach(({ ticket }) => pool.restore(ticket));
      const { matches } = pool.sweep(node.now());
      journal.check(
        matches.length === 0,
        () => `${node.label} could match ${matches[0]?.tickets.join(' and ')}, and does not`,
      );
    }
  }
}

/** A running match goes by its mode as it is saved now, and so do its lobbies (decision 56). */
function checkModes({ world, always }: Quiet): void {
  for (const [id, match] of always.matches) {
    const { project, config, mode, ref } = match.roster;
    if (ref !== undefined) {
      // No queue formed it, so none tells it of a mode. By that mode it judges whoever comes, as any match.
      continue;
    }
    const { disk } = world.node('queue', project, config, mode);
    const [{ meta }, gone] = [queueOn(disk), disk.read<number>('gone') ?? 0];
    if (match.phase !== 'running' || meta === null || gone >= meta.modeRevision) {
      continue;
    }
    const rules = rulesNow(match);
    const [known, saved] = [rules, meta.mode].map(termsOf);
    world.journal.check(known === saved, () => `the match ${id} goes by ${known}, not ${saved}`);
    const entrance = [rules.allowBackfill, rules.lateJoin !== false].join();
    const parts = [...always.lobbies.values()].flatMap(({ part }) => part ?? []);
    const its = parts.filter(({ matchId }) => matchId === id);
    const isTold = its.every((part) => [part.backfills, part.lateJoin].join() === entrance);
    world.journal.check(isTold, () => `a lobby of ${id} was not told who may come in`);
  }
}

/** A running match with room has a current offer in its queue. */
function checkOffers({ world, always }: Quiet): void {
  for (const [id, match] of always.matches) {
    const offer = offerOf(match, id);
    if (offer !== null) {
      const { project, config, mode } = match.roster;
      const { offers } = queueOn(world.node('queue', project, config, mode).disk);
      const known = offers.find((row) => row.match.matchId === id)?.match;
      // An offer of v0.2.0 names no build, and an anchor that has left: the match itself refuses who would play on another, or
      // was judged against that one.
      const { build: _, ...unbuilt } = offer;
      const { anchor = offer.anchor } = (world.goesOn && known) || {};
      const told = { ...(world.goesOn && known?.build === undefined ? unbuilt : offer), anchor };
      world.journal.check(
        JSON.stringify(known) === JSON.stringify(told),
        () => `the room of match ${id} is not what its queue knows of it`,
      );
    }
  }
}

/** Whatever a match of a project with hooks came to, its backend has heard of, or still hears of again and again. */
function checkHooks({ world }: Quiet): void {
  for (const { kind, name, disk } of world.saved) {
    if (kind !== 'match') {
      continue;
    }
    const id = name[0] as MatchId;
    const match = matchOn(disk);
    const record = match === null ? disk.read<MatchRecord>('past') : matchRecordOf(match, id);
    const isOver = record !== undefined && ['ended', 'crashed', 'failed'].includes(record.outcome);
    const owed = [
      'match.formed',
      ...(isOver ? [record.outcome === 'failed' ? 'match.failed' : 'match.ended'] : []),
    ];
    const heard = world.receiver.heard.get(id) ?? [];
    const missing = record?.hooks === true ? owed.filter((type) => !heard.includes(type)) : [];
    const [, , rung] = debtsOn(disk).find(([key]) => key === 'hooks') ?? [];
    world.journal.check(
      missing.length === 0 || (rung?.attempts ?? 0) > MOST_FAILURES,
      () => `the backend never heard ${missing.join(' and ')} of ${id}`,
    );
  }
}

function checkServers({ world, always }: Quiet): void {
  const owners = new Set<string>(warmIn(world).flatMap(({ ids }) => ids));
  for (const match of always.matches.values()) {
    if (match.phase === 'launching' || match.phase === 'running') {
      owners.add(match.instanceId);
    }
  }
  for (const { game } of always.lobbies.values()) {
    if (game?.own === true) {
      owners.add(game.instanceId);
    }
  }
  for (const id of world.fleet.alive()) {
    const owned = owners.has(world.fleet.specOf(id)?.serverId ?? '');
    world.journal.check(owned, () => `server ${id} runs without an owner`);
  }
  for (const node of world.saved) {
    const instance = node.kind === 'server' ? serverOn(node.disk) : null;
    if (instance !== null && instance.status !== 'stopped' && instance.hosting === undefined) {
      const runs = world.fleet.runsOf(instance.order.instanceId);
      world.journal.check(
        runs.join() === runIdOf(instance) || isTried(instance, node.now(), world.upSince),
        () => `server ${runIdOf(instance)} is said to be ${instance.status}; alive: ${runs.join()}`,
      );
    }
    const match = node.kind === 'match' ? matchOn(node.disk) : null;
    const plays = match?.participants.some(({ lobbyId, left }) => {
      const part = always.lobbies.get(lobbyId)?.part;
      return !left && part?.matchId === node.name[0];
    });
    world.journal.check(
      match === null || match.phase === 'over' || plays === true,
      () => `match ${node.name[0]} is ${match?.phase} with nobody in it`,
    );
  }
}

function checkPromises({ world, always, ledger, scenario }: Quiet): void {
  const { journal } = world;
  const { heartbeat, timeout } = scenario.config;
  const waited = world.loop.now / 1_000;
  const mayVanish = heartbeat || Math.min(timeout, DEFAULT_LOBBY_TIMEOUT_SECONDS) < waited;
  for (const [key, promised] of ledger.members) {
    const [player = '', lobbyId = ''] = key.split(' ');
    const lobby = always.lobbies.get(lobbyId as LobbyId);
    const member = lobby?.players.find(({ id }) => id === (player as PlayerId));
    if (member === undefined) {
      journal.check(mayVanish, () => `${player} joined ${lobbyId}, was told so, and is not in it`);
      continue;
    }
    const missing = [...promised.keys].filter((name) => member.state?.[name] !== true);
    journal.check(
      missing.length === 0,
      () => `the state of ${player} in ${lobbyId} lacks ${missing.join(', ')}`,
    );
  }
  for (const [lobbyId, keys] of ledger.settings) {
    const lobby = always.lobbies.get(lobbyId);
    const missing = [...keys].filter((name) => lobby?.settings[name] !== true);
    journal.check(
      lobby === undefined || missing.length === 0,
      () => `the settings of ${lobbyId} lack ${missing.join(', ')}`,
    );
  }
}

function checkListener({ world, always }: Quiet, listener: Listener): void {
  const lobby = always.lobbies.get(listener.lobby);
  if (listener.isOpen && lobby !== undefined) {
    world.journal.check(
      listener.revision === lobby.revision,
      () => `${listener.player} was shown ${listener.revision} of ${lobby.id} at ${lobby.revision}`,
    );
    // What surrounds a lobby, such as statistics, may be newer than its last change.
    const around = { customProperties: {}, queueStats: NO_STATS };
    const { players, settings, status, updatedAt } = viewOf(lobby, around);
    const wanted = JSON.stringify([players, settings, status, updatedAt]);
    const has = listener.shown;
    const known = has && JSON.stringify([has.players, has.settings, has.status, has.updatedAt]);
    world.journal.check(known === wanted, () => `${listener.player} was shown ${known}: ${wanted}`);
  }
}
