// What an operator comes for, done in a browser from the overview on, with the number of steps that each task takes: a
// step is a click, a field that is filled in, or a choice. docs/troubleshooting.md has a row for each task, with its steps.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../../scripts/bundle.ts';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { openSite, pageIn, signedIn, type Site } from './browser.ts';

let site: Site;
let page: Page;
let steps = 0;
/** The rows of the page's table of tasks: the task, and its steps. */
let rows: ReadonlyMap<string, number>;

beforeAll(async () => {
  const text = await readFile(join(PROJECT, 'docs/troubleshooting.md'), 'utf8');
  const told = text.matchAll(/^\| (.+?) \|.*\| (\d+) steps? \| `[a-z-]+\.test\.ts`/gm);
  rows = new Map(Array.from(told, ([, name = '', count]) => [name, Number(count)]));
  site = await openSite('operator-tasks');
  const rules = [{ type: 'difference', field: 'mmr', maxDifference: 50 }];
  const matchmaking = { modes: { duel: { timeout: 600, rules } } };
  await site.operator.ok('PUT', '/lobby-configs/arena', { matchmaking });
});

afterAll(async () => {
  await site.stop();
});

async function search(name: string, mmr: number, lobby: object = {}): Promise<string> {
  const player = new Player(site.running.url, name);
  const { id } = await player.ok('POST', '/lobbies/arena', { name, state: { mmr }, ...lobby });
  await player.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  return id;
}

async function click(what: Locator): Promise<void> {
  steps += 1;
  await what.click();
}

async function fill(what: Locator, text: string): Promise<void> {
  steps += 1;
  await what.fill(text);
  await what.press('Enter');
}

/** Fills the field in, and sends nothing. */
async function fillOnly(what: Locator, text: string): Promise<void> {
  steps += 1;
  await what.fill(text);
}

function linkTo(name: string): Locator {
  return page.getByRole('link', { name, exact: true });
}

/** In two steps. The overview can have links of the config's name, too. */
async function openConfig(name: string): Promise<void> {
  await click(linkTo('Configs'));
  await page.getByRole('heading', { name: 'Configs' }).waitFor();
  await click(linkTo(name));
}

function button(name: string): Locator {
  return page.getByRole('button', { name, exact: true });
}

/** Confirms what the page asks. */
function confirm(name: string): Promise<void> {
  return click(page.getByRole('dialog').getByRole('button', { name }));
}

/** Does the task from the overview on, and says how many steps it took. */
async function task(name: string, most: number, run: () => Promise<unknown>): Promise<void> {
  const context = await site.browser.newContext();
  page = await pageIn(site, context);
  await signedIn(site, page);
  steps = 0;
  await run();
  console.log(`task ${name}: ${steps} steps`);
  expect(steps).toBe(most);
  expect(rows.get(name), `${name} in docs/troubleshooting.md`).toBe(most);
  await context.close();
}

function table(name: string): Locator {
  return page.getByRole('table', { name });
}

