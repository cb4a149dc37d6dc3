// The pages of bans, of the project's settings and of its keys: each is read and changed as an operator would, a save
// shows first what it changes, Enter saves nothing, and no secret comes back to a page.

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeyPage } from '../../packages/js/src/identity-types.ts';
import type { ProjectSettings } from '../../packages/js/src/admin-types.ts';
import { needs } from '../support/tools.ts';
import { openSite, type Site } from './browser.ts';
import { type Desk, deskIn } from './desk.ts';

const SECRET = 'a secret of thirty-two characters or more';

let site: Site;
let page: Page;
let open: Desk['open'];
let looked: Desk['looked'];
let refused: Desk['refused'];
/** What the service answered to the page. */
const answers: Promise<string>[] = [];

beforeAll(async () => {
  site = await openSite('settings');
  ({ page, open, looked, refused } = await deskIn(site, (opened) => {
    opened.on('response', (response) => {
      if (/\/v3\/(?!admin\/events)/.test(response.url())) {
        answers.push(response.text().catch(() => ''));
      }
    });
  }));
});

afterAll(() => site.stop());

function button(name: string) {
  return page.locator('main').getByRole('button', { name, exact: true });
}

async function confirmed(name: string, question: string): Promise<void> {
  await button(name).first().click();
  const dialog = page.getByRole('dialog').filter({ visible: true });
  await dialog.getByText(question).waitFor();
  await dialog.getByRole('button').first().click();
  await dialog.waitFor({ state: 'hidden' });
}

function settings(): Promise<ProjectSettings> {
  return site.operator.ok('GET', '/projects/settings');
}

