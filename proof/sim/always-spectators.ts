// What holds of whoever watches a lobby (record 0108).

import type { LobbyId, PlayerId } from '../../src/common/ids';
import { inside, isSpectator } from '../../src/lobby/lobby';
import type { Lobby, Part, Player, Spectator } from '../../src/lobby/lobby';
import type { Journal } from './journal';

export function watchedBy(
  { lobbies }: { readonly lobbies: ReadonlyMap<LobbyId, Lobby> },
  player: PlayerId,
): readonly Lobby[] {
  return [...lobbies.values()].filter((lobby) => isSpectator(lobby, player));
}

/** The spectators who have left a lobby that is still there. Counts who changes sides. */
export function spectatorsGone(
  before: Lobby,
  after: Lobby | null,
  journal: Journal,
): readonly PlayerId[] {
  if (after === null) {
    return [];
  }
  const { spectators = [], players } = before;
  for (const { id } of spectators) {
    const plays = after.players.some((each) => each.id === id);
    journal.count(`happened: ${plays ? 'a spectator begins to play' : 'a lobby is watched'}`);
  }
  if (players.some(({ id }) => isSpectator(after, id))) {
    journal.count('happened: a player begins to watch');
  }
  if (before.config !== after.config && spectators.length > 0) {
    journal.count('happened: a watched lobby moves');
  }
  return spectators.filter((each) => !hasStayed(before, after, each)).map(({ id }) => id);
}

/** Call as the lobby comes into that match. */
export function checkWatching(lobby: Lobby, { matchId, places }: Part, journal: Journal): void {
  const watching = [...places.members, ...places.aside].filter((id) => isSpectator(lobby, id));
  journal.check(
    watching.length === 0,
    () => `${watching.join()} only watched ${lobby.id}, and is in the match ${matchId}`,
  );
}

/** Under the same membership, or under that of the config that the lobby has moved to. */
export function hasStayed(
  before: Lobby,
  after: Lobby | null,
  { id, memberId }: Player | Spectator,
): boolean {
  const still = inside(after).find((each) => each.id === id);
  return still !== undefined && (still.memberId === memberId || before.config !== after?.config);
}
