// Who has left the lobby, and how: its match says by that who votes and whose place is kept (decisions 70 and 71), and a quick
// join brings nobody back at once.

import type { PlayerId } from '../common/ids';
import type { Debt } from './command';
import {
  playerHosts,
  type GoneBy,
  type Leaver,
  type LeaverTold,
  type Lobby,
  type Player,
} from './lobby';

function idsOf({ players }: Lobby): readonly PlayerId[] {
  return players.map(({ id }) => id);
}

const LATELY_MS = 10 * 60_000;
const MOST = 64;

/** Who was put out and goes again has still been put out. */
function strongest(...all: readonly GoneBy[]): GoneBy {
  return (['key', 'player'] as const).find((each) => all.includes(each)) ?? 'self';
}

/** The lobby's list with one more, who may have a place that is kept. */
export function goneWith(lobby: Lobby, who: Omit<Leaver, 'during'>): readonly Leaver[] {
  const { gone = [], part } = lobby;
  const stay = part?.ticketId;
  const isOfStay = ({ during }: Leaver): boolean => during !== undefined && during === stay;
  const was = gone.find((each) => each.id === who.id && isOfStay(each));
  const hadPlace = was !== undefined || part?.places.members.includes(who.id) === true;
  const by = was ? strongest(was.by, who.by) : who.by;
  const entry = { ...who, by, ...(hadPlace && stay !== undefined && { during: stay }) };
  const others = gone.filter(({ id }) => id !== who.id);
  const matters = ({ by: how, at }: Leaver): boolean => how !== 'self' || at + LATELY_MS > who.at;
  const rest = others.filter((each) => !isOfStay(each) && matters(each));
  return [...rest.slice(-MOST), ...others.filter(isOfStay), entry];
}

/** Those who lost their places in the lobby's match, or left them, and are not back in them. */
export function goneFrom({ gone = [], part, players }: Lobby): readonly Leaver[] {
  const here = new Set(players.map(({ id }) => id));
  return gone.filter(({ id, by, during }) => {
    const isOfStay = during !== undefined && during === part?.ticketId;
    return isOfStay && (by !== 'self' || !here.has(id));
  });
}

/** Whether somebody put the player out of the match that the lobby is in. */
export function isPutOut(lobby: Lobby, player: PlayerId): boolean {
  return goneFrom(lobby).some(({ id, by }) => id === player && by !== 'self');
}

/** The members whose places are kept for them, which nobody else takes (decision 69). */
export function keptIn(lobby: Lobby): readonly PlayerId[] {
  const { part } = lobby;
  if (part?.places.keptSeconds === undefined || lobby.status === 'match_found') {
    return [];
  }
  const here = new Set(idsOf(lobby));
  return part.places.members.filter((id) => !here.has(id) && !isPutOut(lobby, id));
}

/** Who has gone and is to be found by the server key: a place is kept, or a ban would take a vote (decision 71). */
export function findableIn(lobby: Lobby): readonly PlayerId[] {
  const mayVote = lobby.part !== null && playerHosts(lobby.game);
  const voters = mayVote ? goneFrom(lobby).filter(({ by }) => by !== 'key') : [];
  return [...keptIn(lobby), ...voters.map(({ id }) => id)];
}

/** The seat of such a player is marked, until that is over. */
export function seatsFreed(before: Lobby | null, after: Lobby | null): readonly Debt[] {
  const kept = before === null ? [] : findableIn(before);
  const held = after !== null && kept.length > 0 ? [...findableIn(after), ...idsOf(after)] : [];
  const all = before?.gone?.filter(({ id }) => kept.includes(id) && !held.includes(id)) ?? [];
  return all.map(({ id: player, memberId }) => ({ to: 'seat', player, memberId }));
}

/** Whether a quick join may bring the player in (decision 70): nobody back, and nobody into a match without a seat. */
export function takesQuickly({ gone = [], part }: Lobby, player: PlayerId, now: number): boolean {
  const was = gone.find(({ id }) => id === player);
  const isLate = was !== undefined && (was.by !== 'self' || was.at + LATELY_MS > now);
  return part === null && !isLate;
}

/** Those who gave up or lost their votes, once the lobby is deleted: those before, and those who are there. */
export function goneWithLobby(lobby: Lobby, by: (player: Player) => GoneBy): readonly LeaverTold[] {
  const { members = [] } = lobby.part?.places ?? {};
  const last = lobby.players.filter(({ id }) => members.includes(id) && !isPutOut(lobby, id));
  const all = [...goneFrom(lobby), ...last.map((each) => ({ id: each.id, by: by(each) }))];
  return all.flatMap(({ id, by: how }) => (how === 'player' ? [] : [{ id, by: how }]));
}
