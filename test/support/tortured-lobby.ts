// A lobby as the torture's clients read one.

import type { Lobby } from '../../scripts/player.ts';

export const WAITING: Lobby = {
  id: 'one',
  code: 'CODE-1',
  name: 'lobby',
  config: 'arena',
  status: 'waiting',
  host: 'ann',
  maxPlayers: 4,
  isPrivate: false,
  settings: {},
  matchId: null,
  revision: 1,
  updatedAt: '2026-11-21T00:00:00.000Z',
  players: [{ id: 'ann', isHost: true, state: null }],
  server: null,
  matchmaking: null,
};
