// Rematches through the API (decision 83).

import { describe, expect, it } from 'vitest';
import type { Match } from '../../packages/js/src/journal-types';
import type { LobbyView } from '../../src/lobby/view';
import {
  ask,
  createLobby,
  freshConfig,
  joinLobby,
  mine,
  saveConfig,
  SERVER,
  until,
} from './support';

async function arena(mode: object = {}): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { matchmaking: { modes: { duel: mode } } });
  return config;
}

function playing(config: string, player: string, not: string | null = null): Promise<LobbyView> {
  return until(
    () => mine(config, player),
    ({ status, server, matchId }) =>
      status === 'in_game' && server?.status === 'running' && matchId !== not,
  );
}

const search = (config: string, player: string) =>
  ask(`POST lobbies/${config}/me/matchmaking`, { player, body: { mode: 'duel' } });

const again = (config: string, player: string) =>
  ask<LobbyView & { code: string }>(`POST lobbies/${config}/me/rematch`, { player });

/** Both have played, and wait. Returns the match. */
async function played(config: string, ...hosts: readonly [string, ...string[]]): Promise<string> {
  for (const host of hosts) {
    await search(config, host);
  }
  const { matchId } = await playing(config, hosts[0]);
  await ask(`POST lobbies/${config}/me/end-match`, { player: hosts[0] });
  await Promise.all(
    hosts.map((host) =>
      until(
        () => mine(config, host),
        ({ status }) => status === 'waiting',
      ),
    ),
  );
  return matchId ?? '';
}

async function met(config: string): Promise<string> {
  await createLobby(config, 'ann');
  await createLobby(config, 'ben');
  return played(config, 'ann', 'ben');
}

function shown(config: string, player: string, yes: number | undefined): Promise<LobbyView> {
  return until(
    () => mine(config, player),
    ({ rematch }) => rematch?.yes === yes,
  );
}

describe('POST /me/rematch', () => {
  it('brings the lobbies into a match of the same sides once both hosts ask, and again after it', async () => {
    const config = await arena();
    let before = await met(config);
    for (const first of ['ann', 'ben'] as const) {
      const second = first === 'ann' ? 'ben' : 'ann';
      const one = await again(config, first);
      expect([one.status, one.body.rematch]).toMatchObject([200, { yes: 1, needed: 2 }]);
      await shown(config, second, 1);
      // The same again counts once.
      expect((await again(config, first)).body.rematch?.yes).toBe(1);
      const both = await again(config, second);
      expect(both.status).toBe(200);
      const there = await Promise.all(['ann', 'ben'].map((who) => playing(config, who, before)));
      expect(there[0]?.matchId).toBe(there[1]?.matchId);
      const id = there[0]?.matchId ?? '';
      expect((await again(config, first)).status).toBe(200);
      const [was, is] = await Promise.all(
        [before, id].map(async (each) => {
          const { body } = await ask<Match>(`GET matches/${each}`, { key: SERVER });
          return body;
        }),
      );
      expect([is?.made_by, is?.ref, is?.mode]).toEqual(['rematch', before, 'duel']);
      const sides = (match?: Match) =>
        match?.teams.map(({ lobbies }) => lobbies.map(({ lobbyId }) => lobbyId));
      expect(sides(is)).toEqual(sides(was));
      await ask(`POST lobbies/${config}/me/end-match`, { player: 'ben' });
      await until(
        () => mine(config, 'ann'),
        ({ status }) => status === 'waiting',
      );
      before = id;
    }
  });

  it('counts a yes while the word that the game was ended is still on its way', async () => {
    const config = await arena();
    await createLobby(config, 'ann');
    await createLobby(config, 'ben');
    await search(config, 'ann');
    await search(config, 'ben');
    await playing(config, 'ann');
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    expect((await again(config, 'ann')).body.rematch?.yes).toBe(1);
    await shown(config, 'ben', 1);
  });

  it.for([
    ['says no', 'DELETE lobbies/:config/me/rematch'],
    ['searches', 'POST lobbies/:config/me/matchmaking'],
    ['starts a game', 'POST lobbies/:config/me/start'],
    ['leaves', 'DELETE lobbies/:config/me'],
  ] as const)('is off once the other lobby %s', async ([, line]) => {
    const config = await arena();
    await met(config);
    await again(config, 'ann');
    await shown(config, 'ben', 1);
    const body = line.includes('matchmaking') ? { mode: 'duel' } : undefined;
    await ask(line.replace(':config', config), { player: 'ben', ...(body && { body }) });
    await shown(config, 'ann', undefined);
    const { status, body: refused } = await again(config, 'ann');
    expect([status, refused.code]).toEqual([409, 'INVALID_STATE']);
  });

  it('is off if the lobbies are no match of the mode any more', async () => {
    const config = await arena();
    await met(config);
    const { code } = await mine(config, 'ben');
    await joinLobby(config, 'cid', code);
    await again(config, 'ann');
    await again(config, 'ben');
    await shown(config, 'ann', undefined);
    expect((await mine(config, 'ben')).status).toBe('waiting');
  });

  it('needs a match that was played, and the host', async () => {
    const config = await arena();
    const { code } = await createLobby(config, 'ann');
    expect((await again(config, 'ann')).body.code).toBe('INVALID_STATE');
    await joinLobby(config, 'ben', code);
    expect((await again(config, 'ben')).body.code).toBe('NOT_HOST');
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    await ask(`POST lobbies/${config}/me/end-match`, { player: 'ann' });
    expect((await again(config, 'ann')).body.code).toBe('INVALID_STATE');
  });

  it('of one lobby begins with its yes', async () => {
    const config = await arena({ teams: 1, playersPerTeam: 2, minPlayersPerTeam: 1 });
    await createLobby(config, 'ann');
    const before = await played(config, 'ann');
    expect((await again(config, 'ann')).status).toBe(200);
    await playing(config, 'ann', before);
  });
});
