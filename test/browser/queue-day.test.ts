// The day of a queue in a real browser: wait against fairness, each hour a point. With SCREENSHOTS=<folder> the
// pictures are put there.

import type { Trends } from '../../packages/js/src/dashboard-types.ts';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

const HOUR_MS = 3_600_000;
const TRENDS = '**/v3/admin/trends?*';

let site: Site;

beforeAll(async () => {
  site = await openSite('queue-day');
  const rules = [{ type: 'difference', field: 'skill', maxDifference: 100 }];
  const rating = { field: 'mmr', system: 'openskill' };
  const modes = { duel: { rules, rating, targetWait: 12 }, any: {} };
  await site.operator.ok('PUT', '/lobby-configs/even', { matchmaking: { modes } });
});

afterAll(() => site.stop());

async function open(mode: string): Promise<Page> {
  const viewport = { width: 1440, height: 900 };
  const page = await pageIn(site, await site.browser.newContext({ viewport }));
  await signedIn(site, page, `#/queues/even/${mode}`);
  return page;
}

async function playOne(mode: string, names: readonly string[]): Promise<void> {
  const players = names.map((name) => new Player(site.running.url, name));
  for (const [at, each] of players.entries()) {
    const state = { skill: 1500 - 60 * at };
    await each.ok('POST', '/lobbies/even', { name: 'Den', state });
    await each.ok('POST', '/lobbies/even/me/matchmaking', { mode });
  }
  await eventually('they have a match', async () => {
    return typeof (await players[0]?.ok('GET', '/lobbies/even/me'))?.matchId === 'string';
  });
}

/** A day in which it is soon and uneven at first, and later and more even towards its end. */
function day(now: number): NonNullable<Trends['day']> {
  const hour = Math.floor(now / HOUR_MS) * HOUR_MS;
  return Array.from({ length: 24 }, (_, at) => ({
    at: new Date(hour - (23 - at) * HOUR_MS).toISOString(),
    ended: 100 + at,
    unmatched: 3,
    noGame: 0,
    waitP50: 4 + 0.5 * at,
    waitP90: 10 + at,
    uneven: { p50: 12 - 0.4 * at, p90: 20 - 0.4 * at, within5: 0.4 + at / 100 },
    gap: { p50: 60 - at, p90: 90 - at },
  }));
}

/** Light: how many pixels of the chart have that colour. */
function dots(page: Page, [red, green, blue]: readonly [number, number, number]): Promise<number> {
  const canvas = page.locator('section[aria-labelledby="day"] canvas');
  return canvas.evaluate(
    (it, rgb) => {
      const drawn = it as unknown as HTMLCanvasElement;
      const { data } = drawn.getContext('2d')?.getImageData(0, 0, drawn.width, drawn.height) ?? {
        data: [],
      };
      let count = 0;
      for (let at = 0; at < data.length; at += 4) {
        count += rgb.every((value, index) => data[at + index] === value) ? 1 : 0;
      }
      return count;
    },
    [red, green, blue],
  );
}

const ACCENT = [31, 95, 191] as const;

describe.runIf(needs('chromium'))('the day of a queue', () => {
  it('has a point for the hour in which a match formed, and the target wait', async () => {
    await playOne('duel', ['eve', 'flo']);
    const page = await open('duel');
    const told =
      /^1 hour: median waits of [\d.]+ s, and chances 0 points off even; the target wait is 12 s$/;
    await page.getByRole('img', { name: told }).waitFor();
    expect(await dots(page, ACCENT)).toBeGreaterThan(20);
    await page.getByText('The hours in figures').click();
    const hours = page.getByRole('table', { name: 'Hours of the last day' });
    await hours
      .getByRole('row', { name: /^\d\d?:00.* 2 [\d.]+ s [\d.]+ s 0 0 100 % 6\d/ })
      .waitFor();
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });

  it('says that nothing tells how even the games are, where that is so, and that none formed', async () => {
    const page = await open('any');
    await page.getByText('No search has ended in the last 24 hours').waitFor();
    await playOne('any', ['gus', 'hal']);
    await page.reload();
    await page.getByText('Nothing says how even the games of the last 24 hours were').waitFor();
    expect(await page.locator('section[aria-labelledby="day"] canvas').count()).toBe(0);
    await page.context().close();
  });

  it('draws 24 hours, light and dark, wide and narrow, and says which hour is under the pointer', async () => {
    const page = await open('duel');
    await page.route(TRENDS, async (route) => {
      const answer: Trends = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, day: day(Date.now()) } });
    });
    await page.reload();
    const chart = page.getByRole('img', {
      name: '24 hours: median waits of 4 to 15.5 s, and chances 2.8 to 12 points off even; the target wait is 12 s',
    });
    await chart.waitFor();
    const section = page.locator('section[aria-labelledby="day"]');
    await section.locator('.u-over').hover({ position: { x: 5, y: 50 } });
    await section.getByText(/^4 s, \d\d:00\sto\s\d\d:00/).waitFor();
    await section.getByText('12 points', { exact: true }).waitFor();
    await page.getByText('The hours in figures').click();
    const hours = section.getByRole('table', { name: 'Hours of the last day' });
    expect(await hours.getByRole('row').count()).toBe(25);
    const folder = process.env['SCREENSHOTS'];
    let isAgain = false;
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        const where = `the day at ${width} px, ${colorScheme}`;
        expect(await findingsOn(page, where, isAgain)).toEqual([]);
        isAgain = true;
        if (folder !== undefined) {
          await section.screenshot({ path: join(folder, `queue-day-${width}-${colorScheme}.png`) });
        }
      }
    }
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });
});
