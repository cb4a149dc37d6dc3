// Event streams over real sockets: a full lobby, a reader that stalls, a client that vanishes, and
// a real browser's EventSource beside Node's fetch (spec: Events; decisions 7, 23, 24).

import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import type { Lobby, Seen } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { startChromium } from '../support/chromium.ts';
import { eventually } from '../support/eventually.ts';
import { needs } from '../support/tools.ts';

const CROWD = 100;

let dataDir: string;
let running: Running;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-streams-'));
  running = await startAll({ port: 0, dataDir, env: { LIMITS: 'off' } });
});

afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

async function crowd(config: string): Promise<readonly Player[]> {
  const players = Array.from({ length: CROWD }, (_, index) => new Player(running.url, `p${index}`));
  const [host, ...guests] = players;
  const lobby = await host?.ok('POST', `/lobbies/${config}`, { name: 'crowd', maxPlayers: CROWD });
  for (const guest of guests) {
    await guest.ok('POST', `/lobbies/${config}/join`, { lobbyId: lobby?.id });
  }
  return players;
}

function stateOf(event: Seen, player: string): Record<string, unknown> | null | undefined {
  const lobby = event.data as { players?: { id: string; state: Record<string, unknown> }[] } | null;
  return lobby?.players?.find(({ id }) => id === player)?.state;
}

describe('a lobby of 100 players with 100 streams', () => {
  it('brings one PATCH to all of them, each change once and in order', async () => {
    const players = await crowd('full');
    const streams = await Promise.all(players.map((player) => player.events('full')));
    await Promise.all(streams.map((stream) => stream.until(({ event }) => event === 'connected')));
    const spreads: number[] = [];
    for (let round = 1; round <= 5; round += 1) {
      const sent = performance.now();
      await players[7]?.ok('PATCH', '/lobbies/full/me', { state: { round } });
      const seen = await Promise.all(
        streams.map((stream) => stream.until((event) => stateOf(event, 'p7')?.['round'] === round)),
      );
      spreads.push(...seen.map(({ at }) => at - sent));
    }
    console.log(
      `spread of one PATCH to ${CROWD} streams: p50 ${quantile(spreads, 0.5).toFixed(1)} ms, ` +
        `p99 ${quantile(spreads, 0.99).toFixed(1)} ms`,
    );
    for (const stream of streams) {
      const revisions = stream.seen
        .filter(({ event }) => event === 'lobby_updated')
        .map(({ data }) => (data as Lobby).revision);
      expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
      expect(new Set(revisions).size).toBe(revisions.length);
    }
    streams.forEach((stream) => stream.close());
  });
});

describe('a reader that stalls', () => {
  // shows: D24b
  it('harms nobody and fills no memory: it misses updates, then gets the newest state', async () => {
    const host = new Player(running.url, 'brisk');
    const { id } = await host.ok('POST', '/lobbies/slow', { name: 'slow', maxPlayers: 3 });
    const lazy = new Player(running.url, 'lazy');
    await lazy.ok('POST', '/lobbies/slow/join', { lobbyId: id });
    const brisk = await host.events('slow');
    const stalled = await stall('slow', 'lazy');
    const filler = 'x'.repeat(12_000);
    const rounds = 900;
    for (let round = 1; round <= rounds; round += 1) {
      await host.ok('PATCH', '/lobbies/slow/me', { state: { filler, round } });
    }
    await brisk.until((event) => stateOf(event, 'brisk')?.['round'] === rounds);
    let text = '';
    stalled.on('data', (chunk: Buffer) => {
      text += chunk.toString('utf8');
    });
    stalled.resume();
    await eventually('the newest state arrives', () => text.includes(`"round":${rounds}`));
    const updates = text.split('event: lobby_updated').length - 1;
    console.log(`a stalled reader got ${updates} of ${rounds} updates, then the newest state`);
    expect(updates).toBeLessThan(rounds - 100);
    // Whole events only: nothing is cut in the middle.
    const blocks = text.split('\n\n').slice(0, -1);
    const data = blocks.flatMap((block) => /^data: (.*)$/m.exec(block)?.[1] ?? []);
    expect(() => data.map((line) => JSON.parse(line) as unknown)).not.toThrow();
    stalled.destroy();
    brisk.close();
  });
});

