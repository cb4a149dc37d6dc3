// What time does to a lobby: its deadlines (spec: States and transitions, rows without a request), and the presence on
// which some of them depend (decisions 16 and 50). An open stream counts as presence. Pure.

import type { PlayerId } from '../common/ids';
import { deletion, unseen } from './change';
import type { Change } from './command';
import { hostGoneAt, hostLost } from './hosting';
import {
  isPromised,
  bookingOf,
  type Lobby,
  type Player,
  type Policy,
  type Spectator,
} from './lobby';
import { expel } from './members';
import { comeBack, enterLater } from './queueing';
import { MADE_WITHIN_MS, rematchLapsed } from './rematch';
import type { ReturnReason } from './reasons';
import { ticketsOf } from './tickets';

/** A direct start that takes longer is retried by the alarm. */
const START_ASKS_MS = 5_000;
/** Once a hold is this old, the lobby asks the match for its outcome. */
const HOLD_LIMIT_MS = 10_000;
/** A sign of life is saved at most this often. */
const SIGN_OF_LIFE_MS = 1_000;
/**
 * If a deadline passed longer ago, nobody could reach the object then: alarms come on time, or late after failures. In
 * an object that was in memory, a busy process may be late too, until it is so late that it refuses all (ladder.ts).
 */
const LATE_MS = { waking: 1_000, awake: 5_000 };

export interface Watch {
  readonly policy: Policy;
  /** Players with an open stream. */
  readonly connected: ReadonlySet<PlayerId>;
  /** Spectators with an open stream. Absent: none has. */
  readonly watching?: ReadonlySet<PlayerId> | undefined;
  /** Whether a stream of the lobby has been open since the object woke. */
  readonly hasStreamed: boolean;
  /** Since when requests can reach the lobby, epoch ms. Absent: always. */
  readonly upSince?: number | undefined;
}

/** Notes a sign of those players and spectators. Null: none of them is in the lobby. */
function noted(
  lobby: Lobby,
  of: (who: Player | Spectator) => boolean,
  sign: (who: Spectator) => Partial<Spectator>,
): Change | null {
  const { players, spectators = [] } = lobby;
  const note = <W extends Spectator>(all: readonly W[]): readonly W[] =>
    all.some(of) ? all.map((each) => (of(each) ? { ...each, ...sign(each) } : each)) : all;
  const next = { ...lobby, players: note(players), spectators: note(spectators) };
  if (next.players === players && next.spectators === spectators) {
    return null;
  }
  return unseen(lobby.spectators === undefined ? { ...lobby, players: next.players } : next);
}

/** How long they may be silent. Null: without limit. */
function silenceMs(who: Player | Spectator, { policy }: Watch): number | null {
  return 'state' in who ? policy.heartbeatTimeoutMs : policy.spectatorTimeoutMs;
}

function streams({ id }: Player | Spectator, { connected, watching }: Watch): boolean {
  return connected.has(id) || watching?.has(id) === true;
}

/** A member or spectator has made a request, which is a sign of life. Null: nothing has to be saved. */
export function hasAsked(lobby: Lobby, member: PlayerId, watch: Watch, now: number): Change | null {
  const counts = (who: Player | Spectator): boolean =>
    silenceMs(who, watch) !== null && !streams(who, watch);
  const isSign = (who: Player | Spectator): boolean =>
    who.id === member && now - who.seenAt >= SIGN_OF_LIFE_MS && counts(who);
  return noted(lobby, isSign, () => ({ seenAt: now }));
}

/**
 * Notes who streams, of players in configs with heartbeats, so that after a restart a player whose stream broke off has time to
 * reconnect. The time counts from the first call that notices that, however often the object sleeps. Call before `due`.
 */
export function streaming(lobby: Lobby, watch: Watch, now: number): Change | null {
  const isNew = (who: Player | Spectator): boolean =>
    who.streaming !== streams(who, watch) && silenceMs(who, watch) !== null;
  return noted(lobby, isNew, ({ streaming: was }) => ({ streaming: !was, seenAt: now }));
}

