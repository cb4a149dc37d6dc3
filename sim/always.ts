// What must hold at every moment, whatever crashes: checked each time an object's state is saved,
// on the saved state of all of them (architecture: Must always hold).

import type { LaunchSpec } from '../src/fleet/port';
import type { LobbyId, MatchId, MemberId, PlayerId, TicketId } from '../src/ids';
import { IN_GAME_LIMIT_MS } from '../src/limits';
import { violations, type Lobby } from '../src/lobby/lobby';
import type { Match } from '../src/objects/match-state';
import type { Journal } from './journal';
import type { Ledger } from './ledger';
import type { Saved } from './parts';
import { checkQueue } from './always-queue';
import { checkServer, Launches } from './always-server';
import { isAborted, lobbyOn, matchOn, owedOn, seatOn, type Taken } from './truth';
import type { Watcher, World } from './world';

/** What the seed's configs say of how long things may last. */
export interface Terms {
  readonly heartbeatConfigs: ReadonlySet<string>;
  readonly idleMs: number;
}

const PHASES = ['confirming', 'launching', 'running', 'over'] as const;

export class Always implements Watcher {
  readonly lobbies = new Map<LobbyId, Lobby>();
  readonly matches = new Map<MatchId, Match>();
  /** The match that a ticket went into: one at most, ever. */
  readonly matchOf = new Map<TicketId, MatchId>();
  readonly #journal: Journal;
  readonly #ledger: Ledger;
  readonly #terms: Terms;
  readonly #launches: Launches;
  /** Where each player is a member: config and player -> lobby -> membership. */
  readonly #memberOf = new Map<string, Map<LobbyId, MemberId>>();
  readonly #seats = new Map<string, Taken>();
  readonly #codes = new Map<string, LobbyId>();
  /** Tickets whose lobby gave them up without a match; those it went into a match with. */
  readonly #given = new Set<TicketId>();
  readonly #matched = new Set<TicketId>();
  /** Tickets that were ever part of a proposal. */
  readonly #proposed = new Set<TicketId>();

