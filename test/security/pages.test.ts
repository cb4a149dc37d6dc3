// What a web page in somebody's browser can do to a service on the same machine: pages of another
// origin, of an address that is rebound to this machine, of no origin, and forms. Each tries to save
// a build that is a shell command and to start it, though it knows the server key; and to play with the
// client key, which everybody knows.

import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dashboardLink } from '../../scripts/dev-keys.ts';
import { Player } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { startChromium } from '../support/chromium.ts';
import { needs } from '../support/tools.ts';

let dataDir: string;
let running: Running;
let port: string;
let browser: Browser;
let operator: Player;
/** Serves the attacker's pages, under whatever name the browser is led to. */
let pages: Server;
let pagesPort: number;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-pages-'));
  running = await startAll({ port: 0, dataDir });
  port = new URL(running.url).port;
  operator = new Player(running.url, 'operator', running.serverKey);
  pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><title>a page</title><body></body>');
  });
  await new Promise<void>((resolve) => {
    pages.listen(0, '127.0.0.1', resolve);
  });
  pagesPort = (pages.address() as AddressInfo).port;
  browser = await startChromium([
    '--host-resolver-rules=MAP rebound.test 127.0.0.2, MAP *.test 127.0.0.1',
  ]);
});

afterAll(async () => {
  await browser.close();
  await running.stop();
  pages.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** What the page's script got: a status it could read, or why it could not. */
type Got = readonly (number | string)[];

interface Attack {
  readonly service: string;
  readonly key: string;
  readonly build: string;
  readonly file: string;
}

/** Runs in the page. Two calls, as a script of the page would make them. */
async function attack({ service, key, build, file }: Attack): Promise<Got> {
  const headers = { 'api-key': key };
  const launch = { command: '/bin/sh', args: ['-c', `id > ${file}; sleep 60`] };
  const ask = async (method: string, path: string, body: unknown): Promise<number | string> => {
    try {
      const answer = await fetch(service + path, { method, headers, body: JSON.stringify(body) });
      return answer.status;
    } catch (error) {
      return String(error);
    }
  };
  return [
    await ask('PUT', `/v3/builds/${build}`, { launch }),
    await ask('POST', '/v3/servers/start', { name: build, version_tag: build }),
    await ask('GET', '/v3/servers', undefined),
  ];
}

async function pageAt(url: string): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/**
 * A page whose name first leads to the attacker's server and from then on to the service, on the
 * same port: to the browser it all is one origin.
 */
async function reboundPage(): Promise<{ page: Page; origin: string; end: () => Promise<void> }> {
  let leadsHere = false;
  const sockets = new Set<Socket>();
  const name = createTcpServer((socket) => {
    const onward = connect(leadsHere ? Number(port) : pagesPort, '127.0.0.1');
    for (const end of [socket, onward]) {
      sockets.add(end);
      end.on('error', () => end.destroy());
    }
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => {
    name.listen(Number(port), '127.0.0.2', resolve);
  });
  const origin = `http://rebound.test:${port}`;
  const page = await pageAt(`${origin}/`);
  leadsHere = true;
  // The browser's connections to the attacker are closed, so that it opens new ones.
  sockets.forEach((socket) => socket.destroy());
  const end = async (): Promise<void> => {
    await page.context().close();
    sockets.forEach((socket) => socket.destroy());
    name.close();
  };
  return { page, origin, end };
}

let attacks = 0;

/** Attacks from a page or frame; nothing may be read, nothing saved, nothing run. */
async function expectNothing(what: string, from: Page | Frame, service: string): Promise<void> {
  attacks += 1;
  const build = `x${attacks}`;
  const file = join(dataDir, `${build}.txt`);
  const origin = await from.evaluate(() => location.origin);
  const got = await from.evaluate(attack, { service, key: running.serverKey, build, file });
  const { builds } = await operator.ok<{ builds: readonly { name: string }[] }>('GET', '/builds');
  const { servers } = await operator.ok<{ servers: readonly unknown[] }>('GET', '/servers');
  const saved = builds.some(({ name }) => name === build);
  console.log(
    `${what} (${origin}): PUT ${String(got[0])}, POST ${String(got[1])}, GET ${String(got[2])};` +
      ` saved ${saved}, servers ${servers.length}, the command ran ${existsSync(file)}`,
  );
  expect([saved, servers.length, existsSync(file)]).toEqual([false, 0, false]);
  expect(got).not.toContain(200);
}

describe.runIf(needs('chromium'))('a page cannot use the server key', () => {
  it('from another site', async () => {
    const page = await pageAt(`http://evil.test:${pagesPort}/`);
    await expectNothing('another site', page, running.url);
    await expectNothing('another site', page, `http://localhost:${port}`);
    await page.context().close();
  });

  it('from another port of this machine', async () => {
    const page = await pageAt(`http://127.0.0.1:${pagesPort}/`);
    await expectNothing('another port', page, running.url);
    await page.context().close();
  });

  it('from an address that is rebound to this machine', async () => {
    const { page, origin, end } = await reboundPage();
    await expectNothing('a rebound address', page, origin);
    await end();
  });

  it('from a frame without an origin', async () => {
    const page = await pageAt(`http://evil.test:${pagesPort}/`);
    await page.evaluate(() => {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', 'allow-scripts');
      frame.srcdoc = '<!doctype html><title>a frame</title>';
      document.body.append(frame);
    });
    await page.waitForFunction(() => frames.length === 1);
    const [, frame] = page.frames();
    if (frame === undefined) {
      throw new Error('the frame is missing');
    }
    await frame.waitForLoadState();
    await expectNothing('a sandboxed frame', frame, running.url);
    await page.goto('data:text/html,<title>data</title>');
    await expectNothing('a data: page', page, running.url);
    await page.context().close();
  });

  it('by a form, or by a request that needs no leave', async () => {
    const before = await operator.ok('GET', '/projects/settings');
    const posts = [
      [
        `${running.url}/v3/projects/settings?api-key=${running.serverKey}`,
        '{"lobby_configs":[{"name":"form"}],"a":"',
        '"}',
      ],
      [
        `${running.url}/v3/servers/start?api-key=${running.serverKey}`,
        '{"name":"form","a":"',
        '"}',
      ],
    ] as const;
    for (const [url, name, value] of posts) {
      const page = await pageAt(`http://evil.test:${pagesPort}/`);
      await page.evaluate(
        ([target, text]) => fetch(target, { method: 'POST', mode: 'no-cors', body: text }),
        [url, `${name}${value}`] as const,
      );
      const answered = page.waitForResponse((response) => response.url() === url);
      await page.evaluate(
        ([action, key, text]) => {
          const form = document.createElement('form');
          Object.assign(form, { method: 'post', enctype: 'text/plain', action });
          const field = document.createElement('input');
          Object.assign(field, { name: key, value: text });
          form.append(field);
          document.body.append(form);
          form.submit();
        },
        [url, name, value] as const,
      );
      const status = (await answered).status();
      console.log(`a form (text/plain) to ${new URL(url).pathname}: ${status}`);
      expect(status).toBe(403);
      await page.context().close();
    }
    expect(await operator.ok('GET', '/projects/settings')).toEqual(before);
    const { servers } = await operator.ok<{ servers: readonly unknown[] }>('GET', '/servers');
    expect(servers).toEqual([]);
  });
});

describe.runIf(needs('chromium'))('a page of an address that is rebound', () => {
  it('cannot even play: no key is looked at', async () => {
    const { page, origin, end } = await reboundPage();
    const status = await page.evaluate(async (url) => {
      const headers = { 'api-key': 'client_dev_key' };
      return (await fetch(`${url}/v3/lobbies/arena`, { headers })).status;
    }, origin);
    console.log(`a rebound page, with the client key: ${status}`);
    expect(status).toBe(403);
    await end();
  });
});

describe.runIf(needs('chromium'))('what must go on', () => {
  it('the dashboard, by either name of this machine', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const page = await pageAt(`http://${host}:${port}/dashboard`);
      await page.getByLabel('Server key').fill(running.serverKey);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      const saved = await page.evaluate(
        async ([name, key]) => {
          const headers = { 'api-key': key };
          const path = `/v3/lobby-configs/from-${name}`;
          return (await fetch(path, { method: 'PUT', headers, body: '{}' })).status;
        },
        [host.replaceAll('.', '-'), running.serverKey] as const,
      );
      console.log(`the dashboard at ${host}: signed in, PUT ${saved}`);
      expect(saved).toBe(200);
      await page.context().close();
    }
  });

  it('the dashboard, by the link that `npm start` prints', async () => {
    const page = await pageAt(dashboardLink(running.url, running.serverKey));
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(page.url()).not.toContain(running.serverKey);
    await page.context().close();
  });

  it('a game on another port of this machine, with the client key', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const page = await pageAt(`http://${host}:${pagesPort}/`);
      expect(await page.evaluate(play, running.url)).toEqual(['201', 'open', 'open']);
      await page.context().close();
    }
  });
});

