// A real browser on a real service, for tests of pages: opening pages, signing in, and what axe-core
// finds on them.

import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Player } from '../../scripts/player.ts';
import type { Running } from '../../scripts/start.ts';
import { startChromium } from '../support/chromium.ts';
import { ownMuster } from '../wire/own-muster.ts';

export interface Site {
  readonly running: Running;
  readonly browser: Browser;
  readonly operator: Player;
  /** What any page complained of that no test expects: errors of scripts, breaches of the policy. */
  readonly complaints: string[];
  stop(): Promise<void>;
}

/** `env`: settings of the service. */
export async function openSite(
  name: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const muster = await ownMuster(name, env);
  const browser = await startChromium();
  return {
    running: muster.running,
    browser,
    operator: muster.operator,
    complaints: [],
    stop: async () => {
      await browser.close();
      await muster.stop();
    },
  };
}

export async function pageIn({ complaints }: Site, context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|TrustedHTML|Trusted Type/i.test(message.text())) {
      complaints.push(`${page.url()}: ${message.text()}`);
    }
  });
  return page;
}

export async function signedIn({ running }: Site, page: Page, hash = '#/'): Promise<void> {
  await page.goto(`${running.url}/dashboard`);
  await page.getByLabel('Server key').fill(running.serverKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(`${running.url}/dashboard/${hash}`);
}

interface Finding {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string }[];
}

/**
 * In which pages are looked at, by the widths given: the first look is for everything, the others for looks alone. What is
 * too pale at one width is so at the other, so the dark ones have one width, except for pictures. The last has the second.
 */
export function looksAt(
  first: number,
  second: number,
  all: boolean,
): readonly (readonly [color: 'light' | 'dark', width: number])[] {
  return [
    ['light', first],
    ['light', second],
    ...(all ? [['dark', first] as const] : []),
    ['dark', second],
  ];
}

/** The rules whose answer depends on the colours and the width of a page, and not on what it says alone. */
const OF_LOOKS = ['color-contrast', 'scrollable-region-focusable'];

/**
 * Serious and critical findings, and a page that scrolls sideways, in words. `isAgain`: the same page was looked at in
 * other colours or another width.
 */
export async function findingsOn(
  page: Page,
  where: string,
  isAgain = false,
): Promise<readonly string[]> {
  // Half a megabyte, which a page that was looked at before has.
  if (await page.evaluate(() => !('axe' in globalThis))) {
    await page.evaluate(axe.source);
  }
  const violations = await page.evaluate(
    async (options) => {
      const scope = globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: readonly unknown[] }> };
      };
      return (await scope.axe.run(options)).violations;
    },
    { resultTypes: ['violations'], ...(isAgain ? { runOnly: OF_LOOKS } : {}) },
  );
  const serious = (violations as readonly Finding[]).filter(
    ({ impact }) => impact === 'serious' || impact === 'critical',
  );
  const told = serious.map(({ id, nodes }) => `${where}: ${id}: ${nodes[0]?.html ?? ''}`);
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  return overflow > 0 ? [...told, `${where}: ${overflow} px wider than the screen`] : told;
}

/**
 * What is found on the page, light and dark, narrow and wide. With SCREENSHOTS, the folder of that name gets a picture of
 * each.
 */
export async function findingsInAll(page: Page, where: string): Promise<readonly string[]> {
  const folder = process.env['SCREENSHOTS'];
  const found: string[] = [];
  for (const [at, [colorScheme, width]] of looksAt(390, 1440, folder !== undefined).entries()) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await findingsOn(page, `${where} ${colorScheme} ${width}`, at > 0)));
    if (folder !== undefined) {
      const path = join(folder, `${where}-${colorScheme}-${width}.png`);
      await page.screenshot({ path, fullPage: true });
    }
  }
  return found;
}
