// The contract of a Match object: its methods and what they promise.

import type { By } from '../../common/happening';
import type { LobbyId, MatchId, PlayerId, TicketId } from '../../common/ids';
import type { Issue } from '../../common/shape';
import type { BookingRequest } from '../../lobby/bookings';
import type { MatchUpdate, RematchUpdate } from '../../lobby/command';
import type { Candidate } from '../../lobby/hosting';
import type { AskedBy, LeaverTold } from '../../lobby/lobby';
import type { Hold } from '../../lobby/queueing';
import type { ReturnReason } from '../../lobby/reasons';
import type { Reply } from '../../lobby/refusals';
import type { GameRoster, PeerPath, PlacesOrder } from '../../../packages/js/src/journal-types';
import type { Result } from '../../../packages/js/src/result-types';
import type { SeenRule } from '../../match/explain/seen';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import type { BuildVersion, OpenMatch, ProposedTeam } from '../../match/pool';
import type { CreateInput, PeerSignal, Reception } from './lobby';
import type { PartySnapshot } from './party';
import type { MatchRecord } from './reports';
import type { RatingChange } from './ratings';
import type { ServerReport } from './server';

/** A team of a match. `players`: those of its parties who are in it, where a lobby has players in several. Absent: all. */
interface RosterTeam extends ProposedTeam {
  readonly players?: readonly PlayerId[];
}

/** The proposal for a match, of a queue or of who makes one without. It becomes the decision once the Match object has saved it. */
export interface Roster {
  readonly matchId: MatchId;
  readonly project: string;
  readonly config: string;
  readonly mode: string;
  readonly rules: Mode;
  /** The revision of the mode. Absent: an earlier release formed the match. */
  readonly modeRevision?: number;
  readonly region: string;
  readonly version: string | null;
  readonly anchor: Ticket;
  /** The values that each rule saw, in the order of the parties. Absent if no journal is kept. */
  readonly seen?: readonly SeenRule[];
  readonly parties: readonly PartySnapshot[];
  readonly teams: readonly RosterTeam[];
  /**
   * Absent: a queue. `host`: that of its only lobby, who has started the game (decision 81). `key`: the server key; `rematch`: the
   * lobbies of another match (decision 76).
   */
  readonly madeBy?: 'host' | MatchOrder['by'];
  /** With those two: what its maker calls it, and the digest of the order. */
  readonly ref?: string;
  readonly digest?: string;
  /** Bots take every place that is left. Absent: no bots. */
  readonly bots?: true;
  /** The tickets of the parties, if their places may be filled again and a rule compares teams. */
  readonly tickets?: readonly Ticket[];
}

/** The open places of a running match, or of one that is forming again. The match numbers the changes. */
export interface Offer {
  readonly seq: number;
  /** Null: the match takes nobody, or nobody any more. */
  readonly match: OpenMatch | null;
}

/** A held lobby that joins a running match (decision 30), or one that is forming again (`onDecline: refill`). */
export interface Backfill {
  readonly party: PartySnapshot;
  /** The number of the hold. A refused hold stays refused, a later hold may be admitted. */
  readonly seq: number;
  readonly team: number;
  /** The eligible players, who take places. */
  readonly members: readonly PlayerId[];
  readonly roles: Readonly<Record<PlayerId, string>> | null;
  /** Of the party, and the anchor that it was judged against. Absent: an earlier release sent it. */
  readonly ticket?: Ticket;
  readonly against?: TicketId;
}

/** A mode as it is saved. */
export interface SavedMode {
  readonly rules: Mode;
  readonly revision: number;
}

/** What is saved now, which says what may come into a running match (decision 56). */
export interface SavedNow {
  /** Null: the mode is gone. */
  readonly mode: SavedMode | null;
  /** The build that a new match would run on. Null: none. Absent: not known. */
  readonly build?: BuildVersion | null;
}

/** Whether a match runs on the build that a new one would run on. What is not known keeps nobody out. */
export function isOfToday(runs: BuildVersion | undefined, build: SavedNow['build']): boolean {
  return (
    runs === undefined ||
    build === undefined ||
    (runs.name === build?.name && runs.version === build.version)
  );
}