/** The player's stream has ended, so the player's silence counts from now on. Null: no stream was saved. */
export function streamEnded(lobby: Lobby, player: PlayerId, now: number): Change | null {
  const ended = (each: Player | Spectator): boolean => each.id === player && each.streaming;
  return noted(lobby, ended, () => ({ streaming: false, seenAt: now }));
}

/**
 * Notes since when silence counts. Everybody's time begins anew when heartbeats are turned on, when their timeout gets
 * shorter, and when nobody could be heard for a while (decision 57). Call after `streaming`, before `due`.
 */
export function listening(lobby: Lobby, watch: Watch, now: number, wakes = false): Change | null {
  const { listening: before, search } = lobby;
  const wasAway = isLate(lobby, watch, now, wakes);
  const after = termsOf(wasAway ? undefined : before, watch.policy.heartbeatTimeoutMs, now);
  const isAbsent = wasAway && typeof search?.aloneSince === 'number';
  if (after === before && !isAbsent) {
    return null;
  }
  const { listening: _, ...others } = lobby;
  const next = after === undefined ? others : { ...others, listening: after };
  const isSearching = isAbsent && next.search !== null;
  return unseen(isSearching ? { ...next, search: { ...next.search, aloneSince: now } } : next);
}

/** `before`: absent if everybody's time begins anew. */
function termsOf(before: Lobby['listening'], withinMs: number | null, now: number) {
  if (withinMs === null || before?.withinMs === withinMs) {
    return withinMs === null ? undefined : before;
  }
  const goesOn = before !== undefined && before.withinMs < withinMs;
  return { since: goesOn ? before.since : now, withinMs };
}

/** Whether somebody should have been put out long ago, so that nobody can have reached the lobby. Alarms are a little late. */
function isLate(lobby: Lobby, watch: Watch, now: number, isWaking: boolean): boolean {
  const ends = [silentLongest(lobby, watch)?.at, awayAt(lobby, watch)];
  const lateMs = isWaking ? LATE_MS.waking : LATE_MS.awake;
  return ends.some((at) => now - (at ?? Infinity) > lateMs);
}

/** The member who has been silent for longest, and when that member counts as gone. */
function silentLongest(
  lobby: Lobby,
  { policy, connected, upSince = 0 }: Watch,
): { readonly player: PlayerId; readonly at: number } | null {
  const timeoutMs = policy.heartbeatTimeoutMs;
  if (timeoutMs === null) {
    return null;
  }
  const { part, players } = lobby;
  const { present = [], keptSeconds = 0 } = (lobby.status === 'in_game' && part?.places) || {};
  // Each save asks for it, of up to a hundred players.
  let first: Player | null = null;
  for (const player of players) {
    const isThere = connected.has(player.id) || present.includes(player.id);
    if (!isThere && player.seenAt < (first?.seenAt ?? Infinity)) {
      first = player;
    }
  }
  const heardFrom = Math.max(upSince, lobby.listening?.since ?? 0);
  // With the last player the lobby would be deleted, and nobody could come back to the place.
  const keptMs = players.length === 1 ? keptSeconds * 1000 : 0;
  return first && { player: first.id, at: Math.max(heardFrom, first.seenAt) + timeoutMs + keptMs };
}

/** The same of spectators. */
function silentSpectator(lobby: Lobby, watch: Watch) {
  const { spectators = [] } = lobby;
  const heardFrom = watch.upSince ?? 0;
  const silent = spectators.filter((each) => !streams(each, watch));
  const [first] = silent.toSorted((a, b) => a.seenAt - b.seenAt);
  const { spectatorTimeoutMs } = watch.policy;
  return first && { player: first.id, at: Math.max(heardFrom, first.seenAt) + spectatorTimeoutMs };
}

