// ICE servers by the front door: who gets which.

import { describe, expect, it } from 'vitest';
import { matchmade, queue } from './parties';
import { ask, askUnder, createLobby, freshConfig, mine, until } from './support';

const RELAYS = {
  ICE_STUN: 'stun:turn.example:3478',
  ICE_TURN: 'turn:turn.example:3478',
  ICE_TURN_SECRET: 's3cret',
};

async function kinds(config: string, player: string): Promise<readonly string[]> {
  const line = `GET lobbies/${config}/me/ice`;
  interface Told {
    readonly iceServers: readonly { readonly urls: readonly string[] }[];
    readonly code?: string;
  }
  const { body } = await askUnder<Told>(RELAYS, line, { player });
  const urls = body.iceServers?.flatMap((each) => each.urls.map((url) => url.split(':')[0] ?? ''));
  return urls ?? [String(body.code)];
}

describe('GET /me/ice', () => {
  it('has relays for the members of a game that starts, forms or runs, and STUN for others', async () => {
    const config = await matchmade({ duel: { matchConfirmation: { enabled: true } } });
    expect(await kinds(config, 'ann')).toEqual(['LOBBY_NOT_FOUND']);
    for (const player of ['ann', 'bob']) {
      await createLobby(config, player);
      expect(await kinds(config, player)).toEqual(['stun']);
      await queue(config, player);
    }
    await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'match_found',
    );
    expect(await kinds(config, 'ann')).toEqual(['stun', 'turn']);
    await ask(`DELETE lobbies/${config}/me/confirm-match`, { player: 'ann' });
    await until(
      () => mine(config, 'ann'),
      ({ status }) => status === 'waiting',
    );
    expect(await kinds(config, 'ann')).toEqual(['stun']);
    await ask(`POST lobbies/${config}/me/start`, { player: 'ann' });
    expect(await kinds(config, 'ann')).toEqual(['stun', 'turn']);
  });

  it('is answered twenty times a minute to a player', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const slow = { LIMITS: '{"ice":{"player":"20/6000s"}}' };
    const all: number[] = [];
    for (let count = 0; count < 22; count += 1) {
      const line = `GET lobbies/${config}/me/ice`;
      all.push((await askUnder(slow, line, { player: 'ann' })).status);
    }
    expect(all.filter((status) => status === 200)).toHaveLength(20);
    expect(all.at(-1)).toBe(429);
  });
});
