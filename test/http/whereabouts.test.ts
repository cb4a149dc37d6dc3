// GET /me: the lobbies of a player over all configs, for a game that was closed.

import { describe, expect, it } from 'vitest';
import type { Whereabouts } from '../../packages/js/src/types';
import { ask, askUnder, createLobby, freshConfig, joinLobby, saveConfig, SERVER } from './support';

const where = (player: string) => ask<Whereabouts>('GET me', { player });

describe('GET /me', () => {
  it('has each lobby of the player, how far it is, in which mode, and its link', async () => {
    const [quiet, linked, empty] = [freshConfig(), freshConfig(), freshConfig()];
    await saveConfig(quiet, { matchmaking: { modes: { duel: {} } } });
    await saveConfig(linked, { invite: { url: 'mygame://{code}' } });
    await saveConfig(empty, {});
    const one = await createLobby(quiet, 'ann');
    const { code, id } = await createLobby(linked, 'ben');
    await joinLobby(linked, 'ann', code);
    await createLobby(empty, 'ben');
    await ask(`POST lobbies/${quiet}/me/matchmaking`, { player: 'ann', body: { mode: 'duel' } });
    const { status, body } = await where('ann');
    const searching = { id: one.id, config: quiet, status: 'in_queue', mode: 'duel' };
    const waiting = { id, config: linked, status: 'waiting', mode: null };
    expect([status, body]).toEqual([200, { player: 'ann', lobbies: [searching, waiting] }]);
    const site = { PUBLIC_URL: 'https://play.example.com' };
    const shown = await askUnder<Whereabouts>(site, 'GET me', { player: 'ann' });
    const invite_url = `https://play.example.com/join/${linked}/${code}`;
    expect(shown.body.lobbies).toEqual([searching, { ...waiting, invite_url }]);
    await ask(`DELETE lobbies/${linked}/me`, { player: 'ann' });
    expect((await where('ann')).body.lobbies).toEqual([searching]);
  });

  it('is empty for a player in no lobby, and for lobbies of names that are not saved', async () => {
    await createLobby(freshConfig(), 'eve');
    expect((await where('eve')).body).toEqual({ player: 'eve', lobbies: [] });
  });

  it('needs a player', async () => {
    expect((await ask('GET me')).status).toBe(400);
    expect((await ask('GET me', { key: null, player: 'ann' })).status).toBe(401);
    expect((await ask<Whereabouts>('GET me', { key: SERVER, player: 'nobody' })).status).toBe(200);
  });

  it('counts as a request for each config, so that it costs what it is worth', async () => {
    for (let at = 0; at < 4; at += 1) {
      await saveConfig(freshConfig(), {});
    }
    const few = { LIMITS: JSON.stringify({ requests: { player: '20/6000s' } }) };
    const statuses: number[] = [];
    for (let at = 0; at < 8; at += 1) {
      statuses.push((await askUnder(few, 'GET me', { player: 'greedy' })).status);
    }
    expect(statuses[0]).toBe(200);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(3);
  });
});
