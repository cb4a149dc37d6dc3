// The overview in a real browser: what lives comes first, and small things are said as people say them.
// With SCREENSHOTS=<folder> the page is put there.

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

let site: Site;
let page: Page;

beforeAll(async () => {
  site = await openSite('overview');
  const { operator, running } = site;
  for (const name of Array.from({ length: 12 }, (_, index) => `idle${index}`)) {
    await operator.ok('PUT', `/lobby-configs/${name}`, {});
  }
  const closed = { message: 'Soon', until: '2099-11-24T10:00:00Z' };
  await operator.ok('PUT', '/lobby-configs/shut', { closed });
  await operator.ok('PUT', '/lobby-configs/zoo', { matchmaking: { modes: { duel: {} } } });
  await new Player(running.url, 'ann').ok('POST', '/lobbies/zoo', { name: 'ann' });
});

afterAll(() => site.stop());

describe.runIf(needs('chromium'))('the overview', () => {
  it('has charts before the table of all configs, and the busiest config first', async () => {
    page = await pageIn(
      site,
      await site.browser.newContext({ viewport: { width: 1440, height: 900 } }),
    );
    await signedIn(site, page);
    const rows = page.getByRole('table', { name: 'Lobbies by status' }).getByRole('rowheader');
    await rows.first().waitFor();
    expect(await rows.first().textContent()).toBe('zoo');
    const chart = page.locator('.chart').first();
    await chart.waitFor();
    const box = await chart.boundingBox();
    expect(box?.y ?? Infinity).toBeLessThan(900);
  });

  it('counts one as one', async () => {
    await page.getByText('players, across 1 queue', { exact: true }).waitFor();
    await page.getByText('1 player', { exact: true }).waitFor();
  });

  it('has no times as machines write them, and no empty values in legends', async () => {
    const text = await page.evaluate(() => document.body.innerText);
    expect(text).toContain('shut is closed until');
    expect(text).not.toMatch(/\d{4}-\d\d-\d\dT/);
    expect(text).toContain('formed');
    expect(text).not.toContain('--');
    await page.locator('.u-over').first().hover();
    await page.locator('.u-legend').first().getByText('Time', { exact: true }).waitFor();
    await page.mouse.move(0, 0);
    expect(await findingsOn(page, 'overview')).toEqual([]);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) {
      await page.screenshot({ path: join(folder, 'overview.png'), fullPage: true });
    }
    await page.context().close();
    expect(site.complaints).toEqual([]);
  });
});

describe.runIf(needs('chromium'))('a list of matches', () => {
  const MOST = 50;

  async function opened(width: number): Promise<Page> {
    const viewport = { width, height: 900 };
    const it = await pageIn(site, await site.browser.newContext({ viewport }));
    // Of today, also right after midnight: a date takes one more line.
    const midnight = new Date().setHours(0, 0, 0, 0);
    const items = Array.from({ length: MOST }, (_, index) => ({
      id: `${String(index).padStart(8, '0')}-0000-4000-8000-000000000000`,
      config: 'arena',
      mode: 'duos',
      outcome: 'failed',
      formedAt: new Date(Math.max(midnight, Date.now() - index * 60_000)).toISOString(),
      players: 4,
      short: index % 2 === 1,
      waitedSeconds: 12,
      playedSeconds: 600,
      build: 'default',
      region: 'eu-west',
      reason: 'launch_failed',
      ...(index === 1 && { made_by: 'key', ref: 'x'.repeat(128) }),
    }));
    await it.route('**/v3/matches?*', (route) => route.fulfill({ json: { items, next: null } }));
    await signedIn(site, it, '#/matches/');
    await it.getByRole('row').nth(MOST).waitFor();
    expect(await findingsOn(it, `matches at ${width} px`)).toEqual([]);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) {
      await it.screenshot({ path: join(folder, `matches-${width}.png`) });
    }
    return it;
  }

  it('has cards on a phone that are short, and says all that it says elsewhere', async () => {
    const phone = await opened(390);
    const height = await phone.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThan(10_000);
    const last = phone.getByRole('row').last();
    for (const text of ['arena / duos', '4 (not full)', '12 s', '10 min', 'eu-west']) {
      await last.getByText(text).waitFor();
    }
    await phone.context().close();
  });

  it('has numbers on the right, below their heads', async () => {
    const wide = await opened(1440);
    const alignOf = (name: string, role: 'cell' | 'columnheader'): Promise<string> =>
      wide
        .getByRole(role, { name, exact: true })
        .first()
        .evaluate((it) => getComputedStyle(it).textAlign);
    expect([await alignOf('Wait', 'columnheader'), await alignOf('12 s', 'cell')]).toEqual([
      'right',
      'right',
    ]);
    expect([await alignOf('Build', 'columnheader'), await alignOf('default', 'cell')]).toEqual([
      'left',
      'left',
    ]);
    await wide.context().close();
  });
});
