// The room in a running match: the players of each team, the open places, and the parties that come in from the queue
// (decision 30). Pure. Open places follow only from the live roster and the mode as it is saved now (decision 56).

import type { Bots } from '../../../packages/js/src/game-server-types';
import type { GameRoster } from '../../../packages/js/src/journal-types';
import type { MatchId, PlayerId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import { own } from '../../common/named';
import { type RoleCounts, sizeOf } from '../../match/rules/mode';
import type { BuildVersion, OpenMatch } from '../../match/pool';
import { apartMsOf, withRematch } from '../../match/rules/rules';
import { avoidedBy } from '../../match/ticket/aggregate';
import { avoiding } from '../../match/ticket/avoids';
import {
  isOfToday,
  type Backfill,
  type Offer,
  type RosterTold,
  type SavedNow,
} from '../contracts/match';
import { type PartySnapshot, asideOf } from '../contracts/party';
import {
  asOpened,
  followed,
  gameRoster,
  isPlaying,
  numbered,
  openedAfter,
  keptUntil,
  placesEnd,
  timely,
} from './places';
import { anchorOf, barred, barredFrom, isBarred, lean, staysBeside } from './newcomers';
import { lapsed, looksForMore, rosterWith, seatedIn } from './refill';
import {
  answerBy,
  confirmBy,
  formed as begun,
  formedWith,
  isOf,
  placesIn,
  underMode,
  rulesNow,
  stepped,
  staysOf,
  teamOf,
  type Match,
  type Participant,
  type Stay,
} from './state';
import { resigned } from './voters';

type OpenTeam = OpenMatch['open'][number];

/**
 * The places of each team by the mode as it is saved now. The index is the team, so named teams stay those that the match
 * was made with: one that the mode does not name any more has no place.
 */
export function wholeTeams(match: Match, mode = rulesNow(match)): readonly OpenTeam[] {
  const { teamComposition, teams, playersPerTeam } = mode;
  const named = match.roster.rules.teamComposition;
  if (named !== null) {
    return Object.keys(named).map((name) => {
      const roles: RoleCounts = own(teamComposition ?? {}, name) ?? {};
      return { name, slots: sizeOf(roles), roles };
    });
  }
  const count = teamComposition === null ? teams : 0;
  return Array.from({ length: count }, () => ({ name: null, slots: playersPerTeam, roles: null }));
}

function without(open: OpenTeam, who: Participant): OpenTeam {
  const roles = open.roles === null ? null : { ...open.roles };
  for (const member of who.members) {
    const role = who.roles?.[member];
    if (roles !== null && role !== undefined && roles[role] !== undefined) {
      roles[role] = Math.max(0, roles[role] - 1);
    }
  }
  const left = Math.max(0, open.slots - who.members.length);
  const slots = roles === null ? left : Math.min(left, sizeOf(roles));
  return { ...open, slots, roles };
}

/** The places that the match formed with: those that it fills again, while it forms. */
function placesFormed(match: Match): readonly OpenTeam[] {
  const formed = formedWith(match);
  const names = Object.keys(match.roster.rules.teamComposition ?? {});
  const count = 1 + Math.max(...formed.map(({ team }) => team));
  return Array.from({ length: count }, (_, team): OpenTeam => {
    const its = formed.filter((who) => who.team === team);
    const all = its.flatMap((who) => who.members.flatMap((id) => who.roles?.[id] ?? []));
    const byRole = Map.groupBy(all, (role) => role);
    const counts = Array.from(byRole, ([role, { length }]) => [role, length]);
    const roles = names.length === 0 ? null : Object.fromEntries(counts);
    return { name: names[team] ?? null, slots: placesIn(its), roles };
  });
}

export function thereIn({ participants }: Match, team: number): readonly Participant[] {
  return participants.flatMap((who) => {
    const members = who.teamOf && who.members.filter((id) => teamOf(who, id) === team);
    const isIn = members ? members.length > 0 : who.team === team;
    return who.left || !isIn ? [] : [members ? { ...who, members } : who];
  });
}

/** The places of each team, for the decision and for the check: while it forms again, those that it formed with. */
export function allPlaces(match: Match): readonly OpenTeam[] {
  return match.phase === 'confirming' ? placesFormed(match) : wholeTeams(match);
}

export function openPlaces(match: Match): readonly OpenTeam[] {
  const all = allPlaces(match);
  const left = all.map((team, index) => thereIn(match, index).reduce(without, team));
  return match.phase === 'confirming' ? left : asOpened(match, left);
}

/** The places that bots had when the match began. Undefined: none. */
export function botsAtFirst(match: Match): readonly Bots[] | undefined {
  return match.roster.bots && botsIn(match, begun(match.roster, match.instanceId, match.formedAt));
}

/** The places that bots have now, by the mode that the match formed with. */
export function botsIn(match: Match, at = match): readonly Bots[] | undefined {
  const all = match.roster.bots && wholeTeams(match, match.roster.rules);
  return all?.flatMap((whole, team): readonly Bots[] => {
    const { slots, roles } = thereIn(at, team).reduce(without, whole);
    const wanted = Object.entries(roles ?? {}).map(([role, count]) => ({ team, role, count }));
    return (roles === null ? [{ team, count: slots }] : wanted).filter(({ count }) => count > 0);
  });
}

/** What the match's server runs. Undefined: not known. */
function buildOf({ server }: Match): BuildVersion | undefined {
  const { version_tag: name, version = null } = server?.block ?? {};
  return typeof name === 'string' && version !== null ? { name, version } : undefined;
}

function hereIn(match: Match, team: number): NonNullable<OpenTeam['here']> {
  const there = thereIn(match, team);
  const players = there.flatMap(({ members, aside }) => [...members, ...aside]);
  const avoided = there.map(({ avoids }) => avoids);
  return { players, ...avoiding(avoided, []) };
}

/** The match as the queue offers it, or null if it takes nobody. */
export function offerOf(match: Match, matchId: MatchId): OpenMatch | null {
  const { region, version } = match.roster;
  const places = takesParties(match) ? openPlaces(match) : [];
  if (places.every(({ slots }) => slots === 0)) {
    return null;
  }
  const isApart = apartMsOf(withRematch(rulesNow(match))) !== null;
  const build = buildOf(match);
  const { formedAt: startedAt } = match;
  const kicked = barredFrom(match);
  return {
    matchId,
    startedAt,
    anchor: anchorOf(match),
    region,
    version,
    ...(build && { build }),
    open: isApart ? places.map((team, at) => ({ ...team, here: hereIn(match, at) })) : places,
    ...(kicked.length > 0 && { kicked }),
    ...(match.phase === 'confirming' && { forming: seatedIn(match) }),
  };
}

function takesParties(match: Match): boolean {
  const runs = match.phase === 'running' && rulesNow(match).allowBackfill;
  return runs || looksForMore(match);
}

export function offerNow(match: Match, id: MatchId): Offer {
  return { seq: match.offerSeq, match: offerOf(match, id) };
}

/** What the game is told of its roster. `after`: the revision that it knows. */
export function rosterOf(match: Match, id: MatchId, after = 0): GameRoster {
  const now = followed(match);
  const open = rulesNow(now).allowBackfill ? openPlaces(now) : [];
  return gameRoster(now, id, { open, after });
}

/** When time next changes the match. Null: it does not. */
export function dueAt(match: Match | null): number | null {
  const at = match !== null && isPlaying(match) ? placesEnd(match) : Infinity;
  return at === Infinity ? confirmBy(match) : at;
}

/** Time to answer after a start of the service. Also less, where the mode gives less. */
const ANSWER_MS = 10_000;

/**
 * The match with time to answer for all who still have to, or to come back to a place that is kept: nobody could while the service
 * was away (decision 57). `upSince`: the start of the service, epoch ms; undefined if it is never away.
 */
export function answerable(match: Match, upSince: number | undefined): Match {
  const { phase, deadline, roster, participants } = match;
  if (upSince !== undefined && isPlaying(match)) {
    return keptUntil(match, upSince + ANSWER_MS);
  }
  if (phase !== 'confirming' || deadline === null || upSince === undefined) {
    return match;
  }
  const { timeoutSeconds } = roster.rules.matchConfirmation;
  const least = upSince + Math.min(ANSWER_MS, timeoutSeconds * 1000);
  const lacks = participants.some((who) => (answerBy(match, who) ?? Infinity) < least);
  const later = participants.map((who) =>
    who.confirmBy === undefined ? who : { ...who, confirmBy: Math.max(who.confirmBy, least) },
  );
  return lacks
    ? stepped(match, { deadline: Math.max(deadline, least), participants: later })
    : match;
}

/** The match after what is due. */
export function duly(match: Match, now: number): Match {
  if ((dueAt(match) ?? Infinity) > now) {
    return match;
  }
  return isPlaying(match) ? timely(match, now) : lapsed(match, now);
}

/**
 * The next state, with each number raised of which it has news: that of the roster, and that of the offer if the open places
 * are others, or those of bots; also if somebody has come and as many places have become free, so that no offer of one number
 * is told before and after.
 */
export function withNews(before: Match | null, changed: Match, id: MatchId): Match {
  const next = lean(numbered(changed));
  if (
    before === null ||
    ![before, next].some((match) => takesParties(match) || match.roster.bots)
  ) {
    return next;
  }
  const shown = (match: Match) => [
    offerOf(match, id),
    botsIn(match),
    staysOf(match).at(-1)?.ticketId,
  ];
  const isNews = !isSameJson(shown(before), shown(next));
  return isNews ? { ...next, offerSeq: next.offerSeq + 1 } : next;
}

/**
 * Opens the places of players who left their lobby, or keeps them for `reconnectSeconds`; where nobody fills places, for as
 * long as the game lasts. Who was put out has no place (decision 70). Players who joined the lobby during the game take no place, unless theirs is still kept.
 * An older report, or a report of an earlier stay, changes nothing.
 */
export function rosterTold(
  match: Match,
  stay: Stay,
  report: Pick<PartySnapshot, 'players'> & {
    readonly revision: number;
    readonly now: number;
    readonly how?: RosterTold[4];
  },
): Match {
  const isNews = (who: Participant): boolean =>
    isOf(who, stay) && report.revision > who.rosterRevision;
  if (!match.participants.some(isNews)) {
    return match;
  }
  const still = new Set(report.players.map(({ id }) => id));
  const { allowBackfill, reconnectSeconds } = rulesNow(match);
  const seconds = allowBackfill ? reconnectSeconds : undefined;
  const out = new Set(report.how?.flatMap(({ id, by }) => (by === 'self' ? [] : [id])));
  const freshUntil = seconds === undefined ? null : report.now + seconds * 1000;
  const reported = ({ away: was = [], ...who }: Participant): Participant => {
    const gone = who.members.filter((id) => !still.has(id));
    const kept = allowBackfill && seconds === undefined ? [] : gone.filter((id) => !out.has(id));
    const untilOf = (id: PlayerId) => was.find((each) => each.id === id)?.until ?? freshUntil;
    const away = kept.map((id) => ({ id, until: untilOf(id) }));
    return {
      ...who,
      members: who.members.filter((id) => still.has(id) || kept.includes(id)),
      ...(away.length > 0 && { away }),
      rosterRevision: report.revision,
    };
  };
  const participants = match.participants.map((who) => (isNews(who) ? reported(who) : who));
  return resigned({ ...match, participants }, report.how);
}

/** Whether a party may come in, by what is saved now (decision 56). `saved` undefined: an earlier release's queue. */
export function admission(
  before: Match,
  backfill: Backfill,
  { saved, now }: { readonly saved: SavedNow | undefined; readonly now: number },
): { readonly next: Match; readonly isIn: boolean } {
  const { party, seq } = backfill;
  // The alarm may be late. A match that still offered places and took nobody would be asked again and again.
  const match = duly(before, now);
  if (staysOf(match).some((who) => isOf(who, party))) {
    return { next: match, isIn: true };
  }
  const hold = { ticketId: party.ticketId, seq };
  const mode = saved?.mode;
  const ruled = mode ? underMode(match, mode) : match;
  const isOpen = mode !== null && isOfToday(buildOf(match), saved?.build);
  const { against = anchorOf(match).id } = backfill;
  const isJudged = against === anchorOf(match).id;
  const isRefused = !isOpen || !isJudged || isBarred(match, hold);
  const next = isRefused ? null : withParty(ruled, backfill, now);
  // Its lobby may have come back, so that an earlier stay of it is over now.
  return { next: next ? lean(resigned(next)) : barred(ruled, hold), isIn: next !== null };
}

/** The match with one more party, or null if it has no room for the party any more. */
export function withParty(match: Match, backfill: Backfill, now: number): Match | null {
  const { party, team, members, roles, ticket } = backfill;
  const open = openPlaces(match)[team];
  const taken = Object.groupBy(Object.values(roles ?? {}), (role) => role);
  const fits =
    open !== undefined &&
    members.length <= open.slots &&
    Object.entries(taken).every(([role, who = []]) => who.length <= (open.roles?.[role] ?? 0));
  const { roster, steered } = match;
  const isForming = match.phase === 'confirming';
  const out = new Set(barredFrom(match));
  const isPutOut = party.players.some(({ id }) => out.has(id));
  const { lobbyId, ticketId } = party;
  const beside = staysBeside(match, lobbyId);
  if (!fits || isPutOut || !takesParties(match) || beside === null) {
    return null;
  }
  const rules = isForming ? roster.rules : rulesNow(match);
  const newcomer: Participant = {
    lobbyId,
    ticketId,
    confirmed: !isForming,
    left: false,
    step: 1,
    team,
    members,
    aside: asideOf(party.players, rules),
    players: party.players.map(({ id }) => id),
    roles,
    rosterRevision: 0,
    ...avoidedBy(party, rulesNow(match)),
    startedAt: party.startedAt,
    // A clock that was set back does not turn the order of the stays round.
    joinedAt: Math.max(now, staysOf(match).at(-1)?.joinedAt ?? match.formedAt),
    ...(isForming && { confirmBy: now + rules.matchConfirmation.timeoutSeconds * 1000 }),
  };
  const kept = { ...(ticket && { ticket }), ...(steered && { states: party.players }) };
  const newcomers = { ...match.newcomers, [ticketId]: kept };
  const next = { ...match, ...beside, newcomers };
  const { participants: others } = beside;
  if (!isForming) {
    const came = steered && { came: steered.revision + 1 };
    const participants = [...others, { ...newcomer, ...came }];
    return { ...next, ...openedAfter(match, team, members.length), participants };
  }
  // The others see that the places are taken.
  const seen = stepped(next, { participants: others });
  const participants = [...seen.participants, newcomer];
  return { ...seen, participants, roster: rosterWith(match, backfill) };
}
