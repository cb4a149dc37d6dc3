// The builds of a project: the ports that their servers open, and a test server of one.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../support/tools.ts';
import { findingsInAll, openSite, pageIn, signedIn, type Site } from './browser.ts';

let site: Site;
let page: Page;
const refused: string[] = [];

beforeAll(async () => {
  site = await openSite('build-ports');
  page = await pageIn(site, await site.browser.newContext());
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
  await signedIn(site, page);
});

afterAll(() => site.stop());

function open(name: string): Promise<unknown> {
  return page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
}

async function looked(name: string): Promise<void> {
  expect(await findingsInAll(page, name)).toEqual([]);
  expect(refused).toEqual([]);
  expect(site.complaints).toEqual([]);
}

describe.runIf(needs('chromium'))('an operator', () => {
  it("sees a build's ports, and starts a test server of it", async () => {
    await site.operator.ok('PUT', '/builds/arena', {
      ports: [
        { name: 'game', internal_port: 7777, protocol: 'udp' },
        { name: 'web', internal_port: 8080, protocol: 'tcp', tls: 'proxy' },
      ],
    });
    await site.operator.ok('PUT', '/builds/later', { status: 'not_ready' });
    await open('Builds');
    const row = page.getByRole('row', { name: /^arena/ });
    await row.getByText('7777/udp').waitFor();
    await row.getByText('(wss by the proxy)').waitFor();
    const later = page.getByRole('row', { name: /^later/ });
    expect(await later.getByRole('button', { name: /^Start a test server/ }).count()).toBe(0);
    await looked('builds');
    await row.getByRole('button', { name: 'Start a test server of arena' }).click();
    await page.getByRole('heading', { name: 'Server test' }).waitFor();
    await page.getByText('arena, version 1').waitFor();
    expect(refused).toEqual([]);
  });
});
