// "Try it on the last day" on a large day: entries as `npm run record` makes them, answered in place of the
// service's journal. The page goes on answering, says how far it is, and can stop. `npm run bench:what-if`
// tries a real service's journal of 20,000 entries.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../../scripts/bundle.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, signedIn, type Site } from './browser.ts';
import { longestTask, watchTasks } from './long-tasks.ts';

const ENTRIES = 5_000;
const JOURNAL = '**/v3/admin/journal?*';
const CHECK = '**/v3/admin/check-config';

let site: Site;
let day: string;

beforeAll(async () => {
  const record = ['scripts/run-bundled.ts', 'proof/sim/record.ts', `--entries=${ENTRIES}`];
  const recorded = promisify(execFile)(process.execPath, record, {
    cwd: PROJECT,
    maxBuffer: 64 * 1024 * 1024,
  });
  site = await openSite('what-if');
  day = (await recorded).stdout;
  const rules = [{ type: 'difference', field: 'mmr', maxDifference: 120 }];
  const trio = { teams: 2, playersPerTeam: 3, minPlayersPerTeam: 2, timeout: 120, rules };
  await site.operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes: { trio } } });
});

afterAll(async () => {
  await site.stop();
});

async function editor(answer: (route: Route) => Promise<void>): Promise<Page> {
  const page = await pageIn(site, await site.browser.newContext());
  await signedIn(site, page, '#/configs/arena');
  await page.route(JOURNAL, answer);
  await page.getByLabel('Maximum difference').fill('60');
  return page;
}

/** With SCREENSHOTS=<folder> the histogram is put there, light and dark. */
async function pictureOf(page: Page, bars: Locator): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findingsOn(page, colorScheme, colorScheme === 'dark')).toEqual([]);
    if (folder !== undefined) {
      await bars.scrollIntoViewIfNeeded();
      await page.screenshot({ path: join(folder, `what-if-${colorScheme}.png`) });
    }
  }
}

/** The browser says so a moment after the page has ended them. */
function workersEnd(page: Page): Promise<unknown> {
  return eventually('no worker is left', async () => page.workers().length === 0);
}

describe.runIf(needs('chromium'))('trying a mode on a large day', () => {
  it('leaves the page responsive, says how far it is, and finds the matches of the journal', async () => {
    const page = await editor((route) => route.fulfill({ body: day }));
    await page.getByRole('checkbox', { name: 'Rate players by results' }).check();
    await watchTasks(page);
    await page.evaluate(() => {
      const shown: number[] = [];
      Object.assign(globalThis, { shown });
      new MutationObserver(() => {
        const value = document.querySelector('progress')?.value;
        if (value !== undefined && value !== shown.at(-1)) {
          shown.push(value);
        }
      }).observe(document.body, { attributes: true, childList: true, subtree: true });
    });
    const begun = performance.now();
    await page.getByRole('button', { name: 'Try it on the last day' }).click();
    await page.getByRole('progressbar', { name: 'Replaying' }).waitFor();
    const table = page.getByRole('table', { name: 'What if' });
    await table.waitFor();
    const took = performance.now() - begun;
    const matches = [...day.matchAll(/^\{"k":"match"/gm)].length;
    await page.getByText(`0 of ${matches} matches came out differently`).waitFor();
    await table.getByRole('row', { name: `of ${ENTRIES}` }).waitFor();
    const bars = page.getByRole('img', {
      name: /^<1 s: \d+ today, \d+ with your changes; .*≥300 s/,
    });
    await bars.waitFor();
    // Trios are played by parties too, so how far apart the teams are is less than their lobbies are.
    for (const name of [
      /^Chances off even \(p50\) [\d.]+ points.* [\d.]+ points/,
      /^Chances off even \(p90\) [\d.]+ points.* [\d.]+ points/,
      /^Games within 5 points of even \d+ %.* \d+ %/,
      /^mmr: gap between the teams \(p90\) \d/,
      /^mmr: gap within a match \(p90\) \d/,
    ]) {
      await table.getByRole('row', { name }).waitFor();
    }
    await page.getByText('Of two teams, 5 points are 55 to 45').waitFor();
    await pictureOf(page, bars);
    const shown = await page.evaluate<number[]>('globalThis.shown');
    expect(shown.length).toBeGreaterThan(4);
    expect(shown).toEqual(shown.toSorted((a, b) => a - b));
    // Played on the page itself it would be busy nearly all the while.
    const longest = await longestTask(page);
    expect(longest, `of ${took} ms`).toBeLessThan(took / 4);
    await workersEnd(page);
    expect(site.complaints).toEqual([]);
    await page.context().close();
  });

  it('names a lobby once that would never have matched, and says how often it searched', async () => {
    const lines = day.split('\n');
    const entered = lines.find((line) => line.startsWith('{"k":"enter"')) ?? '';
    const first = JSON.parse(entered) as { readonly t: number; readonly ticket: object };
    const t = first.t + 600_000;
    const again = { ...first, t, ticket: { ...first.ticket, id: 'again', startedAt: t } };
    const body = [lines[0], entered, JSON.stringify(again)].join('\n');
    const page = await editor((route) => route.fulfill({ body }));
    await page.getByRole('button', { name: 'Try it on the last day' }).click();
    await page.getByText(/^Would never have matched: \S+ \(2 searches\)$/).waitFor();
    await page.context().close();
  });

  it('says which line of a spoilt journal is wrong', async () => {
    const body = `${day.split('\n', 1)[0]}\n{"k":"enter","t":1,"ticket":{"id":{"__proto__":1}}}\n`;
    const page = await editor((route) => route.fulfill({ body }));
    await page.getByRole('button', { name: 'Try it on the last day' }).click();
    await page.getByText(/line 2 is spoilt: ticket\.id: /).waitFor();
    await workersEnd(page);
    await page.context().close();
  });

  it('stops while it checks the mode, while it reads, and when its page is left', async () => {
    // The service never answers.
    const silent = async (): Promise<void> => {};
    const page = await editor(silent);
    const tried = page.getByRole('button', { name: 'Try it on the last day' });
    const stops = async (workers: number): Promise<void> => {
      await page.getByRole('progressbar', { name: 'Reading the journal' }).waitFor();
      await eventually('it is under way', async () => page.workers().length === workers);
      await page.getByRole('button', { name: 'Stop' }).click();
      await page.getByText('Stopped').waitFor();
      await workersEnd(page);
    };
    await tried.click();
    await stops(1);
    await page.route(CHECK, silent);
    await tried.click();
    await stops(0);
    await page.unroute(CHECK);
    await tried.click();
    await eventually('it is under way', async () => page.workers().length === 1);
    await page.goto(`${site.running.url}/dashboard/#/queues`);
    await workersEnd(page);
    await page.context().close();
  });
});