  constructor(world: World, ledger: Ledger, terms: Terms) {
    this.#journal = world.journal;
    this.#ledger = ledger;
    this.#terms = terms;
    this.#launches = new Launches(world);
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
        this.#match(node);
        return;
      case 'queue':
        checkQueue(node, this.#journal).forEach((id) => this.#proposed.add(id));
        return;
      case 'server':
        checkServer(node, this.#journal);
        return;
      case 'directory':
      case 'project':
      case 'fleet':
        return;
    }
  }

  lobbiesOf(player: PlayerId): readonly Lobby[] {
    return [...this.lobbies.values()].filter(({ players }) =>
      players.some(({ id }) => id === player),
    );
  }

  fateOf(ticketId: TicketId): 'matched' | 'given up' | 'open' {
    return this.#matched.has(ticketId)
      ? 'matched'
      : this.#given.has(ticketId)
        ? 'given up'
        : 'open';
  }

  wasProposed(ticketId: TicketId): boolean {
    return this.#proposed.has(ticketId);
  }

  launching(spec: LaunchSpec): void {
    this.#launches.arrived(spec);
  }

  #lobby(node: Saved): void {
    const id = node.name[0] as LobbyId;
    const before = this.lobbies.get(id) ?? null;
    const after = lobbyOn(node.disk);
    if (after === null) {
      this.lobbies.delete(id);
    } else {
      this.lobbies.set(id, after);
      for (const text of violations(after)) {
        this.#journal.violation(`lobby ${text}`);
      }
      this.#journal.check(
        before === null || after.revision >= before.revision,
        () => `lobby ${id} went back from revision ${before?.revision} to ${after.revision}`,
      );
      this.#code(after);
      this.#entered(after, before);
      this.#part(after, before);
      if (after.game?.own === true) {
        this.#launches.intended(after.game.instanceId);
      }
    }
    if (before !== null) {
      this.#left(node, before, after);
      this.#ticketGone(before, after);
    }
  }

  #code({ id, config, code }: Lobby): void {
    const key = `${config} ${code.toUpperCase()}`;
    const other = this.#codes.get(key);
    const live = other === undefined || other === id || !this.lobbies.has(other);
    this.#journal.check(live, () => `lobbies ${id} and ${other} share the code ${code}`);
    this.#codes.set(key, id);
  }

  #entered(after: Lobby, before: Lobby | null): void {
    for (const { id, memberId } of after.players) {
      if (before?.players.some((each) => each.memberId === memberId) === true) {
        continue;
      }
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
      (this.#ledger.isReplaced(before.host, before.id) || this.#isTimedOut(node, before));
    for (const { id, memberId } of before.players) {
      const still = after?.players.find((each) => each.id === id);
      if (still?.memberId === memberId) {
        continue;
      }
      if (still === undefined) {
        this.#memberOf.get(`${before.config} ${id}`)?.delete(before.id);
      }
      const allowed =
        this.#ledger.mayLeave(id, before.id) ||
        this.#terms.heartbeatConfigs.has(before.config) ||
        ended;
      this.#journal.check(allowed, () => `player ${id} lost its place in ${before.id} unasked`);
      if (allowed) {
        this.#ledger.gone(id, before.id);
      }
    }
  }

  #isTimedOut(node: Saved, { status, activeAt, game }: Lobby): boolean {
    const now = node.now();
    return (
      (status === 'waiting' && activeAt + this.#terms.idleMs <= now) ||
      (status === 'in_game' && game !== null && game.startedAt + IN_GAME_LIMIT_MS <= now)
    );
  }

  /** A lobby in a match: the match knows it, under that very ticket. */
  #part(after: Lobby, before: Lobby | null): void {
    const { part } = after;
    if (part === null || part.matchId === before?.part?.matchId) {
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
  }

  /** A ticket ends in a match, or is given up: never both. */
  #ticketGone(before: Lobby, after: Lobby | null): void {
    const ticketId = before.search?.ticketId;
    if (ticketId === undefined || after?.search?.ticketId === ticketId) {
      return;
    }
    if (after?.part?.ticketId === ticketId) {
      this.#matched.add(ticketId);
      this.#journal.count('tickets matched');
      return;
    }
    this.#given.add(ticketId);
    this.#journal.count('tickets given up');
    const matchId = this.matchOf.get(ticketId);
    const match = matchId === undefined ? undefined : this.matches.get(matchId);
    const who = match?.participants.find((each) => each.ticketId === ticketId);
    const live = match !== undefined && match.phase !== 'over' && who?.left === false;
    this.#journal.check(
      !live,
      () => `lobby ${before.id} gave up ticket ${ticketId}, which is in the live match ${matchId}`,
    );
  }

  #seat(node: Saved): void {
    const [, config = '', player = ''] = node.name;
    const key = `${config} ${player}`;
    const seat = seatOn(node.disk);
    if (seat === null) {
      this.#seats.delete(key);
    } else {
      this.#seats.set(key, seat);
    }
    for (const [lobbyId, memberId] of this.#memberOf.get(key) ?? []) {
      this.#journal.check(
        seat?.lobbyId === lobbyId && seat.memberId === memberId,
        () => `${player} is ${memberId} in ${lobbyId}, its seat is ${seatText(seat ?? undefined)}`,
      );
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
    const forward = before === null || PHASES.indexOf(after.phase) >= PHASES.indexOf(before.phase);
    this.#journal.check(!isAborted(node.disk), () => `match ${id} was aborted, and opened`);
    this.#journal.check(forward, () => `match ${id} went from ${before?.phase} to ${after.phase}`);
    this.#journal.check(
      before === null || before.instanceId === after.instanceId,
      () => `match ${id} has two servers`,
    );
    this.#launches.intended(after.instanceId);
    this.#confirmation(id, after, before);
    for (const who of after.participants) {
      if (before?.participants.some(({ ticketId }) => ticketId === who.ticketId) !== true) {
        this.#committedTicket(id, who);
      }
    }
    if (after.phase !== 'over') {
      const owes = owedOn(node.disk).length > 0;
      const driven =
        after.phase === 'running' || owes || node.disk.alarm !== null || node.isAlarming;
      this.#journal.check(driven, () => `match ${id} is ${after.phase} with nobody driving it`);
    }
  }

  #confirmation(id: MatchId, after: Match, before: Match | null): void {
    const asks = after.roster.rules.matchConfirmation.enabled;
    const launched = after.phase === 'launching' || after.phase === 'running';
    if (before === null) {
      this.#journal.count('matches opened');
      kindsOf(after).forEach((kind) => this.#journal.count(`match: ${kind}`));
    } else if (after.participants.length > before.participants.length) {
      this.#journal.count('match: backfilled');
    }
    if (launched && before?.phase !== after.phase) {
      const all = after.participants.every((who) => who.confirmed || who.left);
      this.#journal.check(
        !asks || all || after.phase === 'running',
        () => `match ${id} launches without all confirmed`,
      );
    }
  }

  #committedTicket(id: MatchId, { lobbyId, ticketId }: Match['participants'][number]): void {
    const other = this.matchOf.get(ticketId);
    this.#journal.check(
      other === undefined || other === id,
      () => `ticket ${ticketId} went into the matches ${other} and ${id}`,
    );
    this.#journal.check(
      !this.#given.has(ticketId),
      () => `ticket ${ticketId} was given up by ${lobbyId}, and went into the match ${id}`,
    );
    this.matchOf.set(ticketId, id);
    const search = this.lobbies.get(lobbyId)?.search;
    this.#journal.check(
      search?.ticketId === ticketId && search.hold?.matchId === id,
      () => `match ${id} took ${lobbyId} with ticket ${ticketId}, which does not hold for it`,
    );
  }
}

/** What kind of mode a match was formed by. */
function kindsOf({ roster }: Match): readonly string[] {
  const { rules, teams, parties } = roster;
  const kinds: readonly [string, boolean][] = [
    ['confirmation', rules.matchConfirmation.enabled],
    ['no confirmation', !rules.matchConfirmation.enabled],
    ['backfill allowed', rules.allowBackfill],
    ['roles', rules.teamComposition !== null],
    ['parties', parties.some(({ players }) => players.length > 1)],
    ['one lobby', parties.length === 1],
    ['partial', teams.length < rules.teams],
    ['version', rules.useVersionFromState !== null],
    ['onDecline requeue', rules.matchConfirmation.enabled && rules.onDecline === 'requeue'],
    ...rules.rules.map(({ type }): [string, boolean] => [`rule ${type}`, true]),
  ];
  return kinds.filter(([, holds]) => holds).map(([kind]) => kind);
}

function seatText(seat: Taken | undefined): string {
  return seat === undefined ? 'free' : `${seat.memberId} in ${seat.lobbyId}`;
}
