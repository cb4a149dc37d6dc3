// What a client key sees of lobbies that it only looks at, where a project hides ids of players
// (record 0022). Names stand in their place, so that a list still shows who hosts and how many play.

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

/** What a match tells its server names its players. */
export function blockWithoutIds(block: ServerBlock): ServerBlock {
  return { ...block, custom_data: {} };
}

/** `hidden-1`, `hidden-2` and so on, in the order in which they came. */
export function lobbyWithoutIds(lobby: LobbyView): LobbyView {
  const players = lobby.players.map((player, index) => ({ ...player, id: `hidden-${index + 1}` }));
  return {
    ...lobby,
    host: players.find(({ isHost }) => isHost)?.id ?? '',
    players,
    server: lobby.server === null ? null : blockWithoutIds(lobby.server),
  };
}
