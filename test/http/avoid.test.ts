// Players who avoid each other: what a client or the backend may say, and that a bad list changes nothing
// (docs/internals/design.md A22).

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { ask, createLobby, freshConfig, saveConfig, SERVER, until } from './support';

const AVOID = { type: 'avoid', field: 'avoid', afterSeconds: 2 };
const WORDS = 'must be a list of at most 50 player ids';

async function configWith(mode: object, more: object = {}): Promise<string> {
  const config = freshConfig();
  await saveConfig(config, { ...more, matchmaking: { modes: { duel: mode } } });
  return config;
}

const queue = (config: string, player: string) =>
  ask<LobbyView & { detail?: string }>(`POST lobbies/${config}/me/matchmaking`, {
    player,
    body: { mode: 'duel' },
  });
const patch = (config: string, player: string, path: string, body: object) =>
  ask<LobbyView>(`PATCH lobbies/${config}/${path}`, { player, body });
const mine = async (config: string, player: string): Promise<LobbyView> =>
  (await ask<LobbyView>(`GET lobbies/${config}/me`, { player })).body;

describe('a list of players to avoid', () => {
  const bad = [
    7,
    'ben',
    { ben: true },
    [7],
    [''],
    ['..'],
    Array.from({ length: 51 }, (_, at) => `q${at}`),
  ];

  it('keeps a lobby from queueing if it is bad, in a state or the settings, and changes nothing', async () => {
    const config = await configWith({ rules: [AVOID] });
    await createLobby(config, 'ann');
    for (const avoid of bad) {
      await patch(config, 'ann', 'me', { state: { avoid } });
      const { status, body } = await queue(config, 'ann');
      expect([status, body]).toMatchObject([
        400,
        { code: 'VALIDATION_ERROR', detail: `player ann: state.avoid ${WORDS}` },
      ]);
    }
    await patch(config, 'ann', 'me', { state: { avoid: null } });
    await patch(config, 'ann', 'me/settings', { settings: { avoid: [7] } });
    expect((await queue(config, 'ann')).body.detail).toBe(`settings.avoid ${WORDS}`);
    expect(await mine(config, 'ann')).toMatchObject({ status: 'waiting', matchmaking: null });
    await patch(config, 'ann', 'me/settings', { settings: { avoid: null } });
    expect((await queue(config, 'ann')).status).toBe(200);
  });

  it('ends the search of a lobby that changes to a bad one, with the same sentence', async () => {
    const config = await configWith({ rules: [AVOID] });
    await createLobby(config, 'ann');
    await queue(config, 'ann');
    const { body } = await patch(config, 'ann', 'me/settings', { settings: { avoid: ['..'] } });
    expect(body).toMatchObject({
      status: 'waiting',
      returned: { reason: 'unmatchable', detail: `settings.avoid ${WORDS}` },
    });
  });

  it('is refused alike where the backend says it', async () => {
    const config = await configWith({ rules: [AVOID] }, { trusted: ['avoid'] });
    await ask('PUT players/avoider/attributes', {
      key: SERVER,
      body: { attributes: { avoid: [7] } },
    });
    await createLobby(config, 'avoider');
    await until(
      () => mine(config, 'avoider'),
      (lobby) => lobby.players[0]?.state !== null,
    );
    expect((await queue(config, 'avoider')).body.detail).toBe(
      `player avoider: state.avoid ${WORDS}`,
    );
    const own = await patch(config, 'avoider', 'me', { state: { avoid: ['ben'] } });
    expect([own.status, own.body]).toMatchObject([403, { code: 'FIELD_NOT_YOURS' }]);
  });

  it('keeps two apart until both have waited', async () => {
    const config = await configWith({ rules: [AVOID] });
    await createLobby(config, 'ann');
    await createLobby(config, 'ben');
    await patch(config, 'ann', 'me', { state: { avoid: ['ben'] } });
    await queue(config, 'ann');
    const begun = Date.now();
    await queue(config, 'ben');
    const found = await until(
      () => mine(config, 'ben'),
      ({ status }) => status !== 'in_queue',
    );
    expect(['match_found', 'matched', 'in_game']).toContain(found.status);
    expect(Date.now() - begun).toBeGreaterThanOrEqual(1_900);
  });
});

describe('a mode', () => {
  it('is refused with the sentence why', async () => {
    const refusedAs = async (mode: object): Promise<unknown> => {
      const body = { matchmaking: { modes: { duel: mode } } };
      const answer = await ask(`PUT lobby-configs/${freshConfig()}`, { key: SERVER, body });
      return [answer.status, JSON.stringify(answer.body)];
    };
    expect(await refusedAs({ rematch: 'avoid', playersPerTeam: 2 })).toEqual([
      400,
      expect.stringContaining('needs a mode of two teams of one player'),
    ]);
    expect(await refusedAs({ rules: [AVOID, AVOID] })).toEqual([
      400,
      expect.stringContaining('has more than one avoid rule'),
    ]);
    expect(await refusedAs({ rules: [{ ...AVOID, afterSeconds: 0.5 }] })).toEqual([
      400,
      expect.stringContaining('afterSeconds'),
    ]);
  });
});