/** Runs in the page: creates a lobby and opens both kinds of stream with the key everybody knows. */
async function play(service: string): Promise<readonly string[]> {
  const headers = { 'api-key': 'client_dev_key', 'x-player-id': location.host };
  const body = JSON.stringify({ name: 'from a page' });
  const url = `${service}/v3/lobbies/arena`;
  const stream = `${url}/me/events?api-key=client_dev_key&x-player-id=${location.host}`;
  const opened = (of: EventSource | WebSocket): Promise<string> =>
    new Promise((resolve) => {
      of.addEventListener('open', () => resolve('open'));
      of.addEventListener('error', () => resolve('refused'));
    });
  const events = new EventSource(stream);
  const isOpen = await opened(events);
  events.close();
  return [
    await fetch(url, { method: 'POST', headers, body }).then(
      ({ status }) => String(status),
      () => 'refused',
    ),
    isOpen,
    await opened(new WebSocket(stream.replace('http', 'ws'))),
  ];
}

describe.runIf(needs('chromium'))('a page of another site', () => {
  it('cannot play with the key everybody knows, nor open a stream unseen', async () => {
    const page = await pageAt(`http://evil.test:${pagesPort}/`);
    expect(await page.evaluate(play, running.url)).toEqual(['refused', 'refused', 'refused']);
    const link = `${running.url}/v3/lobbies/arena/me/events?api-key=client_dev_key&x-player-id=eve`;
    const answered = page.waitForResponse((response) => response.url() === link);
    await page.evaluate((url) => location.assign(url), link);
    expect((await answered).status()).toBe(403);
    const { lobbies } = await operator.ok<{ lobbies: readonly { host: string }[] }>(
      'GET',
      '/lobbies/arena',
    );
    expect(lobbies.map(({ host }) => host)).not.toContain(`evil.test:${pagesPort}`);
    await page.context().close();
  });
});
