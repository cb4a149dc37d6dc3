// Who has come along to another config (record 0109): streams under the path of before, and those who watch.

import { describe, expect, it } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { configs, move, party } from './moving';
import { ask, createLobby, joinLobby, mine, saveConfig, SERVER } from './support';
import { listen } from './stream';

describe('a move', () => {
  it('leaves a stream that came along at the next lobby of its player under its path', async () => {
    const [a, b] = await configs();
    const { id: old } = await party(a, 'ann', 'ben');
    const events = await listen(a, 'ben');
    await events.next('connected');
    await move(a, 'ann', b);
    await events.next('connected', ({ config }) => config === b);
    const { id } = await createLobby(a, 'ben');
    await events.next('connected', (lobby) => lobby.id === id && lobby.config === a);
    // And not at the one that it has left.
    await ask(`PATCH lobbies/${b}/me`, { player: 'ann', body: { state: { hat: 'red' } } });
    await ask(`PATCH lobbies/${a}/me`, { player: 'ben', body: { state: { hat: 'blue' } } });
    const { players } = await events.next('lobby_updated');
    expect([players[0]?.state, (await mine(b, 'ben')).id]).toEqual([{ hat: 'blue' }, old]);
    await events.leave();
  });

  it('that was refused leaves requests and streams under the config of before as they were', async () => {
    const [a, b] = await configs();
    const { id, code } = await party(a, 'ann', 'ben');
    await joinLobby(a, 'cat', code);
    const events = await listen(a, 'cat');
    await events.next('connected');
    await move(a, 'ann', b);
    await events.next('connected', ({ config }) => config === b);
    const other = await createLobby(a, 'ben');
    const refused = await move(b, 'ann', a);
    expect(refused.body.issues).toEqual([{ path: 'ben', message: `is in another lobby of ${a}` }]);
    const found = [await mine(a, 'ann'), await mine(a, 'cat'), await mine(a, 'ben')];
    expect(found.map((lobby) => lobby.id)).toEqual([id, id, other.id]);
    await ask(`PATCH lobbies/${b}/me`, { player: 'ann', body: { state: { hat: 'red' } } });
    // By whichever event: the stream may begin anew meanwhile.
    const hatIn = (data: unknown): unknown =>
      (data as LobbyView | null)?.players[0]?.state?.['hat'];
    let heard = await events.any();
    while (hatIn(heard.data) !== 'red') {
      heard = await events.any();
    }
    await events.leave();
  });

  it('takes along who watches, where the other config has room for them', async () => {
    const places = { spectators: { max: 2 } };
    const [a, b] = await configs(places, places);
    const { id, code } = await party(a, 'ann', 'ben');
    const watch = (who: string) =>
      ask(`POST lobbies/${a}/join`, { player: who, body: { code, as: 'spectator' } });
    await watch('sue');
    await watch('tom');
    const events = await listen(a, 'sue');
    await events.next('connected');
    const { status } = await move(a, 'ann', b);
    expect(status).toBe(200);
    expect((await events.next('lobby_updated')).config).toBe(b);
    await events.next('connected', (lobby) => lobby.config === b && lobby.as === 'spectator');
    for (const path of [a, b]) {
      const seen = await mine(path, 'tom');
      expect([seen.id, seen.config, seen.as]).toEqual([id, b, 'spectator']);
    }
    await ask(`PATCH lobbies/${b}/me`, { player: 'ann', body: { state: { hat: 'red' } } });
    await events.next('lobby_updated', ({ players }) => players[0]?.state?.['hat'] === 'red');
    // As elsewhere, one lobby of a config holds them. Those who leave are free in both.
    const made = { player: 'tom', body: { name: 'den' } };
    expect((await ask(`POST lobbies/${b}`, made)).status).toBe(409);
    await ask(`DELETE lobbies/${a}/me`, { player: 'tom' });
    expect([(await ask(`POST lobbies/${b}`, made)).status]).toEqual([201]);
    // Whoever changes sides there keeps the path of before.
    await ask(`POST lobbies/${b}/join`, { player: 'sue', body: { code } });
    await ask(`POST lobbies/${b}/join`, { player: 'ben', body: { code, as: 'spectator' } });
    const sides = [await mine(a, 'sue'), await mine(a, 'ben')];
    expect(sides.map((lobby) => [lobby.id, lobby.as])).toEqual([
      [id, undefined],
      [id, 'spectator'],
    ]);
    await events.leave();
  });

  it('is refused for who watches and has no place there, with how many', async () => {
    const [a, b] = await configs({}, { spectators: { max: 2 } });
    const { code } = await party(a, 'ann', 'ben');
    for (const player of ['sue', 'tom']) {
      await ask(`POST lobbies/${a}/join`, { player, body: { code, as: 'spectator' } });
    }
    const none = await move(a, 'ann', b);
    expect([none.status, none.body.issues]).toEqual([
      409,
      [
        {
          path: 'spectators',
          message: `2 spectators are more than the 0 that a lobby may have in ${b}`,
        },
      ],
    ]);
    await saveConfig(b, { spectators: { max: 1 } });
    const few = await move(a, 'ann', b);
    expect(few.body.issues?.map(({ message }) => message)).toEqual([
      `2 spectators are more than the 1 that a lobby may have in ${b}`,
    ]);
    await saveConfig(b, { spectators: { max: 2 } });
    await ask(`PUT bans/sue`, { key: SERVER, body: { config: b } });
    await createLobby(b, 'tom');
    const banned = await move(a, 'ann', b);
    expect(banned.body.issues).toEqual([{ path: 'sue', message: `is banned from ${b}` }]);
    await ask(`DELETE bans/sue`, { key: SERVER });
    const elsewhere = await move(a, 'ann', b);
    expect(elsewhere.body.issues).toEqual([
      { path: 'tom', message: `is in another lobby of ${b}` },
    ]);
    // Nothing has changed for those who watch.
    expect((await mine(a, 'sue')).as).toBe('spectator');
    expect((await createLobby(b, 'sue')).config).toBe(b);
  });
});
