// What of a server is carried about: whole where it is read, bounded in lobbies and lists.

import { describe, expect, it } from 'vitest';
import type { ServerBlock } from '../../src/fleet/port';
import type { ServerPage } from '../../packages/js/src/admin-types.ts';
import { ask, SERVER, until } from '../http/support';
import { matchmade, party, playing } from '../http/parties';

const large = { text: 'x'.repeat(12_000) };

describe('what a match tells its server', () => {
  it('is read whole with the server, and left out of lobbies and lists where it is large', async () => {
    const config = await matchmade({ duel: {} });
    await party(config, 'duel', { ann: large });
    await party(config, 'duel', { bob: large });
    const { server } = await playing(config, 'ann');
    expect(server?.custom_data).toEqual({});
    const id = server?.instance_id ?? '';
    const { body } = await ask<ServerBlock>(`GET servers/${id}`, { key: SERVER });
    expect(body.custom_data).toMatchObject({ all_players: ['ann', 'bob'] });
    expect(JSON.stringify(body.custom_data).length).toBeGreaterThan(24_000);
    // The server key sees how it ended besides.
    const ending = { exit_code: null, signal: null, output: null, detail: null };
    expect({ ...body, custom_data: {} }).toEqual({ ...server, ...ending, ticket: undefined });
    const page = await until(
      async () => (await ask<ServerPage>('GET servers', { key: SERVER })).body,
      ({ servers }) => servers.some(({ instance_id: each }) => each === id),
    );
    const listed = page.servers.find(({ instance_id: each }) => each === id);
    expect(listed?.custom_data).toEqual({});
  });
});
