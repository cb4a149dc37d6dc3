// Who is in lobbies, and why one of them waits, as an operator finds it.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { needs } from '../support/tools.ts';
import { openSite, type Site } from './browser.ts';
import { type Desk, deskIn } from './desk.ts';

let site: Site;
let page: Page;
let open: Desk['open'];
let looked: Desk['looked'];

beforeAll(async () => {
  site = await openSite('players');
  const rules = [{ type: 'difference', field: 'mmr', maxDifference: 50 }];
  const matchmaking = { modes: { duel: { timeout: 600, rules } } };
  await site.operator.ok('PUT', '/lobby-configs/arena', { matchmaking });
  for (const [name, mmr] of [
    ['ann', 1000],
    ['bob', 2000],
  ] as const) {
    const player = new Player(site.running.url, name);
    await player.ok('POST', '/lobbies/arena', { name, state: { mmr } });
    await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  }
  await new Player(site.running.url, 'carol').ok('POST', '/lobbies/arena', { name: 'carol' });
  ({ page, open, looked } = await deskIn(site));
});

afterAll(() => site.stop());

describe.runIf(needs('chromium'))('an operator', () => {
  it('sees who is in lobbies, and by one click more why one waits', async () => {
    await open('Players');
    await page.getByRole('row', { name: /ann in queue .*duel/ }).waitFor();
    await page.getByRole('row', { name: /carol waiting/ }).waitFor();
    await page.getByText('3 players in public lobbies').waitFor();
    await looked('players');
    await page.getByLabel('Part of an id, on this page').fill('AN');
    await page.getByRole('row', { name: /carol/ }).waitFor({ state: 'detached' });
    await page.getByRole('row', { name: /ann/ }).getByRole('link', { name: 'ann' }).click();
    await page.getByRole('heading', { name: 'Player ann' }).waitFor();
    await page.getByRole('button', { name: /^Explain/ }).click();
    await page.getByRole('heading', { name: /^Why lobby .* is waiting/ }).waitFor();
    await page.getByText('1 of 1').first().waitFor();
    await looked('player-explained');
  });

  it('finds a player by a part of the id, from any page and without a mouse', async () => {
    await open('Audit');
    // The title of a new page takes the focus.
    await page.locator('h1:focus', { hasText: 'Audit' }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('AR');
    const found = page.getByRole('list', { name: 'Suggestions' });
    await found.getByRole('link', { name: 'arena config' }).waitFor();
    await found.getByRole('link', { name: /^carol in arena, lobby [0-9a-f]{8}$/ }).waitFor();
    await looked('suggested');
    await page.keyboard.press('Escape');
    await found.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('ob');
    await found.getByRole('link', { name: /^bob in arena/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Player bob' }).waitFor();
    expect(await found.count()).toBe(0);
    await page.getByRole('searchbox').fill('aro');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Player carol' }).waitFor();
  });
});
