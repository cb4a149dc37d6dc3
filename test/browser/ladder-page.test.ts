// The page of a ladder in a real browser: a mode is made rated in its editor, the ladder is read from the top and
// around a player, and a season ends.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { needs } from '../support/tools.ts';
import { openSite, pageIn, signedIn, type Site } from './browser.ts';

const PLAYERS = 120;
const LADDER = { config: 'arena', mode: 'ranked' };

let site: Site;

beforeAll(async () => {
  site = await openSite('ladder');
  await site.operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes: { ranked: {} } } });
});

afterAll(() => site.stop());

describe.runIf(needs('chromium'))('a ladder', () => {
  it('is made in the editor of a mode, read, and ended', async () => {
    const { url, serverKey } = site.running;
    const page = await pageIn(site, await site.browser.newContext());
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await signedIn(site, page, '#/configs/arena');
    await page.getByLabel('Rate players by results').check();
    await page.getByLabel('Field of the ladder').fill('elo points');
    await page
      .getByText(/must be a letter, then up to 49/)
      .first()
      .waitFor();
    await page.getByLabel('Field of the ladder').fill('elo');
    await button('Save config').click();
    await page.getByText('All saved').waitFor();
    await page.getByRole('link', { name: 'View ladder' }).click();
    await page.getByText('Nobody is on the ladder yet').waitFor();

    const players = Array.from({ length: PLAYERS }, (_, n) => {
      return { player: `p${n}`, mu: 40 - n / 10, sigma: 2, games: 10 };
    });
    const admin = new MusterAdmin({ url, key: serverKey });
    await admin.importRatings(LADDER, players);
    const row = (name: string | RegExp) => page.getByRole('row', { name });
    await page.goto(`${url}/dashboard/#/players/p60`);
    await page.getByRole('link', { name: 'elo', exact: true }).click();
    await row(/^61 p60 /).waitFor();
    expect(await row(/^61 p60 /).getAttribute('aria-current')).toBe('true');
    await page.getByRole('link', { name: 'The best first' }).click();
    await row(/^1 p0 2632 96 10$/).waitFor();
    const first = async (): Promise<string | null> =>
      page.locator('tbody tr').first().locator('td').first().textContent();
    const rating = page.getByRole('columnheader', { name: 'Rating' });
    await button('Rating').click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    expect(await first()).toBe('p49');
    await button('Player').click();
    expect(await rating.getAttribute('aria-sort')).toBeNull();
    expect(await page.locator('tbody tr').nth(2).locator('td').first().textContent()).toBe('p2');
    await button('Player').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    expect(await first()).toBe('p49');
    await button('Player').click();
    expect(await first()).toBe('p0');
    await button('Next').click();
    await row(/^51 p50 /).waitFor();
    await page.getByLabel('Around the player').fill('nobody');
    await button('Show').click();
    await page.getByText('nobody is not rated yet: a new player would stand here').waitFor();

    await page.goto(`${url}/dashboard/#/ladder/arena/ranked`);
    await page.getByLabel('Reset toward the starting rating, 0 to 1').fill('1');
    await button('End season 1').click();
    const dialog = page.getByRole('dialog', { name: 'End season 1' });
    await dialog.getByText('Every rating moves 1 of the way').waitFor();
    await dialog.getByRole('button', { name: 'End season 1' }).click();
    await row(/^1 p\d+ 1000 400 0$/).waitFor();
    await page.getByLabel('Season', { exact: true }).selectOption('1');
    await row(/^1 p0 2632 96 10$/).waitFor();
    expect(site.complaints).toEqual([]);
  });
});
