// The first `npm start`: the config that it saves once, and what it prints for other machines.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import { startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';
import { npmStart, type Started } from '../wire/npm-start.ts';

let dataDir: string;
let started: Started | null = null;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-first-'));
});

afterEach(async () => {
  await started?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(env: Readonly<Record<string, string>> = {}): Promise<Started> {
  await started?.stop();
  started = await npmStart(dataDir, env);
  return started;
}

async function operatorOf({ port }: Started): Promise<Player> {
  const key = await readFile(join(dataDir, 'server-key'), 'utf8');
  return new Player(`http://127.0.0.1:${port}`, 'operator', key);
}

const SAID = 'config    arena, with the mode duel (1 against 1), is saved for the examples';

describe('the config of the examples', () => {
  it('is saved by the first start alone, and stays deleted', async () => {
    const first = await start();
    expect(first.printed()).toContain(SAID);
    const operator = await operatorOf(first);
    expect(await operator.ok('GET', '/lobby-configs/arena')).toMatchObject({
      heartbeat: true,
      matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1, timeout: 60 } } },
    });
    await operator.ok('DELETE', '/lobby-configs/arena');

    const second = await start();
    expect(second.printed()).not.toContain('arena');
    const answer = await (await operatorOf(second)).call('GET', '/lobby-configs/arena');
    expect(answer.status).toBe(404);
  });

  it('is not saved in a folder with data, and after a first start that failed by the next', async () => {
    // The data of a service that nobody has saved a config in.
    const keys = await start({ API_KEYS: KEYS });
    expect(keys.printed()).toContain('muster: ready');
    expect(keys.printed()).not.toContain('arena');
    expect((await start()).printed()).not.toContain('arena');
    await started?.stop();

    await rm(dataDir, { recursive: true });
    const failed = await start({ AGENT_PORTS: 'none' });
    expect(failed.printed()).toContain('AGENT_PORTS must read like');
    expect((await start()).printed()).toContain(SAID);
  });
});

describe.runIf(needs('chromium'))('the example that the README opens', () => {
  it('plays in two windows on fresh data', async () => {
    const { port } = await start();
    const browser = await startChromium();
    try {
      const windows = ['ann', 'ben'].map(async (player) => {
        const page = await (await browser.newContext()).newPage();
        await page.goto(`http://127.0.0.1:${port}/examples/browser-lobby/`);
        await page.locator('#player').fill(player);
        await found(page);
      });
      await Promise.all(windows);
    } finally {
      await browser.close();
    }
  });
});

describe.runIf(needs('chromium'))('two parties of two in the example', () => {
  it('find each other by one code each, and a party that is too large is told before the button', async () => {
    const { port } = await start();
    const browser = await startChromium();
    try {
      const windowOf = async (player: string, query = ''): Promise<Page> => {
        const page = await (await browser.newContext()).newPage();
        await page.goto(
          `http://127.0.0.1:${port}/examples/browser-lobby/?player=${player}${query}`,
        );
        return page;
      };
      const pairs = [
        ['ann', 'ben'],
        ['cat', 'dan'],
      ].map(async ([first = '', second = '']) => {
        const host = await windowOf(first);
        await host.locator('#create button').click();
        await host.locator('#ready').click();
        const code = (await host.locator('#lobby-code').textContent()) ?? '';
        const guest = await windowOf(second, `&code=${code}`);
        await guest.locator('#join button').click();
        await guest.locator('#ready').click();
        return [host, guest] as const;
      });
      const all = await Promise.all(pairs);
      const [[ann]] = all as [readonly [Page, Page]];
      await ann.getByText('Everybody is ready').waitFor();
      await ann.locator('#mode').fill('duel');
      await ann.getByText('at most 1 player, and yours has 2').waitFor();
      expect(await ann.locator('#queue').isDisabled()).toBe(true);
      await ann.locator('#mode').fill('duos');
      for (const [host] of all) {
        await host.locator('#queue').click();
      }
      const addresses = await Promise.all(
        all.flat().map(async (page) => {
          await page.getByText(/127\.0\.0\.\d:\d+/).waitFor();
          return page.locator('#address').textContent();
        }),
      );
      expect(new Set(addresses).size).toBe(1);
    } finally {
      await browser.close();
    }
  });
});