/** The ticket of a hold, and the number of the hold. `isBooking`: of a booking, which only the Match itself can turn into a match. */
export type HeldFor = Pick<Hold, 'ticketId' | 'seq'> & { readonly isBooking?: true };

/** A lobby of a match that is to be made. */
export interface NamedLobby {
  readonly lobbyId: LobbyId;
  /** Where the order names it, such as `teams[0].lobbies[1]`. */
  readonly path: string;
  /** The team of all of its players. Null: that of each is in `players`. */
  readonly team: number | null;
  /** The players who were named instead of the lobby: all who take a place. */
  readonly players: readonly { readonly id: PlayerId; readonly team: number }[];
  /** For a player without a lobby. */
  readonly founds?: CreateInput;
  readonly rematch?: NonNullable<BookingRequest['rematch']>;
}

/** A match that somebody makes of named lobbies (decision 76). */
export interface MatchOrder {
  readonly project: string;
  readonly config: string;
  readonly mode: string;
  readonly by: 'key' | 'rematch';
  /** The maker's name for the match, and a digest of all that was asked for: the same again is the same match. */
  readonly ref: string;
  readonly digest: string;
  /** One for each team, in the order of their numbers. */
  readonly names: readonly (string | null)[];
  readonly lobbies: readonly NamedLobby[];
  /** What of it can be in no match, as far as its maker knows. */
  readonly issues: readonly Issue[];
  /** Whether the lobbies must pass the rules of the mode. */
  readonly rules: boolean;
  /** Null: not, or as a mode says whose matcher is outside. */
  readonly confirm: boolean | null;
  readonly rated: boolean;
  /** Null: the lobbies vote, as in any match. */
  readonly region: string | null;
  /** Null: that of the mode. */
  readonly build: string | null;
  /** Of the request that makes it. Absent: what is known of the searches of its lobbies. */
  readonly asked?: AskedBy;
}

/** A lobby's stay in a match. */
interface LobbyStay {
  readonly lobbyId: LobbyId;
  readonly ticketId: TicketId;
}

/** Whose word a result is. */
export type ResultBy = 'backend' | 'server' | { readonly player: PlayerId };

/** Who of a lobby is there, and how the others went who had places. `gone` absent: as in releases up to 0.3, not known. */
export type RosterTold = [
  lobbyId: LobbyId,
  revision: number,
  players: PartySnapshot['players'],
  ticketId: TicketId,
  gone?: readonly LeaverTold[],
];

