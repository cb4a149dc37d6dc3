// Invariants that hold at every moment, whatever crashes. They are checked on the saved state of
// all objects, each time an object saves (docs/internals/design.md: What must always hold).

import type { LaunchSpec } from '../../src/fleet/port';
import type { InstanceId, LobbyId, MatchId, MemberId, PlayerId } from '../../src/common/ids';
import { IN_GAME_LIMIT_MS } from '../../src/common/limits';
import { brokenInLobby } from '../../src/lobby/always';
import { bookingOf, inside, type Lobby } from '../../src/lobby/lobby';
import { answerBy, type Match } from '../../src/objects/match/state';
import type { Journal } from './journal';
import type { Ledger } from './ledger';
import type { Saved } from './parts';
import { Ladders } from './ratings';
import { Hosts } from './always-hosts';
import { checkMatch, warmText } from './always-match';
import { checkQueue } from './always-queue';
import { checkServer, Launches } from './always-server';
import { Signals } from './always-signals';
import { checkWatching, hasStayed, spectatorsGone } from './always-spectators';
import { checkKept, checkSteered, kickedFrom, type Opened } from './always-steered';
import { Votes } from './always-votes';
import { checkRematch } from './rematch';
import { Rooms } from './rooms';
import { Tickets } from './tickets';
import { lobbyOn, owedOn, matchOn, queueOn, seatsOn, serverOn, type Taken, warmOn } from './truth';
import type { Watcher, World } from './world';

/** Who has to accept a match has so long after an outage, or as long as the mode gives. */
const ANSWER_MS = 10_000;
/** What all configs say whose players are put out for silence. */
const HEARTBEAT_MS = 20_000;

/** Time limits from the configs of the seed. */
export interface Terms {
  readonly heartbeatConfigs: ReadonlySet<string>;
  readonly idleMs: number;
  /** The shortest time after which a queued party may be given up as away. */
  readonly presenceMs: number;
}

export class Always implements Watcher {
  readonly lobbies = new Map<LobbyId, Lobby>();
  readonly matches = new Map<MatchId, Match>();
  readonly tickets: Tickets;
  /** What games have opened, as far as they were answered. */
  readonly opened = new Map<MatchId, Opened>();
  readonly rooms: Rooms;
  readonly votes: Votes;
  readonly signals: Signals;
  /** When the last lobby was deleted, in the loop's time. */
  lastDeletedAt = 0;
  /** When the last match was opened, in the loop's time. */
  lastOpenedAt = 0;
  readonly #world: World;
  readonly #journal: Journal;
  readonly #ledger: Ledger;
  readonly #terms: Terms;
  readonly #launches: Launches;
  readonly #ladders: Ladders;
  readonly #hosts: Hosts;
  /** Where each player is a member: config and player -> lobby -> membership. */
  readonly #memberOf = new Map<string, Map<LobbyId, MemberId>>();
  /** When each lobby last got a new revision. */
  readonly changedAt = new Map<LobbyId, number>();
  readonly #seats = new Map<string, Taken>();
  /** The same, as of the last save of each object. */
  readonly #seatsAt = new Map<string, ReadonlyMap<string, Taken>>();
  readonly #codes = new Map<string, LobbyId>();

  constructor(world: World, ledger: Ledger, terms: Terms) {
    this.#world = world;
    this.#journal = world.journal;
    this.tickets = new Tickets(world.journal, this.matches);
    this.rooms = new Rooms(world.journal);
    this.votes = new Votes(world.journal);
    this.signals = new Signals(this.lobbies, world.loop, world.journal);
    this.#ledger = ledger;
    this.#terms = terms;
    this.#launches = new Launches(world);
    this.#ladders = new Ladders(world);
    this.#hosts = new Hosts(world.journal);
  }

