// The editor of configs in a real browser: what it says where one looks, what a save would change, and what never saves.
// With SCREENSHOTS=<folder> the page is put there, wide and narrow.

import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

const RULES = [
  { type: 'difference', field: 'mmr', maxDifference: 50 },
  { type: 'equals', field: 'map' },
];
const SIZE = { width: 1440, height: 800 };

let site: Site;
let page: Page;

beforeAll(async () => {
  site = await openSite('config-editor');
  const modes = { duel: { rules: RULES }, squads: { playersPerTeam: 5, timeout: 90 } };
  await site.operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  await site.operator.ok('PUT', '/builds/calm', {});
  const gone = { serverSettings: { gameBuild: 'clam' } };
  await site.operator.ok('PUT', '/lobby-configs/unbuilt', gone);
});

afterAll(() => site.stop());

async function open(config: string, run: () => Promise<void>): Promise<void> {
  page = await pageIn(site, await site.browser.newContext({ viewport: SIZE }));
  page.on('dialog', (dialog) => void dialog.accept());
  await signedIn(site, page, `#/configs/${config}`);
  await page.getByRole('button', { name: 'Save config' }).waitFor();
  await run();
  await page.context().close();
}

const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
const saved = async (config: string): Promise<Record<string, unknown>> =>
  site.operator.ok('GET', `/lobby-configs/${config}`);

/** Whether all of it is on the screen, and not behind the bar or the row of sections. */
async function isSeen(what: Locator): Promise<boolean> {
  return what.evaluate((element) => {
    const { left, top, bottom } = element.getBoundingClientRect();
    return [top + 2, Math.min(bottom, innerHeight) - 2].every((y) =>
      element.contains(document.elementFromPoint(left + 8, y)),
    );
  });
}

