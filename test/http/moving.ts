// Lobbies that move to another config, and who is in them.

import type { LobbyView } from '../../src/lobby/view';
import { ask, createLobby, freshConfig, joinLobby, saveConfig } from './support';

export interface Refused {
  readonly code: string;
  readonly issues?: readonly { readonly path: string; readonly message: string }[];
}

export async function configs(there: object = {}, here: object = {}): Promise<[string, string]> {
  const [a, b] = [freshConfig(), freshConfig()];
  await saveConfig(a, { matchmaking: { modes: { pairs: { playersPerTeam: 2 } } }, ...here });
  await saveConfig(b, { matchmaking: { modes: { duel: {} } }, ...there });
  return [a, b];
}

export function move(from: string, player: string, config: string) {
  return ask<LobbyView & Refused>(`POST lobbies/${from}/me/move`, { player, body: { config } });
}

/** A lobby of two. */
export async function party(config: string, ...[ann, ben]: [string, string]): Promise<LobbyView> {
  const { code } = await createLobby(config, ann, { settings: { map: 'dust' } });
  return joinLobby(config, ben, code);
}