  committed(node: Saved): void {
    switch (node.kind) {
      case 'lobby':
        this.#lobby(node);
        return;
      case 'seat':
        this.#seat(node);
        return;
      case 'match':
        this.votes.saved(node);
        this.#match(node);
        return;
      case 'queue':
        checkQueue(node, this.#journal).forEach((id) => this.tickets.proposed(id));
        this.#held(node);
        return;
      case 'server':
        checkServer(node, this.#journal);
        this.#hosts.saved(node);
        if (serverOn(node.disk)?.waiting) {
          this.#launches.waits(node.name[0] ?? '');
        }
        return;
      case 'players':
        this.#ladders.players(node);
        return;
      case 'ratings':
        this.#ladders.ladder(node);
        return;
      case 'project':
        warmOn(node.disk).forEach(({ ids }) => ids.forEach((id) => this.#launches.intended(id)));
        return;
      case 'directory':
      case 'fleet':
        return;
    }
  }

  /** What is held back while launches fail is known to nobody: no match has opened, and no lobby holds for it. */
  #held(node: Saved): void {
    for (const { id, matchId, held } of queueOn(node.disk).proposals) {
      const isKnown =
        this.matches.has(matchId) ||
        this.lobbies.values().some(({ search }) => search?.hold?.matchId === matchId);
      this.#journal.check(held !== true || !isKnown, () => `${id} is held back, and goes on`);
    }
  }

  /** All rows of an earlier run have been seen. */
  goesOn(): void {
    this.#ladders.goesOn();
  }

  lobbiesOf(player: PlayerId): readonly Lobby[] {
    return [...this.lobbies.values()].filter(({ players }) =>
      players.some(({ id }) => id === player),
    );
  }

  launching(spec: LaunchSpec): void {
    this.#launches.arrived(spec);
  }

  #lobby(node: Saved): void {
    const id = node.name[0] as LobbyId;
    const before = this.lobbies.get(id) ?? null;
    const after = lobbyOn(node.disk);
    this.rooms.saved(id, before, after);
    this.signals.changed(before);
    if (after === null) {
      if (this.lobbies.delete(id)) {
        this.lastDeletedAt = this.#world.loop.now;
      }
    } else {
      this.lobbies.set(id, after);
      this.votes.lobbySaved(after);
      if (after.revision !== before?.revision) {
        this.changedAt.set(id, this.#world.loop.now);
      }
      const wrong = brokenInLobby(after, before);
      this.#journal.check(wrong.length === 0, () => `lobby ${id}: ${wrong.join('; ')}`);
      this.#code(after);
      this.#entered(after, before);
      this.#part(after, before);
      if (after.players.length > (before?.players.length ?? after.players.length)) {
        checkKept(
          after,
          after.part ? this.matches.get(after.part.matchId) : undefined,
          this.#journal,
        );
      }
      this.#away(node, after, before);
      this.#hosts.shown(before, after);
      if (after.game?.own === true) {
        this.#launches.intended(after.game.instanceId);
      }
    }
    // A lobby that starts a server and is deleted in one transaction only saves that it owes the server's stop.
    for (const key of owedOn(node.disk)) {
      const [, server] = /^server:(.*)$/.exec(key) ?? [];
      if (server !== undefined) {
        this.#launches.intended(server as InstanceId);
      }
    }
    if (before !== null) {
      this.#left(node, before, after);
      this.tickets.gone(before, after, owedOn(node.disk));
    }
  }

  #code({ id, config, code }: Lobby): void {
    const key = `${config} ${code.toUpperCase()}`;
    const other = this.#codes.get(key);
    // A lobby that was deleted and founded anew has another code, and one that moved another config.
    const held = other === undefined || other === id ? undefined : this.lobbies.get(other);
    const isFree = held === undefined || `${held.config} ${held.code.toUpperCase()}` !== key;
    this.#journal.check(isFree, () => `lobbies ${id} and ${other} share the code ${code}`);
    this.#codes.set(key, id);
  }

  #entered(after: Lobby, before: Lobby | null): void {
    for (const { id, memberId, given } of after.players) {
      const was = before?.players.find((each) => each.memberId === memberId);
      const [from = -1, to = -1] = [was?.given?.revision, given?.revision];
      this.#journal.check(
        was === undefined || to >= from,
        () => `the attributes of ${id} in ${after.id} went back from ${from} to ${to}`,
      );
    }
    const had = new Set(inside(before).map(({ memberId }) => memberId));
    for (const { id, memberId } of inside(after).filter((each) => !had.has(each.memberId))) {
      const key = `${after.config} ${id}`;
      const places = this.#memberOf.get(key) ?? new Map<LobbyId, MemberId>();
      this.#memberOf.set(key, places);
      places.set(after.id, memberId);
      this.#journal.check(
        places.size === 1,
        () => `player ${id} is in the lobbies ${[...places.keys()].join(' and ')}`,
      );
      const seat = this.#seats.get(key);
      this.#journal.check(
        seat?.lobbyId === after.id && seat.memberId === memberId,
        () => `player ${id} came into ${after.id} as ${memberId}, its seat is ${seatText(seat)}`,
      );
    }
  }

  #left(node: Saved, before: Lobby, after: Lobby | null): void {
    const ended =
      after === null &&
      (this.#ledger.isReplaced(before.host, before.id) ||
        this.#isTimedOut(node, before) ||
        this.#isUnmade(before));
    const there = inside(after);
    for (const { id } of inside(before)) {
      if (there.every((each) => each.id !== id) || before.config !== after?.config) {
        this.#memberOf.get(`${before.config} ${id}`)?.delete(before.id);
      }
    }
    for (const id of spectatorsGone(before, after, this.#journal)) {
      if (!this.#ledger.mayLeave(id, before.id)) {
        this.#heard(node, `the spectator ${id} of ${before.id}`, HEARTBEAT_MS);
      }
    }
    for (const player of before.players) {
      const { id } = player;
      if (hasStayed(before, after, player)) {
        continue;
      }
      const allowed =
        this.#ledger.mayLeave(id, before.id) ||
        this.#terms.heartbeatConfigs.has(before.config) ||
        ended;
      this.#journal.check(allowed, () => `player ${id} lost its place in ${before.id} unasked`);
      if (!this.#ledger.mayLeave(id, before.id) && !ended) {
        this.#heard(node, `player ${id} in ${before.id}`, HEARTBEAT_MS);
      }
      if (allowed) {
        this.#ledger.gone(id, before.id);
      }
    }
  }

  /** Silence counts only where somebody could have been heard (decision 57). */
  #heard(node: Saved, who: string, ms: number): void {
    const { upSince, setBack } = this.#world;
    this.#journal.check(
      node.now() + setBack >= upSince + ms,
      () => `${who} was silent ${node.now() - upSince} ms after the box began to serve`,
    );
  }

  /** It was founded for a match that is not made. */
  #isUnmade(lobby: Lobby): boolean {
    const isUnmade = bookingOf(lobby)?.founds === true;
    if (isUnmade) {
      this.#ledger.endAsked(lobby.id);
    }
    return isUnmade;
  }

  #isTimedOut(node: Saved, { status, activeAt, game }: Lobby): boolean {
    const now = node.now();
    return (
      (status === 'waiting' && activeAt + this.#terms.idleMs <= now) ||
      (status === 'in_game' && game !== null && game.startedAt + IN_GAME_LIMIT_MS <= now)
    );
  }

  /** A lobby in a match: the match has it, with that ticket. */
  #part(after: Lobby, before: Lobby | null): void {
    const { part } = after;
    // A lobby that starts a game has chosen its match before that opens.
    const isKnown = part?.matchId === before?.part?.matchId && before?.status !== 'starting';
    if (part === null || isKnown || after.status === 'starting') {
      return;
    }
    const match = this.matches.get(part.matchId);
    const knows = match?.participants.some(
      ({ lobbyId, ticketId }) => lobbyId === after.id && ticketId === part.ticketId,
    );
    this.#journal.check(
      knows === true,
      () => `lobby ${after.id} is in the match ${part.matchId}, which does not know it`,
    );
    checkWatching(after, part, this.#journal);
  }

  /** Only a party that had streams can leave its queue as away, and only after some time. */
  #away(node: Saved, after: Lobby, before: Lobby | null): void {
    if (after.returned?.reason !== 'away' || !before?.search) {
      return;
    }
    const since = before.search.aloneSince ?? Infinity;
    this.#journal.count('happened: a queued party is away');
    this.#journal.check(
      node.now() >= since + this.#terms.presenceMs,
      () => `lobby ${after.id} was given up as away, alone since ${since}`,
    );
    this.#heard(node, `lobby ${after.id}`, this.#terms.presenceMs);
  }

  #seat(node: Saved): void {
    const [, config = ''] = node.name;
    const before = this.#seatsAt.get(node.label) ?? new Map<string, Taken>();
    const after = seatsOn(node.disk);
    this.#seatsAt.set(node.label, after);
    for (const player of new Set([...before.keys(), ...after.keys()])) {
      const key = `${config} ${player}`;
      const seat = after.get(player);
      if (seat === undefined) {
        this.#seats.delete(key);
      } else {
        this.#seats.set(key, seat);
      }
      for (const [lobbyId, memberId] of this.#memberOf.get(key) ?? []) {
        this.#journal.check(
          seat?.lobbyId === lobbyId && seat.memberId === memberId,
          () => `${player} is ${memberId} in ${lobbyId}, its seat is ${seatText(seat)}`,
        );
      }
    }
  }

  /** Nobody could answer while nobody served. */
  #unanswered(node: Saved, after: Match, before: Match | null): void {
    const isOpen = before?.phase === 'confirming' && after.reason === 'confirm_timeout';
    if (isOpen && before.participants.some((who) => answerBy(before, who) !== null)) {
      const { timeoutSeconds } = after.roster.rules.matchConfirmation;
      this.#heard(node, `match ${node.name[0]}`, Math.min(ANSWER_MS, timeoutSeconds * 1_000));
    }
  }

  #match(node: Saved): void {
    const id = node.name[0] as MatchId;
    const before = this.matches.get(id) ?? null;
    const after = matchOn(node.disk);
    if (after === null) {
      this.matches.delete(id);
      return;
    }
    this.matches.set(id, after);
    checkMatch(node, after, before, this.#journal);
    this.votes.matchSaved(id, after, before);
    this.#unanswered(node, after, before);
    if (before === null) {
      this.lastOpenedAt = this.#world.loop.now;
      const { disk } = this.#world.node('match', after.roster.ref ?? id);
      checkRematch(id, after, disk, this.#journal);
    }
    checkSteered(id, after, this.opened.get(id), this.#journal);
    const were = new Set(before === null ? [] : kickedFrom(before).map(String));
    for (const kicked of kickedFrom(after)) {
      if (!were.has(String(kicked))) {
        this.#ledger.removalAsked(...kicked);
      }
    }
    this.#launches.intended(after.instanceId);
    if (after.phase === 'launching') {
      this.#launches.due(after.instanceId, id);
    }
    this.#launches.serves(id, after);
    if (after.warm !== before?.warm) {
      this.#journal.count(`happened: ${warmText(before?.warm, after.warm)}`);
    }
    for (const who of after.participants) {
      if (before?.participants.some(({ ticketId }) => ticketId === who.ticketId) !== true) {
        const { madeBy } = after.roster;
        this.tickets.entered(id, who.ticketId, this.lobbies.get(who.lobbyId), madeBy);
      }
    }
  }
}

function seatText(seat: Taken | undefined): string {
  return seat === undefined ? 'free' : `${seat.memberId} in ${seat.lobbyId}`;
}
