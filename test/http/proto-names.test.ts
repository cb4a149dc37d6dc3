// Names that every object has are names like any other, or are refused: nowhere does one name what nobody has saved, and
// nowhere is one dropped without a word.

import { describe, expect, it } from 'vitest';
import { ask, createLobby, freshConfig, SERVER } from './support';

const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', 'prototype'];
const server = { key: SERVER };

describe.each(NAMES)('%s', (name) => {
  it.each([
    ['DELETE projects/logins/', 404],
    ['PUT projects/logins/', 404],
    ['POST login/', 404],
    ['DELETE projects/token-secrets/', 404],
    ['DELETE builds/', [400, 404]],
    ['DELETE lobby-configs/', [400, 404]],
  ])('is nothing that %s finds', async (line, expected) => {
    const { status } = await ask(`${line}${name}`, {
      ...server,
      player: 'ann',
      body: { token: 'x' },
    });
    expect([expected].flat()).toContain(status);
  });

  it('is an attribute like any other: put, merged and read', async () => {
    const player = `of-${name}`;
    const attributes = `{"attributes":{"${name}":{"a":1},"mmr":2}}`;
    for (const verb of ['PUT', 'PATCH']) {
      const put = await ask(`${verb} players/${player}/attributes`, {
        ...server,
        body: attributes,
      });
      expect([verb, put.status]).toEqual([verb, 200]);
      const { body } = await ask<{ readonly attributes: object }>(
        `GET players/${player}/attributes`,
        server,
      );
      expect(JSON.stringify(body.attributes)).toBe(`{"${name}":{"a":1},"mmr":2}`);
    }
    const body = `{"players":[{"id":"${player}","attributes":{"${name}":7}}]}`;
    expect((await ask('POST players/attributes', { ...server, body })).status).toBe(200);
    const read = await ask(`GET players/${player}/attributes`, server);
    expect(JSON.stringify(read.body)).toContain(`"${name}":7`);
  });

  it('is a key of state and settings like any other', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const state = `{"state":{"${name}":{"a":1}}}`;
    const patched = await ask(`PATCH lobbies/${config}/me`, { player: 'ann', body: state });
    const settings = `{"settings":{"${name}":{"b":2}}}`;
    await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: settings });
    const read = await ask(`GET lobbies/${config}/me`, { player: 'ann' });
    expect([patched.status, read.status]).toEqual([200, 200]);
    expect(JSON.stringify(read.body)).toContain(`"${name}":{"a":1}`);
    expect(JSON.stringify(read.body)).toContain(`"${name}":{"b":2}`);
  });

  it('is a player like any other', async () => {
    const config = freshConfig();
    expect((await createLobby(config, name)).host).toBe(name);
    expect((await ask(`GET players/${name}`, server)).status).toBe(200);
  });
});
