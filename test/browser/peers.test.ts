// Players who connect with each other in a real browser, each in a page of its own origin: signals, ICE, tickets and
// channels of `@muster/client/peers`, against the real service.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { clientBundle } from '../support/client-bundle.ts';
import { startChromium, startKillable } from '../support/chromium.ts';
import { watchPauses } from '../support/pauses.ts';
import { needs } from '../support/tools.ts';

const EXAMPLE = fileURLToPath(new URL('../../examples/peers', import.meta.url));
/** So that candidates have addresses and not names of multicast DNS, which no container answers. */
const FLAGS = ['--disable-features=WebRtcHideLocalIpsWithMdns'];
const GRACE_SECONDS = 2;

/** Keeps what the client says in `seen`, to wait for, and in `at` when it first said so. */
const PAGE = `
import { MusterPlayer } from '@muster/client';
import { connect } from '@muster/client/peers';
const { url, player, config, ...options } = Object.fromEntries(new URLSearchParams(location.search));
const seen = (window.seen = []);
const at = (window.at = {});
const see = (what) => {
  at[what] ??= Date.now();
  seen.push(what);
};
window.muster = new MusterPlayer({ url, key: 'client_dev_key', config, player });
window.begin = async (more = {}) => {
  window.peers = await connect(window.muster, {
    ...options,
    ...more,
    ...(options.host && { host: () => options.host }),
    onPeer: (peer) => see('peer ' + peer.id + ' ' + (peer.seat?.team ?? 'none')),
    onMessage: (peer, data, how) =>
      see(how + ' ' + peer.id + ' ' + (typeof data === 'string' ? data : new Uint8Array(data))),
    onGone: (id, why) => see('gone ' + id + ' ' + why),
    onHostChange: (host, term) => see('host ' + host + ' ' + term),
  });
};
`;

let dataDir: string;
let service: Service;
let site: Server;
let browser: Browser;
let configs = 0;