export interface MatchRpc {
  /** 'aborted' if the match was aborted before this call. It then never opens. */
  open(roster: Roster): Promise<'opened' | 'aborted'>;
  /**
   * Makes the match of named lobbies: all of them, or none. Idempotent by the order's digest, whatever else it says. Refuses
   * MATCH_NOT_MADE with an issue for each lobby, REF_EXISTS for another order, UNAVAILABLE if a lobby did not answer, MODE_NOT_FOUND.
   */
  make(order: MatchOrder): Promise<Reply<MatchRecord>>;
  /**
   * For a lobby whose hold is old, and for a queue that does not know whether it opened the match. If the match was
   * never opened, this call aborts it. 'over': the ticket was in the match, and only the record of the match is left.
   */
  outcome(hold: HeldFor): Promise<MatchUpdate | 'aborted' | 'over'>;
  /** Confirms for the whole party, or for that player where the mode asks each. Refuses INVALID_STATE outside of confirmation or after the deadline. */
  confirm(lobbyId: LobbyId, by?: PlayerId): Promise<Reply<MatchUpdate>>;
  /**
   * Returns the update for the declining lobby. Null if the match is not or no longer asking. The match is over, or
   * looks for others in that party's places (`onDecline: refill`).
   */
  decline(lobbyId: LobbyId, reason: ReturnReason, by?: PlayerId): Promise<MatchUpdate | null>;
  /**
   * The lobby has left the match (deleted, or none of its players remain). `by`: the player who left it last. `gone`: how each
   * went. If it came in again with another ticket, that stay is not touched.
   */
  left(
    lobbyId: LobbyId,
    ticketId: TicketId,
    by?: PlayerId,
    gone?: readonly LeaverTold[],
  ): Promise<void>;
  /**
   * Reports the lobby's current players. An older revision or an earlier stay never overwrites a newer one. Returns the
   * players who hold the lobby's places afterwards.
   */
  roster(...told: RosterTold): Promise<readonly PlayerId[]>;
  /**
   * What the game or the backend says of the places (record 0067): all of it is done, or nothing. Refuses NOT_FOUND,
   * INVALID_STATE unless the match runs or launches, PLAYER_NOT_FOUND and VALIDATION_ERROR. FORBIDDEN to a player who hosts
   * it, unless the config lets hosts steer (decision 71).
   */
  steer(project: string, said: PlacesOrder, by?: 'key' | 'token'): Promise<Reply<GameRoster>>;
  /**
   * The roster, as soon as it has another revision, or `waitMs` have passed. `only`: nothing changes, and a match that its
   * game has not asked for has no news. Refuses as `steer` does.
   */
  follow(
    project: string,
    after: number,
    waitMs: number,
    only?: 'reads',
  ): Promise<Reply<GameRoster>>;
  /** Whether the player holds a place now, and is there. */
  holds(player: PlayerId): Promise<boolean>;
  /**
   * Admits a whole queued lobby into one team of the match, which is running or forming again, if the modes and builds
   * saved now allow it. Null: it is in. Otherwise returns what the match offers now.
   */
  admit(backfill: Backfill, saved?: SavedNow): Promise<Offer | null>;
  /** The mode as it is saved now, which says who may come into the match from now on (decision 56). */
  modeChanged(mode: SavedMode): Promise<void>;
  /**
   * A host ended the match. The server stops and every lobby returns. The lobby with that ticket has returned already
   * and is not told.
   */
  end(lobbyId: LobbyId, ticketId: TicketId, by?: PlayerId): Promise<void>;
  /**
   * Once the match is over: that lobby wants another one of the same sides, or not. Once all want it, it is made; once one does
   * not, there is none, unless all have said yes before. Refuses INVALID_STATE, also if more than REMATCH_MS have passed.
   */
  rematch(project: string, stay: LobbyStay, says: 'yes' | 'no'): Promise<Reply<RematchUpdate>>;
  /** Passes a signal on from one lobby of the match to the others, once the match has formed. It saves nothing. */
  signal(from: LobbyId, said: PeerSignal): Promise<Reception>;
  /** An operator ends the match. False: there is no such match in that project, or it is over. */
  endByOperator(project: string, by: By): Promise<boolean>;
  /** The match's record, for operators. Null: there is none in that project. */
  record(project: string): Promise<MatchRecord | null>;
  /**
   * The result of the match (decision 47), which its lobbies are told. Refuses NOT_FOUND for a match that is not of
   * the project or forgotten, RESULT_EXISTS if it has another, INVALID_STATE, VALIDATION_ERROR. Where most players must say the
   * same, the word of one of them, or of the server that one hosts, is a vote (record 0075).
   */
  result(project: string, result: Result, by?: ResultBy): Promise<Reply<MatchRecord>>;
  /** How a player is connected with another, as the player says, for operators. Refuses NOT_FOUND if either is not in the match. */
  linked(project: string, path: PeerPath): Promise<Reply<MatchRecord>>;
  /** What the ladder made of the match's result. The match then stops sending it. */
  rated(project: string, changes: readonly RatingChange[]): Promise<void>;
  /** Those who have places in the match, one of whom is to host it (record 0069). Of a lobby that is silent: none. */
  hosts(): Promise<readonly Candidate[]>;
  /**
   * False: the match does not own that server, so nobody does. `later`: it is to be told again, once it has the answer to its launch.
   * `done`: the game had reported its result, so its server did not crash.
   */
  serverReport(report: ServerReport): Promise<boolean | 'later' | 'done'>;
}