describe.runIf(needs('chromium'))('the editor of a config', () => {
  it('says at the field and in the bar what holds a save, wherever one has scrolled', async () => {
    await open('unbuilt', async () => {
      const build = page.getByLabel('Build', { exact: true });
      const words = 'did you mean calm?';
      await page.locator('.field', { has: build }).getByText(words).waitFor();
      await page.getByLabel('Idle timeout, seconds').fill('301');
      await page.keyboard.press('End');
      await button('Save config').click();
      const held = page.getByRole('alert').filter({ hasText: 'Nothing was saved yet' });
      await held.filter({ hasText: words }).waitFor();
      await eventually('the bar is on the screen', () => isSeen(held));
      await page.keyboard.press('Home');
      // The key scrolls for a while, also over what scrolls meanwhile.
      await eventually('the top is reached', () => page.evaluate(() => scrollY === 0));
      await held.getByRole('button', { name: 'serverSettings.gameBuild' }).click();
      await eventually('the field has the focus', () =>
        build.evaluate((is) => is.matches(':focus')),
      );
      await eventually('the field is on the screen', () => isSeen(build));
      // The builds are a list, in which a name that none has stays.
      expect(await build.locator('option').allTextContents()).toEqual([
        'default',
        'calm',
        'clam (there is none)',
      ]);
      await build.selectOption('calm');
      await held.waitFor({ state: 'detached' });
      await button('Save config').click();
      await page.getByText('All saved').waitFor();
      expect(await saved('unbuilt')).toMatchObject({ serverSettings: { gameBuild: 'calm' } });
    });
  });

  it('says in the bar why a save was refused', async () => {
    await open('arena', async () => {
      await page.getByLabel('Idle timeout, seconds').fill('soon');
      await page.keyboard.press('Home');
      await button('Save config').click();
      const refused = page.getByRole('alert').filter({ hasText: 'Nothing was saved. Fix' });
      await refused.waitFor();
      await eventually('the bar is on the screen', () => isSeen(refused));
    });
  });

  it('never saves by Enter, in a config or a build', async () => {
    await open('arena', async () => {
      const before = await saved('arena');
      const writes: string[] = [];
      page.on('request', (request) => {
        writes.push(...(request.method() === 'PUT' ? [request.url()] : []));
      });
      await page.locator('summary', { hasText: 'duel' }).click();
      for (const [label, text] of [
        ['Idle timeout, seconds', '444'],
        ['Maximum difference', '60'],
        ['State fields that players cannot write', 'mmr'],
      ] as const) {
        await page.getByLabel(label).fill(text);
        await page.getByLabel(label).press('Enter');
      }
      await page.getByText('A save changes 3 fields').waitFor();
      await page.goto(`${site.running.url}/dashboard/#/builds`);
      await button('Edit calm').click();
      await page.getByLabel('Label').fill('new');
      await page.getByLabel('Label').press('Enter');
      await page.getByText('A save changes one field').waitFor();
      await button('Save build').click();
      await page.getByText('Build calm was saved').waitFor();
      expect(writes).toHaveLength(1);
      expect(await saved('arena')).toEqual(before);
    });
  });

  it('shows what a save would change, and discards it', async () => {
    await open('arena', async () => {
      const timeout = page.getByLabel('Idle timeout, seconds');
      await timeout.fill('444');
      await page.getByLabel('Enabled').uncheck();
      const changes = page.getByRole('region', { name: 'A save changes 2 fields' });
      expect(await changes.getByRole('listitem').allTextContents()).toEqual([
        'enabled: true → false',
        'timeout: 300 → 444',
      ]);
      await eventually('the changes are on the screen', () => isSeen(changes));
      await button('Discard').click();
      await page.getByText('All saved').waitFor();
      expect(await timeout.inputValue()).toBe('300');
      await changes.waitFor({ state: 'detached' });
      await page.reload();
      await page.getByText('All saved').waitFor();
    });
  });

  it('leads to each of its sections', async () => {
    await open('arena', async () => {
      const sections = page.getByRole('navigation', { name: 'Sections' });
      for (const name of ['Game servers', 'Invite codes', 'squads', 'Custom properties']) {
        await sections.getByRole('button', { name, exact: true }).click();
        const at = page.locator('legend, summary', { hasText: name }).first();
        await eventually(`${name} is seen`, () => isSeen(at));
      }
      const parts = page.getByRole('navigation', { name: 'Parts of squads' });
      await parts.getByRole('button', { name: 'Waiting and starting' }).click();
      const part = page.locator('details[open] legend', { hasText: 'Waiting and starting' });
      await eventually('the part is seen', () => isSeen(part));
    });
  });

  it('says of two lobbies that fit how many players more a match needs', async () => {
    await open('arena', async () => {
      await page.locator('summary', { hasText: 'squads' }).click();
      await page.getByText('these two can play together; 8 more are needed').waitFor();
    });
  });

  it('copies the roles of a team, or gives all teams a line of them', async () => {
    await open('roles', async () => {
      await page.getByLabel('Name of the new mode').fill('royal');
      await button('Add mode').click();
      await page.getByLabel('Teams with named roles').check();
      await page.getByLabel('Roles of every team').fill('tank, 2 damage, support 2');
      await button('Use for every team').click();
      await page.getByLabel('New team').fill('third');
      await button('Add team').click();
      await button('Save config').click();
      await page.getByText('All saved').waitFor();
      const roles = { tank: 1, damage: 2, support: 2 };
      expect(await saved('roles')).toMatchObject({
        matchmaking: {
          modes: {
            royal: { teamComposition: { attackers: roles, defenders: roles, third: roles } },
          },
        },
      });
    });
  });

  it('takes sizes that relax as a list, and leads to it where it is wrong', async () => {
    await open('arena', async () => {
      await page.locator('summary', { hasText: 'squads' }).click();
      const squads = page.locator('details', { hasText: 'squads' });
      const steps = squads.getByLabel('Minimums that fall with the wait');
      await steps.fill('[{"afterSeconds": 90, "minPlayersPerTeam": 3}]');
      await squads.getByLabel('Teams of a match have equally many players').check();
      await page.keyboard.press('Home');
      await button('Save config').click();
      const refused = page.getByRole('alert').filter({ hasText: 'must be below the timeout' });
      await refused.getByRole('button').click();
      await eventually('the list has the focus', () =>
        steps.evaluate((is) => is.matches(':focus')),
      );
      const list = [{ afterSeconds: 15, minPlayersPerTeam: 3 }];
      await steps.fill(JSON.stringify(list));
      await button('Save config').click();
      await page.getByText('All saved').waitFor();
      expect(await saved('arena')).toMatchObject({
        matchmaking: { modes: { squads: { playersPerTeam: 5, steps: list, sameSize: true } } },
      });
    });
  });

  it('is open to everybody, wide and narrow, with all that it can say', async () => {
    await site.operator.ok('PUT', '/lobby-configs/unbuilt', {
      serverSettings: { gameBuild: 'clam' },
      matchmaking: { modes: { duel: { rules: RULES } } },
    });
    await open('unbuilt', async () => {
      await page.getByLabel('Idle timeout, seconds').fill('301');
      await button('Save config').click();
      await page.getByText('Nothing was saved yet').waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 860 });
          const isAgain = colorScheme === 'dark';
          expect(await findingsOn(page, `${colorScheme} ${width}`, isAgain)).toEqual([]);
          const folder = process.env['SCREENSHOTS'];
          if (folder !== undefined) {
            await page.screenshot({ path: join(folder, `editor-${colorScheme}-${width}.png`) });
          }
        }
      }
    });
    expect(site.complaints).toEqual([]);
  });
});