describe.runIf(needs('chromium'))('players who connect with each other', () => {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-peers-'));
    service = await startService({
      port: 0,
      dataDir,
      devKeys: true,
      env: { FLEET: 'simulated' },
    });
    const script = await clientBundle(PAGE);
    const game = await clientBundle(await readFile(join(EXAMPLE, 'game.js'), 'utf8'));
    const dots = await readFile(join(EXAMPLE, 'index.html'), 'utf8');
    site = createServer(({ url = '' }, response) => {
      const isScript = url.startsWith('/game.bundle.js');
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      const page = url.startsWith('/dots')
        ? dots
        : `<!doctype html><script type="module">${script}</script>`;
      response.end(isScript ? game : page);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    browser = await startChromium(FLAGS);
  });

  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => site.close(resolve));
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function config(mode: object = {}, more: object = {}): Promise<string> {
    configs += 1;
    const operator = new Player(service.url, 'operator', service.serverKey);
    const name = `peers-${configs}`;
    const matchmaking = { modes: { duel: mode } };
    await operator.ok('PUT', `/lobby-configs/${name}`, { ...more, matchmaking });
    return name;
  }

  async function opened(
    player: string,
    where: string,
    more: object = {},
    within: Browser = browser,
  ): Promise<Page> {
    const page = await within.newPage();
    const { port } = site.address() as AddressInfo;
    const query = new URLSearchParams({ url: service.url, player, config: where, ...more });
    await page.goto(`http://127.0.0.1:${port}/?${query}`);
    await page.waitForFunction('window.begin !== undefined');
    return page;
  }

  async function sees(page: Page, what: string): Promise<void> {
    await page
      .waitForFunction((text) => Reflect.get(window, 'seen').includes(text), what)
      .catch(async () => {
        throw new Error(`${what} is not among ${JSON.stringify(await page.evaluate('seen'))}`);
      });
  }

  /** The team of that peer, as its ticket says. */
  async function meets(page: Page, player: string): Promise<string> {
    const met = await page.waitForFunction((id) => {
      const all = Reflect.get(window, 'seen') as readonly string[];
      return all.find((each) => each.startsWith(`peer ${id} `));
    }, player);
    return (
      String(await met.jsonValue())
        .split(' ')
        .at(-1) ?? ''
    );
  }

  /** Each in a lobby of its own, connecting, and then in one game. `first`: the browser of the first. */
  async function matched(
    where: string,
    players: readonly string[],
    more: object = {},
    first: Browser = browser,
  ) {
    const pages: Page[] = [];
    for (const player of players) {
      const page = await opened(player, where, more, pages.length === 0 ? first : browser);
      await page.evaluate('muster.createLobby({ name: "den" })');
      await page.evaluate('begin()');
      pages.push(page);
    }
    await Promise.all(pages.map((page) => page.evaluate('void muster.playMatch("duel")')));
    return pages;
  }

  it('are two of a match: each knows the seat of the other, and hears it on both channels', async () => {
    const where = await config();
    const [ann, bob] = (await matched(where, ['ann', 'bob'])) as [Page, Page];
    const teams = [await meets(ann, 'bob'), await meets(bob, 'ann')];
    expect(teams.toSorted()).toEqual(['0', '1']);
    await ann.evaluate('peers.send("hello")');
    await sees(bob, 'reliable ann hello');
    await bob.evaluate('peers.all[0].send(new Uint8Array([1, 2]).buffer, "unreliable")');
    await sees(ann, 'unreliable bob 1,2');
    expect(await ann.evaluate('peers.all[0].path()')).toMatchObject({ isRelayed: false });
    const admin = new MusterAdmin({ url: service.url, key: service.serverKey });
    const id = String(await ann.evaluate('muster.getMyLobby().then((lobby) => lobby.matchId)'));
    await expect
      .poll(async () => (await admin.getMatch(id)).links)
      .toMatchObject([{ from: 'ann', to: 'bob', isRelayed: false }]);
    await ann.evaluate('muster.endMatch()');
    for (const page of [ann, bob]) {
      await page.waitForFunction('peers.all.length === 0');
    }
    await Promise.all([ann, bob].map((page) => page.close()));
  });

  it('are four around a host, and one who comes later, and no two guests', async () => {
    const where = await config({ teams: 4, playersPerTeam: 1 });
    const players = ['ann', 'bob', 'cat', 'dan'];
    const pages = await matched(where, players, { host: 'bob' });
    const [ann, bob, cat, dan] = pages as [Page, Page, Page, Page];
    for (const page of [ann, cat, dan]) {
      await page.waitForFunction('peers.all.length === 1 && peers.all[0].id === "bob"');
      await page.evaluate('peers.send("from " + muster.player)');
    }
    for (const player of ['ann', 'cat', 'dan']) {
      await sees(bob, `reliable ${player} from ${player}`);
    }
    expect(await bob.evaluate('peers.all.length')).toBe(3);
    const eve = await opened('eve', where, { host: 'bob' });
    const { code } = (await dan.evaluate('muster.getMyLobby()')) as { readonly code: string };
    await eve.evaluate((invite) => Reflect.get(window, 'muster').joinLobby({ code: invite }), code);
    await eve.evaluate('begin()');
    // Somebody who came late has a seat outside of the teams.
    await meets(eve, 'bob');
    expect(await meets(bob, 'eve')).toBe('none');
    await bob.evaluate('peers.send("to all")');
    for (const page of [ann, cat, dan, eve]) {
      await sees(page, 'reliable bob to all');
      expect(await page.evaluate('peers.all.length')).toBe(1);
    }
    await Promise.all([...pages, eve].map((page) => page.close()));
  });

  it('are four around a player who hosts, and go on around the next when the first is killed', async () => {
    const hosting = { hosting: 'players', hostGraceSeconds: GRACE_SECONDS };
    const where = await config({ teams: 4, playersPerTeam: 1 }, { serverSettings: hosting });
    // A browser of its own, so that nothing of it says goodbye.
    const { server, browser: its } = await startKillable(FLAGS);
    const players = ['ann', 'bob', 'cat', 'dan'];
    const [ann, bob, cat, dan] = (await matched(where, players, {}, its)) as [
      Page,
      Page,
      Page,
      Page,
    ];
    for (const player of ['bob', 'cat', 'dan']) {
      await meets(ann, player);
    }
    const killedAt = Date.now();
    const pauses = watchPauses();
    await server.kill();
    const waited: number[] = [];
    // Who has been there for longest hosts next.
    for (const [page, peer] of [
      [bob, 'cat'],
      [bob, 'dan'],
      [cat, 'bob'],
      [dan, 'bob'],
    ] as const) {
      await sees(page, 'host bob 2');
      const what = `peer ${peer} ${await meets(page, peer)}`;
      const playsAt = Number(await page.evaluate((text) => Reflect.get(window, 'at')[text], what));
      waited.push(playsAt - killedAt);
    }
    expect(Math.max(...waited)).toBeLessThan(GRACE_SECONDS * 1_000 + 2_000 + pauses.end());
    await bob.evaluate('peers.send("on we go")');
    for (const page of [cat, dan]) {
      await sees(page, 'reliable bob on we go');
      await sees(page, 'gone ann over');
      expect(await page.evaluate('peers.all.length')).toBe(1);
      await page.evaluate('peers.send("from " + muster.player)');
    }
    await sees(bob, 'reliable cat from cat');
    await sees(bob, 'reliable dan from dan');
    await Promise.all([bob, cat, dan].map((page) => page.close()));
  });

  it('find each other again when a page is loaded anew', async () => {
    const where = await config();
    const [ann, bob] = (await matched(where, ['amy', 'ben'])) as [Page, Page];
    await meets(ann, 'ben');
    await bob.reload();
    await bob.waitForFunction('window.begin !== undefined');
    await bob.evaluate('begin()');
    await meets(bob, 'amy');
    await ann.waitForFunction('seen.filter((each) => each.startsWith("peer ben ")).length === 2');
    await bob.evaluate('peers.send("again")');
    await sees(ann, 'reliable ben again');
    await Promise.all([ann, bob].map((page) => page.close()));
  });

  it('are in a lobby that plays nothing, if the game says so', async () => {
    const where = await config();
    const ann = await opened('ada', where, { inLobby: 'true' });
    const made = await ann.evaluate('muster.createLobby({ name: "den" })');
    await ann.evaluate('begin({ inLobby: true })');
    const bob = await opened('bea', where, { inLobby: 'true' });
    const { code } = made as { readonly code: string };
    await bob.evaluate((invite) => Reflect.get(window, 'muster').joinLobby({ code: invite }), code);
    await bob.evaluate('begin({ inLobby: true })');
    await sees(ann, 'peer bea none');
    await sees(bob, 'peer ada none');
    await Promise.all([ann, bob].map((page) => page.close()));
  });

  it('play the example: each sees the dot of the other move', async () => {
    const operator = new Player(service.url, 'operator', service.serverKey);
    await operator.ok('PUT', '/lobby-configs/dots', { matchmaking: { modes: { dots: {} } } });
    const { port } = site.address() as AddressInfo;
    const pages: Page[] = [];
    for (const player of ['ida', 'jon']) {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/dots?url=${service.url}&player=${player}`);
      await page.locator('#play').click();
      pages.push(page);
    }
    const [ida, jon] = pages as [Page, Page];
    await jon.getByText('You play with ida.').waitFor();
    await ida.getByText('You play with jon.').waitFor();
    await ida.locator('#board').hover({ position: { x: 1, y: 1 } });
    await jon.waitForFunction(
      () => Number.parseFloat(document.querySelector('span')?.style.left ?? '50') < 5,
    );
    await Promise.all(pages.map((page) => page.close()));
  });

  it('do not take a ticket that is not the player’s', async () => {
    const where = await config();
    const [ann, bob] = ['abe', 'bud'].map((player) => opened(player, where));
    const [one, two] = [await (ann as Promise<Page>), await (bob as Promise<Page>)];
    for (const page of [one, two]) {
      await page.evaluate('muster.createLobby({ name: "den" })');
    }
    // Abe shows Bud the ticket that Bud shows to Abe.
    await one.evaluate(`{
      const { send } = RTCDataChannel.prototype;
      let theirs = null;
      const add = RTCDataChannel.prototype.addEventListener;
      RTCDataChannel.prototype.addEventListener = function (name, heard) {
        return add.call(this, name, name !== 'message' ? heard : (event) => {
          theirs ??= event.data;
          if (this.label === 'reliable') { send.call(this, theirs); }
          heard(event);
        });
      };
      RTCDataChannel.prototype.send = function () {};
    }`);
    await Promise.all([one, two].map((page) => page.evaluate('begin()')));
    await Promise.all([one, two].map((page) => page.evaluate('void muster.playMatch("duel")')));
    await sees(two, 'gone abe ticket');
    expect(await two.evaluate('peers.all.length')).toBe(0);
    await Promise.all([one, two].map((page) => page.close()));
  });
});
