// The dashboard as an operator works with it: going from page to page, and looking at each.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findingsInAll, pageIn, signedIn, type Site } from './browser.ts';

export interface Desk {
  readonly page: Page;
  /** What the console said of errors. */
  readonly refused: string[];
  /** Follows the link of that name in the navigation. */
  readonly open: (name: string) => Promise<void>;
  /** Expects that axe finds nothing on the page, wide and narrow, and that nobody has complained so far. */
  readonly looked: (name: string) => Promise<void>;
}

/** A page that is signed in. `before`: called with it before it goes anywhere. */
export async function deskIn(site: Site, before?: (page: Page) => void): Promise<Desk> {
  const page = await pageIn(site, await site.browser.newContext());
  const refused: string[] = [];
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  before?.(page);
  await signedIn(site, page);
  return {
    page,
    refused,
    open: (name) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click(),
    looked: async (name) => {
      expect(await findingsInAll(page, name)).toEqual([]);
      expect(refused).toEqual([]);
      expect(site.complaints).toEqual([]);
    },
  };
}
