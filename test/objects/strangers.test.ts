// What requests leave in the memory of a box: ids that Muster never gave make no actor, and the actors
// of configs that nobody saved are let go once they are idle. What they leave on the disk is counted in
// test/security.

import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { boxOf } from '../../src/objects/placement/at';
import type { Box } from '../../src/objects/placement/box/box';
import { loopTurn, requestOf, SERVER, type Asked } from '../http/support';
import { eventually } from '../support/eventually';

const { BOX_UNDER_TEST } = env as unknown as { BOX_UNDER_TEST: DurableObjectNamespace };
const box = boxOf(BOX_UNDER_TEST);

async function ask(line: string, asked: Asked = {}): Promise<number> {
  await loopTurn();
  const response = await box.fetch(requestOf(line, asked));
  await response.text();
  return response.status;
}

function residents(): Promise<number> {
  return (box as unknown as Box).residents();
}

describe('on a box', () => {
  it('an id that nobody was given makes no actor, whoever asks', async () => {
    const eve = { player: 'eve' };
    const bearer = { key: null, headers: { authorization: 'Bearer made-up' } };
    // What asking needs: the project, a seat and a directory.
    await ask('POST lobbies/arena/join', { ...eve, body: { code: 'NONE-11' } });
    const before = await residents();
    expect(before).toBeGreaterThan(0);
    for (let time = 0; time < 50; time += 1) {
      const id = crypto.randomUUID();
      const statuses = [
        await ask(`POST servers/${id}/status`, { ...bearer, body: { status: 'running' } }),
        await ask(`GET servers/${id}`, eve),
        await ask('POST lobbies/arena/join', { ...eve, body: { lobbyId: id } }),
        await ask(`DELETE servers/${id}`, { key: SERVER }),
        await ask(`POST servers/${id}/restart`, { key: SERVER }),
        await ask(`GET servers/${id}/logs`, { key: SERVER }),
        await ask(`GET lobbies/arena/${id}`, { key: SERVER }),
      ];
      expect(new Set(statuses)).toEqual(new Set([404]));
    }
    expect(await residents()).toBeLessThanOrEqual(before);
    // Counting sees what an id of ours makes.
    expect(await ask('POST lobbies/arena', { player: 'ann', body: { name: 'a lobby' } })).toBe(201);
    expect(await residents()).toBeGreaterThan(before);
  });

  it('the actors of configs that nobody saved are let go once they are idle', async () => {
    for (let index = 0; index < 20; index += 1) {
      expect(await ask(`GET lobbies/made-up-${index}`, { player: 'eve' })).toBe(200);
      expect(await ask(`GET lobbies/made-up-${index}/me`, { player: 'eve' })).toBe(404);
    }
    expect(await residents()).toBeGreaterThan(20);
    const areGone = async (): Promise<boolean> => (await residents()) <= 1;
    await eventually('they are gone', areGone);
  });
});
