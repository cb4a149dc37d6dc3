// What a stranger with a client key can make large: a lobby of a hundred players with as much state
// as each may have. It must stay a bounded cost for its members, for who browses, and for everybody
// else on the service.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Player } from '../../scripts/player.ts';
import type { Lobby } from '../../scripts/player.ts';
import { startAll } from '../../scripts/start.ts';
import type { Running } from '../../scripts/start.ts';
import { eventually } from '../support/eventually.ts';

const MAX_LOBBY_BYTES = 512 * 1024;
const MAX_PAGE_BYTES = 1024 * 1024;
/** As much as one player may have. */
const LARGE = { blob: 'x'.repeat(16_300) };

interface Page {
  readonly lobbies: readonly Lobby[];
  readonly total: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

let dataDir: string;
let running: Running;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-large-'));
  running = await startAll({ port: 0, dataDir });
});

afterAll(async () => {
  await running.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** A lobby as full as it gets: its members, and who was refused and with what. */
async function fill(config: string, name: string) {
  const host = new Player(running.url, `${name}-0`);
  const { id } = await host.ok('POST', `/lobbies/${config}`, {
    name,
    maxPlayers: 100,
    state: LARGE,
  });
  const members = [host];
  for (;;) {
    const refused = new Player(running.url, `${name}-${members.length}`);
    const answer = await refused.call<Lobby & { code: string }>('POST', `/lobbies/${config}/join`, {
      lobbyId: id,
      state: LARGE,
    });
    if (answer.status !== 200 || members.length === 100) {
      return { id, host, members, refused, answer };
    }
    members.push(refused);
  }
}

async function bodyOf(path: string, player = 'nobody'): Promise<string> {
  const headers = { 'api-key': 'client_dev_key', 'x-player-id': player };
  const response = await fetch(`${running.url}/v3${path}`, { headers });
  expect(response.status).toBe(200);
  return response.text();
}

describe('a lobby of players with all the state they may have', () => {
  it('stays below 512 KiB: who would exceed it is refused, and nothing has changed', async () => {
    const { host, members, refused, answer, id } = await fill('whole', 'big');
    expect([answer.status, answer.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(members.length).toBeGreaterThan(25);
    expect((await bodyOf('/lobbies/whole/me', host.id)).length).toBeLessThan(MAX_LOBBY_BYTES);
    expect((await refused.call('GET', '/lobbies/whole/me')).status).toBe(404);

    await refused.ok('POST', '/lobbies/whole/join', { lobbyId: id });
    const before = await host.ok('GET', '/lobbies/whole/me');
    const more = await refused.call<{ code: string }>('PATCH', '/lobbies/whole/me', {
      state: LARGE,
    });
    expect([more.status, more.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const settings = { a: 'x'.repeat(16_000) };
    const set = await host.call<{ code: string }>('PATCH', '/lobbies/whole/me/settings', {
      settings,
    });
    expect([set.status, set.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await host.ok('GET', '/lobbies/whole/me')).toEqual(before);

    await members[1]?.ok('PATCH', '/lobbies/whole/me', { state: { blob: null } });
    await refused.ok('PATCH', '/lobbies/whole/me', { state: LARGE });
  });

  it('is counted as events carry it: other alphabets are escaped there', async () => {
    const host = new Player(running.url, 'kana-0');
    const state = { blob: '\u3042'.repeat(5_400) };
    const { id } = await host.ok('POST', '/lobbies/kana', { name: 'kana', maxPlayers: 100, state });
    let status = 200;
    for (let index = 1; index < 100 && status === 200; index += 1) {
      const guest = new Player(running.url, `kana-${index}`);
      ({ status } = await guest.call('POST', '/lobbies/kana/join', { lobbyId: id, state }));
    }
    expect(status).toBe(413);
    const stream = await host.events('kana');
    const { data } = await stream.until(({ event }) => event === 'connected');
    stream.close();
    const escaped = JSON.stringify(data).replace(/[\u0080-\uffff]/g, '\\u0000');
    expect(escaped.length).toBeLessThan(MAX_LOBBY_BYTES);
  });
});

describe('browsing lobbies as large as they get', () => {
  it('shows fewer on a page, never more than 1 MiB, and every one of them page by page', async () => {
    const made = [];
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      made.push((await fill('list', name)).id);
    }
    await eventually('all five are listed', async () => {
      const page = JSON.parse(await bodyOf('/lobbies/list?limit=1')) as Page;
      return page.total === 5 ? page : null;
    });
    const seen: string[] = [];
    for (let more = true; more;) {
      const text = await bodyOf(`/lobbies/list?limit=100&offset=${seen.length}`);
      expect(text.length).toBeLessThan(MAX_PAGE_BYTES);
      const page = JSON.parse(text) as Page;
      more = page.hasMore;
      seen.push(...page.lobbies.map(({ id }) => id));
      expect([page.total, page.limit]).toEqual([5, more ? page.lobbies.length : 100]);
    }
    expect(seen.toSorted()).toEqual(made.toSorted());
  });
});

describe('who comes back to a large lobby', () => {
  it('is sent what it missed only up to 64 KiB, else the newest state alone', async () => {
    const { host, members } = await fill('missed', 'm');
    const { revision } = await host.ok('GET', '/lobbies/missed/me');
    const seenOf = async (from: number): Promise<readonly string[]> => {
      const stream = await host.events('missed', String(from));
      await stream.until(({ event }) => event === 'connected');
      stream.close();
      return stream.seen.map(({ event, id }) => `${event} ${id}`);
    };
    expect(await seenOf(revision - 1)).toEqual([`connected ${revision}`]);
    for (const member of members) {
      await member.ok('PATCH', '/lobbies/missed/me', { state: { blob: null } });
    }
    for (const n of [1, 2, 3, 4]) {
      await host.ok('PATCH', '/lobbies/missed/me', { state: { n } });
    }
    const small = (await host.ok('GET', '/lobbies/missed/me')).revision;
    expect(await seenOf(small - 4)).toHaveLength(5);
  });
});

describe('changes of a large lobby with many listeners', () => {
  it('keep nobody else waiting', async () => {
    const { members } = await fill('heard', 'h');
    const listeners = members.slice(0, 20);
    const streams = await Promise.all(listeners.map((member) => member.events('heard')));
    await Promise.all(streams.map((stream) => stream.until(({ event }) => event === 'connected')));
    const done = new AbortController();
    let longestMs = 0;
    const watching = (async () => {
      while (!done.signal.aborted) {
        const begun = performance.now();
        await (await fetch(`${running.url}/health`)).text();
        longestMs = Math.max(longestMs, performance.now() - begun);
      }
    })();
    const last = await Promise.all(
      members
        .slice(0, 5)
        .map((member) => member.ok('PATCH', '/lobbies/heard/me', { state: { ready: true } })),
    );
    const newest = String(Math.max(...last.map(({ revision }) => revision)));
    await Promise.all(streams.map((stream) => stream.until(({ id }) => id === newest)));
    done.abort();
    await watching;
    streams.forEach((stream) => stream.close());
    console.log(`longest /health with 20 listeners and five PATCHes: ${longestMs.toFixed(0)} ms`);
    expect(longestMs).toBeLessThan(5_000);
  });
});
