// Six players in two browsers play the game of docs/whole-game.md: four play, one of them by an invite code, one loads
// the page again, one leaves, and one of the two who search comes instead. Every step waits for what a page shows.

import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { pathOf } from '../support/tools.ts';

/** Where the page draws the paddles, in the order in which it names their players. */
const COLUMNS = [60, 130, 510, 580];

export async function sixPlay(site: string): Promise<void> {
  const browsers = await Promise.all([0, 1].map(() => startChromium()));
  const complaints: string[] = [];
  const tab = async (player: string, at: number): Promise<Page> => {
    const page = await (browsers[at] as Browser).newPage();
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('console', (message) => {
      if (message.type() === 'error') {
        complaints.push(message.text());
      }
    });
    await page.goto(`${site}/?player=${player}`);
    await page.locator('#create').or(page.locator('#leave')).filter({ visible: true }).waitFor();
    return page;
  };
  try {
    const [ann, ben, cat, dan, eve, fay] = [
      await tab('ann', 0),
      await tab('ben', 1),
      await tab('cat', 0),
      await tab('dan', 1),
      await tab('eve', 0),
      await tab('fay', 1),
    ];
    const teams = await fourMeet({ ann, ben, cat, dan });
    await ben.reload();
    await shows(ben, '#teams', teams);

    await searches(eve);
    await searches(fay);
    await dan.locator('#leave').click();
    await dan.locator('#home').waitFor();
    const now = teams.replace('dan', 'eve');
    await Promise.all([ann, ben, cat, eve].map((page) => shows(page, '#teams', now)));
    await shows(fay, '#status', 'in_queue');

    await annWins(ann, [cat, eve], now);
    await Promise.all(
      [ann, ben, cat, eve].map(async (page) => {
        await page.locator('#game').waitFor({ state: 'hidden' });
        await page.locator('#ladder li').nth(4).waitFor();
      }),
    );
    const ladder = await ann.locator('#ladder li').allTextContents();
    const names = ladder.map((line) => line.split(':')[0] ?? '');
    expect(names.slice(0, 2).toSorted()).toEqual(['ann', 'ben']);
    // Whoever left lost alone, although somebody came instead.
    expect(names.slice(2).toSorted()).toEqual(['cat', 'dan', 'eve']);
    expect(ladder.filter((line) => !line.endsWith(' (1 played)'))).toEqual([]);
    expect(complaints).toEqual([]);
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
  }
}

async function shows(page: Page, part: string, text: string): Promise<void> {
  await page.locator(part).filter({ hasText: text, visible: true }).waitFor();
}

async function searches(page: Page): Promise<void> {
  await page.locator('#create').click();
  await page.locator('#ready').click();
  await page.locator('#find:enabled').click();
  await shows(page, '#status', 'in_queue');
}

/** Ann and Ben meet Cat and Dan. Answers what all of their pages say of the teams. */
async function fourMeet(pages: Readonly<Record<'ann' | 'ben' | 'cat' | 'dan', Page>>) {
  const { ann, ben, cat, dan } = pages;
  await ann.locator('#create').click();
  await ann.locator('#invite').filter({ hasText: /\S/ }).waitFor();
  await ben.locator('#code').fill((await ann.locator('#invite').textContent()) ?? '');
  await ben.locator('#join').click();
  await ben.locator('#ready').click();
  await ann
    .locator('#players')
    .filter({ hasText: /ben, \d+ points, ready/ })
    .waitFor();
  expect(await ann.locator('#find').isDisabled()).toBe(true);
  await ann.locator('#ready').click();
  await ann.locator('#find:enabled').click();
  await searches(cat);
  await dan.locator('#create').click();
  await dan.locator('#ready').click();
  await dan.locator('#find:enabled').click();

  await shows(ann, '#status', '0 of 4 have accepted');
  await ann.locator('#accept').click();
  await shows(cat, '#status', '2 of 4 have accepted');
  await cat.locator('#accept').click();
  await shows(dan, '#status', '3 of 4 have accepted');
  await dan.locator('#accept').click();

  await ann.locator('#teams').filter({ hasText: ' and ', hasNotText: 'nobody' }).waitFor();
  const teams = (await ann.locator('#teams').textContent()) ?? '';
  expect(teams).toMatch(/(ann and ben|ben and ann)/);
  expect(teams).toMatch(/(cat and dan|dan and cat)/);
  await Promise.all([ben, cat, dan].map((page) => shows(page, '#teams', teams)));
  return teams;
}

/** The others hold their paddles at the top, where no ball comes that is served from the middle. */
async function annWins(ann: Page, others: readonly Page[], teams: string): Promise<void> {
  await Promise.all(others.map((page) => page.keyboard.down('ArrowUp')));
  const order = teams.split(/ and | against /);
  const columns = ['cat', 'eve'].map((name) => COLUMNS[order.indexOf(name)] ?? 0);
  await ann.waitForFunction((all) => {
    const pen = document.querySelector('canvas')?.getContext('2d');
    return all.every((x) => (pen?.getImageData(x, 5, 1, 1).data[0] ?? 0) > 200);
  }, columns);
  const score = ann.locator('#score');
  for (const points of [1, 2, 3]) {
    await ann.keyboard.press(' ');
    const side = order.indexOf('ann') < 2 ? `${points} : 0` : `0 : ${points}`;
    await score.filter({ hasText: side }).waitFor({ state: 'attached' });
  }
}