/** Notes since when a queued party is absent. `isSign`: a member has just made a request. Null: nothing to save. */
export function attendance(lobby: Lobby, watch: Watch, now: number, isSign: boolean) {
  const { search } = lobby;
  if (search === null) {
    return null;
  }
  const { aloneSince: saved } = search;
  const isThere = watch.connected.size > 0;
  const isNews =
    typeof saved === 'number'
      ? isThere || (isSign && now - saved >= SIGN_OF_LIFE_MS)
      : !isThere && (saved === null || watch.hasStreamed);
  const aloneSince = isThere ? null : now;
  return isNews ? unseen({ ...lobby, search: { ...search, aloneSince } }) : null;
}

/** When an absent party leaves the queue. A held party waits for the outcome of its hold first. */
export function awayAt(lobby: Lobby, watch: Watch): number | null {
  const { policy, connected, upSince = 0 } = watch;
  const since = isPromised(lobby) ? null : (lobby.search?.aloneSince ?? null);
  return since === null || connected.size > 0 || policy.queuePresenceMs === null
    ? null
    : Math.max(upSince, since) + policy.queuePresenceMs;
}

/** When the lobby asks another object about the outcome of a direct start or a hold. Null: it waits for none. */
export function asksAt(lobby: Lobby): number | null {
  if (lobby.status === 'starting') {
    return (lobby.game ?? lobby.part).startedAt + START_ASKS_MS;
  }
  const hold = lobby.search?.hold ?? bookingOf(lobby);
  return hold === null ? null : hold.at + HOLD_LIMIT_MS;
}

/** Why the lobby ends, or loses a player, when a deadline is over. */
type DueReason = 'game_limit' | 'idle' | 'silent';

/** `at`: epoch ms; null for a deadline that the lobby does not have. Returns to `waiting` bring their own reason. */
type Deadline = readonly [at: number | null, act: (now: number) => Change | null, why?: DueReason];

/** The lobby's deadlines, in the order in which those that are due count. */
function deadlines(lobby: Lobby, watch: Watch): readonly Deadline[] {
  const { status, search, game, activeAt, rematch } = lobby;
  const { policy, connected } = watch;
  if (isPromised(lobby)) {
    // A held lobby has promised its players to a match, so nobody is removed before the outcome is known.
    return [];
  }
  const ends = (): Change => deletion(lobby);
  const returns =
    (reason: ReturnReason, ticketId = search?.ticketId) =>
    (now: number) =>
      ticketId === undefined ? null : comeBack(lobby, ticketId, { reason, now });
  const searched = ticketsOf(search).map((ticket): Deadline => {
    const { entersAt, giveUpAt, ticketId } = ticket;
    return entersAt === undefined
      ? [giveUpAt, returns('timeout', ticketId)]
      : [entersAt, (now) => enterLater(lobby, ticket, now)];
  });
  const silent = silentLongest(lobby, watch);
  const gone = silentSpectator(lobby, watch);
  return [
    [status === 'in_game' ? game.startedAt + policy.gameLimitMs : null, ends, 'game_limit'],
    [status === 'waiting' ? activeAt + policy.timeoutMs : null, ends, 'idle'],
    ...searched,
    [awayAt(lobby, watch), returns('away')],
    [
      rematch?.votes ? rematch.votes.until + MADE_WITHIN_MS : null,
      (now) => rematchLapsed(lobby, now),
    ],
    [hostGoneAt(lobby, policy.hostGraceMs, watch.upSince), () => hostLost(lobby)],
    [silent?.at ?? null, (now) => silent && expel(lobby, { ...silent, connected, now }), 'silent'],
    [
      gone?.at ?? null,
      (now) => (gone ? expel(lobby, { ...gone, connected, now }) : null),
      'silent',
    ],
  ];
}

export function nextDue(lobby: Lobby, watch: Watch): number | null {
  const times = deadlines(lobby, watch).flatMap(([at]) => at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

type Due = Change & { readonly reason: DueReason | undefined };

/** Does one thing that is due at `now`, or answers null. Call it again with the outcome until it answers null. */
export function due(lobby: Lobby, watch: Watch, now: number): Due | null {
  const first = deadlines(lobby, watch).find(([at]) => at !== null && at <= now);
  const change = first?.[1](now) ?? null;
  return change && { ...change, reason: first?.[2] };
}
