// A match that one of its players hosts, and which runs.

import type { LobbyView } from '../../src/lobby/view';
import { listen, type Stream } from './stream';
import { ask, createLobby, mine, saveConfig, until, type Answered } from './support';

type Server = NonNullable<LobbyView['server']>;

export interface HostedMatch {
  readonly matchId: string;
  readonly server: Server;
  /** What the host tells the service with its token. */
  readonly tells: <T>(path: string, body: object) => Promise<Answered<T>>;
  readonly leave: () => Promise<void>;
}

/** Of lobbies of one player each, in two teams. The first player hosts. */
export async function hostedMatch(
  config: string,
  players: readonly string[],
  settings: object = {},
  mode: object = {},
): Promise<HostedMatch> {
  const [first = ''] = players;
  const modes = { duel: { teams: 2, playersPerTeam: players.length / 2, ...mode } };
  const serverSettings = { hosting: 'players', ...settings };
  await saveConfig(config, { serverSettings, matchmaking: { modes } });
  const streams: Stream[] = [];
  for (const player of players) {
    await createLobby(config, player);
    streams.push(await listen(config, player));
    await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
  }
  const begun = async (player: string, status: string) => {
    const lobby = await until(
      () => mine(config, player),
      ({ server }) => server?.status === status && server.host_player === first,
    );
    return { matchId: lobby.matchId ?? '', server: lobby.server as Server };
  };
  const { matchId, server } = await begun(first, 'launching');
  const headers = { authorization: `Bearer ${server.host_token}` };
  const tells = <T>(path: string, body: object): Promise<Answered<T>> =>
    ask<T>(`POST servers/${server.instance_id}/${path}`, { key: null, headers, body });
  await tells('status', { status: 'running' });
  await Promise.all(players.map((player) => begun(player, 'running')));
  const leave = async () => void (await Promise.all(streams.map((stream) => stream.leave())));
  return { matchId, server, tells, leave };
}
