// Who signs in with a viewer key (record 0058): every page shows what it shows an operator, none offers to change
// anything, and nothing that a page asks for is refused.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

let site: Site;
let key = '';
let lobby = '';

beforeAll(async () => {
  site = await openSite('viewer');
  const { operator } = site;
  ({ key } = await operator.ok<{ readonly key: string }>('POST', '/projects/keys', {
    name: 'anna',
  }));
  const rating = { field: 'mmr', system: 'openskill' };
  const matchmaking = { modes: { duel: { rating } } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking });
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking, timeout: 600 });
  await operator.ok('PUT', '/builds/arena', { launch: { env: { TOKEN: 'of the fleet' } } });
  const made = await operator.ok<{ readonly id: string }>('POST', '/lobbies/arena', {
    name: 'Den',
  });
  lobby = made.id;
  await operator.ok('PUT', '/bans/mallory', { reason: 'Aimbot' });
});

afterAll(() => site.stop());

const WRITES =
  /^(?:save|remove|delete|ban|lift|kick|start|stop|end|restore|new|edit|take out|revoke|make|discard|set|add|change)/i;

describe.runIf(needs('chromium'))('a viewer', () => {
  it('sees every page, and is offered nothing that changes anything', async () => {
    const page = await pageIn(site, await site.browser.newContext());
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    page.on('response', (response) => {
      if (response.status() >= 400) {
        refused.push(`${response.request().method()} ${response.url()}: ${response.status()}`);
      }
    });
    const { url } = site.running;
    await page.goto(`${url}/dashboard`);
    await page.getByLabel('Server key').fill(key);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('You are signed in with a viewer key').waitFor();
    const findings: string[] = [];
    const seen: readonly (readonly [path: string, text: string])[] = [
      ['', 'arena'],
      ['lobbies/arena', 'Den'],
      [`lobbies/arena/${lobby}`, 'Invite code'],
      ['queues', 'duel'],
      ['queues/arena/duel', 'arena'],
      ['matches', 'Matches'],
      ['servers', 'No servers are running'],
      ['builds', 'hidden'],
      ['builds/arena/history', 'Revision'],
      ['configs', 'arena'],
      ['configs/arena', 'Matchmaking modes'],
      ['configs/arena/history', 'timeout'],
      ['playground', 'needs the server key'],
      ['audit', 'secrets changed'],
      ['ladder/arena/duel', 'Nobody is on the ladder yet'],
      ['bans', 'Aimbot'],
      ['settings', 'Secrets of player tokens'],
      ['keys', 'anna'],
      ['players', 'in public lobbies'],
      ['players/mallory', 'Aimbot'],
      ['search/mallory', 'mallory'],
    ];
    for (const [path, text] of seen) {
      await page.goto(`${url}/dashboard/#/${path}`);
      const main = page.locator('main');
      await main.getByText(text).filter({ visible: true }).first().waitFor();
      // The head of a column is a button too, and sorts what is shown.
      const buttons = await main.locator('button:not(.sort)').all();
      for (const button of buttons) {
        const name = (await button.textContent())?.trim() ?? '';
        if (WRITES.test(name) && (await button.isEnabled())) {
          findings.push(`${path} offers ${name}`);
        }
      }
      findings.push(...(await findingsOn(page, path)));
    }
    expect(await page.getByRole('link', { name: 'Playground', exact: true }).count()).toBe(0);
    expect(await page.content()).not.toContain('of the fleet');
    expect(findings).toEqual([]);
    expect(refused).toEqual([]);
    expect(site.complaints).toEqual([]);
  });

  it('signs in by the link that comes with a new key', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const context = await site.browser.newContext({ permissions });
    const page = await pageIn(site, context);
    await signedIn(site, page, '#/keys');
    await page.getByLabel('Who will use it').fill('carla');
    await page.getByRole('button', { name: 'Make a key' }).click();
    await page.getByText("carla's key. Copy it now: it will not be shown again.").waitFor();
    await page.getByRole('button', { name: 'Copy the link' }).click();
    await page.getByText('Copied: the link').waitFor({ state: 'attached' });
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByRole('button', { name: 'Copy the key' }).click();
    const other = await pageIn(site, await site.browser.newContext());
    await other.goto(link);
    await other.getByText('You are signed in with a viewer key').waitFor();
    expect(await findingsOn(page, 'keys')).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
