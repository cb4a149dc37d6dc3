// Browsers open at most six connections to one host over plain HTTP. Six players of one browser, each with a
// stream, must still get answers to their calls.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { needs } from '../support/tools.ts';
import { openSite, pageIn, type Site } from './browser.ts';

const TABS = 6;

let site: Site;

describe.runIf(needs('chromium'))('six tabs of one browser', () => {
  beforeAll(async () => {
    site = await openSite('six-tabs');
    await site.operator.ok('PUT', '/lobby-configs/arena', {
      heartbeat: true,
      matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } } },
    });
  });

  afterAll(async () => {
    await site?.stop();
  });

  it('each play the example over plain HTTP', async () => {
    const context = await site.browser.newContext();
    const tabs: Page[] = [];
    for (let tab = 0; tab < TABS; tab += 1) {
      const page = await pageIn(site, context);
      page.on('console', (message) => {
        if (message.type() === 'error') {
          site.complaints.push(message.text());
        }
      });
      await page.goto(`${site.running.url}/examples/browser-lobby/?player=tab-${tab}`);
      await page.locator('#create button').click();
      await page.locator('#lobby-title').waitFor();
      tabs.push(page);
    }
    await Promise.all(
      tabs.map(async (page) => {
        await page.locator('#ready').click();
        await page.locator('#ready[aria-pressed="true"]').waitFor();
        await page.locator('#queue').click();
        // Three servers have to start meanwhile.
        await page.getByText(/127\.0\.0\.1:\d+/).waitFor();
      }),
    );
    const addresses = await Promise.all(tabs.map((page) => page.locator('#address').textContent()));
    expect(new Set(addresses).size).toBe(TABS / 2);
    expect(site.complaints).toEqual([]);
    await context.close();
  });
});
