// Presence: what counts as a sign of life, how much of it is saved, and which member has been silent for
// longest (decision 16). A queued party that is absent leaves the queue (decision 50). An open stream counts as
// presence.

import type { PlayerId } from '../common/ids';
import { unseen } from './change';
import type { Change } from './command';
import type { Lobby, Player, Policy, Search } from './lobby';

/** Reading the own lobby is a sign of life. It is saved at most this often. */
const SIGN_OF_LIFE_MS = 1_000;

export interface Watch {
  readonly policy: Policy;
  /** Players with an open stream. */
  readonly connected: ReadonlySet<PlayerId>;
  /** Whether a stream of the lobby has been open since the object woke. */
  readonly hasStreamed: boolean;
}

type Sign = Partial<Pick<Player, 'seenAt' | 'streaming'>>;

/** Notes a sign of those players. Null: none of them is in the lobby. */
function noted(lobby: Lobby, of: (player: Player) => boolean, sign: Sign): Change | null {
  const players = lobby.players.map((each) => (of(each) ? { ...each, ...sign } : each));
  return lobby.players.some(of) ? unseen({ ...lobby, players }) : null;
}

/** Notes a sign of life, which is no visible change and no activity (decision 17). */
export function alive(lobby: Lobby, member: PlayerId, now: number): Lobby {
  const players = lobby.players.map((each) =>
    each.id === member ? { ...each, seenAt: now } : each,
  );
  return { ...lobby, players };
}

/** A member has read the lobby. Null: nothing has to be saved. */
export function hasRead(lobby: Lobby, member: PlayerId, watch: Watch, now: number): Change | null {
  const counts = watch.policy.heartbeatTimeoutMs !== null && !watch.connected.has(member);
  const isSign = ({ id, seenAt }: Player): boolean =>
    counts && id === member && now - seenAt >= SIGN_OF_LIFE_MS;
  return noted(lobby, isSign, { seenAt: now });
}

/**
 * Notes who streams, in configs with heartbeats, so that after a restart a player whose stream broke off has time
 * to reconnect. The time counts from the first call that notices the broken stream, however often the object
 * sleeps afterwards. Call before `due`. Null: nothing is new.
 */
export function streaming(lobby: Lobby, watch: Watch, now: number): Change | null {
  const isNew = ({ id, streaming: was }: Player): boolean => was !== watch.connected.has(id);
  if (watch.policy.heartbeatTimeoutMs === null || !lobby.players.some(isNew)) {
    return null;
  }
  const players = lobby.players.map((each) =>
    isNew(each) ? { ...each, streaming: !each.streaming, seenAt: now } : each,
  );
  return unseen({ ...lobby, players });
}

/** The player's stream has ended, so the player's silence counts from now on. Null: no stream was saved. */
export function streamEnded(lobby: Lobby, player: PlayerId, now: number): Change | null {
  const ended = (each: Player): boolean => each.id === player && each.streaming;
  return noted(lobby, ended, { streaming: false, seenAt: now });
}

/** The member who has been silent for longest, and when that member counts as gone. */
export function silentLongest(
  lobby: Lobby,
  { policy, connected }: Watch,
): { readonly id: PlayerId; readonly at: number } | null {
  const timeoutMs = policy.heartbeatTimeoutMs;
  if (timeoutMs === null) {
    return null;
  }
  let first: { id: PlayerId; at: number } | null = null;
  for (const { id, seenAt } of lobby.players) {
    const at = seenAt + timeoutMs;
    if (!connected.has(id) && (first === null || at < first.at)) {
      first = { id, at };
    }
  }
  return first;
}

/** The presence that a search begins with, or has as long as nothing was saved. */
export function aloneFrom(
  { connected, hasStreamed }: Pick<Watch, 'connected' | 'hasStreamed'>,
  now: number,
): Search['aloneSince'] {
  return connected.size > 0 ? null : hasStreamed ? now : undefined;
}

/**
 * Notes since when a queued party has been absent. `isSign`: a member has just made a request. Null: nothing has
 * to be saved, in particular while a stream stays open.
 */
export function attendance(
  lobby: Lobby,
  watch: Pick<Watch, 'connected' | 'hasStreamed'>,
  now: number,
  isSign: boolean,
): Change | null {
  if (lobby.search === null) {
    return null;
  }
  const { search } = lobby;
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
export function awayAt({ search }: Lobby, { policy, connected }: Watch): number | null {
  const since = search?.hold === null ? (search.aloneSince ?? null) : null;
  return since === null || connected.size > 0 || policy.queuePresenceMs === null
    ? null
    : since + policy.queuePresenceMs;
}
