// The React hooks in a real browser, under StrictMode, against the real service. The screen of the
// client's README is bundled as it stands there.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { Player } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { startChromium } from '../support/chromium.ts';
import { hundredIn } from '../support/hundred.ts';
import { needs } from '../support/tools.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENT = join(ROOT, 'packages', 'js', 'src');

/** Shows the README's screen, with `?probe` all that the hook tells, or with `?crowd` who is drawn anew. */
const PAGE = `
import { memo, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { useAction, useLobby, useMuster } from '@muster/client/react';
import { LobbyScreen } from './screen';
const { url, clientKey, player, probe, crowd } = Object.fromEntries(new URLSearchParams(location.search));
function Probe() {
  window.muster = useMuster({ url, key: clientKey, config: 'arena', player });
  const join = useAction(async (code) => {
    window.joins = (window.joins ?? 0) + 1;
    await window.gate;
    return window.muster.joinLobby({ code });
  });
  window.join = join.run;
  return <pre>{JSON.stringify({ ...useLobby(window.muster), join })}</pre>;
}
window.drawn = [];
const Line = memo(({ player: { id, state } }) => {
  window.drawn.push(id);
  return <li>{id} {JSON.stringify(state)}</li>;
});
const Where = memo(({ address }) => {
  window.drawn.push('address');
  return <p>{address?.port}</p>;
});
function Crowd() {
  const { lobby, address } = useLobby(useMuster({ url, key: clientKey, config: 'crowd', player }));
  return <><Where address={address} />{lobby?.players.map((each) => <Line key={each.id} player={each} />)}</>;
}
const root = createRoot(document.body);
window.unmount = () => root.unmount();
const screen = crowd === undefined ? <LobbyScreen {...{ url, clientKey, player }} /> : <Crowd />;
root.render(<StrictMode>{probe === undefined ? screen : <Probe />}</StrictMode>);
`;

