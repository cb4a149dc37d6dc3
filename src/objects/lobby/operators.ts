// Reads for the server key that show more of a lobby than players see.

import type { Happening } from '../../common/happening';
import type { PlayerId } from '../../common/ids';
import type { Lobby } from '../../lobby/lobby';
import type { MemberSeen, Site } from './contract';
import type { LobbyCore } from './core';

function isAt(lobby: Lobby | null, { project, config }: Site): lobby is Lobby {
  return lobby?.project === project && lobby.config === config;
}

/** The player's standing in the lobby. Null if the player is not in it. */
export async function adminMember(
  core: LobbyCore,
  site: Site,
  player: PlayerId,
): Promise<MemberSeen | null> {
  const { lobby } = core;
  const isIn = isAt(lobby, site) && lobby.players.some(({ id }) => id === player);
  return isIn ? { lobbyStatus: lobby.status, streaming: core.connected.has(player) } : null;
}

/** The lobby's history, oldest first. Null: it has none, or the lobby lived elsewhere. */
export function historyOf(core: LobbyCore, site: Site): readonly Happening[] | null {
  if (core.lobby === null && core.history.forgottenAt === null) {
    return null;
  }
  const { project, config } = core.home;
  return project === site.project && config === site.config ? core.history.read() : null;
}
