// The example's lobby screen with a hundred players: it touches the lines of players who changed, and nothing else.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { Player } from '../../scripts/player.ts';
import { needs } from '../support/tools.ts';
import { hundredIn } from '../support/hundred.ts';
import { openSite, pageIn, type Site } from './browser.ts';

let site: Site;

/** Each change of a text or of children from now on: the texts of the element, and of what was removed and added. */
async function observe(page: Page): Promise<void> {
  await page.evaluate(`
    window.touched = [];
    new MutationObserver((records) => window.touched.push(...records.map(
      ({ target, removedNodes, addedNodes }) => [
        (target.id || target.textContent),
        ...[...removedNodes].map((node) => '-' + node.textContent),
        ...[...addedNodes].map((node) => '+' + node.textContent),
      ],
    ))).observe(document, { childList: true, characterData: true, subtree: true });
  `);
}

async function touched(page: Page): Promise<unknown> {
  return page.evaluate('window.touched.splice(0)');
}

describe.runIf(needs('chromium'))('the example in a lobby of a hundred', () => {
  beforeAll(async () => {
    site = await openSite('hundred');
  });

  afterAll(async () => {
    await site?.stop();
  });

  it('touches only the lines of players who changed', async () => {
    const players = await hundredIn(site.running.url, 'arena', (at) => ({ mmr: at }));
    const context = await site.browser.newContext();
    const page = await pageIn(site, context);
    await page.goto(`${site.running.url}/examples/browser-lobby/?player=p0&mode=any`);
    const lines = page.locator('#players li');
    await lines.nth(99).waitFor();
    // The stream's first event has been drawn with whatever an answer showed before.
    await players[1]?.ok('PATCH', '/lobbies/arena/me', { state: { mmr: 7_001 } });
    await page.getByText('p1, not ready, skill 7001').waitFor();
    await observe(page);

    await players[7]?.ok('PATCH', '/lobbies/arena/me', { state: { ready: true } });
    const ready = 'p7, ✓ ready, skill 7';
    await page.getByText(ready).waitFor();
    expect(await touched(page)).toEqual([[ready, '-p7, not ready, skill 7', `+${ready}`]]);

    await players[50]?.call('DELETE', '/lobbies/arena/me');
    await lines.nth(99).waitFor({ state: 'detached' });
    expect(await touched(page)).toEqual([['players', '-p50, not ready, skill 50']]);

    const { code } = await new Player(site.running.url, 'p0').ok('GET', '/lobbies/arena/me');
    const back = new Player(site.running.url, 'p50');
    await back.ok('POST', '/lobbies/arena/join', { code, state: { mmr: 3 } });
    await lines.nth(99).waitFor();
    expect(await touched(page)).toEqual([['players', '+p50, not ready, skill 3']]);
    expect(await lines.nth(99).textContent()).toContain('p50');
    expect(site.complaints).toEqual([]);
    await context.close();
  });
});
