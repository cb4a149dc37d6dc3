// Links that invite, in a real browser: two people from a pasted link to one game, the page as people see it, and the recipes
// of docs/invites.md, as far as they can be run or compiled here.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILING, isCompilerThere, unitySources } from '../clients/csharp.ts';
import type { Lobby } from '../../packages/js/src/types.ts';
import { Player } from '../../scripts/player.ts';
import { must } from '../../src/common/result';
import { needs, pathOf } from '../support/tools.ts';
import { findingsInAll, openSite, pageIn, type Site } from './browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const EXAMPLE = '/examples/browser-lobby/?config={config}&code={code}';

let site: Site;

async function recipe(language: string): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/invites.md'), 'utf8');
  const block = new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1];
  return must(block, `the recipe in ${language}`);
}

/** A lobby of a player who asks without a page. */
async function hosted(player: string, body: object = {}): Promise<Lobby> {
  const host = new Player(site.running.url, player);
  return host.ok<Lobby>('POST', '/lobbies/arena', {
    name: `${player}'s lobby`,
    maxPlayers: 4,
    ...body,
  });
}

const linkOf = ({ invite_url: url }: Lobby): string => must(url, 'the link of a lobby');

beforeAll(async () => {
  site = await openSite('invites');
  const web = site.running.url + EXAMPLE;
  await site.operator.ok('PUT', '/lobby-configs/arena', {
    invite: { url: 'mygame://join/{code}', web },
    matchmaking: { modes: { duel: {}, duos: { playersPerTeam: 2 } } },
  });
});

afterAll(() => site.stop());

describe.runIf(needs('chromium'))('a pasted link', () => {
  it('leads two people into one game', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const [ofAnn, ofBen] = [
      await site.browser.newContext({ permissions }),
      await site.browser.newContext(),
    ];
    const [ann, ben] = [await pageIn(site, ofAnn), await pageIn(site, ofBen)];
    await ann.goto(`${site.running.url}/examples/browser-lobby/?config=arena&player=ann`);
    await ann.getByRole('button', { name: 'Create lobby' }).click();
    await ann.getByRole('button', { name: 'Copy link' }).click();
    await ann.getByText('The link is copied.').waitFor();
    const link = await ann.evaluate(() => navigator.clipboard.readText());
    expect(link).toMatch(new RegExp(`^${site.running.url}/join/arena/[A-Z]+-[0-9A-Z]{6}$`));

    await ben.goto(link);
    await ben.getByRole('heading', { name: "ann's lobby" }).waitFor();
    await ben.getByText('1 of 4 players, arena').waitFor();
    await ben.getByRole('link', { name: 'Play in the browser' }).click();
    await ben.getByLabel('Your name').fill('ben');
    await ben.getByRole('button', { name: 'Join', exact: true }).click();
    for (const page of [ben, ann]) {
      await page.getByRole('button', { name: 'Ready' }).click();
    }
    await ann.getByRole('button', { name: 'Play by ourselves' }).click();
    const address = (page: Page): Promise<string> =>
      page.getByText(/^127\.0\.0\.1:\d+$/).innerText();
    await Promise.all([ann, ben].map((page) => page.getByText('The game is on.').waitFor()));
    expect(await address(ann)).toBe(await address(ben));
    const mine = await new Player(site.running.url, 'ben').ok<Lobby>('GET', '/lobbies/arena/me');
    expect([mine.status, mine.currentPlayers]).toEqual(['in_game', 2]);
    expect(site.complaints).toEqual([]);
  });
});

describe.runIf(needs('chromium'))('the lobby in the browser', () => {
  it('asks for a name once its script is there, which would replace what is typed', async () => {
    const page = await pageIn(site, await site.browser.newContext());
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/lobby.*\.js/, (route) => released.then(() => route.continue()));
    await page.goto(`${site.running.url}/examples/browser-lobby/`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'Game lobby' }).waitFor();
    const isAsked = await page.getByLabel('Your name').isVisible();
    release();
    await page.getByLabel('Your name').fill('ivy');
    await page.getByRole('button', { name: 'Create lobby' }).click();
    await page.getByRole('button', { name: 'Leave the lobby' }).waitFor();
    const { host } = await new Player(site.running.url, 'ivy').ok('GET', '/lobbies/arena/me');
    expect([isAsked, host]).toEqual([false, 'ivy']);
  });
});

