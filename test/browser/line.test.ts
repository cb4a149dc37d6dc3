// Matches that wait for room, and a fleet that does not answer a launch, as an operator sees them (record 0068). The
// receivers of both fleets are stand-ins: one never answers a launch, the other has no room until the test makes some.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Build } from '../../src/fleet/build';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, type Site } from './browser.ts';
import { type Desk, deskIn } from './desk.ts';

const ADDRESS = { host: '127.0.0.1', external_port: 7777, internal_port: 7777 };
const PORT = { name: 'game_udp', ...ADDRESS, protocol: 'udp', tls_enabled: false };
const RUNNING = { state: 'running', ports: [PORT] };

let hasRoom = false;
const receivers = createServer(({ method, url = '' }, response) => {
  const isLaunch = method === 'POST' && url.endsWith('/servers');
  const answer = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (url.endsWith('/check')) {
    answer(200, { problem: null });
  } else if (method === 'DELETE') {
    answer(200, {});
  } else if (hasRoom && url.startsWith('/full/')) {
    answer(isLaunch ? 201 : 200, RUNNING);
  } else if (!isLaunch) {
    answer(404, { error: 'unknown' });
  } else if (url.startsWith('/full/')) {
    answer(503, { error: 'no_capacity' });
  }
});

let site: Site;
let page: Page;
let open: Desk['open'];
let looked: Desk['looked'];

beforeAll(async () => {
  await new Promise<void>((done) => {
    receivers.listen(0, '127.0.0.1', done);
  });
  const { port } = receivers.address() as AddressInfo;
  const fleets = ['silent', 'full'].map((name) => ({
    name,
    kind: 'http',
    url: `http://127.0.0.1:${port}/${name}`,
    secretEnv: 'FLEET_TEST_SECRET',
  }));
  const secret = 'only for this test, and long enough for it';
  site = await openSite('line', { FLEETS: JSON.stringify(fleets), FLEET_TEST_SECRET: secret });
  ({ page, open, looked } = await deskIn(site));
});

afterAll(async () => {
  await site.stop();
  receivers.closeAllConnections();
  receivers.close();
});

async function builds(): Promise<void> {
  await open('Builds');
  await page.getByLabel('Name of the new build').fill('arena');
  await page.getByRole('button', { name: 'New build' }).click();
  const patience = page.getByLabel('Wait for room, seconds');
  await patience.fill('4000');
  await page.getByText('must be at most 3600').first().waitFor();
  await patience.fill('600');
  await page.getByLabel('Fleets, in order').fill('full, silent');
  expect(await page.getByLabel('Launch, JSON object').inputValue()).toContain('"capacitySeconds"');
  await page.getByLabel('Fleets, in order').fill('full');
  expect(await findingsOn(page, 'the form of a build')).toEqual([]);
  await page.getByRole('button', { name: 'Save build' }).click();
  await page.getByRole('row', { name: /^arena/ }).waitFor();
}

async function queue(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    const player = new Player(site.running.url, name);
    await player.ok('POST', '/lobbies/pit', { name });
    await player.ok('POST', '/lobbies/pit/me/matchmaking', { mode: 'duel' });
  }
}

describe.runIf(needs('chromium'))('an operator', () => {
  it('says how long matches wait for room, and sees which do, and which fleet rests', async () => {
    const { operator } = site;
    await builds();
    const { launch } = await operator.ok<Build>('GET', '/builds/arena');
    expect(launch).toEqual({ capacitySeconds: 600, fleets: ['full'] });
    await operator.ok('PUT', '/builds/other', { launch: { fleets: ['silent', 'full'] } });
    const start = { name: 'try', version_tag: 'other' };
    const other = operator.call('POST', '/servers/start', start);
    await operator.ok('PUT', '/lobby-configs/pit', {
      serverSettings: { gameBuild: 'arena' },
      matchmaking: { modes: { duel: {} } },
    });
    await queue('ann', 'bob');
    await open('Overview');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention
      .getByText(/^1 match waits for room .* build arena in us-east, .* \d+ s/)
      .waitFor();
    await queue('cat', 'dan');
    await attention.getByText(/^2 matches wait for room/).waitFor();
    await other;
    await eventually('the silent fleet rests', async () => {
      const { fleets } = await operator.ok<{ fleets: object[] }>('GET', '/admin/attention');
      return fleets.length === 1;
    });
    await page.reload();
    const rests = /^The fleet silent is asked last until .*: it did not answer a launch$/;
    await attention.getByText(rests).waitFor();
    await looked('overview-line');
    await attention.getByRole('link', { name: '2 matches wait' }).click();
    const line = page.getByRole('table', { name: 'Waiting for room' });
    await line
      .getByRole('row', { name: /^2 matches wait for room arena us-east \d+ s$/ })
      .waitFor();
    hasRoom = true;
    await page.getByRole('table', { name: 'Servers' }).getByText('running').nth(1).waitFor();
    await line.waitFor({ state: 'detached' });
    await open('Overview');
    await attention.waitFor();
    await attention.getByRole('link', { name: 'matches wait' }).waitFor({ state: 'detached' });
  });
});