async function bundled(screen: string): Promise<string> {
  const sources: Readonly<Record<string, string>> = { './page': PAGE, './screen': screen };
  const { outputFiles } = await build({
    entryPoints: ['./page'],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"development"' },
    alias: {
      '@muster/client/react': join(CLIENT, 'react.ts'),
      '@muster/client': join(CLIENT, 'index.ts'),
    },
    plugins: [
      {
        name: 'sources',
        setup(made) {
          made.onResolve({ filter: /^\.\/(page|screen)$/ }, ({ path }) => ({
            path,
            namespace: 'own',
          }));
          made.onLoad({ filter: /.*/, namespace: 'own' }, ({ path }) => ({
            contents: sources[path] ?? '',
            loader: 'jsx',
            resolveDir: ROOT,
          }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
}

let dataDir: string;
let running: Running;
let browser: Browser;
let pages: Server;

async function open(player: string, query = '', clientKey = 'client_dev_key'): Promise<Page> {
  const page = await browser.newPage();
  const { port } = pages.address() as AddressInfo;
  const asked = new URLSearchParams({ url: running.url, clientKey, player });
  await page.goto(`http://127.0.0.1:${port}/?${asked}${query}`);
  return page;
}

async function untilProbe(page: Page, fits: string): Promise<unknown> {
  const text = await page.waitForFunction(
    `(() => { const s = JSON.parse(document.querySelector('pre').textContent); return (${fits}) ? s : null; })()`,
  );
  return text.jsonValue();
}

describe.runIf(needs('chromium'))('the hooks', () => {
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'muster-react-'));
    const readme = await readFile(join(ROOT, 'packages', 'js', 'README.md'), 'utf8');
    const [, screen = ''] = /^```jsx\n(.*?)^```$/ms.exec(readme) ?? [];
    expect(screen).toContain('export function LobbyScreen');
    const script = await bundled(screen);
    pages = createServer((request, response) => {
      const isScript = request.url === '/page.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      response.end(isScript ? script : '<body><script type="module" src="/page.js"></script>');
    }).listen(0, '127.0.0.1');
    running = await startAll({ port: 0, dataDir, env: { FLEET: 'simulated' } });
    const operator = new Player(running.url, 'operator', running.serverKey);
    const matchConfirmation = { enabled: true };
    const rules = [{ type: 'difference', field: 'skill', maxDifference: 100 }];
    await operator.ok('PUT', '/lobby-configs/arena', {
      matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, rules, matchConfirmation } } },
    });
    browser = await startChromium();
  });

  afterAll(async () => {
    await browser?.close();
    pages?.close();
    await running?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('take two players through the screen of the README, from no lobby to the address', async () => {
    const both = await Promise.all([open('ann'), open('ben')]);
    for (const page of both) {
      await page.getByRole('button', { name: 'New lobby' }).click();
      await page.getByRole('button', { name: 'Find a match' }).click();
    }
    await Promise.all(both.map((page) => page.getByRole('button', { name: 'Accept' }).click()));
    const found = both.map((page) => page.getByText(/^Connect to \S+:\d+$/).textContent());
    const [one, other] = await Promise.all(found);
    expect(one).toBe(other);
    await Promise.all(both.map((page) => page.close()));
  });

  it('follow a player who is kicked into the next lobby, and end with the component', async () => {
    const host = new Player(running.url, 'cat');
    const guest = new Player(running.url, 'dan');
    const { code } = await host.ok('POST', '/lobbies/arena', { name: 'Cats' });
    const page = await open('dan', '&probe=1');
    expect(await untilProbe(page, 's.isKnown')).toMatchObject({ lobby: null, closed: null });
    await guest.ok('POST', '/lobbies/arena/join', { code });
    await untilProbe(page, "s.lobby?.name === 'Cats'");
    await host.ok('DELETE', '/lobbies/arena/me/players/dan');
    expect(await untilProbe(page, 's.closed !== null')).toMatchObject({
      lobby: null,
      closed: 'kicked',
      isKnown: true,
    });
    await guest.ok('POST', '/lobbies/arena', { name: 'Dogs' });
    expect(await untilProbe(page, "s.lobby?.name === 'Dogs'")).toMatchObject({ closed: null });
    await page.evaluate('window.unmount()');
    await page.waitForFunction("document.querySelector('pre') === null");
    await page.close();
  });

  it('draw only who changed, in a lobby of a hundred', async () => {
    const players = await hundredIn(running.url, 'crowd', (at) => ({ at }));
    const page = await open('p0', '&crowd=1');
    const lines = page.locator('li');
    await lines.nth(99).waitFor();
    const drawn = async (): Promise<unknown> => page.evaluate('window.drawn.splice(0)');
    await drawn();
    // StrictMode draws whatever it draws twice.
    await players[7]?.ok('PATCH', '/lobbies/crowd/me', { state: { at: 'seven' } });
    await page.getByText('"seven"').waitFor();
    expect(await drawn()).toEqual(['p7', 'p7']);
    await players[3]?.call('DELETE', '/lobbies/crowd/me');
    await lines.nth(99).waitFor({ state: 'detached' });
    expect(await drawn()).toEqual([]);
    await players[0]?.ok('POST', '/lobbies/crowd/me/start');
    await page.locator('p').filter({ hasText: /\d/ }).waitFor();
    expect(await drawn()).toEqual(['address', 'address']);
    await players[98]?.ok('PATCH', '/lobbies/crowd/me', { state: { at: 'last' } });
    await page.getByText('"last"').waitFor();
    expect(await drawn()).toEqual(['p98', 'p98']);
    await page.close();
  });

  it('tell that a call is pending, and why it failed', async () => {
    const page = await open('gil', '&probe=1');
    await untilProbe(page, 's.isKnown');
    await page.evaluate('void (window.gate = new Promise((open) => (window.open = open)))');
    await page.evaluate("{ window.join('NOPE-123456'); window.join('NOPE-123456'); }");
    expect(await untilProbe(page, 's.join.isPending')).toMatchObject({ join: { error: null } });
    await page.evaluate('window.open()');
    expect(await untilProbe(page, 's.join.error !== null')).toMatchObject({
      join: { isPending: false, error: { code: 'LOBBY_NOT_FOUND' } },
    });
    expect(await page.evaluate('window.joins')).toBe(1);
    const { code } = await new Player(running.url, 'hal').ok('POST', '/lobbies/arena', {
      name: 'X',
    });
    await page.evaluate(`void window.join('${code}')`);
    expect(await untilProbe(page, 's.lobby !== null && !s.join.isPending')).toMatchObject({
      join: { error: null },
    });
    await page.close();
  });

  it('say why they wait to come back', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const page = await open('ida', `&probe=1&url=${nobody}`);
    expect(await untilProbe(page, "s.connection === 'waiting'")).toMatchObject({
      connectionError: { code: 'NETWORK' },
      error: null,
    });
    const wrong = await open('ida', '&probe=1&url=nowhere');
    expect(await untilProbe(wrong, 's.error !== null')).toMatchObject({
      error: { code: 'INVALID_OPTION' },
    });
    await Promise.all([page, wrong].map((each) => each.close()));
  });

  it('stop when a newer stream of the player takes over, and tell what no waiting mends', async () => {
    const first = await open('eve', '&probe=1');
    await untilProbe(first, 's.isKnown');
    const second = await open('eve', '&probe=1');
    await untilProbe(second, 's.isKnown');
    expect(await untilProbe(first, 's.closed !== null')).toMatchObject({ closed: 'replaced' });
    const denied = await open('fay', '&probe=1', 'no_such_key');
    expect(await untilProbe(denied, 's.error !== null')).toMatchObject({
      error: { code: 'UNAUTHORIZED' },
    });
    await Promise.all([first, second, denied].map((page) => page.close()));
  });

  it('add less than 2 kB to a game', async () => {
    const { outputFiles } = await build({
      entryPoints: [join(CLIENT, 'react.ts')],
      bundle: false,
      write: false,
      minify: true,
    });
    const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).byteLength;
    expect(bytes).toBeGreaterThan(300);
    expect(bytes).toBeLessThan(2_000);
  });
});