describe.runIf(needs('chromium'))('an operator, from the overview on', () => {
  it('says why a player waits, and why one waited, in two steps each', async () => {
    await search('low', 1_000);
    await search('top', 1_400);
    await task('Why a player waits now', 2, async () => {
      await fill(page.getByRole('searchbox'), 'top');
      await click(page.getByRole('button', { name: /^Explain/ }));
      await page.getByRole('heading', { name: /^Why lobby .* is waiting/ }).waitFor();
    });
    await new Player(site.running.url, 'top').ok('DELETE', '/lobbies/arena/me/matchmaking');
    await eventually('the journal, which lags by a second, has the end', async () => {
      const asked = '/admin/searches?player=top';
      const { items } = await site.operator.ok<{ items: { ended: unknown }[] }>('GET', asked);
      return (items[0]?.ended ?? null) !== null;
    });
    await task('Why a player waited', 2, async () => {
      await fill(page.getByRole('searchbox'), 'top');
      await click(table('Last searches').getByRole('button', { name: 'Why' }));
      await page.getByText('Rejected most').waitFor();
    });
  });

  it('tries a wider rule on the last day, in four', async () => {
    await task('A wider rule, tried on the last day', 4, async () => {
      await openConfig('arena');
      await fillOnly(page.getByLabel('Maximum difference'), '500');
      await click(button('Try it on the last day'));
      await table('What if').getByRole('row', { name: 'Matches 0 1', exact: true }).waitFor();
    });
  });

  it('finds by player, code, lobby and eight characters, in one', async () => {
    const id = await search('zoe', 9_000);
    const { code } = await new Player(site.running.url, 'zoe').ok('GET', '/lobbies/arena/me');
    for (const [by, text, title] of [
      ['player', 'zoe', 'Player zoe'],
      ['code', code ?? '', 'zoe'],
      ['eight characters', id.slice(0, 8), 'zoe'],
      ['id', id, 'zoe'],
    ] as const) {
      await task(`Find a player or lobby by ${by}`, 1, async () => {
        await fill(page.getByRole('searchbox'), text);
        await page.getByRole('heading', { name: title }).first().waitFor();
      });
    }
  });

  it('kicks a player in three steps, and bans one in four', async () => {
    await search('mal', 5_000);
    await task('Kick a player', 3, async () => {
      await fill(page.getByRole('searchbox'), 'mal');
      await click(button('Kick'));
      await confirm('Kick the player');
      await page.getByText('in no lobby right now').waitFor();
    });
    await search('mal', 5_000);
    await task('Ban a player', 4, async () => {
      await fill(page.getByRole('searchbox'), 'mal');
      await fillOnly(page.getByLabel('Reason for the player'), 'Aimbot');
      await click(button('Ban'));
      await confirm('Ban the player');
      await table('Bans').getByText('Aimbot').waitFor();
      await page.getByText('Banned from all configs').waitFor();
    });
  });

  it('sees a failing build, why and since when, in one, and rolls it back in four', async () => {
    await site.operator.ok('PUT', '/builds/game', { label: 'good' });
    const launch = { command: '/bin/sh', args: ['-c', 'echo no such map; exit 3'] };
    await site.operator.ok('PUT', '/builds/game', { label: 'bad', launch });
    for (let start = 0; start < 3; start += 1) {
      await site.operator.call('POST', '/servers/start', { version_tag: 'game' });
    }
    await task('A failing build: why, and since when', 1, async () => {
      await click(linkTo('Builds'));
      await page.getByText(/Its last three launches failed\s*, since/).waitFor();
      await page
        .getByText(/exit code 3/)
        .first()
        .waitFor();
    });
    await task('Roll a build back', 4, async () => {
      await click(linkTo('Builds'));
      await click(linkTo('History of game'));
      await click(page.getByRole('button', { name: 'Restore' }).first());
      await confirm('Restore');
      await table('Changes').getByRole('row', { name: 'label "bad" "good"' }).waitFor();
    });
  });

  it('stops all servers of a build, in four', async () => {
    await site.operator.ok('PUT', '/builds/calm', { label: '1.0' });
    for (let start = 0; start < 2; start += 1) {
      await site.operator.ok('POST', '/servers/start', { version_tag: 'calm' });
    }
    await task('Stop all servers of a build', 4, async () => {
      await click(linkTo('Servers'));
      steps += 1;
      await page.getByLabel('Build').selectOption('calm');
      await click(button('Stop all 2 of this build'));
      await confirm('Stop all servers of this build');
      await page.getByText(/No servers are running|No server fits/).waitFor();
    });
  });

  it('says what a match and a month cost, in two', async () => {
    await task('What a match and a month cost', 2, async () => {
      await click(linkTo('Guides'));
      await click(linkTo('What requests and matches cost').first());
      await page.getByRole('row', { name: /^a million 1v1 matches/ }).waitFor();
    });
  });

  it('reads the 90th percentile of waits by mode and region, in two', async () => {
    for (const player of ['eve', 'joe']) {
      await search(player, 3_000, { region: 'eu-west' });
    }
    await search('sue', 7_000);
    await new Player(site.running.url, 'sue').ok('DELETE', '/lobbies/arena/me/matchmaking');
    await task('The 90th percentile of waits by mode and region', 2, async () => {
      await click(linkTo('Queues'));
      await click(button('Last day'));
      const waits = table('Waits by mode and region');
      await waits
        .getByRole('row', { name: /^arena \/ duel eu-west 2 0 \(0 %\) [\d.]+ s [\d.]+ s$/ })
        .waitFor();
      await waits.getByRole('row', { name: /^arena \/ duel us-east/ }).waitFor();
    });
  });

  it('says who changed a config in one, and undoes it in three more', async () => {
    await site.operator.ok('PUT', '/lobby-configs/den', { timeout: 100 });
    await site.operator.ok('PUT', '/lobby-configs/den', { timeout: 999 });
    await task('Who changed a config, and undo it', 4, async () => {
      await click(linkTo('Audit'));
      await click(table('Audit').getByRole('link', { name: 'den' }).first());
      await click(page.getByRole('button', { name: 'Restore' }).first());
      await confirm('Restore');
      await table('Changes').getByRole('row', { name: 'timeout 999 100' }).waitFor();
    });
  });

  it('drains a config in three, and sees on the overview what is left', async () => {
    await task('Drain a config, and see what is left', 3, async () => {
      await fill(page.getByRole('searchbox'), 'den');
      await click(page.getByLabel(/^Nobody can create a lobby/));
      await click(button('Save config'));
      await page.getByText('All saved').waitFor();
      await page.goto(`${site.running.url}/dashboard/#/`);
      await page.getByText(/is closed.*Left: 0 searching/).waitFor();
    });
  });

  it('makes a 5v5 mode with roles, in seven', async () => {
    await task('A 5v5 mode with roles', 7, async () => {
      await openConfig('den');
      await fillOnly(page.getByLabel('Name of the new mode'), 'ranked');
      await click(button('Add mode'));
      await click(page.getByLabel('Teams with named roles'));
      steps += 1;
      await page.getByLabel('Recipe for every team').selectOption('tank 1, damage 2, support 2');
      await click(button('Save config'));
      await page.getByText('All saved').waitFor();
    });
    const roles = { tank: 1, damage: 2, support: 2 };
    expect(await site.operator.ok('GET', '/lobby-configs/den')).toMatchObject({
      matchmaking: {
        modes: {
          ranked: { playersPerTeam: 5, teamComposition: { attackers: roles, defenders: roles } },
        },
      },
    });
    expect(site.complaints).toEqual([]);
  });
});
