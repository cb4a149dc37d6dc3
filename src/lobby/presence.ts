// The heartbeat (decision 16): what counts as a sign of life, what of it is saved, and which member
// has been silent for longest. An open stream speaks for its player.

import type { PlayerId } from '../ids';
import { unseen } from './change';
import type { Change } from './command';
import type { Lobby, Player, Policy } from './lobby';

/** Reading one's lobby is a sign of life, and saved no more often than this. */
const SIGN_OF_LIFE_MS = 1_000;

export interface Watch {
  readonly policy: Policy;
  /** Players with an open stream. */
  readonly connected: ReadonlySet<PlayerId>;
  /** When the object woke: players whose streams broke off then have their time from there. */
  readonly wokeAt: number;
}

type Sign = Partial<Pick<Player, 'seenAt' | 'streaming'>>;

function noted(lobby: Lobby, sign: (player: Player) => Sign | null): Lobby | null {
  let isNew = false;
  const players = lobby.players.map((player) => {
    const found = sign(player);
    isNew ||= found !== null;
    return found === null ? player : { ...player, ...found };
  });
  return isNew ? { ...lobby, players } : null;
}

/** A sign of life; no visible change, and no activity (decision 17). */
export function alive(lobby: Lobby, member: PlayerId, now: number): Lobby {
  return noted(lobby, ({ id }) => (id === member ? { seenAt: now } : null)) ?? lobby;
}

function counted(lobby: Lobby | null): Change | null {
  return lobby === null ? null : unseen(lobby);
}

/** A member has read its lobby; null where nothing of it has to be saved. */
export function hasRead(lobby: Lobby, member: PlayerId, watch: Watch, now: number): Change | null {
  const counts = watch.policy.heartbeatTimeoutMs !== null && !watch.connected.has(member);
  const isSign = ({ id, seenAt }: Player): boolean =>
    counts && id === member && now - seenAt >= SIGN_OF_LIFE_MS;
  return counted(noted(lobby, (player) => (isSign(player) ? { seenAt: now } : null)));
}

/**
 * Where heartbeats count it is saved who streams, so that after a restart a player whose stream
 * broke off has time to come back. Null where nothing is new.
 */
export function streaming(lobby: Lobby, watch: Watch, now: number): Change | null {
  const counts = watch.policy.heartbeatTimeoutMs !== null;
  const isNew = (player: Player): boolean =>
    counts && !player.streaming && watch.connected.has(player.id);
  return counted(noted(lobby, (p) => (isNew(p) ? { streaming: true, seenAt: now } : null)));
}

/** The player's stream has ended: from now on its silence counts. Null where none was saved. */
export function streamEnded(lobby: Lobby, player: PlayerId, now: number): Change | null {
  const ended = (each: Player): boolean => each.id === player && each.streaming;
  return counted(noted(lobby, (p) => (ended(p) ? { streaming: false, seenAt: now } : null)));
}

/** The member gone silent for longest, and when that counts as gone. */
export function silentLongest(
  lobby: Lobby,
  { policy, connected, wokeAt }: Watch,
): { readonly id: PlayerId; readonly at: number } | null {
  const timeoutMs = policy.heartbeatTimeoutMs;
  if (timeoutMs === null) {
    return null;
  }
  let first: { id: PlayerId; at: number } | null = null;
  for (const { id, seenAt, streaming: streamed } of lobby.players) {
    const at = (streamed ? Math.max(seenAt, wokeAt) : seenAt) + timeoutMs;
    if (!connected.has(id) && (first === null || at < first.at)) {
      first = { id, at };
    }
  }
  return first;
}
