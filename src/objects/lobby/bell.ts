// Rings the bell of the project when players begin to have a place in a public lobby, where the config has `lobbyBell`.

import type { Lobby } from '../../lobby/lobby';
import { entryRefusal } from '../../lobby/members';
import { isPlayground } from '../../lobby/playground';
import type { Seen } from './seen';

function hasRoom(lobby: Lobby): boolean {
  return !lobby.isPrivate && entryRefusal(lobby, 0) === null;
}

export function ringIfOpen(core: Seen, before: Lobby | null, lobby: Lobby): void {
  const { id: lobbyId, project, config, name, maxPlayers, players: those } = lobby;
  if (!isPlayground(config) && hasRoom(lobby) && (before === null || !hasRoom(before))) {
    const { invite_url: inviteUrl = null } = core.view(lobby);
    const facts = { config, lobbyId, name, players: those.length, maxPlayers, inviteUrl };
    const rest = ` is open: ${those.length} of ${maxPlayers}, ${config}.`;
    const says = [name, inviteUrl === null ? rest : `${rest} Join: ${inviteUrl}`] as const;
    const bell = { type: 'lobby.open', says, facts } as const;
    core.ports.background(core.ports.peers.project(project).ring(bell));
  }
}
