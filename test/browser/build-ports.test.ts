// The builds of a project: the ports that their servers open, and a test server of one.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Build } from '../../src/fleet/build';
import { needs } from '../support/tools.ts';
import { openSite, type Site } from './browser.ts';
import { type Desk, deskIn } from './desk.ts';

let site: Site;
let page: Page;
let open: Desk['open'];
let looked: Desk['looked'];
let refused: Desk['refused'];

beforeAll(async () => {
  site = await openSite('build-ports');
  ({ page, open, looked, refused } = await deskIn(site));
});

afterAll(() => site.stop());

describe.runIf(needs('chromium'))('an operator', () => {
  it("sees a build's ports, and starts a test server of it", async () => {
    await site.operator.ok('PUT', '/builds/arena', {
      ports: [
        { name: 'game', internal_port: 7777, protocol: 'udp' },
        { name: 'web', internal_port: 8080, protocol: 'tcp', tls: 'proxy' },
        { name: 'info', offset: 1 },
        { name: 'admin', fixed: 2757, protocol: 'tcp' },
        { name: 'voice' },
      ],
    });
    await site.operator.ok('PUT', '/builds/later', { status: 'not_ready' });
    await open('Builds');
    const row = page.getByRole('row', { name: /^arena/ });
    await row.getByText('7777/udp').waitFor();
    await row.getByText('(wss by the proxy)').waitFor();
    for (const number of ['first + 1/udp', '2757/tcp', 'any/udp']) {
      await row.getByText(number).waitFor();
    }
    const later = page.getByRole('row', { name: /^later/ });
    expect(await later.getByRole('button', { name: /^Start a test server/ }).count()).toBe(0);
    await looked('builds');
    await page.getByRole('link', { name: 'History of default' }).click();
    await page.getByText('Nothing saved yet').waitFor();
    await open('Builds');
    await row.getByRole('button', { name: 'Start a test server of arena' }).click();
    await page.getByRole('heading', { name: 'Server test' }).waitFor();
    await page.getByText('arena, version 1').waitFor();
    expect(refused).toEqual([]);
  });

  it('says what a build brings along, keeps and listens on', async () => {
    await open('Builds');
    await page.getByLabel('Name of the new build').fill('world');
    await page.getByRole('button', { name: 'New build' }).click();
    const files = { 'server.cfg': 'port={port}' };
    const ports = [
      { name: 'game', protocol: 'udp' },
      { name: 'info', protocol: 'udp', offset: 1 },
    ];
    await page.getByLabel('Program', { exact: true }).fill('/bin/sleep');
    await page.getByLabel('Kept folder').fill('world');
    await page.getByLabel('Files, JSON object').fill(JSON.stringify(files));
    await page.getByLabel('Ports, JSON list').fill(JSON.stringify(ports));
    await page.getByRole('button', { name: 'Save build' }).click();
    await page
      .getByRole('row', { name: /^world/ })
      .getByText('first + 1/udp')
      .waitFor();
    const saved = await site.operator.ok<Build>('GET', '/builds/world');
    expect(saved).toMatchObject({ ports, launch: { command: '/bin/sleep', keep: 'world', files } });
    await looked('builds');
  });
});
