// How the dashboard looks where that says something: a low head on a phone, red for what is lost, edges that say there is
// more, legends as the lines are, and one version everywhere.

import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import client from '../../packages/js/package.json' with { type: 'json' };
import manifest from '../../package.json' with { type: 'json' };
import { Player } from '../../scripts/player.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';

const PHONE = { width: 390, height: 800 };

let site: Site;
let page: Page;

beforeAll(async () => {
  site = await openSite('looks');
  const { operator, running } = site;
  await operator.ok('PUT', '/lobby-configs/zoo', { matchmaking: { modes: { solo: {} } } });
  await operator.ok('PUT', '/lobby-configs/zoo', { matchmaking: { modes: { duel: {} } } });
  const ann = new Player(running.url, 'ann');
  await ann.ok('POST', '/lobbies/zoo', { name: 'ann' });
  await ann.ok('POST', '/lobbies/zoo/me/matchmaking', { mode: 'duel' });
  page = await pageIn(site, await site.browser.newContext({ viewport: PHONE }));
});

afterAll(() => site.stop());

async function go(hash: string, heading: string): Promise<void> {
  await page.goto(`${site.running.url}/dashboard/${hash}`);
  await page.getByRole('heading', { name: heading }).first().waitFor();
}

/** With SCREENSHOTS=<folder>, a picture of the page. */
async function seen(name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder !== undefined) {
    await page.screenshot({ path: join(folder, `looks-${name}.png`) });
  }
}

/** The colour of a text, and that of the tokens. */
async function colourOf(name: string): Promise<{ readonly own: string; readonly bad: string }> {
  return page
    .getByRole('button', { name })
    .first()
    .evaluate((button) => {
      const probe = document.createElement('span');
      probe.style.color = 'var(--bad)';
      document.body.append(probe);
      const bad = getComputedStyle(probe).color;
      probe.remove();
      return { own: getComputedStyle(button).color, bad };
    });
}

describe.runIf(needs('chromium'))('the looks of the dashboard', () => {
  it('leaves a phone to the page: the head is at most 110 px tall, and all of it can be reached', async () => {
    await signedIn(site, page);
    const head = page.getByRole('banner');
    expect((await head.boundingBox())?.height).toBeLessThanOrEqual(110);
    const out = head.getByRole('button', { name: 'Sign out' });
    expect((await out.boundingBox())?.x).toBeGreaterThan(PHONE.width);
    await page.getByRole('searchbox').focus();
    for (let at = 0; at < 20 && !(await out.evaluate((el) => el.matches(':focus'))); at += 1) {
      await page.keyboard.press('Tab');
    }
    const box = await out.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(PHONE.width);
    await go('#/audit', 'Audit');
    const current = head.getByRole('link', { name: 'Audit' });
    expect((await current.boundingBox())?.x).toBeLessThan(PHONE.width - 40);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await seen(`head-${colorScheme}`);
      expect(await findingsOn(page, `head, ${colorScheme}`)).toEqual([]);
    }
  });

  it('has red for what is lost or failed, and not for what can be undone', async () => {
    await go('#/configs/zoo/history', 'zoo');
    await seen('history');
    const restore = await colourOf('Restore');
    expect(restore.own).not.toBe(restore.bad);
    await go('#/configs/zoo', 'zoo');
    const remove = await colourOf('Remove config');
    expect(remove.own).toBe(remove.bad);
  });

  it('shows in a legend what the line is like', async () => {
    await go('#/', 'Overview');
    const legend = page.locator('.u-legend').first();
    await legend.getByText('formed').waitFor();
    const styles = await legend
      .locator('.u-marker')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).borderTopStyle));
    await legend.scrollIntoViewIfNeeded();
    await seen('legend');
    expect(styles).toEqual([expect.anything(), 'solid', 'dashed']);
  });

  it('shows one version: that of the service, its API and its client', async () => {
    const { version } = manifest;
    expect(await page.getByRole('banner').textContent()).toContain(`Muster ${version}`);
    const described = (await (await fetch(`${site.running.url}/openapi.json`)).json()) as {
      readonly info: { readonly version: string };
    };
    expect([described.info.version, client.version]).toEqual([version, version]);
  });

  it('shades the edge behind which a wide table of the guides goes on, light and dark', async () => {
    await page.goto(`${site.running.url}/guides/modes`);
    const table = page.locator('.table').first();
    await table.waitFor();
    const wide = await table.evaluate((each) => each.scrollWidth > each.clientWidth);
    expect(wide).toBe(true);
    expect(await table.evaluate((each) => getComputedStyle(each).backgroundAttachment)).toContain(
      'local, local, scroll, scroll',
    );
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await table.scrollIntoViewIfNeeded();
      await seen(`guide-${colorScheme}`);
      expect(await findingsOn(page, `guide, ${colorScheme}`)).toEqual([]);
    }
  });
});
