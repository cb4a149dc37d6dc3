// What a server key may ask of any lobby of its project beyond what players see.

import type { Happening } from '../../happening';
import type { PlayerId } from '../../ids';
import type { Lobby } from '../../lobby/lobby';
import type { MemberSeen, Site } from './contract';
import type { LobbyCore } from './core';

function isAt(lobby: Lobby | null, { project, config }: Site): lobby is Lobby {
  return lobby?.project === project && lobby.config === config;
}

/** How that player is in the lobby; null where it is not. */
export async function adminMember(
  core: LobbyCore,
  site: Site,
  player: PlayerId,
): Promise<MemberSeen | null> {
  const { lobby } = core;
  const isIn = isAt(lobby, site) && lobby.players.some(({ id }) => id === player);
  return isIn ? { lobbyStatus: lobby.status, streaming: core.connected.has(player) } : null;
}

/** Oldest first; null: it has none, or lived elsewhere. */
export function historyOf(core: LobbyCore, site: Site): readonly Happening[] | null {
  if (core.lobby === null && core.history.forgottenAt === null) {
    return null;
  }
  const { project, config } = core.home;
  return project === site.project && config === site.config ? core.history.read() : null;
}
