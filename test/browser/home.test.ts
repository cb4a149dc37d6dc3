// The first page of a service in a real browser, against real game servers; and the guides beside it.

import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { PROJECT } from '../../scripts/bundle.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, openSite, pageIn, type Site } from './browser.ts';
import { fileIn } from './page.ts';

let site: Site;
let page: Page;
const asked = new Set<string>();

beforeAll(async () => {
  if (!needs('chromium')) {
    return;
  }
  site = await openSite('home');
  const duel = { teams: 2, playersPerTeam: 1, timeout: 60 };
  await site.operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes: { duel } } });
  page = await pageIn(site, await site.browser.newContext());
  page.on('request', (request) => asked.add(new URL(request.url()).origin));
  await page.goto(`${site.running.url}/`);
});

afterAll(async () => {
  if (needs('chromium')) {
    await site.stop();
  }
});

/** What the program prints of the match, run by Node as those players at the same time. */
async function playedBy(program: string, players: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'muster-home-'));
  const client = { '@muster/client': join(PROJECT, 'packages', 'js', 'src', 'index.ts') };
  await build({
    stdin: { contents: program, loader: 'ts', resolveDir: PROJECT },
    alias: client,
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'play.mjs'),
  });
  const runs = players.map(async (player) => {
    // The program may stay for the whole game.
    const run = spawn(process.execPath, [join(folder, 'play.mjs'), player]);
    let said = '';
    for await (const chunk of run.stdout) {
      said += String(chunk);
      if (said.includes(' connects to ')) {
        run.kill();
      }
    }
    return said;
  });
  const said = (await Promise.all(runs)).join('');
  await rm(folder, { recursive: true });
  return said.replaceAll(/^.* is searching\n/gm, '');
}

const card = (name: string) => page.getByRole('region', { name, exact: true });

