// What is typed one way and kept another: integers that JSON cannot hold are refused at every door, and times are said
// in UTC (decision 63).

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tokenOf } from '../support/tokens';
import { ask, createLobby, freshConfig, SERVER } from './support';

const server = { key: SERVER };

describe('an integer beyond 2^53', () => {
  const SENTENCE =
    ': 76561197960287940 is beyond 2^53, where numbers lose their last digits: send it as a string';
  const LONG = '{"steam":{"id":76561197960287933}}';

  const doors: [string, string, string, object][] = [
    ['POST lobbies/CONFIG', `{"name":"Den","state":${LONG}}`, 'state', { player: 'ann' }],
    ['POST lobbies/CONFIG', `{"name":"Den","settings":${LONG}}`, 'settings', { player: 'ann' }],
    ['POST lobbies/CONFIG/join', `{"code":"A","state":${LONG}}`, 'state', { player: 'bob' }],
    ['PATCH lobbies/CONFIG/me', `{"state":${LONG}}`, 'state', { player: 'cat' }],
    ['PATCH lobbies/CONFIG/me/settings', `{"settings":${LONG}}`, 'settings', { player: 'cat' }],
    ['PUT players/ann/attributes', `{"attributes":${LONG}}`, 'attributes', server],
    ['PATCH players/ann/attributes', `{"attributes":${LONG}}`, 'attributes', server],
    [
      'POST players/attributes',
      `{"players":[{"id":"a","attributes":${LONG}}]}`,
      'players[0].attributes',
      server,
    ],
    ['POST players/ann/token', `{"attributes":${LONG}}`, 'attributes', server],
    ['PUT lobby-configs/CONFIG', `{"customProperties":${LONG}}`, 'customProperties', server],
  ];

  it.each(doors)('is refused with its place: %s %s', async (line, body, field, who) => {
    const config = freshConfig();
    await createLobby(config, 'cat');
    const answer = await ask(line.replace('CONFIG', config), { ...who, body });
    expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.detail).toBe(`${field}.steam.id${SENTENCE}`);
  });

  it('is kept as a text', async () => {
    const lobby = await createLobby(freshConfig(), 'ann', { state: { id: '76561197960287933' } });
    expect(lobby.players[0]?.state).toEqual({ id: '76561197960287933' });
  });

  describe('in a token', () => {
    const setAuth = (playerAuth: string) =>
      ask('POST projects/settings', { ...server, body: { playerAuth } });
    const secret = 'a-secret-of-the-backend-0123456789';
    beforeAll(async () => {
      await ask('POST projects/token-secrets', { ...server, body: { secret } });
      await setAuth('token');
    });
    afterAll(() => setAuth('trust'));

    it('is refused too', async () => {
      const token = await tokenOf(secret, { claims: { attributes: { id: 2 ** 53 } } });
      const headers = { 'x-player-token': token };
      const { status, body } = await ask(`GET lobbies/${freshConfig()}/me`, { headers });
      expect([status, body.detail]).toEqual([
        401,
        "The token's attributes.id: 9007199254740992 is beyond 2^53, where numbers lose their last digits: send it as a string",
      ]);
    });
  });
});

describe('the time when something ends', () => {
  const TYPED = '2099-01-01T01:00:00+02:00';
  const SAID = '2098-12-31T23:00:00.000Z';

  // decision 63
  it('is said in UTC: of a ban', async () => {
    await ask('PUT bans/mal', { ...server, body: { until: TYPED } });
    const list = await ask<{ bans: { until: string }[] }>('GET bans?playerId=mal', server);
    expect(list.body.bans.map(({ until }) => until)).toEqual([SAID]);
    const body = { name: 'Den' };
    const refused = await ask(`POST lobbies/${freshConfig()}`, { player: 'mal', body });
    expect(refused.body).toMatchObject({ code: 'BANNED', until: SAID });
  });

  // decision 63
  it('is said in UTC: of a closure', async () => {
    const line = `lobby-configs/${freshConfig()}`;
    const closed = { message: 'Patch day', until: TYPED };
    await ask(`PUT ${line}`, { ...server, body: { closed } });
    const read = await ask(`GET ${line}`, server);
    expect(read.body).toMatchObject({ closed: { message: 'Patch day', until: SAID } });
    const settings = await ask('POST projects/settings', { ...server, body: { closed } });
    expect(settings.body).toMatchObject({ closed: { until: SAID } });
    await ask('POST projects/settings', { ...server, body: { closed: false } });
  });
});
