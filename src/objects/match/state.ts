// The state of a match: the roster that it was formed with, and its progress. Pure. The Match object saves the state,
// and the saved state is the decision (docs/internals/design.md: Forming a match).

import type { PeerPath, Seated } from '../../../packages/js/src/journal-types';
import type { Happening } from '../../common/happening';
import type { InstanceId, LobbyId, PlayerId, TicketId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import { own } from '../../common/named';
import { whenLeft, whenStopped, type ReturnReason } from '../../lobby/reasons';
import type { MatchUpdate } from '../../lobby/command';
import { isPlayground } from '../../lobby/playground';
import type { Mode } from '../../match/rules/mode';
import type { Ticket } from '../../match/ticket/ticket';
import { avoidedBy } from '../../match/ticket/aggregate';
import type { Reported } from '../../lobby/game';
import type { Votes } from '../../lobby/votes';
import type { RatingChange } from '../contracts/ratings';
import type { ServerReport } from '../contracts/server';
import { asideOf, membersOf, type PartySnapshot } from '../contracts/party';
import type { Roster, SavedMode } from '../contracts/match';

export interface Participant {
  readonly lobbyId: LobbyId;
  readonly ticketId: TicketId;
  readonly confirmed: boolean;
  /** Its players who said yes, where the mode asks each. Absent: nobody yet, or one says it for all. */
  readonly yes?: readonly PlayerId[];
  /** The lobby left the match for good: it was deleted, or it never came in. */
  readonly left: boolean;
  /** It left while the match was forming: why. It never plays, and others may take its places (refill.ts). */
  readonly out?: ReturnReason;
  /** Number of the last change this lobby should see. */
  readonly step: number;
  readonly team: number;
  /** Where its players are in several teams: the team of each. */
  readonly teamOf?: Readonly<Record<PlayerId, number>>;
  /** The players who take places in the team now. The roles are those that the matcher assigned. */
  readonly members: readonly PlayerId[];
  readonly roles: Readonly<Record<PlayerId, string>> | null;
  /** Players who came with the party and take no place. */
  readonly aside: readonly PlayerId[];
  /** Only for a party that was backfilled: all players who came with it. */
  readonly players?: readonly PlayerId[];
  /** The lobby's revision in its last report of its players. */
  readonly rosterRevision: number;
  /** Whom the party avoids, where the mode keeps players apart. */
  readonly avoids?: readonly PlayerId[];
  /** Only for a party that was backfilled: when its wait began, and when it came in. */
  readonly startedAt?: number;
  readonly joinedAt?: number;
  /** Only for a party that came in while the match was forming: by when it confirms. Epoch ms. */
  readonly confirmBy?: number;
  /** Members who dropped out, whose places are kept: until when, epoch ms. Null: as long as nobody fills places. */
  readonly away?: readonly { readonly id: PlayerId; readonly until: number | null }[];
  /** Only for a party that came into a steered match: the roster's revision then, and, in rows of an earlier release, its states. */
  readonly came?: number;
  readonly states?: PartySnapshot['players'];
}

/** What is kept of a party that came later. */
export interface LaterParty {
  /** Absent: an earlier release's queue sent none. */
  readonly ticket?: Ticket;
  /** In a steered match, for its game. */
  readonly states?: PartySnapshot['players'];
}

export type Newcomers = Readonly<Record<TicketId, LaterParty>>;

/** Places that the game has opened. */
export interface Opening {
  /** Null: in any team. */
  readonly team: number | null;
  readonly places: number;
  /** Epoch ms. Null: until the game says otherwise. */
  readonly until: number | null;
  /** The revision after the one that the game knew when it said so. Whoever knows an older one has not heard of it. */
  readonly saidAt: number;
}

export interface Steered {
  /** Number of the last change of the roster. */
  readonly revision: number;
  /** Everybody who ever had a place. */
  readonly seated: readonly Omit<Seated, 'state'>[];
  /** Absent: the game has not said what is open. */
  readonly open?: readonly Opening[];
  readonly kicked: readonly PlayerId[];
  /** Players whom the game says it has. */
  readonly present: readonly PlayerId[];
}

export interface Match {
  readonly roster: Roster;
  readonly phase: 'confirming' | 'launching' | 'running' | 'over';
  /** Epoch ms; while confirming. */
  readonly deadline: number | null;
  /** Epoch ms: how long parties may take the places of those that are out. Absent: nobody is, or nobody may. */
  readonly refillUntil?: number;
  /** That time is over, and those who are there are enough: nobody is missing. */
  readonly isAsIs?: true;
  readonly instanceId: InstanceId;
  /** It has asked for a warm server: it has taken that one, or has a new one. Absent: it has not asked. */
  readonly warm?: 'taken' | 'none';
  readonly formedAt: number;
  /** One for each lobby. */
  readonly participants: readonly Participant[];
  /** Stays that are over, of lobbies that came in again or came later, in a row of their own. Absent: there are none. */
  readonly earlier?: readonly Participant[];
  /** Those who came later and are there, by ticket (newcomers.ts), in rows of their own. Absent: nobody came. */
  readonly newcomers?: Newcomers;
  /** The mode, if it was saved since the match formed. Only who may come in follows it (decision 56). */
  readonly saved?: SavedMode;
  /** What the game said of its places, and was told of them (places.ts). Absent: nobody has asked. */
  readonly steered?: Steered;
  /** Holds that were refused. A late or repeated request with such a hold must stay refused. */
  readonly refused: readonly string[];
  /** Those with such a number, or a lower one, are refused too. Absent: none is. */
  readonly refusedTo?: number;
  /** Number of the last change of the open places, or of those of bots. */
  readonly offerSeq: number;
  readonly server: ServerReport | null;
  /** Why the match is over. */
  readonly reason: ReturnReason | null;
  /** The launch failed because the project has as many servers as it may: the sentence for players. */
  readonly exhausted?: string;
  readonly overAt: number | null;
  /** For operators. Absent if no journal is kept. */
  readonly history?: readonly Happening[];
  readonly runningAt?: number | null;
  readonly result?: Reported;
  /** How players say that they are connected, in a row of their own. */
  readonly links?: readonly PeerPath[];
  /** Players who have no vote, by how they went (voters.ts). Absent: none. */
  readonly resigned?: readonly PlayerId[];
  /** Absent: nobody has voted. */
  readonly votes?: Votes;
  /** What the result did to the players' ratings. */
  readonly rated?: readonly RatingChange[];
}

/** Whether the result counts for a ladder: the mode is rated, and the match ran, of two teams that had players. Players of a playground are phantoms. */
export function rates(match: Match): boolean {
  const { roster, server, result } = match;
  // While another player is about to host, a game that has run is launching again.
  const hasRun = result !== undefined || (server?.block.status ?? 'launching') !== 'launching';
  const counts = roster.rules.rating !== undefined && !isPlayground(roster.config);
  const hasRivals = roster.teams.length > 1 && !(roster.bots && hasTeamOfBots(match));
  return counts && hasRun && hasRivals;
}

function hasTeamOfBots(match: Match): boolean {
  const played = staysOf(match).filter(({ out }) => out === undefined);
  return match.roster.teams.some((_, index) => !played.some(({ team }) => team === index));
}

/** The mode by which somebody may come in now (decision 56). */
export function rulesNow({ saved, roster }: Match): Mode {
  return saved?.rules ?? roster.rules;
}

/** The match under the mode as it was saved since. Its lobbies are told what changes for them. */
export function underMode(match: Match, saved: SavedMode): Match {
  const known = match.saved?.revision ?? match.roster.modeRevision ?? 0;
  if (match.phase === 'over' || saved.revision <= known) {
    return match;
  }
  const next = { ...match, saved };
  return isSameJson(entranceOf(match), entranceOf(next)) ? next : stepped(next);
}

/** Who may come into the match or its lobbies, as the lobbies need to know it. */
export function entranceOf(match: Match): Pick<MatchUpdate, 'backfills' | 'lateJoin'> {
  const { allowBackfill, lateJoin } = rulesNow(match);
  return { backfills: allowBackfill, lateJoin: lateJoin !== false };
}

/** Every stay in the match, in the order of time. */
export function staysOf({ earlier = [], participants, formedAt }: Match): readonly Participant[] {
  const at = ({ joinedAt = formedAt }: Participant): number => joinedAt;
  return [...earlier, ...participants].sort((a, b) => at(a) - at(b));
}

/** The stays of those who played, or may: not of a party that was out before the match was whole. */
export function playersStays(match: Match): readonly Participant[] {
  return staysOf(match).filter(({ out }) => out === undefined);
}

/** The players who came in with the lobby, also those who have left since. */
export function cameWith({ roster }: Match, { ticketId, players, members, aside }: Participant) {
  const party = roster.parties.find((each) => each.ticketId === ticketId);
  return party?.players.map(({ id }) => id) ?? players ?? [...members, ...aside];
}

/** The last instant at which that lobby may confirm. Null if it does not have to (decision 31). */
export function answerBy({ phase, deadline }: Match, who: Participant): number | null {
  const hasTo = phase === 'confirming' && !who.left && !who.confirmed;
  return hasTo ? (who.confirmBy ?? deadline) : null;
}

/** The next instant at which the time of a forming match, or of one of its lobbies, is over. Null: there is none. */
export function confirmBy(match: Match | null): number | null {
  if (match?.phase !== 'confirming') {
    return null;
  }
  const lacks = missingIn(match) > 0 ? match.refillUntil : null;
  const all = [lacks, ...match.participants.map((who) => answerBy(match, who))];
  return Math.min(...all.flatMap((at) => at ?? []));
}

/** How many players a forming match lacks, because their parties are out. */
export function missingIn(match: Match): number {
  if (match.refillUntil === undefined || match.isAsIs) {
    return 0;
  }
  const here = match.participants.filter(({ left }) => !left);
  return placesIn(formedWith(match)) - placesIn(here);
}

export function formedWith(match: Match): readonly Participant[] {
  return staysOf(match).filter(({ joinedAt }) => joinedAt === undefined);
}

export function placesIn(those: readonly Participant[]): number {
  return those.reduce((sum, { members }) => sum + members.length, 0);
}

/** The number of the roster's team. An asymmetric mode finds it by its name, because a partial match may lack teams. */
export function teamNumber({ teams, rules }: Roster, index: number): number {
  const name = teams[index]?.name ?? null;
  const names = Object.keys(rules.teamComposition ?? {});
  // In any other mode a name is only what the match's maker calls the team.
  return name === null || names.length === 0 ? index : Math.max(0, names.indexOf(name));
}

/** The names of the teams, by their numbers. */
export function teamNames({ teams, rules }: Roster): readonly (string | null)[] {
  return rules.teamComposition === null
    ? teams.map(({ name }) => name)
    : Object.keys(rules.teamComposition);
}

/** The team of a player who takes a place. */
export function teamOf({ teamOf: each = {}, team }: Participant, player: PlayerId): number {
  return own(each, player) ?? team;
}

/** What teams of named players make of a lobby's stay: who takes a place, and where. Nothing: it is in one team as a whole. */
function splitOf({ teams }: Roster, { players }: PartySnapshot) {
  const here = new Set(players.map(({ id }) => id));
  const split = teams.flatMap((team, index) =>
    (team.players ?? []).filter((id) => here.has(id)).map((id) => [id, index] as const),
  );
  const each: Participant['teamOf'] = Object.fromEntries(split);
  const [members, aside] = [true, false].map((isIn) =>
    players.flatMap(({ id }) => (Object.hasOwn(each, id) === isIn ? [id] : [])),
  );
  return split.length > 0 && members && aside ? { members, aside, teamOf: each } : {};
}

function participantOf(roster: Roster, party: PartySnapshot): Participant {
  const { lobbyId, ticketId } = party;
  const index = roster.teams.findIndex(({ tickets }) => tickets.includes(ticketId));
  return {
    lobbyId,
    ticketId,
    confirmed: false,
    left: false,
    step: 1,
    team: teamNumber(roster, index),
    members: membersOf(party.players, roster.rules),
    aside: asideOf(party.players, roster.rules),
    roles: roster.teams[index]?.roles ?? null,
    rosterRevision: 0,
    ...avoidedBy(party, roster.rules),
    ...splitOf(roster, party),
  };
}

export function formed(roster: Roster, instanceId: InstanceId, now: number): Match {
  const { enabled, timeoutSeconds } = roster.rules.matchConfirmation;
  return {
    roster,
    phase: enabled ? 'confirming' : 'launching',
    deadline: enabled ? now + timeoutSeconds * 1000 : null,
    instanceId,
    formedAt: now,
    participants: roster.parties.map((party) => participantOf(roster, party)),
    refused: [],
    offerSeq: 0,
    server: null,
    reason: null,
    overAt: null,
  };
}

/** The match after a change that its lobbies see: all of them, unless `whose` says less. */
export function stepped(
  match: Match,
  patch: Partial<Match> = {},
  whose: (who: Participant) => boolean = () => true,
): Match {
  const participants = (patch.participants ?? match.participants).map((who) =>
    !who.left && whose(who) ? { ...who, step: who.step + 1 } : who,
  );
  return { ...match, ...patch, participants };
}

/** A lobby's stay in the match, named by its ticket, because a lobby may come in again with another one. */
export type Stay = Pick<Participant, 'lobbyId' | 'ticketId'>;

export function isOf(who: Participant, { lobbyId, ticketId }: Stay): boolean {
  return who.lobbyId === lobbyId && who.ticketId === ticketId;
}

/** Confirms one party, or one player of it if the mode asks each. Once all have confirmed, the launch begins. */
export function confirmed(match: Match, lobbyId: LobbyId, by?: PlayerId): Match {
  const { showsAccepted, each } = match.roster.rules.matchConfirmation;
  const saying = (who: Participant): Participant => {
    const yes = each === undefined || by === undefined ? who.members : [...(who.yes ?? []), by];
    const isWhole = who.members.every((id) => yes.includes(id));
    return { ...who, confirmed: isWhole, ...(each === undefined ? {} : { yes }) };
  };
  const isIts = (who: Participant): boolean => who.lobbyId === lobbyId;
  const participants = match.participants.map((who) => (isIts(who) ? saying(who) : who));
  const isTold = (who: Participant): boolean => showsAccepted === true || isIts(who);
  return onceAccepted(stepped(match, { participants }, isTold));
}

/** The launch begins once all have confirmed. */
export function onceAccepted(match: Match): Match {
  const all = match.participants.every((who) => who.confirmed || who.left);
  return all && missingIn(match) === 0 ? stepped(match, { phase: 'launching' }) : match;
}

/** Ends the match for every lobby, for one reason. `back` is a lobby that has returned already and is not told. */
export function over(match: Match, reason: ReturnReason, now: number, back?: TicketId): Match {
  const isNew = ({ ticketId }: Participant): boolean => ticketId !== back;
  return stepped(match, { phase: 'over', reason, overAt: now }, isNew);
}

/** One party declines, and the match ends. The parties that had accepted may search on. */
export function declined(match: Match, lobbyId: LobbyId, reason: ReturnReason, now: number): Match {
  const declining = (who: Participant) =>
    who.lobbyId === lobbyId ? { ...who, confirmed: false } : who;
  return over({ ...match, participants: match.participants.map(declining) }, reason, now);
}

/** Applies the server's report. A stopped server ends the match (spec: in_game, server stops by itself). */
export function served(match: Match, server: ServerReport, now: number): Match {
  if (server.block.status === 'stopped') {
    const why = match.result === undefined ? whenStopped(server) : 'game_ended';
    return over({ ...match, server }, why, now);
  }
  // Without room it launches on: its lobbies see the place in line (record 0068).
  const phase = server.waiting === undefined ? 'running' : match.phase;
  return stepped(match, { phase, server });
}

function teamsHere({ participants }: Match): number {
  return new Set(participants.flatMap(({ left, team }) => (left ? [] : [team]))).size;
}

/** A lobby is gone. During confirmation that counts as a decline. Later the others play on. */
export function withoutLobby(match: Match, stay: Stay, now: number): Match {
  if (!match.participants.some((who) => isOf(who, stay))) {
    return match;
  }
  const { roster } = match;
  const leaving = (who: Participant) => (isOf(who, stay) ? { ...who, left: true } : who);
  const next = { ...match, participants: match.participants.map(leaving) };
  // In line for a server, a team without opponents goes back too.
  const isInLine =
    match.server?.waiting !== undefined && !roster.bots && !rulesNow(match).allowBackfill;
  const isAlone = isInLine && teamsHere(match) > 1 && teamsHere(next) === 1;
  const isNoGame = match.phase === 'confirming' || isAlone;
  const isOver = isNoGame || next.participants.every(({ left }) => left);
  return isOver ? over(next, whenLeft(isNoGame), now) : next;
}
