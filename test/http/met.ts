// Two players, Ann and Bob, in a match.

import { actorAt } from '../support/actors';
import type { Match } from '../../packages/js/src/journal-types.ts';
import { ask, createLobby, mine, saveConfig, SERVER, until } from './support';

export interface Met {
  readonly matchId: string;
  readonly serverId: string;
  /** The bearer of the game server. */
  readonly headers: { readonly authorization: string };
}

/** In a match whose server runs. */
export async function met(config: string, mode: object = {}): Promise<Met> {
  const game = await launched(config, mode);
  const { serverId, headers } = game;
  await ask(`POST servers/${serverId}/status`, { key: null, headers, body: { status: 'running' } });
  await until(
    () => ask<Match>(`GET matches/${game.matchId}`, { key: SERVER }),
    ({ body }) => body.outcome === 'running',
  );
  return game;
}

/** In a match whose server launches. */
export async function launched(config: string, mode: object = {}): Promise<Met> {
  await saveConfig(config, { matchmaking: { modes: { duel: mode } } });
  for (const player of ['ann', 'bob']) {
    await createLobby(config, player);
    await ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });
  }
  const { matchId, server } = await until(
    () => mine(config, 'ann'),
    ({ status }) => status === 'in_game',
  );
  const serverId = server?.instance_id ?? '';
  const saved = await actorAt('server', serverId).row<{ readonly token: string }>('instance');
  const headers = { authorization: `Bearer ${saved?.token}` };
  return { matchId: matchId ?? '', serverId, headers };
}
