// The reference page in a real browser against the real service: it stands under the policy of all
// pages, asks nobody else for anything, and calls that are tried on it reach the service.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService } from '../../scripts/service.ts';
import { startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';

let dataDir: string;
let service: Awaited<ReturnType<typeof startService>>;
let browser: Browser;
let page: Page;
const complaints: string[] = [];
const asked = new Set<string>();

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-reference-'));
  service = await startService({ port: 0, dataDir, devKeys: true, env: {} });
  browser = await startChromium();
  page = await browser.newPage();
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || /Security Policy|Trusted/.test(message.text())) {
      complaints.push(message.text());
    }
  });
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) {
      asked.add(new URL(request.url()).origin);
    }
  });
  await page.goto(`${service.url}/docs`);
  await page.locator('.opblock').first().waitFor();
});

afterAll(async () => {
  await browser.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

describe.runIf(needs('chromium'))('the reference page', () => {
  it('shows each endpoint of the description', async () => {
    const described = (await (await fetch(`${service.url}/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, object>>;
    };
    const methods = Object.values(described.paths).flatMap((item) =>
      Object.keys(item).filter((key) => key !== 'servers'),
    );
    expect(await page.locator('.opblock').count()).toBe(methods.length);
  });

  it('shows code in descriptions as code, and no description as markup', async () => {
    const code = page.locator('.info code');
    expect(await code.allTextContents()).toContain('x-player-id');
  });

  it('shows the events of the stream, each with its data', async () => {
    const stream = page.locator('[id$="-streamEvents"]');
    await stream.locator('.opblock-summary-control').click();
    await stream.getByRole('tab', { name: 'Schema' }).first().click();
    const schema = stream.locator('.json-schema-2020-12').first();
    await schema.waitFor();
    await schema.getByRole('button', { name: 'Expand all' }).first().click();
    await eventually('an event is shown', async () =>
      ((await schema.textContent()) ?? '').includes('lobby_changed'),
    );
    await stream.locator('.opblock-summary-control').click();
  });

  it('lets one try a call, with the key and the player one gives', async () => {
    await page.getByRole('button', { name: 'Authorize' }).click();
    const key = page.locator('.auth-container').filter({ hasText: 'ClientKey' });
    await key.locator('input').fill('client_dev_key');
    await key.getByRole('button', { name: 'Apply credentials' }).click();
    await page.locator('.close-modal').click();

    const create = page.locator('#operations-Lobbies-createLobby');
    await create.locator('.opblock-summary-control').click();
    await create.locator('[data-param-name="config"] input').fill('tried');
    await create.locator('[data-param-name="x-player-id"] input').fill('ann');
    await create.getByRole('button', { name: 'Execute' }).click();
    const answer = create.locator('.live-responses-table .response');
    await answer.waitFor();
    expect(await answer.locator('.response-col_status').textContent()).toMatch(/^201/);

    const headers = { 'api-key': 'client_dev_key', 'x-player-id': 'ann' };
    const mine = await fetch(`${service.url}/v3/lobbies/tried/me`, { headers });
    expect(mine.status).toBe(200);
  });

  it('breaks no policy, and asks nobody but the service', () => {
    expect(complaints).toEqual([]);
    expect([...asked]).toEqual([service.url]);
  });

  it('is as dark as the system of its reader, also when that changes', async () => {
    const lightness = (selector: string): Promise<readonly [ground: number, text: number]> =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const mean = (color: string): number => {
            const [red = 0, green = 0, blue = 0, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(
              Number,
            );
            return alpha < 0.5 ? Number.NaN : (red + green + blue) / 3;
          };
          let ground = Number.NaN;
          for (
            let at: Element | null = element;
            at !== null && Number.isNaN(ground);
            at = at.parentElement
          ) {
            ground = mean(getComputedStyle(at).backgroundColor);
          }
          return [ground, mean(getComputedStyle(element).color)] as const;
        });
    for (const selector of [
      'header nav a',
      '.info .title',
      '.opblock-tag',
      '.opblock-summary-path',
    ]) {
      await page.emulateMedia({ colorScheme: 'light' });
      await page.locator('html:not(.dark-mode)').waitFor();
      // Colours change in a transition.
      await eventually(`${selector} is dark on light`, async () => {
        const [ground, text] = await lightness(selector);
        return ground > 200 && text < 130;
      });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.locator('html.dark-mode').waitFor();
      await eventually(`${selector} is light on dark`, async () => {
        const [ground, text] = await lightness(selector);
        return ground < 70 && text > 150;
      });
    }
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('leads back to the other pages', async () => {
    const nav = page.getByRole('navigation', { name: 'Muster' }).getByRole('link');
    expect(await nav.evaluateAll((all) => all.map((each) => each.getAttribute('href')))).toEqual([
      '/guides/',
      '/docs',
      '/dashboard/',
    ]);
    expect(await page.getByRole('link', { name: 'Muster', exact: true }).getAttribute('href')).toBe(
      '/',
    );
  });

  it('is ours to answer for outside of Swagger UI: axe finds nothing serious there', async () => {
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({ exclude: ['.swagger-ui'] }),
    );
    const serious = violations.filter(
      ({ impact }) => impact === 'serious' || impact === 'critical',
    );
    expect(serious.map(({ id }) => id)).toEqual([]);
  });
});