describe.runIf(needs('chromium'))('the first page', () => {
  it('takes two players to a running game server and back, by keyboard', async () => {
    await page.getByRole('button', { name: 'Play a match' }).press('Enter');
    const end = page.getByRole('button', { name: 'End the match' });
    await end.waitFor();
    for (const name of ['Ann', 'Ben']) {
      const text = await card(name).innerText();
      expect(text).toMatch(/in game[\s\S]*127\.0\.0\.1:\d+/);
      const log = await card(name).getByRole('list').innerText();
      expect(log).toMatch(/POST \/v3\/lobbies\/arena .*\s*201/);
      expect(log).toMatch(/lobby_updated\s+in_queue[\s\S]*lobby_updated\s+in_game running/);
    }
    const addresses = await page.locator('.address').allInnerTexts();
    expect(addresses[0]).toBe(addresses[1]);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Play again' }).waitFor();
    expect(await page.locator('#steps .done').allInnerTexts()).toHaveLength(4);
    const { lobbies } = (await site.operator.ok('GET', '/lobbies/arena')) as {
      lobbies: readonly object[];
    };
    expect(lobbies).toEqual([]);
  });

  it('says what is missing where the mode is not there', async () => {
    const other = await pageIn(site, await site.browser.newContext());
    await other.goto(`${site.running.url}/?config=empty`);
    await other.getByRole('button', { name: 'Play a match' }).click();
    await other.getByText('has no mode “duel” yet').waitFor();
    await other.close();
  });

  it('asks for a key where the one it has is not accepted', async () => {
    const other = await pageIn(site, await site.browser.newContext());
    await other.goto(`${site.running.url}/?key=client_old`);
    await other.getByRole('button', { name: 'Play a match' }).click();
    await other.getByLabel('Client key of this service').fill('client_dev_key');
    await other.keyboard.press('Enter');
    await other.getByText('Ann’s lobby enters the queue').waitFor();
    await other.close();
  });

  it('shows the programs of the quickstarts, for what it plays and where', async () => {
    const { url } = site.running;
    for (const [label, quickstart, file] of [
      ['TypeScript', 'typescript', 'play.ts'],
      ['Unity', 'unity', 'Duel.cs'],
      ['Godot', 'godot', 'duel.gd'],
    ] as const) {
      await page.getByText(label, { exact: true }).click();
      const shown = await page.locator('.sample:visible pre').textContent();
      const guide = await readFile(join(PROJECT, `docs/quickstarts/${quickstart}.md`), 'utf8');
      const program = fileIn(guide, file).trim().replaceAll('http://127.0.0.1:8787', url);
      expect(shown).toBe(program.replaceAll('quickstart', 'arena'));
    }
  });

  it('shows a program and commands that play the match of the page', async () => {
    // Nobody else searches there.
    const duel = { teams: 2, playersPerTeam: 1, timeout: 60 };
    await site.operator.ok('PUT', '/lobby-configs/own', { matchmaking: { modes: { duel } } });
    const other = await pageIn(site, await site.browser.newContext());
    await other.goto(`${site.running.url}/?config=own`);
    const [program = '', , , commands = ''] = await other.locator('.samples pre').allTextContents();
    expect(await playedBy(program, ['cat', 'dan'])).toMatch(
      /^(\w+ connects to 127.0.0.1:\d+\n){2}$/,
    );
    const cwd = await mkdtemp(join(tmpdir(), 'muster-home-'));
    const { stdout } = await promisify(execFile)('sh', ['-ec', commands], { cwd });
    expect(stdout).toMatch(/"status":"in_queue"[^]*"network_ports":\[\{.*"external_port":\d+/);
    await rm(cwd, { recursive: true });
    await other.close();
  });

  it('names the config, mode and key that it was given in its code too', async () => {
    const other = await pageIn(site, await site.browser.newContext());
    await other.goto(`${site.running.url}/?config=coop&mode=raid&key=client_mine`);
    const shown = await other.locator('.samples pre').allTextContents();
    expect(shown[0]).toMatch(/key: 'client_mine',\s+config: 'coop',[\s\S]*play\('raid'/);
    expect(shown[3]).toMatch(/\/v3\/lobbies\/coop\n[\s\S]*"mode": "raid"/);
    expect(shown.join('')).not.toMatch(/quickstart|client_dev_key|'duel'|"duel"/);
    await other.close();
  });

  it.each(['light', 'dark'] as const)(
    'has no fault that axe finds, %s, wide or narrow',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme });
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 800 });
        const isAgain = colorScheme === 'dark';
        expect(await findingsOn(page, `${colorScheme} ${width}`, isAgain)).toEqual([]);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  it('asks nobody else for anything, and breaks no policy', () => {
    expect([...asked]).toEqual([site.running.url]);
    expect(site.complaints).toEqual([]);
  });
});

describe.runIf(needs('chromium'))('the guides', () => {
  it('are there, each link, anchor and picture of each', async () => {
    const { url } = site.running;
    const seen = new Map<string, string>();
    const left = [`${url}/`];
    for (let at = left.pop(); at !== undefined; at = left.pop()) {
      const response = await fetch(at);
      expect([at, response.status]).toEqual([at, 200]);
      const isPage = response.headers.get('content-type')?.startsWith('text/html') === true;
      const text = isPage ? await response.text() : '';
      seen.set(at, text);
      for (const [, to = ''] of text.matchAll(/(?:href|src)="([^"]+)"/g)) {
        const target = new URL(to, at);
        const isOurs = target.origin === url && /^\/(guides\/.*)?$/.test(target.pathname);
        target.hash = '';
        if (isOurs && !seen.has(target.href) && !left.includes(target.href)) {
          left.push(target.href);
        }
      }
    }
    expect(seen.size).toBeGreaterThan(20);
    for (const [at, text] of seen) {
      for (const [, to = ''] of text.matchAll(/href="([^"]*#[^"]+)"/g)) {
        const { href, hash } = new URL(to, at);
        const target = seen.get(href.replace(/#.*/, '')) ?? '';
        expect(`${href} ${target.includes(`id="${decodeURIComponent(hash.slice(1))}"`)}`).toBe(
          `${href} true`,
        );
      }
    }
  });
});
