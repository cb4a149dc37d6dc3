// What a game says of the places in its running match, and what it is told of them (record 0067). Pure. Always:
// - An admission only takes open places.
// - A call with `after` opens and frees nothing twice.
// - Whoever was kicked stays out.

import type { GameRoster, PlacesOrder, Seated } from '../../../packages/js/src/journal-types';
import { isoOrNull } from '../../common/clock';
import type { MatchId, PlayerId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import { own } from '../../common/named';
import { ok } from '../../common/result';
import { refusal, type Reply } from '../../lobby/refusals';
import type { OpenMatch } from '../../match/pool';
import type { PartySnapshot } from '../contracts/party';
import {
  cameWith,
  playersStays,
  rulesNow,
  stepped,
  teamOf,
  type Match,
  type Opening,
  type Participant,
  type Steered,
} from './state';

const MOST_KICKED = 100;

export function isPlaying({ phase }: Match): boolean {
  return phase === 'launching' || phase === 'running';
}

/** The match, of which the game wants to hear. Its lobbies report from now on who leaves and comes back. */
export function followed(match: Match): Match {
  const steered = { revision: 0, seated: [], kicked: [], present: [] };
  return match.steered ? match : numbered(stepped({ ...match, steered }));
}

function seatedIn(match: Match, revision: number): readonly Omit<Seated, 'state'>[] {
  const kicked = new Set(match.steered?.kicked);
  const all = playersStays(match).flatMap((who) => {
    const aside = new Set(who.aside);
    const away = new Map(who.away?.map(({ id, until }) => [id, until]));
    const here = new Set<PlayerId>(who.left ? [] : who.members);
    return cameWith(match, who).flatMap((id) => {
      const held = away.has(id) ? ('away' as const) : ('here' as const);
      const status = kicked.has(id) ? ('kicked' as const) : here.has(id) ? held : ('left' as const);
      const until = status === 'away' ? { until: isoOrNull(away.get(id) ?? null) } : {};
      const role = own(who.roles ?? {}, id) ?? null;
      const [lobby, team] = [who.lobbyId, teamOf(who, id)];
      return aside.has(id) ? [] : [{ id, lobby, team, role, status, ...until, revision }];
    });
  });
  // If a player came more than once, the last stay counts.
  return [...new Map(all.map((each) => [each.id, each])).values()];
}

/** The match with the roster's next revision, if the roster is another. */
export function numbered(match: Match): Match {
  const { steered } = match;
  if (steered === undefined) {
    return match;
  }
  const known = new Map(steered.seated.map((each) => [each.id, each]));
  const revision = steered.revision + 1;
  const seated = seatedIn(match, revision).map((is) => {
    const was = known.get(is.id);
    return was !== undefined && isSameJson({ ...was, revision }, is) ? was : is;
  });
  const isNews = seated.some((each) => each.revision === revision);
  return isNews ? { ...match, steered: { ...steered, revision, seated } } : match;
}

/** The places that are open of those that are free: once the game has spoken, only what it opened. */
export function asOpened({ steered }: Match, free: OpenMatch['open']): OpenMatch['open'] {
  const { open } = steered ?? {};
  if (open === undefined) {
    return free;
  }
  const counts = free.map((_, index) => open.find(({ team }) => team === index)?.places ?? 0);
  for (let any = open.find(({ team }) => team === null)?.places ?? 0; any > 0; any -= 1) {
    const left = free.map(({ slots }, team) => slots - (counts[team] ?? 0));
    const emptiest = left.indexOf(Math.max(...left));
    counts[emptiest] = (counts[emptiest] ?? 0) + 1;
  }
  return free.map((team, index) => ({ ...team, slots: Math.min(team.slots, counts[index] ?? 0) }));
}

/** What stays of the openings when so many players come into the team. */
export function openedAfter({ steered }: Match, into: number, players: number): Partial<Match> {
  const open = steered?.open?.map((each) => {
    const taken = [into, null].includes(each.team) ? players : 0;
    return { ...each, places: Math.max(0, each.places - taken) };
  });
  return steered && open ? { steered: { ...steered, open } } : {};
}

/** When the time of an opening, or of a place that is kept, is over. */
export function placesEnd({ steered, participants }: Match): number {
  const kept = participants.flatMap(({ away = [] }) => away);
  return Math.min(...[...(steered?.open ?? []), ...kept].map(({ until }) => until ?? Infinity));
}

/** The match whose kept places are kept until then at least. */
export function keptUntil(match: Match, least: number): Match {
  const isShort = ({ until }: { readonly until: number | null }): boolean =>
    until !== null && until < least;
  if (!match.participants.some(({ away = [] }) => away.some(isShort))) {
    return match;
  }
  const participants = match.participants.map(({ away, ...who }) => {
    const kept = away?.map((each) => (isShort(each) ? { ...each, until: least } : each));
    return { ...who, ...(kept && { away: kept }) };
  });
  return { ...match, participants };
}

/** The match without openings and kept places whose time is over. */
export function timely(match: Match, now: number): Match {
  if (placesEnd(match) > now) {
    return match;
  }
  const isOver = ({ until }: { readonly until: number | null }): boolean =>
    (until ?? Infinity) <= now;
  const open = match.steered?.open?.map((each) =>
    isOver(each) ? { ...each, places: 0, until: null } : each,
  );
  const next = open ? withSaid(match, { open }) : match;
  const lapsed = match.participants.flatMap(({ away = [] }) => away.filter(isOver));
  return lapsed.length === 0 ? next : without(next, new Set(lapsed.map(({ id }) => id)));
}

/** The match in which those players hold no place. Their lobbies are told. */
function without(match: Match, players: ReadonlySet<PlayerId>): Match {
  const isIn = ({ left, members }: Participant): boolean =>
    !left && members.some((id) => players.has(id));
  const participants = match.participants.map(({ away, ...who }) => {
    const kept = away?.filter(({ id }) => !players.has(id)) ?? [];
    const members = isIn(who) ? who.members.filter((id) => !players.has(id)) : who.members;
    const step = isIn(who) ? who.step + 1 : who.step;
    return { ...who, members, step, ...(kept.length > 0 && { away: kept }) };
  });
  return { ...match, participants };
}

/** Does what the game says, all of it or nothing. Refuses INVALID_STATE, PLAYER_NOT_FOUND and VALIDATION_ERROR. */
export function steer(before: Match, said: PlacesOrder, now: number): Reply<Match> {
  const known = followed(before);
  const { release, kick, present, after = Infinity } = said;
  const opened = said.open === undefined ? ok(known) : withOpen(known, said, after);
  if (!opened.ok) {
    return opened;
  }
  let next = timely(opened.value, now);
  if (release !== undefined) {
    const seated = known.steered?.seated.find(({ id }) => id === release);
    if (seated === undefined) {
      return refusal('PLAYER_NOT_FOUND', `release: ${release} never had a place in the match`);
    }
    next = seated.revision > after ? next : without(next, new Set([release as PlayerId]));
  }
  const kicked = new Set(next.steered?.kicked);
  if (kick !== undefined && kicked.size < kicked.add(kick as PlayerId).size) {
    if (kicked.size > MOST_KICKED) {
      return refusal('INVALID_STATE', `kick: ${MOST_KICKED} players were kicked already`);
    }
    next = stepped(without(withSaid(next, { kicked: [...kicked] }), kicked));
  }
  return ok(present === undefined ? next : withPresent(next, present as readonly PlayerId[]));
}

function withSaid(match: Match, said: Partial<Steered>): Match {
  return match.steered ? { ...match, steered: { ...match.steered, ...said } } : match;
}

function withOpen(match: Match, said: PlacesOrder, after: number): Reply<Match> {
  const { open = 0, until, team = null } = said;
  const { allowBackfill, teams } = rulesNow(match);
  if (open > 0 && !allowBackfill) {
    return refusal('INVALID_STATE', "open: the match's mode does not have allowBackfill");
  }
  if (team !== null && team >= teams) {
    return refusal('VALIDATION_ERROR', `team: the match has ${teams} teams, which count from 0`);
  }
  const isNew = (who: Participant): boolean =>
    (who.came ?? 0) > after && (team === null || who.team === team);
  const came = playersStays(match).filter(isNew);
  const seated = came.map((who) => cameWith(match, who).filter((id) => !who.aside.includes(id)));
  const { revision = 0, open: before = [] } = match.steered ?? {};
  // The number of a team replaces one for all teams, and the other way round.
  const isReplaced = (each: Opening): boolean =>
    [null, each.team].includes(team) || each.team === null;
  const newest = Math.max(0, ...before.filter(isReplaced).map(({ saidAt }) => saidAt));
  const places = Math.max(0, open - seated.flat().length);
  const ends = until === undefined ? null : Date.parse(until);
  if (newest > after) {
    // It has been said already, or something newer has. A game that knows no more than it knew then can close places.
    return ok(newest > after + 1 ? match : closed(match, isReplaced, { places, until: ends }));
  }
  // That of all teams stays, as closed: an older order of a team must not pass it.
  const still = before.filter((each) => team !== null && each.team !== team);
  const others = still.map((each) => (each.team === null ? { ...each, places: 0 } : each));
  const opening = { team, places, until: ends, saidAt: Math.min(after, revision) + 1 };
  return ok(withSaid(match, { revision: revision + 1, open: [...others, opening] }));
}

/** The match in which no more than those places are open, and none of them for longer. */
function closed(
  match: Match,
  isMeant: (opening: Opening) => boolean,
  { places, until }: Pick<Opening, 'places' | 'until'>,
): Match {
  const { revision = 0, open: before = [] } = match.steered ?? {};
  let left = places;
  const open = before.map((each) => {
    // What is closed stays as it is: nothing closes twice.
    if (!isMeant(each) || each.places === 0) {
      return each;
    }
    const still = Math.min(each.places, left);
    left -= still;
    const ends = Math.min(each.until ?? Infinity, until ?? Infinity);
    return { ...each, places: still, until: ends === Infinity ? null : ends };
  });
  return isSameJson(open, before) ? match : withSaid(match, { revision: revision + 1, open });
}

function withPresent(match: Match, present: readonly PlayerId[]): Match {
  const [was, is] = [new Set(match.steered?.present), new Set(present)];
  return stepped(withSaid(match, { present: [...is] }), {}, ({ members }) =>
    members.some((id) => was.has(id) !== is.has(id)),
  );
}

/** What the game is told: everybody whose place has changed after that revision. */
export function gameRoster(
  match: Match,
  id: MatchId,
  { open, after }: { readonly open: OpenMatch['open']; readonly after: number },
): GameRoster {
  const { revision = 0, seated = [] } = match.steered ?? {};
  const came = [...playersStays(match), ...Object.values(match.newcomers ?? {})].flatMap(
    ({ states = [] }) => states,
  );
  const parties: PartySnapshot['players'] = match.roster.parties.flatMap(({ players }) => players);
  const states = new Map([...parties, ...came].map((each) => [each.id, each.state]));
  return {
    match: id,
    revision,
    open: open.flatMap(({ slots: places }, team) => (places > 0 ? [{ team, places }] : [])),
    players: seated
      .filter((each) => each.revision > after)
      .map((each) => ({ ...each, state: states.get(each.id as PlayerId) ?? null })),
  };
}
