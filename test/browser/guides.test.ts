// The guides in a real browser: how one finds a page, what a page has around it, and that it reads well at any width,
// in any light, at any address, and without a script.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT } from '../../scripts/bundle.ts';
import { must } from '../../src/common/result.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, type Site } from './browser.ts';

/** The headings of pages that have been split: links from elsewhere lead there. */
const OLD = {
  operations: `where-it-runs settings on-a-box on-cloudflare limits keys backups a-full-disk upgrades watching-it metrics
    the-audit-list the-journal how-much-disk-a-game-needs capacity costs what-operators-come-for
    when-something-is-wrong`,
  fleets: `choosing-one the-contract local-processes-on-one-machine an-agent-of-its-own what-servers-see
    http-signed-calls-to-your-own-receiver agones-kubernetes what-a-game-server-is-told the-result-of-a-match
    when-things-go-wrong regions`,
  configuring: `recipes one-against-one-ranked five-against-five-with-parties a-battle-royale-of-a-hundred one-against-four
    several-versions-of-the-game-at-once drop-in-drop-out two-versions-of-a-real-game configs attributes builds
    what-looks-like-a-mistake what-is-refused-as-it-is-printed even-teams sizes-that-relax a-target-wait`,
};
const TALLEST = 10_000;
const LOOKS = [
  [1440, 'light'],
  [390, 'dark'],
] as const;

let site: Site;
let page: Page;
let context: BrowserContext;
const asked = new Set<string>();
/** Every page of the guides, in the order of the list beside them. */
let names: readonly string[];
/** What each page shows at an address of its own, by its name. */
const shown = new Map<string, Awaited<ReturnType<typeof shownHere>>>();

beforeAll(async () => {
  if (!needs('chromium')) {
    return;
  }
  site = await openSite('guides');
  context = await site.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  page = await pageIn(site, context);
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  page.on('console', (message) => {
    if (message.type() === 'error') {
      site.complaints.push(`${page.url()}: ${message.text()}`);
    }
  });
  await open('index');
  const links = page.getByRole('navigation', { name: 'Guides' }).getByRole('link');
  const listed = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
  names = listed.map((href) => (href ?? '').replace('.html', ''));
});

afterAll(async () => {
  if (needs('chromium')) {
    await site.stop();
  }
});

async function shownHere() {
  const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
  return {
    headings: await page
      .locator('main h2[id], main h3[id]')
      .evaluateAll((all) => all.map(({ id, textContent }) => [`#${id}`, textContent])),
    listed: await contents.evaluateAll((all) =>
      all.map((each) => [each.getAttribute('href'), each.textContent]),
    ),
    text: await page.locator('main').innerText(),
    ...(await page.evaluate(() => ({
      height: document.documentElement.scrollHeight,
      ids: [...document.querySelectorAll('h1[id], h2[id], h3[id]')].map(({ id }) => id),
      moved: Object.fromEntries(
        [...document.querySelectorAll('.parts [id]')].map((part) => [
          part.id,
          part.querySelector('a')?.getAttribute('href') ?? '',
        ]),
      ),
    }))),
  };
}

function open(name: string): Promise<unknown> {
  return page.goto(`${site.running.url}/guides/${name}.html`);
}

/** Words that two lines share, and code in tables that takes two lines. */
async function broken(): Promise<readonly string[]> {
  return page.evaluate(() => {
    const lines = (range: Range | Element): number =>
      new Set(
        [...range.getClientRects()]
          .filter(({ width }) => width > 0)
          .map(({ top }) => Math.round(top)),
      ).size;
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      for (const { 0: word, index } of (text.textContent ?? '').matchAll(/[\p{L}\p{N}_]+/gu)) {
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        if (lines(range) > 1) {
          found.push(word);
        }
      }
    }
    for (const code of document.querySelectorAll('td code, th code')) {
      if (lines(code) > 1) {
        found.push(code.textContent ?? '');
      }
    }
    return found;
  });
}

