// Lobbies on their way through matchmaking, by the front door.

import { expect } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { ask, createLobby, freshConfig, mine, saveConfig, until } from './support';

/** A fresh config with these modes. */
export async function matchmade(modes: object, patch: object = {}): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes }, ...patch });
  return config;
}

export async function queue(config: string, player: string, mode = 'duel'): Promise<LobbyView> {
  const line = `POST lobbies/${config}/me/matchmaking`;
  const answer = await ask<LobbyView>(line, { player, body: { mode } });
  expect(answer.status).toBe(200);
  return answer.body;
}

/** A lobby of these players, the first its host, queued; each with its state. */
export async function party(
  config: string,
  mode: string,
  players: Readonly<Record<string, object>>,
): Promise<LobbyView> {
  const [[host, state] = ['', {}], ...guests] = Object.entries(players);
  const lobby = await createLobby(config, host, { state, name: `of ${host}` });
  for (const [player, own] of guests) {
    const body = { code: lobby.code, state: own };
    await ask(`POST lobbies/${config}/join`, { player, body });
  }
  await queue(config, host, mode);
  return lobby;
}

export function playing(config: string, player: string): Promise<LobbyView> {
  return until(
    () => mine(config, player),
    ({ server }) => server?.status === 'running',
    15_000,
  );
}

export async function statuses(
  config: string,
  ...players: readonly string[]
): Promise<readonly string[]> {
  return Promise.all(players.map(async (player) => (await mine(config, player)).status));
}
