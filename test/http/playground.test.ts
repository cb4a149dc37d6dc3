// Where the dashboard's phantom players play: beside real ones, by the same rules, never with them.

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { ask, createLobby, freshConfig, mine, saveConfig, SERVER, until } from './support';

const DUEL = { matchmaking: { modes: { duel: { timeout: 600 } } } };

/** A phantom with a lobby that searches, through the server key. */
async function phantom(config: string, player: string): Promise<LobbyView> {
  const asked = { key: SERVER, player };
  const path = `lobbies/${config}~playground`;
  const made = await ask<LobbyView>(`POST ${path}`, { ...asked, body: { name: 'Phantom' } });
  expect(made.status).toBe(201);
  const queued = await ask<LobbyView>(`POST ${path}/me/matchmaking`, {
    ...asked,
    body: { mode: 'duel' },
  });
  expect(queued.status).toBe(200);
  return queued.body;
}

describe('the playground of a config', () => {
  it('has a queue of its own: a phantom and a real player never meet, two phantoms do', async () => {
    const config = freshConfig();
    await saveConfig(config, DUEL);
    await createLobby(config, 'ann');
    await ask(`POST lobbies/${config}/me/matchmaking`, { player: 'ann', body: { mode: 'duel' } });
    // The same id as a real player's is another seat.
    await phantom(config, 'ann');
    expect((await mine(config, 'ann')).matchmaking?.queueStats).toMatchObject({
      lobbiesInQueue: 1,
    });
    await phantom(config, 'phantom-2');

    const read = async (): Promise<LobbyView> =>
      (await ask<LobbyView>(`GET lobbies/${config}~playground/me`, { key: SERVER, player: 'ann' }))
        .body;
    const played = await until(read, ({ status }) => status === 'in_game');
    expect(played.config).toBe(`${config}~playground`);
    expect((await mine(config, 'ann')).status).toBe('in_queue');
  });

  it('follows the mode as it is saved', async () => {
    const config = freshConfig();
    await saveConfig(config, DUEL);
    await phantom(config, 'one');
    await saveConfig(config, {});
    const read = async (): Promise<LobbyView> =>
      (await ask<LobbyView>(`GET lobbies/${config}~playground/me`, { key: SERVER, player: 'one' }))
        .body;
    expect((await until(read, ({ status }) => status === 'waiting')).matchmaking).toBeNull();
  });

  it('is no config to a client key, and none can be saved there', async () => {
    const config = freshConfig();
    await saveConfig(config, DUEL);
    const body = { name: 'Den' };
    for (const line of [
      `POST lobbies/${config}~playground`,
      `POST lobbies/${config}%7Eplayground`,
    ]) {
      const refused = await ask(line, { player: 'eve', body });
      expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect((await ask(`GET lobbies/${config}~playground`)).status).toBe(400);
    const twice = await ask(`GET lobbies/${config}~playground~playground`, { key: SERVER });
    expect(twice.status).toBe(400);
    const saved = await ask(`PUT lobby-configs/${config}~playground`, { key: SERVER, body: DUEL });
    expect(saved.status).toBe(400);
  });

  it('is not counted among the real ones', async () => {
    const config = freshConfig();
    await saveConfig(config, DUEL);
    await phantom(config, 'one');
    interface Page {
      readonly total: number;
    }
    expect((await ask<Page>(`GET lobbies/${config}`)).body.total).toBe(0);
    const theirs = await ask<Page>(`GET lobbies/${config}~playground`, { key: SERVER });
    expect(theirs.body.total).toBe(1);
  });
});