describe.runIf(needs('chromium'))('an operator', () => {
  it('bans a player, sees by whom and until when, and lifts the ban', async () => {
    await open('Bans');
    await page.getByText('Nobody is banned').waitFor();
    await page.getByLabel("Player's id").fill('mallory');
    await page.getByLabel('Reason for the player').fill('Aimbot');
    await page.getByLabel('Hours (empty: until lifted)').fill('24');
    await page.keyboard.press('Enter');
    const banned = await site.operator.ok<{ readonly total: number }>('GET', '/bans');
    expect(banned.total).toBe(0);
    await confirmed('Ban', 'Ban mallory from all configs?');
    const row = page.getByRole('row', { name: /mallory/ });
    await row.getByText('Aimbot').waitFor();
    await row.getByText(/operator:/).waitFor();
    await site.operator.ok('PUT', '/bans/trudy', { config: 'arena' });
    await page.getByRole('row', { name: /trudy arena/ }).waitFor();
    await looked('bans');
    await button('Lift all of mallory').click();
    await row.waitFor({ state: 'detached' });
    await row.page().getByRole('link', { name: 'trudy' }).waitFor();
  });

  it('saves the settings of players, and sees before what a save changes', async () => {
    await open('Settings');
    await page.getByLabel('State fields that players cannot write').fill('mmr, rank');
    await page.getByLabel('Player identity').selectOption('token');
    await page.getByLabel('Issuer').fill('https://id.example.com');
    await page.keyboard.press('Enter');
    await page.getByText('A save changes 3 fields').waitFor();
    await looked('settings-changed');
    expect(await settings()).toMatchObject({ playerAuth: 'trust' });
    await button('Save settings').click();
    await page.getByText('All saved').waitFor();
    expect(await settings()).toMatchObject({
      playerAuth: 'token',
      playerTokens: { issuer: 'https://id.example.com', audience: null, jwksUrl: null },
      trusted: ['mmr', 'rank'],
    });
    // What is emptied is unset, and a mistake is said at its field.
    await page.getByLabel('State fields that players cannot write').fill('');
    await page.getByLabel('Issuer').fill('');
    await page.getByLabel('Keys of your identity provider').fill('ftp://id.example.com');
    await button('Save settings').click();
    const field = page.getByLabel('Keys of your identity provider');
    await page.locator('.save-bar').getByText('Nothing was saved').waitFor();
    await field.and(page.locator('[aria-invalid="true"]')).waitFor();
    // What the save was refused for stays until it is mended, also where the save came right after the last key.
    await page.waitForTimeout(500);
    expect(await page.locator('.save-bar').getByText('Nothing was saved').count()).toBe(1);
    await field.fill('');
    await page.locator('.save-bar').getByText('Nothing was saved').waitFor({ state: 'detached' });
    // The service refused that save with a 400, as the page then said.
    expect(refused.splice(0).length).toBe(1);
    await button('Save settings').click();
    await page.getByText('All saved').waitFor();
    const saved = await settings();
    expect([saved.trusted, saved.playerTokens.issuer]).toEqual([[], null]);
  });

  it('sets secrets, which never come back to the page', async () => {
    await page.getByLabel('Your own (empty: a new one is made)').fill(SECRET);
    await confirmed('Add a secret', 'It signs from now on.');
    await page.getByText('set; signs').waitFor();
    await page.getByLabel('Provider', { exact: true }).selectOption('steam');
    const steam = JSON.stringify({ publisherKey: SECRET, appId: 480 });
    await page.getByLabel('Its settings, JSON object').fill(steam);
    await page.keyboard.press('Enter');
    await confirmed('Set the login', 'Let players log in with steam?');
    await page.getByRole('row', { name: /steam set/ }).waitFor();
    await page.getByLabel('Address').fill('https://api.example.com/muster');
    await page.getByLabel('Secret, at least 32 characters').fill(SECRET);
    await confirmed('Set the webhook', 'Tell https://api.example.com/muster about new matches');
    await page.getByText('gets matches').waitFor();
    await site.operator.ok('POST', '/projects/seat-keys');
    await page.getByText('keys published').waitFor();
    await looked('settings');
    await page.reload();
    await page.getByText('gets matches').waitFor();
    const hidden = (await Promise.all(answers.splice(0))).join('\n');
    // Only the answer to the one who brought it says it again.
    expect(hidden.split(SECRET).length - 1).toBe(1);
    expect(await page.content()).not.toContain(SECRET);
    await confirmed('Remove the webhook', 'Events that it has not received');
    await page.getByText('No webhook is set').waitFor();
    expect(await settings()).toMatchObject({ hooks: null, logins: [{ provider: 'steam' }] });
    await page.getByLabel('Recipient').selectOption('discord');
    await page.getByLabel('Address').fill(`https://discord.com/api/webhooks/${SECRET}`);
    await confirmed('Set the webhook', 'Tell discord about waiting players from now on?');
    await page.getByText('gets the bell').waitFor();
    await looked('settings-chat');
    expect(await page.content()).not.toContain(SECRET);
    expect(await settings()).toMatchObject({ hooks: { url: 'https://discord.com' } });
  });

  it('makes a key that looks, and revokes it', async () => {
    await open('Keys');
    await page.getByLabel('Who will use it').fill('anna');
    await page.keyboard.press('Enter');
    await button('Make a key').click();
    const key = (await page.locator('code.once').first().textContent()) ?? '';
    await page.getByRole('row', { name: /anna viewer/ }).waitFor();
    await looked('keys');
    const looks = async (): Promise<number> => {
      const headers = { 'api-key': key };
      const response = await fetch(`${site.running.url}/v3/builds`, { headers });
      await response.text();
      return response.status;
    };
    expect(await looks()).toBe(200);
    await confirmed('Revoke anna', "Revoke anna's key?");
    await page.getByRole('row', { name: /anna viewer/ }).waitFor({ state: 'detached' });
    expect(await looks()).toBe(401);
    const { keys } = await site.operator.ok<KeyPage>('GET', '/projects/keys');
    expect(keys.map(({ kind }) => kind)).toEqual(['client', 'server']);
    expect(refused).toEqual([]);
    expect(site.complaints).toEqual([]);
  });
});
