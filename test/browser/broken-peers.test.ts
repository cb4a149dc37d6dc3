// What players send each other while the connection between them is broken, in two pages of a real browser.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BY_STAND_INS, SlowAddresses } from '../../proof/bench/slow-links.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { clientBundle } from '../support/client-bundle.ts';
import { startChromium } from '../support/chromium.ts';
import { needs } from '../support/tools.ts';

const FLAGS = ['--disable-features=WebRtcHideLocalIpsWithMdns'];
/** Between two positions that a game sends. */
const TICK_MS = 30;
/** A position that waited for the connection to be mended is seconds older. */
const OLD_MS = 2_000;

const PAGE = `
import { MusterPlayer } from '@muster/client';
import { connect } from '@muster/client/peers';
${BY_STAND_INS}
const { url, player } = Object.fromEntries(new URLSearchParams(location.search));
const muster = new MusterPlayer({ url, key: 'client_dev_key', config: 'broken', player });
/** What came: how old it was, in ms, by its channel. */
window.came = { reliable: [], unreliable: [] };
window.begin = async () => {
  await muster.createLobby({ name: 'den' });
  window.peers = await connect(muster, {
    onMessage: (peer, data, how) => came[how].push(Date.now() - Number(String(data).split(' ')[0])),
  });
  void muster.playMatch('duel');
};
window.heard = (how) => came[how].length;
/** Sends a position at each tick. Answers what each send said. */
window.sendFor = async (ms) => {
  const said = [];
  for (const end = Date.now() + ms; Date.now() < end; ) {
    said.push(peers.all[0].send(String(Date.now()), 'unreliable'));
    await new Promise((resolve) => setTimeout(resolve, ${TICK_MS}));
  }
  return said;
};
window.isLoaded = true;
`;

let dataDir: string;
let service: Service;
let site: Server;
let browser: Browser;
const addresses = new SlowAddresses(0);

async function opened(player: string): Promise<Page> {
  const page = await browser.newPage();
  await page.exposeFunction('portFor', (address: string, port: number) =>
    addresses.portFor(address, port),
  );
  const { port } = site.address() as AddressInfo;
  const query = new URLSearchParams({ url: service.url, player });
  await page.goto(`http://127.0.0.1:${port}/?${query}`);
  await page.waitForFunction('window.isLoaded');
  await page.evaluate('begin()');
  return page;
}

function sent(page: Page, ms: number): Promise<readonly boolean[]> {
  return page.evaluate(`sendFor(${ms})`);
}

declare function heard(how: 'reliable' | 'unreliable'): number;

describe.runIf(needs('chromium'))('two players whose connection breaks', () => {
  let ann: Page;
  let bob: Page;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-broken-peers-'));
    service = await startService({
      port: 0,
      dataDir,
      devKeys: true,
      env: { FLEET: 'simulated' },
    });
    const operator = new Player(service.url, 'operator', service.serverKey);
    await operator.ok('PUT', '/lobby-configs/broken', { matchmaking: { modes: { duel: {} } } });
    const html = `<!doctype html><script type="module">${await clientBundle(PAGE)}</script>`;
    site = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(html);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    browser = await startChromium(FLAGS);
    [ann, bob] = [await opened('ann'), await opened('bob')];
    for (const page of [ann, bob]) {
      await page.waitForFunction('window.peers?.all.length === 1');
    }
  });

  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => site.close(resolve));
    await addresses.close();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function mended(): Promise<void> {
    addresses.isCut = false;
    await ann.waitForFunction('peers.all[0]?.path().then((path) => path !== null)');
    await bob.waitForFunction('peers.all[0]?.path().then((path) => path !== null)');
  }

  it('hear no position that is old, and each word', async () => {
    const before = await sent(ann, 1_000);
    expect(before).not.toContain(false);
    await bob.waitForFunction((count) => heard('unreliable') === count, before.length);
    addresses.isCut = true;
    expect(await ann.evaluate('peers.all[0].send(Date.now() + " a word")')).toBe(true);
    expect(await sent(ann, 9_000)).toContain(false);
    await mended();
    await bob.waitForFunction("heard('reliable') === 1");
    expect(await sent(ann, 1_000)).not.toContain(false);
    const ages = (await bob.evaluate('came.unreliable')) as readonly number[];
    expect(Math.max(...ages)).toBeLessThan(OLD_MS);
  });

  it('are told what is too long, before anything is sent', async () => {
    const most = 256 * 1024;
    const said = await ann.evaluate(`{
      try {
        peers.send('x'.repeat(${most + 1}));
      } catch (error) {
        String(error);
      }
    }`);
    expect(said).toBe('RangeError: A message may have 262144 bytes, and this one has 262145');
    await ann.evaluate(`peers.send(new Uint8Array(${most}))`);
    await bob.waitForFunction("heard('reliable') === 2");
  });

  it('are told that a queue is full, and send on afterwards', async () => {
    addresses.isCut = true;
    const said = await ann.evaluate(
      `Array.from({ length: 80 }, () => peers.all[0].send(new Uint8Array(${256 * 1024})))`,
    );
    expect(said).toContain(false);
    await mended();
    const came = 2 + (said as readonly boolean[]).filter(Boolean).length;
    await bob.waitForFunction((count) => heard('reliable') === count, came);
    expect(await sent(ann, 1_000)).toContain(true);
  });
});
