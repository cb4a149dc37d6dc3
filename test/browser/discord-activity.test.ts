// The Discord Activity of examples/, with Discord's own SDK in a real browser. What is not Discord's: a page that answers the SDK
// as Discord's client does, a proxy with one origin that passes no event stream, and the accounts.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import {
  createServer,
  request,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { FrameLocator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { needs } from '../support/tools.ts';
import { openSite, pageIn, type Site } from './browser.ts';

const project = join(import.meta.dirname, '../..');
const example = join(project, 'examples/discord-activity');
/** As long as they get: an instance, a server and a channel. */
const INSTANCE = 'i-1234567890123456789-gc-1234567890123456789-1234567890123456789';
const PREFIX = '/.proxy/muster';
const POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** Discord's client, as far as the SDK talks with it. */
const CLIENT = `
const user = new URLSearchParams(location.search).get('user');
const ids = { ann: '1001', bob: '1002' };
const account = { id: ids[user], username: user, discriminator: '0', public_flags: 0, global_name: user.toUpperCase() };
let codes = 0;
const answers = {
  AUTHORIZE: () => ({ code: user + '.' + (codes += 1) }),
  AUTHENTICATE: ({ access_token }) => ({
    access_token, user: account, scopes: ['identify'], expires: '2030-01-01T00:00:00Z',
    application: { id: '1234567890', name: 'Activity', description: '' },
  }),
};
addEventListener('message', ({ data: [opcode, sent], source }) => {
  const answer = (frame) => source.postMessage([1, frame], '*');
  if (opcode === 0) {
    const config = { cdn_host: 'cdn', api_endpoint: 'api', environment: 'production' };
    answer({ cmd: 'DISPATCH', evt: 'READY', nonce: null, data: { v: 1, config, user: account } });
  } else if (opcode === 1) {
    answer({ cmd: sent.cmd, nonce: sent.nonce, evt: null, data: answers[sent.cmd]?.(sent.args) ?? null });
  }
});`;

let site: Site;
let folder: string;
let bundle: string;
let discord: Server;
let origin: string;
let sockets = 0;
let streams = 0;
const used = new Set<string>();

async function textOf(sent: IncomingMessage): Promise<string> {
  return Buffer.concat(await sent.toArray()).toString();
}

/** The accounts: a code is taken once. */
async function account(sent: IncomingMessage): Promise<object | null> {
  if (sent.url === '/api/oauth2/token') {
    const code = new URLSearchParams(await textOf(sent)).get('code') ?? '';
    const isNew = !used.has(code);
    used.add(code);
    return isNew ? { access_token: code.split('.')[0] ?? '', token_type: 'Bearer' } : null;
  }
  return { id: sent.headers.authorization === 'Bearer ann' ? '1001' : '1002' };
}

/** What Discord's proxy does with a request of the page: no event stream comes through. */
function passOn(sent: IncomingMessage, answer: ServerResponse): void {
  const { port } = new URL(site.running.url);
  const path = sent.url?.slice(PREFIX.length);
  const asked = request({ port, path, method: sent.method, headers: sent.headers }, (got) => {
    if (got.headers['content-type']?.startsWith('text/event-stream') === true) {
      streams += 1;
      got.destroy();
      answer.writeHead(502).end();
    } else {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    }
  });
  asked.on('error', () => answer.destroy());
  sent.pipe(asked);
}

async function answered(sent: IncomingMessage, answer: ServerResponse): Promise<void> {
  const path = sent.url ?? '/';
  const page = (text: string, type = 'text/html'): void => {
    answer.writeHead(200, { 'content-type': type, 'content-security-policy': POLICY }).end(text);
  };
  if (path.startsWith(PREFIX)) {
    passOn(sent, answer);
  } else if (path.startsWith('/api/')) {
    const found = await account(sent);
    answer.writeHead(found ? 200 : 400, { 'content-type': 'application/json' });
    answer.end(JSON.stringify(found ?? { error: 'invalid_grant' }));
  } else if (path.startsWith('/client.js')) {
    page(CLIENT, 'text/javascript');
  } else if (path.startsWith('/client')) {
    const query = `?frame_id=f&platform=desktop&instance_id=${INSTANCE}`;
    page(`<script src="/client.js"></script><iframe src="/${query}"></iframe>`);
  } else if (path.startsWith('/bundle.js')) {
    page(bundle, 'text/javascript');
  } else {
    page(await readFile(join(example, 'index.html'), 'utf8'));
  }
}

async function serve(): Promise<Server> {
  const { port } = new URL(site.running.url);
  const server = createServer((sent, answer) => void answered(sent, answer));
  server.on('upgrade', (sent, socket) => {
    sockets += 1;
    const path = (sent.url ?? '').slice(PREFIX.length);
    const inner = connect(Number(port), '127.0.0.1');
    const lines = Object.entries(sent.headers).map(([name, value]) => `${name}: ${String(value)}`);
    inner.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    socket.pipe(inner).pipe(socket);
    socket.on('error', () => inner.destroy());
    inner.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return server;
}

async function opened(user: string): Promise<FrameLocator> {
  const context = await site.browser.newContext();
  const page = await pageIn(site, context);
  await page.goto(`${origin}/client?user=${user}`);
  return page.frameLocator('iframe');
}

describe.runIf(needs('chromium'))('the Discord Activity', () => {
  beforeAll(async () => {
    site = await openSite('discord-activity', { PRIVATE_PROVIDERS: '1' });
    folder = await mkdtemp(join(tmpdir(), 'muster-discord-'));
    const install = ['install', '--no-audit', '--no-fund', '@discord/embedded-app-sdk@2.5.0'];
    await promisify(execFile)('npm', [...install, '--prefix', folder]);
    const { outputFiles } = await build({
      entryPoints: [join(example, 'activity.js')],
      bundle: true,
      write: false,
      format: 'esm',
      nodePaths: [join(folder, 'node_modules')],
      alias: { '@muster/client': join(project, 'packages/js/src/index.ts') },
    });
    bundle = outputFiles[0]?.text ?? '';
    discord = await serve();
    origin = `http://127.0.0.1:${(discord.address() as AddressInfo).port}`;
    const { operator } = site;
    const secrets = { clientId: '1234567890', clientSecret: 'the-secret-of-the-portal' };
    await operator.ok('PUT', '/projects/logins/discord', { ...secrets, url: origin });
    await operator.ok('POST', '/projects/settings', { playerAuth: 'token' });
    await operator.ok('PUT', '/lobby-configs/activity', { heartbeat: true });
  });

  afterAll(async () => {
    await site?.stop();
    discord?.closeAllConnections();
    discord?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('brings all of an instance into one lobby, by socket alone, and starts their game', async () => {
    const [ann, bob] = await Promise.all([opened('ann'), opened('bob')]);
    for (const screen of [ann, bob]) {
      await screen.getByText('ANN').waitFor();
      await screen.getByText('BOB').waitFor();
      expect(await screen.locator('#players li').count()).toBe(2);
      await screen.locator('#ready').click();
    }
    await Promise.all(
      [ann, bob].map((each) =>
        each.getByText('BOB: ready').or(each.getByText('BOB (host): ready')).waitFor(),
      ),
    );
    const host = (await ann.getByText('ANN (host)').count()) > 0 ? ann : bob;
    await host.locator('#play:enabled').click();
    for (const screen of [ann, bob]) {
      await screen.locator('#status', { hasText: 'in_game' }).waitFor();
      await screen.getByText(/127\.0\.0\.1:\d+/).waitFor();
    }
    expect([sockets, streams]).toEqual([2, 0]);
    expect(used).toEqual(new Set(['ann.1', 'bob.1']));
    expect(site.complaints).toEqual([]);
  });
});
