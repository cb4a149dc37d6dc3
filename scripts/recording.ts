// `npm run recording` makes docs/images/recording.png, the animation at the top of the README. Two browsers play
// the example lobby and a third shows the dashboard, with a real service and real game servers. Nothing is drawn
// by hand. Needs Chromium (CHROMIUM_PATH is its path).

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

import { animatedPng } from './animated-png.ts';
import type { Frame } from './animated-png.ts';
import { dashboardLink } from './dev-keys.ts';
import { commandLine } from './flags.ts';
import { Player } from './player.ts';
import { startAll } from './start.ts';
import type { Running } from './start.ts';

const TARGET = fileURLToPath(new URL('../docs/images/recording.png', import.meta.url));
const SIZE = { width: 400, height: 560 };
const MOST_BYTES = 1_500_000;

const SHEET = `
  body { margin: 0; padding: 12px; background: #2b313b; color: #fff; font: 600 19px system-ui, sans-serif; }
  p { margin: 2px 4px 12px; height: 28px; }
  div { display: flex; gap: 12px; }
  img { display: block; width: ${SIZE.width}px; border-radius: 6px; }
`;

/** Three pages side by side, with a sentence that says what happens. */
class Recording {
  readonly frames: Frame[] = [];
  readonly #sheet: Page;
  readonly #pages: readonly Page[];

  constructor(sheet: Page, pages: readonly Page[]) {
    this.#sheet = sheet;
    this.#pages = pages;
  }

  async take(text: string, ms: number): Promise<void> {
    const shots = await Promise.all(this.#pages.map((page) => page.screenshot()));
    const images = shots.map(
      (png) => `<img src="data:image/png;base64,${png.toString('base64')}">`,
    );
    await this.#sheet.setContent(
      `<style>${SHEET}</style><p>${text}</p><div>${images.join('')}</div>`,
    );
    this.frames.push({ png: await this.#sheet.screenshot(), ms });
  }
}

async function open(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: SIZE, colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** The dashboard's page of the queue, without the navigation above it. */
async function watching(browser: Browser, { url, serverKey }: Running): Promise<Page> {
  const page = await open(browser, dashboardLink(url, serverKey));
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(`${url}/dashboard/#/queues/arena/duel`);
  await page.getByText('Nobody is waiting').waitFor();
  await page.evaluate("document.querySelector('.frame > header').style.display = 'none'");
  return page;
}

async function play(browser: Browser, running: Running): Promise<readonly Frame[]> {
  const { url, serverKey } = running;
  const modes = {
    duel: { timeout: 120, matchConfirmation: { enabled: true, timeoutSeconds: 30 } },
  };
  const operator = new Player(url, 'operator', serverKey);
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
  const lobby = (player: string): string =>
    `${url}/examples/browser-lobby?config=arena&player=${player}`;
  const [ann, bob] = [await open(browser, lobby('ann')), await open(browser, lobby('bob'))];
  const dashboard = await watching(browser, running);
  const sheet = await browser.newPage({ viewport: { width: 1248, height: 626 } });
  const recording = new Recording(sheet, [ann, bob, dashboard]);
  const press = (page: Page, name: string): Promise<void> =>
    page.getByRole('button', { name, exact: true }).click();

  await recording.take('Two players, and the dashboard of the one who runs the game', 2200);
  await press(ann, 'Create lobby');
  await ann.locator('#lobby-code').waitFor();
  await recording.take('ann creates a lobby', 1800);
  await press(ann, 'Ready');
  await press(ann, 'Find a match');
  await ann.getByText('Searching for a match.').waitFor();
  await dashboard.getByText('Nobody else is in this queue').waitFor();
  await dashboard.locator('#why').scrollIntoViewIfNeeded();
  await recording.take('ann searches, and the dashboard shows why she waits', 2600);
  await press(bob, 'Create lobby');
  await bob.locator('#lobby-code').waitFor();
  await press(bob, 'Ready');
  await recording.take('bob is ready in his own lobby', 1800);
  await press(bob, 'Find a match');
  for (const page of [ann, bob]) {
    await page.getByRole('timer').filter({ hasText: 'Accept within' }).waitFor();
  }
  await dashboard.getByText('Nobody is waiting').waitFor();
  await recording.take('They fit together: both are asked to accept', 2200);
  await press(ann, 'Accept');
  await recording.take('ann accepts', 1400);
  await press(bob, 'Accept');
  for (const page of [ann, bob]) {
    await page.getByText('The game is on.').waitFor();
  }
  await dashboard.locator('#recent').scrollIntoViewIfNeeded();
  await dashboard.getByRole('table', { name: 'Recent matches' }).getByText('running').waitFor();
  await recording.take('A game server has started: both know where to connect', 4200);
  await press(ann, 'End the game');
  for (const page of [ann, bob]) {
    await page.getByRole('button', { name: 'Find a match' }).waitFor();
  }
  await recording.take('The game ends, and both are back in their lobbies', 3000);
  return recording.frames;
}

async function record(): Promise<void> {
  commandLine({
    command: 'npm run recording --',
    about: 'Records docs/images/recording.png anew. Needs Chromium.',
    flags: {},
  });
  const dataDir = await mkdtemp(join(tmpdir(), 'muster-recording-'));
  const running = await startAll({ port: 0, dataDir });
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const frames = await play(browser, running);
    const png = animatedPng(frames);
    const seconds = frames.reduce((sum, { ms }) => sum + ms, 0) / 1000;
    console.log(`${TARGET}: ${frames.length} pictures, ${seconds} s, ${png.length} bytes`);
    if (png.length > MOST_BYTES) {
      throw new Error(`more than ${MOST_BYTES} bytes: too large for the top of a README`);
    }
    await writeFile(TARGET, png);
  } finally {
    await browser.close();
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await record();
