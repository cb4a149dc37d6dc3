// Players who host a game (record 0069): who is elected, and when a lobby says that the host is gone. Pure.

import type { PlayerId } from '../common/ids';
import type { JsonObject } from '../common/json';
import { measuredIn } from '../match/ticket/pings';
import { unseen } from './change';
import type { Change } from './command';
import { gameHostOf, isMember, type Lobby } from './lobby';

export interface Candidate {
  readonly id: PlayerId;
  /** False: the player's state has `canHost: false`. */
  readonly may: boolean;
  readonly connected: boolean;
  /** Since when the player is in the lobby, epoch ms. */
  readonly since: number;
  /** What the player measured to each region, ms. */
  readonly ping: JsonObject | null;
}

/** With more players than these, pings are not compared: it takes a step for each pair and region. */
const MOST_COMPARED = 32;

export function candidatesIn(lobby: Lobby, connected: ReadonlySet<PlayerId>): readonly Candidate[] {
  return lobby.players.map(({ id, state, joinedAt }) => {
    const ping = Object.fromEntries(measuredIn(state?.['ping']));
    const has = Object.keys(ping).length > 0;
    const may = state?.['canHost'] !== false;
    return { id, may, connected: connected.has(id), since: joinedAt, ping: has ? ping : null };
  });
}

/** By way of the region that is nearest to both, ms. Infinity: they measured none in common. */
function between(one: JsonObject, other: JsonObject): number {
  const ways = Object.entries(one).map(([region, ms]) => Number(ms) + Number(other[region]));
  return Math.min(Infinity, ...ways.filter((ms) => ms >= 0));
}

/** The latency to the farthest of the others of whom it is known. Infinity: of nobody. */
function worstOf({ id, ping }: Candidate, all: readonly Candidate[]): number {
  const others = ping === null ? [] : all.filter((each) => each.id !== id);
  const known = others.flatMap((each) => {
    const ms = ping && each.ping ? between(ping, each.ping) : Infinity;
    return ms < Infinity ? [ms] : [];
  });
  return known.length === 0 ? Infinity : Math.max(...known);
}

/** Null: nobody is there now. `never`: none of them may host. */
export type Election = { readonly id: PlayerId; readonly why: string } | 'never' | null;

/** Elects by the least worst latency, then by the longest stay, then by id. `barred` may not host this game any more. */
export function elect(all: readonly Candidate[], barred: readonly PlayerId[]): Election {
  const may = all.filter((each) => each.may && !barred.includes(each.id));
  if (may.length === 0 && all.length > 0) {
    return 'never';
  }
  const here = may.filter(({ connected }) => connected);
  const others = all.length > MOST_COMPARED ? [] : all.filter(({ connected }) => connected);
  const [first] = here
    .map((each) => ({ ...each, ms: worstOf(each, others) }))
    .sort((a, b) => (a.ms === b.ms ? a.since - b.since : a.ms - b.ms) || (a.id < b.id ? -1 : 1));
  if (first === undefined) {
    return null;
  }
  const only = here.length === 1 ? 'nobody else could' : 'the longest there';
  const why = first.ms === Infinity ? only : `the least worst latency, ${first.ms} ms`;
  return { id: first.id, why };
}

/** What the token of a host is made of besides the id of the server. */
export function nameOfTerm(term: number, host: string): string {
  return `${term} ${host}`;
}

/** Notes since when the host of the game has no stream. Null: nothing has to be saved. */
export function hostSeen(
  lobby: Lobby,
  connected: ReadonlySet<PlayerId>,
  now: number,
): Change | null {
  const host = gameHostOf(lobby);
  if (host === null || lobby.status !== 'in_game') {
    return null;
  }
  const { hostAway, ...game } = lobby.game;
  const isAway = isMember(lobby, host.id) && !connected.has(host.id);
  if (isAway === (hostAway?.id === host.id)) {
    return null;
  }
  const away = isAway ? { hostAway: { id: host.id, since: now } } : {};
  return unseen({ ...lobby, game: { ...game, ...away } });
}

/** When the host counts as gone: it has left the lobby, or its stream is gone for too long. Null: it is there, or not ours. */
export function hostGoneAt(lobby: Lobby, graceMs: number, upSince = 0): number | null {
  const host = gameHostOf(lobby);
  const { game, part } = lobby;
  if (host === null || game?.hostLost === host.term) {
    return null;
  }
  if (!isMember(lobby, host.id)) {
    // The host of a match may be of another lobby.
    return part === null || part.places.members.includes(host.id) ? 0 : null;
  }
  const { hostAway } = game ?? {};
  return hostAway?.id === host.id ? Math.max(upSince, hostAway.since) + graceMs : null;
}

/** Says that the host of this term is gone, once. */
export function hostLost(lobby: Lobby): Change | null {
  const host = gameHostOf(lobby);
  if (host === null || lobby.status !== 'in_game') {
    return null;
  }
  const { term, instanceId } = host;
  const debt = { to: 'server', act: 'lost', instanceId, term } as const;
  return unseen({ ...lobby, game: { ...lobby.game, hostLost: term } }, [debt]);
}