/** A stream whose bytes nobody takes. */
function stall(config: string, player: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${running.url}/v3/lobbies/${config}/me/events`,
      { headers: { 'api-key': 'client_dev_key', 'x-player-id': player } },
      (response) => {
        response.pause();
        response.on('error', () => undefined);
        resolve(response);
      },
    );
    asked.once('error', reject);
    asked.end();
  });
}

describe('a client that vanishes', () => {
  // shows: S204
  it('is noticed within 45 s: its heartbeat runs out, and it is removed', async () => {
    const operator = new Player(running.url, 'operator', running.serverKey);
    await operator.ok('PUT', '/lobby-configs/beats', { heartbeat: true, heartbeatTimeout: 5 });
    const host = new Player(running.url, 'stays');
    const { id } = await host.ok('POST', '/lobbies/beats', { name: 'beats' });
    const hostStream = await host.events('beats');
    const guest = new Player(running.url, 'goes');
    await guest.ok('POST', '/lobbies/beats/join', { lobbyId: id });
    const guestStream = await guest.events('beats');
    await guestStream.until(({ event }) => event === 'connected');
    const from = hostStream.seen.length;
    const left = performance.now();
    guestStream.close();
    const gone = await hostStream.until(
      ({ event, data }) => event === 'lobby_updated' && (data as Lobby).players.length === 1,
      undefined,
      from,
    );
    console.log(`a vanished client was noticed after ${((gone.at - left) / 1000).toFixed(1)} s`);
    // The one who stayed had an open stream all the time: that is a heartbeat.
    expect((await host.ok('GET', '/lobbies/beats/me')).host).toBe('stays');
    hostStream.close();
  });
});

describe.runIf(needs('chromium'))('a browser', () => {
  let browser: Browser;

  beforeAll(async () => {
    browser = await startChromium();
  });

  afterAll(async () => {
    await browser.close();
  });

  /** A page that runs the code of docs/events.md and is connected. */
  async function open(player: string, given?: Page): Promise<Page> {
    const text = readFileSync(join(import.meta.dirname, '../../docs/events.md'), 'utf8');
    const [, code = ''] = /^```js\n(const query.*?)^```$/ms.exec(text) ?? [];
    const page = given ?? (await browser.newPage());
    await page.goto(`${running.url}/health`);
    await page.evaluate(
      `var url = location.origin, key = 'client_dev_key', player = '${player}', shown = [];
      var show = (lobby) => shown.push(lobby); ${code.replace('let events', 'var events')}`,
    );
    await eventually('it is connected', () => page.evaluate('shown.length > 0'));
    return page;
  }

  it('with the code of docs/events.md in two tabs: the newer one has the stream, and keeps it', async () => {
    const first = await open('tabs');
    const second = await open('tabs');
    await eventually('the first is closed', () => first.evaluate('events.readyState === 2'));
    expect(await second.evaluate('events.readyState')).toBe(1);
  });

  it('with the code of docs/events.md comes back after it was refused', async () => {
    const page = await browser.newPage();
    let refused = 0;
    await page.route('**/me/events?*', async (route) => {
      refused += 1;
      await (refused === 1 ? route.fulfill({ status: 503, body: '{}' }) : route.continue());
    });
    await open('patient', page);
    expect(refused).toBe(2);
  });

  it('holds an EventSource through create, join, kick and deletion', async () => {
    const page = await browser.newPage();
    await page.goto(`${running.url}/health`);
    await listen(page, 'browser');
    await eventually('connected without a lobby', () => heard(page, 'connected'));
    const host = new Player(running.url, 'browser');
    const { id } = await host.ok('POST', '/lobbies/web', { name: 'Grüße ☂ 🎲', maxPlayers: 3 });
    const guest = new Player(running.url, 'node');
    await guest.ok('POST', '/lobbies/web/join', { lobbyId: id });
    const names = await eventually('the browser sees both', async () => {
      const lobbies = await heard(page, 'lobby_updated');
      return lobbies?.find((lobby) => lobby.players.length === 2) ?? null;
    });
    expect((names as unknown as { name: string }).name).toBe('Grüße ☂ 🎲');

    const guestStream = await guest.events('web');
    await guestStream.until(({ event }) => event === 'connected');
    await host.ok('DELETE', '/lobbies/web/me/players/node');
    const last = await guestStream.until(({ event }) => event === 'lobby_updated');
    const { players } = last.data as Lobby;
    expect(players.map((player) => player.id)).toEqual(['browser']);
    guestStream.close();

    await host.ok('DELETE', '/lobbies/web/me');
    await eventually('the browser hears the deletion', () => heard(page, 'lobby_deleted'));
  });
});

/** Opens an EventSource in the page; browsers send credentials in the address (decision 7). */
async function listen(page: Page, player: string): Promise<void> {
  await page.evaluate((who) => {
    const scope = globalThis as unknown as { heard: Record<string, unknown[]> };
    scope.heard = {};
    const source = new EventSource(
      `/v3/lobbies/web/me/events?api-key=client_dev_key&x-player-id=${who}`,
    );
    for (const name of ['connected', 'lobby_updated', 'lobby_deleted']) {
      source.addEventListener(name, (event) => {
        (scope.heard[name] ??= []).push(JSON.parse((event as MessageEvent<string>).data));
        if (name === 'lobby_deleted') {
          source.close();
        }
      });
    }
  }, player);
}

function heard(page: Page, name: string): Promise<Lobby[] | undefined> {
  return page.evaluate(
    (event) => (globalThis as unknown as { heard: Record<string, Lobby[]> }).heard[event],
    name,
  );
}
