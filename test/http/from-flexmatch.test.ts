// The modes of docs/from-flexmatch.md are saved as the page has them, and one of them is played.

import { describe, expect, it } from 'vitest';
import type { LobbyConfig } from '../../src/lobby/config';
import page from '../../docs/from-flexmatch.md?raw';
import { modesIn } from '../support/modes-of-page';
import { matchmade, party, playing } from './parties';
import { ask, freshConfig, mine, SERVER } from './support';

const MODES = Object.entries(modesIn(page));

describe('the modes of the page about FlexMatch', () => {
  it('are those of its eleven examples', () => {
    const linked = [...page.matchAll(/match-examples-(\d+)\.html\) \| \[([a-z]+)\]/g)];
    expect(linked.map(([, at]) => Number(at))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(linked.map(([, , name]) => name)).toEqual(MODES.map(([name]) => name));
  });

  it.each(MODES)('are saved as they are: %s', async (name, mode) => {
    const config = freshConfig();
    const asked = { key: SERVER, body: { matchmaking: { modes: { [name]: mode } } } };
    const saved = await ask<LobbyConfig & { readonly warnings: readonly unknown[] }>(
      `PUT lobby-configs/${config}`,
      asked,
    );
    expect([saved.status, saved.body.warnings]).toEqual([200, []]);
    expect(saved.body.matchmaking.modes[name]).toMatchObject(mode);
  });

  it('are played: two with different characters on the same map', async () => {
    const config = await matchmade(Object.fromEntries(MODES.slice(0, 10)));
    const chosen = { gameMode: 'turn-based', gameMap: 1 };
    await party(config, 'duel', { ann: { ...chosen, character: 1 } });
    await party(config, 'duel', { ben: { ...chosen, character: 1 } });
    await party(config, 'duel', { cat: { ...chosen, character: 2 } });
    const { matchId } = await playing(config, 'ann');
    expect((await playing(config, 'cat')).matchId).toBe(matchId);
    expect((await mine(config, 'ben')).status).toBe('in_queue');
  });
});
