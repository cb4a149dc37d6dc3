// The dashboard and the browser example, in a real browser against the real service: what one does
// there, what one sees, and that everybody can (axe-core over every page, light and dark).
// With SCREENSHOTS=1 the pictures of docs/images are taken anew; SCREENSHOTS=<folder> puts every page
// there, dark ones too, to be looked at.

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { Player } from '../../scripts/player.ts';
import type { Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { findingsOn, looksAt, openSite, pageIn, signedIn, type Site } from './browser.ts';

const SCREENSHOTS = process.env['SCREENSHOTS'] ?? '';
const TAKES_PICTURES = SCREENSHOTS !== '';
const IMAGES =
  SCREENSHOTS === '1' || !TAKES_PICTURES
    ? fileURLToPath(new URL('../../docs/images', import.meta.url))
    : resolve(SCREENSHOTS);
/** Pages that the documents show; a folder of one's own gets all. */
const SHOWN: readonly string[] = [
  'overview-1280',
  'queues-1280',
  'player-1280',
  'ladder-1280',
  'build-history-1280',
  'config-1280',
  'queue-1280',
  'match-1280',
  'server-failed-1280',
  'playground-met-1280',
  'example-found-1280',
];
const WIDTHS = [1280, 420] as const;

let site: Site;
let running: Running;
let browser: Browser;
let operator: Player;

beforeAll(async () => {
  site = await openSite('dashboard');
  ({ running, browser, operator } = site);
  if (TAKES_PICTURES) {
    await mkdir(IMAGES, { recursive: true });
  }
});

afterAll(async () => {
  await site.stop();
});

/** The text that describes a field as wrong; empty while it is right. */
async function issueAt(page: Page, path: string): Promise<string> {
  const field = page.locator(`[id="f-${path}"]`);
  const invalid = await field.getAttribute('aria-invalid');
  const text = (await page.locator(`[id="f-${path}-issue"]`).textContent()) ?? '';
  return invalid === 'true' ? text : '';
}

const RULE = 'matchmaking.modes.duel.rules[0]';
const CEL = 'matchmaking.modes.duel.rules[1].cel';

describe.runIf(needs('chromium'))('the dashboard', () => {
  it('lets in only who has the server key', async () => {
    const page = await pageIn(site, await browser.newContext());
    await page.goto(`${running.url}/dashboard`);
    await page.getByLabel('Server key').fill('client_dev_key');
    await page.getByLabel('Server key').press('Enter');
    await page.getByRole('alert').filter({ hasText: 'needs the server key' }).waitFor();
    expect(await page.getByLabel('Server key').getAttribute('aria-invalid')).toBe('true');
    await page.context().close();
  });

  it('follows a link in the very moment after signing in', async () => {
    const page = await pageIn(site, await browser.newContext());
    await page.goto(`${running.url}/dashboard`);
    await page.getByLabel('Server key').fill(running.serverKey);
    // As soon as the overview is there, before the browser has drawn it.
    await page.evaluate(() => {
      new MutationObserver((_, observer) => {
        if (document.querySelector('h1')?.textContent?.includes('Overview') === true) {
          observer.disconnect();
          location.hash = '#/builds';
        }
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.getByLabel('Server key').press('Enter');
    await page.getByRole('heading', { name: 'Builds' }).waitFor();
    await page.context().close();
  });

  it('makes a config with rules: says at the field what is wrong, as one types, and saves', async () => {
    const page = await pageIn(site, await browser.newContext());
    await signedIn(site, page, '#/configs');
    await page.getByText('No configs yet').waitFor();
    await page.getByLabel('Name of the new config').fill('arena');
    await page.getByRole('button', { name: 'New config' }).click();
    await page.getByLabel('Name of the new mode').fill('duel');
    await page.getByRole('button', { name: 'Add mode' }).click();
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.locator(`[id="f-${RULE}.field"]`).fill('mmr');
    await page.locator(`[id="f-${RULE}.maxDifference"]`).fill('-100');
    await eventually('the field says so while it is typed', async () => {
      return (await issueAt(page, `${RULE}.maxDifference`)) === 'must not be negative';
    });

    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.locator('[id="f-matchmaking.modes.duel.rules[1].type"]').selectOption('expression');
    await page.locator(`[id="f-${CEL}"]`).fill('a.partySize <= ');
    await eventually('the expression is checked while it is typed', async () => {
      return /Unexpected token/.test(await issueAt(page, CEL));
    });

    await page.getByRole('button', { name: 'Save config' }).click();
    await page.getByText('Nothing was saved. Fix these 2 problems first:').waitFor();
    const focused = await page.evaluate(() => document.activeElement?.id);
    expect(focused).toBe(`f-${RULE}.maxDifference`);
    const unsaved = await operator.call('GET', '/lobby-configs/arena');
    expect(unsaved.status).toBe(404);

    await page.locator(`[id="f-${RULE}.maxDifference"]`).fill('100');
    await page.locator(`[id="f-${CEL}"]`).fill('a.partySize == b.partySize');
    await eventually('both are mended', async () => {
      const found = [await issueAt(page, `${RULE}.maxDifference`), await issueAt(page, CEL)];
      return found.join('') === '';
    });
    await page.getByLabel('Every lobby must accept the match').check();
    await page.getByRole('button', { name: 'Save config' }).click();
    await page.getByText('All saved').waitFor();

    interface Saved {
      matchmaking: { modes: { duel: { rules: unknown; matchConfirmation: unknown } } };
    }
    const saved = await operator.ok<Saved>('GET', '/lobby-configs/arena');
    expect(saved.matchmaking.modes.duel).toMatchObject({
      rules: [
        { type: 'difference', field: 'mmr', maxDifference: 100 },
        { type: 'expression', cel: 'a.partySize == b.partySize' },
      ],
      matchConfirmation: { enabled: true, timeoutSeconds: 30 },
    });
    await page.context().close();
  });

  it('says whether two lobbies would match, and why not', async () => {
    const page = await pageIn(site, await browser.newContext());
    await signedIn(site, page, '#/configs/arena');
    await page.locator('[id="preview-duel-a-mmr"]').fill('1000');
    await page.locator('[id="preview-duel-b-mmr"]').fill('1150');
    await page.getByText('Not yet: the rules allow it after another 30 s of waiting.').waitFor();
    await page.getByText('mmr within 100: 150 apart, 100 allowed now').waitFor();
    await page.locator('[id="preview-duel-b-mmr"]').fill('1050');
    await page.getByText('Yes: these two match now.').waitFor();
    await page.context().close();
  });

  it('does not save over what somebody else has saved', async () => {
    const page = await pageIn(site, await browser.newContext());
    await signedIn(site, page, '#/configs/other');
    await page.getByRole('button', { name: 'Save config' }).click();
    await page.getByText('All saved').waitFor();
    await operator.ok('PUT', '/lobby-configs/other', { timeout: 77 });
    await page.getByLabel('Idle timeout, seconds').fill('55');
    await page.getByRole('button', { name: 'Save config' }).click();
    await page.getByRole('button', { name: 'Load the saved version' }).click();
    await eventually('what the other has saved is shown', async () => {
      return (await page.getByLabel('Idle timeout, seconds').inputValue()) === '77';
    });
    await operator.ok('DELETE', '/lobby-configs/other');
    await page.context().close();
  });
});

/** Opens the example as a player, who makes a lobby, is ready, and searches. */
async function searching(page: Page, player: string, skill: string): Promise<void> {
  await page.goto(`${running.url}/examples/browser-lobby?config=arena&player=${player}`);
  await page.getByLabel('Skill').fill(skill);
  await page.getByRole('button', { name: 'Create lobby' }).click();
  await page.getByRole('button', { name: 'Ready' }).click();
  await page.getByRole('button', { name: 'Find a match' }).click();
}

describe.runIf(needs('chromium'))('the example', () => {
  it('leads two browsers from their lobbies to one game server; the dashboard shows the match', async () => {
    const contexts = await Promise.all([browser.newContext(), browser.newContext()]);
    const [ann, bob] = await Promise.all(contexts.map((context) => pageIn(site, context)));
    const watcher = await pageIn(site, await browser.newContext());
    if (ann === undefined || bob === undefined) {
      throw new Error('two pages are needed');
    }
    await signedIn(site, watcher, '#/queues/arena/duel');
    await watcher.getByText('Nobody is waiting').waitFor();

    await searching(ann, 'ann', '1200');
    await ann.getByText('Searching for a match.').waitFor();
    const explained = watcher.getByText('Nobody else is in this queue');
    await explained.waitFor();
    await picture(ann, 'example-searching');

    await searching(bob, 'bob', '1240');
    for (const page of [ann, bob]) {
      await page.getByRole('timer').filter({ hasText: 'Accept within' }).waitFor();
    }
    await picture(bob, 'example-found');
    for (const page of [ann, bob]) {
      await page.getByRole('button', { name: 'Accept' }).click();
    }
    const addresses = await Promise.all(
      [ann, bob].map(async (page) => {
        await page.getByText('The game is on.').waitFor();
        return page.locator('#address').textContent();
      }),
    );
    expect(addresses[0]).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(addresses[1]).toBe(addresses[0]);
    await picture(ann, 'example-playing');

    const { matchId } = await new Player(running.url, 'ann').ok('GET', '/lobbies/arena/me');
    const recent = watcher.getByRole('region', { name: 'Recent matches' });
    await recent.getByText((matchId ?? 'no match').slice(0, 8)).waitFor();
    await picture(watcher, 'queue-after');

    await watcher.goto(`${running.url}/dashboard/#/servers`);
    await watcher.getByText(`${addresses[0]}/udp`).waitFor();
    await ann.getByRole('button', { name: 'End the game' }).click();
    await watcher.getByText('No servers are running').waitFor();
    for (const page of [ann, bob]) {
      await page.getByRole('button', { name: 'Leave the lobby' }).click();
      await page.getByRole('heading', { name: 'Open lobbies' }).waitFor();
    }
    await Promise.all([...contexts, watcher.context()].map((context) => context.close()));
  });

  it('shares a lobby by its code, and tells who was removed', async () => {
    const contexts = await Promise.all([browser.newContext(), browser.newContext()]);
    const [host, guest] = await Promise.all(contexts.map((context) => pageIn(site, context)));
    if (host === undefined || guest === undefined) {
      throw new Error('two pages are needed');
    }
    await host.goto(`${running.url}/examples/browser-lobby?config=arena&player=cat`);
    await host.getByRole('button', { name: 'Create lobby' }).click();
    const code = await eventually('the invite code', () =>
      host
        .locator('#lobby-code')
        .textContent()
        .then((text) => text !== '' && text),
    );
    await guest.goto(`${running.url}/examples/browser-lobby?config=arena&player=dan&code=${code}`);
    await guest.getByRole('button', { name: 'Join', exact: true }).click();
    await host.getByText('dan, not ready').waitFor();
    await guest.getByRole('button', { name: 'Ready' }).click();
    await host.getByText('dan, ✓ ready').waitFor();
    await new Player(running.url, 'cat').ok('DELETE', '/lobbies/arena/me/players/dan');
    await guest.getByText('The host has removed you.').waitFor();
    await host.getByRole('button', { name: 'Leave the lobby' }).click();
    await host.getByRole('heading', { name: 'Open lobbies' }).waitFor();
    await Promise.all(contexts.map((context) => context.close()));
  });
});

describe.runIf(needs('chromium'))('the playground', () => {
  it('sends phantom players in, and shows whom they met', async () => {
    const page = await pageIn(site, await browser.newContext());
    await signedIn(site, page, '#/playground/arena/duel');
    await page.getByRole('textbox', { name: 'Phantom players' }).fill('4');
    await page.getByLabel('Skill spread').fill('10');
    await page.getByLabel('Decline rate').fill('0');
    await page.getByLabel('Seconds in game').fill('2');
    await page.getByRole('button', { name: 'Start phantoms' }).click();
    await page.getByRole('heading', { name: 'Matches: 2' }).waitFor();
    await picture(page, 'playground-met', page.locator('.tiles.small'));
    await eventually('all have played and left', async () => {
      const done = page.locator('.tile', { hasText: 'done' }).locator('.tile-value');
      return (await done.textContent()) === '4';
    });
    await eventually('their lobbies are gone with them', async () => {
      const { total } = await operator.ok<{ total: number }>('GET', '/lobbies/arena~playground');
      return total === 0;
    });
    await page.context().close();
  });
});

/** A project with something on every page. */
interface People {
  readonly lobby: string;
  readonly match: string;
  readonly server: string;
  /** One that ended before it ran. */
  readonly failed: string;
}

/** A match whose server ends before anybody could play on it, in a config of its own. */
async function failedMatch(): Promise<void> {
  const serverSettings = { gameBuild: 'broken' };
  const matchmaking = { modes: { cursed: { timeout: 60 } } };
  await operator.ok('PUT', '/lobby-configs/ruins', { serverSettings, matchmaking });
  const pair = [new Player(running.url, 'max'), new Player(running.url, 'nia')];
  for (const each of pair) {
    await each.ok('POST', '/lobbies/ruins', { name: each.id });
    await each.ok('POST', '/lobbies/ruins/me/matchmaking', { mode: 'cursed' });
  }
  await eventually('they are back', async () => {
    return (await pair[0]?.ok('GET', '/lobbies/ruins/me'))?.status === 'waiting';
  });
}

/** A server whose program says something and ends at once. */
async function failedServer(): Promise<string> {
  const args = ['-c', 'echo cannot open maps/dunes.map; exit 3'];
  const launch = { command: '/bin/sh', args };
  await operator.ok('PUT', '/builds/broken', { status: 'ready', launch });
  for (let launches = 0; launches < 3; launches += 1) {
    await operator.call('POST', '/servers/start', { name: 'broken', version_tag: 'broken' });
  }
  interface Listed {
    servers: readonly { instance_id: string; exit_code: number | null }[];
  }
  return eventually('the server has failed', async () => {
    const { servers } = await operator.ok<Listed>('GET', '/servers?include_stopped=true');
    return servers.find(({ exit_code: code }) => code === 3)?.instance_id ?? null;
  });
}

/** A search that found nobody, and what the journal says of its end. */
async function searchedInVain(player: Player): Promise<void> {
  await player.ok('POST', '/lobbies/forest/me/matchmaking', { mode: 'ranked' });
  await player.ok('DELETE', '/lobbies/forest/me/matchmaking');
  await eventually('the journal has the end', async () => {
    const asked = `/admin/searches?player=${player.id}`;
    const { items } = await operator.ok<{ items: { ended: unknown }[] }>('GET', asked);
    return (items[0]?.ended ?? null) !== null;
  });
}

/** A config with a ladder of people who have played. */
async function rated(): Promise<void> {
  const rating = { field: 'mmr', system: 'openskill' };
  await operator.ok('PUT', '/lobby-configs/league', {
    matchmaking: { modes: { duel: { rating } } },
  });
  const admin = new MusterAdmin({ url: running.url, key: running.serverKey });
  const names = [
    'ada',
    'bea',
    'cem',
    'dov',
    'eli',
    'fay',
    'gus',
    'hal',
    'ida',
    'kim',
    'lou',
    'max',
  ];
  await admin.importRatings(
    { config: 'league', mode: 'duel' },
    names.map((player, n) => ({ player, mu: 38 - n * 1.3, sigma: 1.5 + n / 5, games: 90 - n * 7 })),
  );
}

async function peopled(): Promise<People> {
  await rated();
  const rules = [
    { type: 'difference', field: 'mmr', maxDifference: 60 },
    { type: 'equals', field: 'map' },
  ];
  const confirmed = { enabled: true, timeoutSeconds: 20 };
  const hunt = {
    timeout: 120,
    teamComposition: { hunters: { hunter: 3, healer: 1 }, monster: { monster: 1 } },
    matchConfirmation: confirmed,
    rules: [{ type: 'region', minOverlap: 1 }],
  };
  const ranked = { timeout: 900, rules };
  await operator.ok('PUT', '/lobby-configs/forest', { matchmaking: { modes: { ranked, hunt } } });
  const image = 'registry.example.com/game:2.0.1';
  await operator.ok('PUT', '/builds/v2', {
    label: '2.0.1',
    status: 'not_ready',
    launch: { image },
  });
  await operator.ok('PUT', '/builds/v2', {
    label: '2.0.2',
    status: 'not_ready',
    launch: { image },
  });
  const names = ['Ada', 'Bea', 'Cem', 'Dov', 'Eli', 'Fay', 'Gus', 'Hal', 'Ida'];
  for (const [index, name] of names.entries()) {
    const player = new Player(running.url, name.toLowerCase());
    const state = { mmr: 900 + index * 50, map: ['dunes', 'ice'][index % 2] };
    const body = { name: `${name}'s party`, state, maxPlayers: 4, isPrivate: index === 8 };
    await player.ok('POST', '/lobbies/forest', body);
    if (index < 6) {
      await player.ok('POST', '/lobbies/forest/me/matchmaking', { mode: 'ranked' });
    }
  }
  await searchedInVain(new Player(running.url, 'gus'));
  const twins = [new Player(running.url, 'kim'), new Player(running.url, 'lou')] as const;
  for (const [index, twin] of twins.entries()) {
    const state = { mmr: 2500 + index * 10, map: 'ice' };
    await twin.ok('POST', '/lobbies/forest', { name: `Party of ${twin.id}`, state });
    await twin.ok('POST', '/lobbies/forest/me/matchmaking', { mode: 'ranked' });
  }
  const failed = await failedServer();
  await failedMatch();
  await operator.ok('PUT', '/lobby-configs/forest', {
    matchmaking: { modes: { ranked: { ...ranked, timeout: 600 }, hunt } },
  });
  const {
    id: lobby,
    matchId,
    server,
  } = await eventually('the twins play', async () => {
    const now = await twins[0].ok('GET', '/lobbies/forest/me');
    return now.server?.status === 'running' ? now : null;
  });
  return { lobby, match: matchId ?? '', server: server?.instance_id ?? '', failed };
}

/** Name of the picture, address, and what is there once the page has its data. */
function pagesWith({
  lobby,
  match,
  server,
  failed,
}: People): readonly (readonly [string, string, string])[] {
  return [
    ['overview', '#/', 'forest / ranked'],
    ['lobbies', '#/lobbies/forest', "Ada's party"],
    ['lobby', `#/lobbies/forest/${lobby}`, 'Invite code'],
    ['queues', '#/queues', '90th percentile'],
    ['queue', '#/queues/forest/ranked', 'is waiting'],
    ['servers', '#/servers', 'Start a test server'],
    ['servers-failed', '#/servers/build/broken/failed', 'exit code 3'],
    ['server', `#/servers/${server}`, 'Last output'],
    ['server-failed', `#/servers/${failed}`, 'cannot open maps/dunes.map'],
    ['matches', '#/matches', 'the game server did not start'],
    ['match', `#/matches/${match}`, 'What the rules saw'],
    ['player', '#/players/gus', 'cancelled'],
    ['ladder', '#/ladder/league/duel', 'End season 1'],
    ['ladder-around', '#/ladder/league/duel/hal', 'on the ladder'],
    ['config-try', '#/configs/forest/try/ranked/1790000000000', 'in the hour around'],
    ['config-history', '#/configs/forest/history', 'matchmaking.modes.ranked.timeout'],
    ['audit', '#/audit', 'matchmaking'],
    ['build-history', '#/builds/v2/history', 'first saved'],
    ['search', '#/search/nobody', 'Nothing found'],
    ['builds', '#/builds', 'registry.example.com'],
    ['configs', '#/configs', 'forest'],
    ['config', '#/configs/forest', 'All saved'],
    ['playground', '#/playground/forest/ranked', 'No phantoms yet'],
  ];
}

describe.runIf(needs('chromium'))('every page', () => {
  it('is open to everybody: no serious finding, nothing wider than the screen, light and dark', async () => {
    const people = await peopled();
    const findings: string[] = [];
    for (const [at, [colorScheme, width]] of looksAt(...WIDTHS, TAKES_PICTURES).entries()) {
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: 860 },
      });
      const page = await pageIn(site, context);
      const isLight = colorScheme === 'light';
      const isAgain = at > 0;
      await page.goto(`${running.url}/dashboard/`);
      await page.getByLabel('Server key').waitFor();
      findings.push(...(await findingsOn(page, 'sign-in', isAgain)));
      await taken(page, pictureOf('sign-in', width, isLight));
      await signedIn(site, page);
      for (const [name, hash, text] of pagesWith(people)) {
        await page.goto(`${running.url}/dashboard/${hash}`);
        await page.getByText(text).first().waitFor();
        if (name === 'config') {
          await unfolded(page);
        } else if (name === 'player') {
          await page.getByRole('button', { name: 'Why' }).click();
          await page.getByText('Rejected most').waitFor();
        }
        findings.push(...(await findingsOn(page, `${name} ${width} ${colorScheme}`, isAgain)));
        const about = page.getByRole('heading', { name: 'Last searches' });
        await taken(
          page,
          pictureOf(name, width, isLight),
          name === 'player' ? await topOf(about) : 0,
        );
      }
      await page.goto(`${running.url}/examples/browser-lobby?player=zoe`);
      await page.getByRole('heading', { name: 'Open lobbies' }).waitFor();
      findings.push(...(await findingsOn(page, 'example', isAgain)));
      await taken(page, pictureOf('example', width, isLight));
      await context.close();
    }
    console.log(`axe-core: ${findings.length} serious findings`);
    expect(findings).toEqual([]);
    // Some eighty looks, for which a busy machine takes minutes.
  }, 600_000);

  it('gave no error and kept its policy all the while', () => {
    expect(site.complaints).toEqual([]);
  });
});

/** One of the modes, so that its whole form is judged too. */
async function unfolded(page: Page): Promise<void> {
  await page
    .locator('details.mode')
    .first()
    .evaluate((mode) => mode.setAttribute('open', ''));
  await page.getByText('one rule rejects this pair').first().waitFor();
}

function pictureOf(name: string, width: number, isLight: boolean): string {
  return isLight ? `${name}-${width}` : `${name}-dark-${width}`;
}

/** A picture, when pictures are asked for and this is one of them. */
async function taken(page: Page, name: string, from = 0): Promise<void> {
  if (TAKES_PICTURES && (SCREENSHOTS !== '1' || SHOWN.includes(name))) {
    await page.mouse.move(1, 1);
    await page.evaluate((top) => scrollTo(0, top), from);
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
  }
}

/** Where to scroll so that it is at the top, with a little above it. */
async function topOf(about: Locator): Promise<number> {
  return about.evaluate((it) => it.getBoundingClientRect().top + scrollY - 16);
}

/** The same at both widths, from the top of what it is about, or of the page. */
async function picture(page: Page, name: string, about?: Locator): Promise<void> {
  if (TAKES_PICTURES) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      const top = about === undefined ? 0 : await topOf(about);
      await taken(page, `${name}-${width}`, top > 800 ? top : 0);
    }
  }
}
