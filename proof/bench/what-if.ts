// Players enter a queue of the real service by real requests, and then a real browser tries a changed mode on that
// day. Reports seconds, the longest task of the page's main thread, and the memory of the browser's processes before
// and at its peak.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Browser } from 'playwright-core';

import { commandLine, number } from '../../scripts/flags.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { pathOf } from '../../test/support/tools.ts';
import { longestTask, watchTasks } from '../../test/browser/long-tasks.ts';
import { memoryMiB } from './cpu.ts';
import { Target } from './latency/http.ts';

const { flags } = commandLine({
  command: 'npm run bench:what-if --',
  about: 'A real browser tries a changed mode on a recorded day. Needs Chromium.',
  flags: { entries: number(20_000, 'how often players enter the queue') },
});
const ENTRIES = flags.entries;
const PLAYERS = Math.min(1_000, ENTRIES / 2);
const AT_ONCE = 16;
const SKILLS = 1_000_000;

async function each(names: readonly string[], run: (name: string) => Promise<void>): Promise<void> {
  const left = [...names];
  const one = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      await run(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Some of the lobbies that wait at a time fit each other. The others leave and come again. */
async function enter(url: string): Promise<void> {
  const target = new Target(url, 'client_dev_key');
  const found = async (name: string): Promise<void> => {
    const state = { mmr: Math.floor(Math.random() * SKILLS) };
    await target.patiently('POST', '/lobbies/day', name, { name, state });
  };
  const names = Array.from({ length: PLAYERS }, (_, at) => `player-${at}`);
  await each(names, found);
  for (let entered = 0; entered < ENTRIES; entered += PLAYERS) {
    await each(names.slice(0, ENTRIES - entered), (name) =>
      target.patiently('POST', '/lobbies/day/me/matchmaking', name, { mode: 'duel' }),
    );
    await each(names, async (name) => {
      const { status } = await target.ask('DELETE', '/lobbies/day/me/matchmaking', name);
      if (status >= 300) {
        await target.ok('DELETE', '/lobbies/day/me', name);
        await found(name);
      }
    });
  }
}

/** All processes of that browser together. */
async function weight(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const sizes = await Promise.all(processInfo.map(({ id }) => memoryMiB(id).catch(() => 0)));
  await session.detach();
  return Math.round(sizes.reduce((sum, size) => sum + size, 0));
}

async function tried({ url, serverKey }: Service, browser: Browser): Promise<string> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${url}/dashboard`);
  await page.getByLabel('Server key').fill(serverKey);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  await page.goto(`${url}/dashboard/#/configs/day`);
  await page.getByLabel('Maximum difference').fill('2000');
  await watchTasks(page);
  const before = await weight(browser);
  const begun = performance.now();
  await page.getByRole('button', { name: 'Try it on the last day' }).click();
  const over = new AbortController();
  let most = before;
  const weighing = (async (): Promise<void> => {
    while (!over.signal.aborted) {
      most = Math.max(most, await weight(browser));
      await sleep(100);
    }
  })();
  await page.getByRole('table', { name: 'What if' }).waitFor({ timeout: 300_000 });
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  over.abort();
  await weighing;
  const rows = await page.getByRole('table', { name: 'What if' }).innerText();
  const check = await page.getByText('came out differently').innerText();
  return `${rows}\n${check}\n${seconds} s, longest task ${await longestTask(page)} ms, browser ${before} MiB, at most ${most} MiB`;
}

const dataDir = await mkdtemp(join(tmpdir(), 'muster-what-if-'));
const env = { FLEET: 'simulated', LIMITS: 'off' };
const service = await startService({ port: 0, dataDir, devKeys: true, env });
const browser = await chromium.launch({
  executablePath: pathOf('chromium'),
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const rules = [{ type: 'difference', field: 'mmr', maxDifference: 50 }];
  const matchmaking = { modes: { duel: { timeout: 3_600, rules } } };
  const operator = new Target(service.url, service.serverKey);
  await operator.ok('PUT', '/lobby-configs/day', 'operator', { matchmaking });
  const begun = performance.now();
  await enter(service.url);
  console.log(`${ENTRIES} entries in ${Math.round((performance.now() - begun) / 1000)} s`);
  const address = '/admin/journal?config=day&mode=duel';
  console.log(`${(await operator.ok('GET', address, 'operator')).length} bytes of journal`);
  console.log(await tried(service, browser));
} finally {
  await browser.close();
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
}
