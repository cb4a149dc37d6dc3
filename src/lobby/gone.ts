// Who has left the lobby, and how: its match says by that who votes and whose place is kept (decisions 70 and 71), and a quick
// join brings nobody back at once.

import type { PlayerId } from '../common/ids';
import type { GoneBy, Leaver, LeaverTold, Lobby, Player } from './lobby';

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

/** Those who gave up or lost their votes, once the lobby is deleted: those before, and those who are there. */
export function goneWithLobby(lobby: Lobby, by: (player: Player) => GoneBy): readonly LeaverTold[] {
  const { members = [] } = lobby.part?.places ?? {};
  const last = lobby.players.filter(({ id }) => members.includes(id) && !isPutOut(lobby, id));
  const all = [...goneFrom(lobby), ...last.map((each) => ({ id: each.id, by: by(each) }))];
  return all.flatMap(({ id, by: how }) => (how === 'player' ? [] : [{ id, by: how }]));
}
