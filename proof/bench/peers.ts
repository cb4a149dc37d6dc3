// How long two pages need from `matched` to a channel with verified tickets: `npm run bench:peers -- --rounds 100`.
// Each link takes a round trip of `--latency`: that of a page to Muster, and that of the pages to each other. A page is loaded
// anew for each game, so that it has no connection and no permission of Muster's (CORS) from the game before.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { commandLine, number } from '../../scripts/flags.ts';
import { Player } from '../../scripts/player.ts';
import { startService } from '../../scripts/service.ts';
import { BY_STAND_INS, SlowAddresses, slowService } from './slow-links.ts';
import { clientBundle } from '../../test/support/client-bundle.ts';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-features=WebRtcHideLocalIpsWithMdns'];
const { flags } = commandLine({
  command: 'npm run bench:peers --',
  about: 'From `matched` to an open channel, in two pages of Chromium.',
  flags: {
    rounds: number(50, 'how many games'),
    latency: number(0, 'ms of a round trip on each link'),
  },
});

const PAGE = `
import { MusterPlayer } from '@muster/client';
import { connect } from '@muster/client/peers';
${BY_STAND_INS}window.play = async (url, player) => {
  const muster = new MusterPlayer({ url, key: 'client_dev_key', config: 'bench', player });
  await muster.createLobby({ name: 'den', forceFresh: true });
  let matchedAt = null;
  muster.onEvent((event) => {
    const status = event.lobby?.status;
    if (matchedAt === null && (status === 'matched' || status === 'in_game')) {
      matchedAt = performance.now();
    }
  });
  const open = Promise.withResolvers();
  await connect(muster, {
    onPeer: async (peer) => {
      const ms = performance.now() - matchedAt;
      open.resolve({ ms, path: (await peer.path())?.ms });
    },
  });
  void muster.playMatch('duel');
  return open.promise;
};
window.isLoaded = true;
`;

async function pageFor(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.exposeFunction('portFor', (address: string, port: number) =>
    addresses.portFor(address, port),
  );
  await page.goto(url);
  await page.waitForFunction('window.isLoaded');
  return page;
}

const script = await clientBundle(PAGE);
const html = `<!doctype html><script type="module">${script}</script>`;
const site = createServer((_, response) => {
  response.setHeader('content-type', 'text/html');
  response.end(html);
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
const { port } = site.address() as AddressInfo;
const dataDir = await mkdtemp(join(tmpdir(), 'muster-bench-peers-'));
const service = await startService({
  port: 0,
  dataDir,
  devKeys: true,
  env: { FLEET: 'simulated', LIMITS: 'off' },
});
const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: FLAGS });
const slow = await slowService(service.url, flags.latency);
const addresses = new SlowAddresses(flags.latency);
const times: number[] = [];
const paths: number[] = [];
try {
  const operator = new Player(service.url, 'operator', service.serverKey);
  await operator.ok('PUT', '/lobby-configs/bench', { matchmaking: { modes: { duel: {} } } });
  const url = `http://127.0.0.1:${port}/`;
  for (let round = 0; round < flags.rounds; round += 1) {
    const pages = [await pageFor(browser, url), await pageFor(browser, url)];
    const each = pages.map((page, at) => {
      const call = `play(${JSON.stringify(slow.url)}, "p${round}-${at}")`;
      return page.evaluate<{ readonly ms: number; readonly path: number }>(call);
    });
    for (const { ms, path } of await Promise.all(each)) {
      times.push(ms);
      paths.push(path);
    }
    await Promise.all(pages.map((page) => page.context().close()));
    await addresses.close();
  }
} finally {
  await browser.close();
  slow.close();
  await addresses.close();
  await service.stop();
  site.close();
  await rm(dataDir, { recursive: true, force: true });
}
function shareOf(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
}

times.sort((a, b) => a - b);
paths.sort((a, b) => a - b);
const [p50, p99, most] = [0.5, 0.99, 1].map((share) => shareOf(times, share));
console.log(
  `${flags.rounds} games, ${flags.latency} ms of latency (pages are ${shareOf(paths, 0.5)} ms apart): from matched to an open channel p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`,
);
