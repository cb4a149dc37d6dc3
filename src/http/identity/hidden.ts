// Hides the ids of players in lobbies that a client key only browses, if the project asks for that (record 0022).
// Placeholders replace the ids, so a list still shows who hosts and how many play.

import type { ServerBlock } from '../../fleet/port';
import type { LobbyView } from '../../lobby/view';
import type { ProjectDocument } from '../../objects/project/contract';
import { DEFAULT_PLAYERS } from '../../objects/project/identity';

export function hidesIds(
  { players = DEFAULT_PLAYERS }: ProjectDocument,
  keyKind: 'client' | 'server',
): boolean {
  return keyKind === 'client' && !players.publicPlayerIds;
}

/** The server block without its custom data, which names the match's players. */
export function blockWithoutIds(block: ServerBlock): ServerBlock {
  return { ...block, custom_data: {} };
}

/** The lobby with the ids `hidden-1`, `hidden-2` and so on, in the order in which the players joined. */
export function lobbyWithoutIds(lobby: LobbyView): LobbyView {
  const players = lobby.players.map((player, index) => ({ ...player, id: `hidden-${index + 1}` }));
  return {
    ...lobby,
    host: players.find(({ isHost }) => isHost)?.id ?? '',
    players,
    server: lobby.server === null ? null : blockWithoutIds(lobby.server),
  };
}