async function found(page: Page): Promise<void> {
  await page.locator('#lobby-name').fill('Den');
  await page.locator('#create button').click();
  await page.locator('#ready').click();
  await page.locator('#queue').click();
  await page.getByText(/127\.0\.0\.\d:\d+/).waitFor();
}

/** A loopback address on which the development keys are not accepted, as on those that others reach. */
const ELSEWHERE = { HOST: '127.0.0.2', AGENT_BIND_HOST: '127.0.0.2', ALLOWED_HOSTS: 'muster.lan' };
const KEYS = JSON.stringify(
  ['client', 'server'].map((kind) => ({ project: 'game', kind, sha256: 'ab'.repeat(32) })),
);

describe.runIf(needs('curl'))('a start for other machines', () => {
  it('prints commands and addresses that work, with keys of its own that it keeps', async () => {
    const { printed, port } = await start(ELSEWHERE);
    const text = printed();
    expect(text).toContain(SAID);
    const at = `http://127.0.0.2:${port}`;
    const [, client = '', server = ''] =
      /keys +(client_[\w-]{32}) \(players, kept in \S+\), (server_[\w-]{32}) /.exec(text) ?? [];
    expect((await stat(join(dataDir, 'client-key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dataDir, 'client-key'), 'utf8')).toBe(client);
    expect(await readFile(join(dataDir, 'server-key'), 'utf8')).toBe(server);

    const pages = [...text.matchAll(/^ {2}(http:\/\/\S+\?key=\S+) {3}\(/gm)].map(([, url]) => url);
    expect(pages).toEqual([`${at}/?key=${client}`, `${at}/examples/browser-lobby/?key=${client}`]);
    for (const page of pages) {
      expect((await fetch(page ?? '')).status).toBe(200);
    }
    const commands = [...text.matchAll(/^ {2}(curl -X .*)$/gm)].map(([, line = '']) => line);
    expect(commands).toHaveLength(2);
    for (const command of commands) {
      const { stdout } = await promisify(execFile)('sh', ['-c', command]);
      expect(JSON.parse(stdout)).toMatchObject({ config: 'main' });
    }
    const stranger = await new Player(at, 'eve', 'client_dev_key').call('GET', '/lobbies/main');
    expect(stranger.status).toBe(401);
    // Players are told an address at which the game server is reached from there.
    const lobby = await eventually('the game server runs', async () => {
      const { body } = await new Player(at, 'ann', client).call<{
        server: { status: string; network_ports: readonly { host: string }[] } | null;
      }>('GET', '/lobbies/main/me');
      return body.server?.status === 'running' && body.server;
    });
    expect(lobby.network_ports[0]?.host).toBe('127.0.0.2');

    expect((await start(ELSEWHERE)).printed()).toContain(client);
  });

  it('names the keys of API_KEYS as such, and the place to put one', async () => {
    const { printed } = await start({ ...ELSEWHERE, API_KEYS: KEYS });
    expect(printed()).toContain(
      'keys      those of API_KEYS; the development keys are not accepted',
    );
    expect(printed()).toContain(`/?key=CLIENT_KEY   (two players on one page)`);
    expect(printed()).toContain("-H 'api-key: CLIENT_KEY'");
    expect(printed()).not.toContain('client_dev_key');
  });
});

describe.runIf(needs('chromium'))('a page from another machine', () => {
  it('plays over plain HTTP, where browsers offer less', async () => {
    const { port } = await start(ELSEWHERE);
    const key = await readFile(join(dataDir, 'client-key'), 'utf8');
    const browser = await startChromium(['--host-resolver-rules=MAP muster.lan 127.0.0.2']);
    try {
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://muster.lan:${port}/?key=${key}`);
      expect(await page.evaluate('isSecureContext')).toBe(false);
      await page.getByRole('button', { name: 'Play a match' }).click();
      await page.getByRole('button', { name: 'End the match' }).waitFor();

      await page.goto(`http://muster.lan:${port}/examples/browser-lobby/?key=${key}`);
      await page.locator('#player').fill('cat');
      await page.locator('#lobby-name').fill('Den');
      await page.locator('#create button').click();
      await page.locator('#copy').click();
      await page.getByText(`/examples/browser-lobby/?config=arena&code=`).waitFor();
      expect(await page.locator('#message').textContent()).toContain(`key=${key}`);
    } finally {
      await browser.close();
    }
  });
});