describe.runIf(needs('chromium'))('the guides', () => {
  it('begin with a page that says which page does what one wants', async () => {
    await open('index');
    const rows = await page.getByRole('row', { name: /./ }).allInnerTexts();
    expect(rows.filter((row) => row.startsWith('I want'))).not.toEqual([]);
    const linked = await page
      .locator('main td a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')?.replace(/\.html.*/, '')));
    expect([...new Set(linked)].filter((name) => !name?.startsWith('/'))).toEqual(names.slice(1));
    expect(names.length).toBeGreaterThan(30);
    expect(names).toEqual(expect.arrayContaining(['client', 'examples', 'packages-unity']));
  });

  it('lead from each page to the next, and back', async () => {
    const turn = page.getByRole('navigation', { name: 'Previous and next' });
    const { port } = new URL(site.running.url);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`http://localhost:${port}/guides/index.html`);
    shown.set('index', await shownHere());
    await page.goto(`http://localhost:${port}/guides/${names[1]}.html`);
    for (const [index, name] of names.entries().drop(1)) {
      expect(new URL(page.url()).pathname).toBe(`/guides/${name}.html`);
      shown.set(name, await shownHere());
      const current = page
        .getByRole('navigation', { name: 'Guides' })
        .locator('[aria-current=page]');
      expect(await current.getAttribute('href')).toBe(`${name}.html`);
      const next = turn.getByRole('link', { name: /^Next/ });
      if (index === names.length - 1) {
        expect(await next.count()).toBe(0);
      } else {
        await next.click();
        await page.waitForURL(`**/${names[index + 1]}.html`);
      }
    }
    await turn.getByRole('link', { name: /^Previous/ }).click();
    await page.waitForURL(`**/guides/${names.at(-2)}.html`);
  });

  it('list the headings of a page, and give each a link', async () => {
    expect([...shown.keys()]).toEqual(names);
    for (const [name, { headings, listed }] of shown) {
      expect([name, listed]).toEqual([name, headings.length > 1 ? headings : []]);
    }
    await open('events');
    await page.locator('main h2').getByRole('link').nth(2).click();
    expect(new URL(page.url()).hash).toBe(
      `#${await page.locator('main h2').nth(2).getAttribute('id')}`,
    );
  });

  it('copy what a block says, with the address that served it', async () => {
    const { port } = new URL(site.running.url);
    await page.goto(`http://localhost:${port}/guides/quickstarts-http.html`);
    const block = page.locator('.code', { has: page.locator('pre.sh') }).first();
    await block.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`-X PUT http://localhost:${port}/v3/lobby-configs/quickstart`);
    expect(copied.trim()).toBe((await page.locator('pre.sh').first().textContent())?.trim());
    for (const [name, { text }] of shown) {
      expect([name, text]).toEqual([name, expect.not.stringContaining('http://127.0.0.1:8787')]);
    }
  });

  it.each([
    ['AGENT_USER', 'local-fleet'],
    ['launch_failed', 'monitoring'],
    ['useLobby', 'client'],
    ['backup restore', 'backups'],
    ['godot exports', 'packages-godot'],
    ['createLobby', '/docs#/Lobbies/createLobby'],
  ])('find %s', async (words, name) => {
    await open('concepts');
    await page.keyboard.press('/');
    await page.keyboard.type(words);
    const results = page.getByRole('list', { name: 'Results' }).getByRole('link');
    await results.first().waitFor();
    const found = await results.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    expect(found.map((href) => href?.replace(/\.html.*/, ''))).toContain(name);
    await page.keyboard.press('Enter');
    await page.waitForURL(new URL(found[0] ?? '', page.url()).href);
    // The page of the API makes its `main` when it has read the description. More than one is an error here.
    await page.getByRole('main').waitFor();
  });

  it.each(['guides/moods', 'guides/a/b.html', 'dashboard/lobbies'])(
    'have a page with the search at the wrong address %s',
    async (path) => {
      const elsewhere = await site.browser.newPage();
      const answer = await elsewhere.goto(`${site.running.url}/${path}`);
      expect(answer?.status()).toBe(404);
      await elsewhere.getByRole('heading', { name: 'There is no such page' }).waitFor();
      await elsewhere.getByRole('searchbox').fill('useLobby');
      await elsewhere.getByRole('list', { name: 'Results' }).getByRole('link').first().click();
      await elsewhere.waitForURL('**/guides/client.html*');
      await elsewhere.close();
    },
  );

  it('say so when nothing is found', async () => {
    await open('concepts');
    await page.getByRole('searchbox').fill('zyzzyva');
    await page.getByText('Nothing has “zyzzyva”').waitFor();
  });

  it(
    'break no name, are no wider than the screen and have no fault that axe finds, wide and light, narrow and dark',
    async () => {
      for (const name of names) {
        for (const [width, colorScheme] of LOOKS) {
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          if (colorScheme === 'light') {
            await open(name);
          }
          expect([name, await broken()]).toEqual([name, []]);
          expect([name, await findingsOn(page, name, colorScheme === 'dark')]).toEqual([name, []]);
        }
      }
    },
    // A busy machine takes minutes for some fifty pages.
    900_000,
  );

  it('are no longer than a reader scrolls', () => {
    const tall = [...shown].filter(([, { height }]) => height > TALLEST);
    expect(tall.map(([name, { height }]) => [name, height])).toEqual([]);
  });

  it.each(Object.entries(OLD))('keep the old links into %s', async (name, anchors) => {
    const { ids, moved } = must(shown.get(name), `the page ${name}`);
    for (const anchor of anchors.split(/\s+/)) {
      const [to = '', id = ''] = ids.includes(anchor)
        ? [`${name}.html`, anchor]
        : (moved[anchor] ?? '').split('#');
      expect([anchor, shown.get(to.replace('.html', ''))?.ids]).toEqual([
        anchor,
        expect.arrayContaining([id]),
      ]);
    }
    // The script of every page follows them.
    const [anchor, to] = must(Object.entries(moved)[0], 'a part that is another page');
    await page.goto('about:blank');
    await page.goto(`${site.running.url}/guides/${name}.html#${anchor}`);
    await page.waitForURL(`${site.running.url}/guides/${to}`);
  });

  it('are all there without a script', async () => {
    const still = await site.browser.newContext({ javaScriptEnabled: false });
    const plain = await still.newPage();
    await plain.goto(`${site.running.url}/guides/operations.html#metrics`);
    await plain.locator('#metrics').getByRole('link').click();
    await plain.waitForURL(`${site.running.url}/guides/monitoring.html#metrics`);
    expect(await plain.getByRole('heading', { name: 'Metrics' }).isVisible()).toBe(true);
    expect(await plain.getByText('muster_refusals_total').isVisible()).toBe(true);
    expect(await plain.getByRole('searchbox').isVisible()).toBe(false);
    await plain.getByRole('link', { name: /^Next/ }).click();
    await still.close();
  });

  it('are one text for programs that read: /llms.txt and /llms-full.txt', async () => {
    const { url } = site.running;
    const [list, full] = await Promise.all(
      ['llms.txt', 'llms-full.txt'].map(async (name) => {
        const answer = await fetch(`${url}/${name}`);
        expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
        return answer.text();
      }),
    );
    const linked = [...(list ?? '').matchAll(/\]\(\/guides\/([\w-]+)\.html\)/g)].map(
      ([, name]) => name,
    );
    expect(linked).toEqual(names.slice(1));
    expect(list).toMatch(/^# Muster\n\n> /);
    for (const path of ['docs/concepts.md', 'packages/js/README.md', 'docs/quickstarts/http.md']) {
      const text = await readFile(join(PROJECT, path), 'utf8');
      const [, sentence = ''] = /^(?!#|<|!|-|\|)(\w[^\n[]{40,})$/m.exec(text) ?? [];
      expect(sentence).not.toBe('');
      expect(full).toContain(sentence);
    }
    expect(full).not.toMatch(/^<!--/m);
  });

  it('ask nobody else for anything, and complain of nothing', () => {
    const { url } = site.running;
    const { port } = new URL(url);
    expect([...asked].toSorted()).toEqual([url, `http://localhost:${port}`].toSorted());
    expect(site.complaints).toEqual([]);
  });
});