describe.runIf(needs('chromium'))('the page of an invitation', () => {
  it('looks right in light and dark, wide and narrow, whatever a lobby is called', async () => {
    const page = await pageIn(site, await site.browser.newContext());
    const long = `${'A very long name '.repeat(4)}${'x'.repeat(30)}`;
    const lobbies = [
      ['join-page', await hosted('cat')],
      ['join-long', await hosted('dan', { name: long })],
    ] as const;
    for (const [name, lobby] of lobbies) {
      await page.goto(linkOf(lobby));
      await page.getByRole('link', { name: 'Open the game' }).waitFor();
      expect(await findingsInAll(page, name)).toEqual([]);
    }
    await page.goto(linkOf(must(lobbies[0], 'a lobby')[1]).replace(/.{6}$/, '222222'));
    await page.getByRole('heading', { name: 'This invitation is over' }).waitFor();
    expect(await findingsInAll(page, 'join-over')).toEqual([]);
    expect(site.complaints).toEqual([]);
  });

  it('runs nothing of a hostile name', async () => {
    const page = await pageIn(site, await site.browser.newContext());
    const name = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
    await page.goto(linkOf(await hosted('mallory', { name })));
    expect(await page.title()).toBe(name);
    expect(await page.getByRole('heading').innerText()).toBe(name);
    expect(await page.locator('img, script').count()).toBe(0);
  });
});

describe('the recipes of docs/invites.md', () => {
  it.runIf(needs('chromium'))(
    'for browsers: a friend joins once, and stays through a reload',
    async () => {
      const { outputFiles } = await build({
        stdin: { contents: await recipe('js'), resolveDir: ROOT },
        alias: { '@muster/client': join(ROOT, 'packages/js/src/index.ts') },
        bundle: true,
        write: false,
        format: 'iife',
        globalName: 'recipe',
      });
      const page = await pageIn(site, await site.browser.newContext());
      const arrive = async (player: string): Promise<Lobby | null> => {
        const options = { url: site.running.url, key: 'client_dev_key', config: 'arena', player };
        const call = `recipe.arrive(${JSON.stringify(options)})`;
        return page.evaluate(`${outputFiles[0]?.text}; ${call}`);
      };
      const [eve, fay] = [await hosted('eve'), await hosted('fay')];
      const home = `${site.running.url}/guides/?`;
      await page.goto(`${home}a=b&code=${eve.code.toLowerCase()}`);
      expect(await arrive('gus')).toMatchObject({ id: eve.id, currentPlayers: 2 });
      expect(page.url()).toBe(`${home}a=b`);
      await page.goto(`${home}code=${fay.code}`);
      expect(await arrive('gus')).toMatchObject({ id: eve.id });
      await page.goto(home);
      expect(await arrive('hal')).toBeNull();
      await page.goto(`${home}code=GONE-222222`);
      expect(await arrive('hal')).toBeNull();
    },
  );

  it.runIf(isCompilerThere)(
    'for Unity, Steam and Discord: compiles against what these publish',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'muster-invites-'));
      await writeFile(join(folder, 'Invites.cs'), await recipe('cs'));
      const sources = [
        ...['unity-stand-in.cs', 'friends-stand-in.cs'].map((name) =>
          join(ROOT, 'test/support', name),
        ),
        ...(await unitySources()),
      ];
      const all = [...COMPILING, '-target:library', '-out:invites.dll', ...sources, 'Invites.cs'];
      await promisify(execFile)(pathOf('mcs'), all, { cwd: folder });
      await rm(folder, { recursive: true });
    },
  );
});
