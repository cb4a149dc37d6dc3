// Requests for ids that Muster never gave make no object, whoever asks (record 0017).

import { env } from 'cloudflare:workers';
import { listDurableObjectIds } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { boxOf } from '../../src/objects/placement/at';
import type { Box } from '../../src/objects/placement/box/box';
import type { Env } from '../../src/objects/placement/env';
import { ask, createLobby, fetchRaw, freshConfig, SERVER } from './support';

async function objects(): Promise<readonly number[]> {
  const { BOX, LOBBIES, SERVERS } = env as unknown as Env;
  if (BOX !== undefined) {
    return [await (boxOf(BOX) as unknown as Box).residents()];
  }
  const lists = [LOBBIES, SERVERS].map((namespace) => listDurableObjectIds(namespace));
  return (await Promise.all(lists)).map((ids) => ids.length);
}

describe('an id that nobody was given', () => {
  it('makes no object', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const before = await objects();
    expect(before[0]).toBeGreaterThan(0);
    for (let count = 0; count < 5; count += 1) {
      const id = crypto.randomUUID();
      const headers = { authorization: 'Bearer made-up' };
      const body = { status: 'running' };
      const report = await fetchRaw(`POST servers/${id}/status`, { key: null, headers, body });
      const answers = [
        report.status,
        (await ask(`GET servers/${id}`)).status,
        (await ask(`DELETE servers/${id}`, { key: SERVER })).status,
        (await ask(`GET lobbies/${config}/${id}`, { key: SERVER })).status,
        (await ask(`DELETE lobbies/${config}/${id}`, { key: SERVER })).status,
        (await ask(`POST lobbies/${config}/join`, { player: 'eve', body: { lobbyId: id } })).status,
      ];
      expect(answers).toEqual([404, 404, 404, 404, 404, 404]);
    }
    expect(await objects()).toEqual(before);
  });
});
