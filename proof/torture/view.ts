// Invariants of one lobby as the API shows it, whatever happened before (spec: Lobby).

import type { Lobby } from '../../scripts/player.ts';

const SEARCHING = ['in_queue', 'match_found', 'matched'];
const PLAYING = ['matched', 'match_found', 'in_game'];

/** The problems of this lobby by itself, as sentences. */
export function incoherences(lobby: Lobby): readonly string[] {
  const { status, players, server, matchId, matchmaking } = lobby;
  const found: string[] = [];
  const demand = (holds: boolean, what: string): void => {
    if (!holds) {
      found.push(what);
    }
  };
  const hosts = players.filter(({ isHost }) => isHost);
  demand(players.length > 0, 'has no players');
  demand(players.length <= lobby.maxPlayers, 'has more players than maxPlayers');
  demand(new Set(players.map(({ id }) => id)).size === players.length, 'has a player twice');
  demand(hosts.length === 1 && hosts[0]?.id === lobby.host, 'has not one host among its players');
  demand(
    (matchmaking !== null) === SEARCHING.includes(status),
    `${status} against its matchmaking block`,
  );
  demand(
    (matchmaking?.confirmation !== undefined) === (status === 'match_found'),
    `${status} against its confirmation`,
  );
  demand(matchId === null || PLAYING.includes(status), `${status} with a match`);
  demand(matchId !== null || !['matched', 'match_found'].includes(status), `${status}, no match`);
  demand(status !== 'in_game' || server !== null, 'in_game without a server');
  demand(status !== 'waiting' || server === null, 'waiting with a server');
  return found;
}
