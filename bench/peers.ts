// How long two pages need from `matched` to a channel with verified tickets: `npm run bench:peers -- --rounds 100`.
// The pages are in one Chromium, and each request and event of the service takes `--latency` more. The connection
// itself is on this machine, so a real network adds two or three round trips to it.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import { commandLine, number } from '../scripts/flags.ts';
import { Player } from '../scripts/player.ts';
import { startService } from '../scripts/service.ts';
import { clientBundle } from '../test/support/client-bundle.ts';

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-features=WebRtcHideLocalIpsWithMdns'];
const { flags } = commandLine({
  command: 'npm run bench:peers --',
  about: 'From `matched` to an open channel, in two pages of Chromium.',
  flags: {
    rounds: number(50, 'how many games'),
    latency: number(0, 'ms that each request and event takes longer'),
  },
});

const PAGE = `
import { MusterPlayer } from '@muster/client';
import { connect } from '@muster/client/peers';
window.play = async (url, player) => {
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
  const peers = await connect(muster, { onPeer: () => open.resolve(performance.now()) });
  const match = muster.playMatch('duel');
  const ms = (await open.promise) - matchedAt;
  // Not before the other page is connected, too.
  window.leave = async () => {
    await match;
    await muster.leaveLobby();
    peers.close();
  };
  return ms;
};
window.isLoaded = true;
`;

async function pageFor(browser: Browser, url: string): Promise<Page> {
  const page = await browser.newPage();
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: flags.latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
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
const times: number[] = [];
try {
  const operator = new Player(service.url, 'operator', service.serverKey);
  await operator.ok('PUT', '/lobby-configs/bench', { matchmaking: { modes: { duel: {} } } });
  const url = `http://127.0.0.1:${port}/`;
  const pages = [await pageFor(browser, url), await pageFor(browser, url)];
  for (let round = 0; round < flags.rounds; round += 1) {
    const each = pages.map((page, at) => {
      return page.evaluate<number>(`play(${JSON.stringify(service.url)}, "p${round}-${at}")`);
    });
    times.push(...(await Promise.all(each)));
    await Promise.all(pages.map((page) => page.evaluate('leave()')));
  }
} finally {
  await browser.close();
  await service.stop();
  site.close();
  await rm(dataDir, { recursive: true, force: true });
}
times.sort((a, b) => a - b);
const at = (share: number): number =>
  Math.round(times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0);
console.log(
  `${flags.rounds} games, ${flags.latency} ms of latency: from matched to an open channel p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`,
);
