// What needs attention, first on Overview, in a real browser: nothing at first, then what an operator would be woken
// for. With SCREENSHOTS=<folder> the page is put there, light and dark.

import { join } from 'node:path';

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

const SEARCHES = 5;

let site: Site;

beforeAll(async () => {
  site = await openSite('attention');
});

afterAll(() => site.stop());

/** Launches the build so often in vain. */
async function fails(build: string, times: number): Promise<void> {
  const { operator } = site;
  const launch = { command: '/bin/sh', args: ['-c', 'echo loading; echo no such map; exit 3'] };
  await operator.ok('PUT', `/builds/${build}`, { launch });
  for (let start = 0; start < times; start += 1) {
    await operator.call('POST', '/servers/start', { name: 'try', version_tag: build });
  }
}

/** A match of two players whose server ends before it runs. */
async function playInVain(build: string): Promise<void> {
  const { operator, running } = site;
  const serverSettings = { gameBuild: build };
  await operator.ok('PUT', '/lobby-configs/pit', {
    serverSettings,
    matchmaking: { modes: { duel: {} } },
  });
  const players = ['kim', 'lou'].map((name) => new Player(running.url, name));
  for (const player of players) {
    await player.ok('POST', '/lobbies/pit', { name: player.id });
    await player.ok('POST', '/lobbies/pit/me/matchmaking', { mode: 'duel' });
  }
  await eventually('the match has failed', async () => {
    const { items } = await operator.ok<{ readonly items: readonly { outcome: string }[] }>(
      'GET',
      '/matches?config=pit',
    );
    return items[0]?.outcome === 'failed';
  });
}

async function searchInVain(): Promise<void> {
  const { operator, running } = site;
  const never = { timeout: 1, rules: [{ type: 'expression', cel: 'false' }] };
  await operator.ok('PUT', '/lobby-configs/swamp', { matchmaking: { modes: { never } } });
  const players = Array.from({ length: SEARCHES }, (_, n) => new Player(running.url, `p${n}`));
  for (const player of players) {
    await player.ok('POST', '/lobbies/swamp', { name: player.id });
    await player.ok('POST', '/lobbies/swamp/me/matchmaking', { mode: 'never' });
  }
  for (const player of players) {
    await eventually('the search is over', async () => {
      return (await player.ok('GET', '/lobbies/swamp/me')).status === 'waiting';
    });
  }
}

async function alerts(page: Page): Promise<readonly string[]> {
  const found = await page.locator('section', { hasText: 'Needs attention' }).locator('p').all();
  return Promise.all(found.map(async (each) => ((await each.textContent()) ?? '').trim()));
}

describe.runIf(needs('chromium'))('what needs attention', () => {
  it('is nothing at first, then builds, modes and fleets, each with why', async () => {
    const { browser, running } = site;
    const page = await pageIn(site, await browser.newContext());
    await signedIn(site, page);
    await page.getByText('Nothing: builds launch').waitFor();

    await fails('shaky', 1);
    await page.getByText('The last launch of the build shaky failed').waitFor();
    await fails('broken', 3);
    await searchInVain();
    await playInVain('shaky');
    await running.agent.kill();
    await page.reload();
    await page.getByText('matched nobody').waitFor();
    const told = await alerts(page);
    expect(told).toHaveLength(5);
    expect(told[0]).toMatch(/^The fleet does not answer, so it launches no servers: ./);
    expect(told[1]).toMatch(
      /^The build broken has been failing since .*exit code 3; its last words: loading \| no such map$/,
    );
    const searches = `${SEARCHES} searches ended without a match`;
    expect(told[2]).toBe(`swamp / never matched nobody in the last hour: ${searches}.`);
    // What may pass comes last, in a lower tone.
    expect(told[3]).toMatch(/^The last launch of the build shaky failed: .*exit code 3/);
    const noGame = '2 of 2 searches that ended in the last hour never got one';
    expect(told[4]).toBe(`pit / duel often gets no game for its matches: ${noGame}.`);
    const notes = page.locator('section', { hasText: 'Needs attention' }).locator('p.note');
    expect(await notes.count()).toBe(2);
    const pit = page.getByRole('row').filter({ hasText: 'pit / duel' });
    await pit.getByText('0 of 2 searches matched, 2 had a match that never got a game').waitFor();
    const row = page.getByRole('row').filter({ hasText: 'swamp / never' });
    await row.getByText(`0 of ${SEARCHES} searches matched`).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [420, 1280]) {
        await page.setViewportSize({ width, height: 860 });
        const isAgain = colorScheme === 'dark';
        expect(await findingsOn(page, `${colorScheme} ${width}`, isAgain)).toEqual([]);
      }
      const folder = process.env['SCREENSHOTS'];
      if (folder !== undefined) {
        await page.screenshot({ path: join(folder, `attention-${colorScheme}.png`) });
      }
    }
    await page.context().close();
    expect(site.complaints).toEqual([]);
  });
});
