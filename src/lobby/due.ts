// What time alone does to a lobby (spec: States and transitions, rows without a request).
// `nextDue` is a pure function of the saved lobby; `due` does the one thing that is due first.

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

/** When a held lobby asks the match what became of its hold. */
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

/** One thing that is due at `now`, or null; call again with its outcome until null. */
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
  // A held lobby waits for the outcome first: removing a player would break a promise.
  const silent = lobby.search?.hold ? null : silentLongest(lobby, watch);
  if (silent !== null && silent.at <= now) {
    return expel(lobby, { player: silent.id, connected: watch.connected, now });
  }
  return null;
}
