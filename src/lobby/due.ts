// What happens to a lobby by time alone (spec: States and transitions, rows without a request).
// `nextDue` says when the next thing happens, `due` does the first one. Both are pure.

import { deletion } from './change';
import type { Change } from './command';
import type { Lobby, Policy } from './lobby';
import { expel } from './members';
import { awayAt, silentLongest, type Watch } from './presence';
import { comeBack, HOLD_LIMIT_MS } from './queueing';

function idleAt(lobby: Lobby, policy: Policy): number | null {
  return lobby.status === 'waiting' ? lobby.activeAt + policy.timeoutMs : null;
}

function overAt(lobby: Lobby, policy: Policy): number | null {
  return lobby.status === 'in_game' && lobby.game !== null
    ? lobby.game.startedAt + policy.gameLimitMs
    : null;
}

function giveUpAt(lobby: Lobby): number | null {
  return lobby.search !== null && lobby.search.hold === null ? lobby.search.giveUpAt : null;
}

/** When a held lobby asks the match for the outcome of its hold. */
export function holdAsksAt(lobby: Lobby): number | null {
  const hold = lobby.search?.hold ?? null;
  return hold === null ? null : hold.at + HOLD_LIMIT_MS;
}

function earliest(...times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The next instant at which `due` does something. */
export function nextDue(lobby: Lobby, watch: Watch): number | null {
  return earliest(
    idleAt(lobby, watch.policy),
    overAt(lobby, watch.policy),
    giveUpAt(lobby),
    awayAt(lobby, watch),
    lobby.search?.hold ? null : (silentLongest(lobby, watch)?.at ?? null),
  );
}

function isDue(at: number | null, now: number): boolean {
  return at !== null && at <= now;
}

/** Does one thing that is due at `now`, or answers null. Call it again with the outcome until it answers null. */
export function due(lobby: Lobby, watch: Watch, now: number): Change | null {
  if (isDue(overAt(lobby, watch.policy), now) || isDue(idleAt(lobby, watch.policy), now)) {
    return deletion(lobby);
  }
  if (lobby.search !== null && isDue(giveUpAt(lobby), now)) {
    return comeBack(lobby, lobby.search.ticketId, { reason: 'timeout', now });
  }
  if (lobby.search !== null && isDue(awayAt(lobby, watch), now)) {
    return comeBack(lobby, lobby.search.ticketId, { reason: 'away', now });
  }
  // A held lobby has promised its players to a match, so nobody is removed before the outcome is known.
  const silent = lobby.search?.hold ? null : silentLongest(lobby, watch);
  if (silent !== null && silent.at <= now) {
    return expel(lobby, { player: silent.id, connected: watch.connected, now });
  }
  return null;
}
