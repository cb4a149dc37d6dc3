// The client of a service on several machines, while it moves from one to another.

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import type { LobbyEvent, StreamState } from '../../packages/js/src/index.ts';
import type { Fetch } from '../../packages/js/src/http.ts';
import { Line, lobbyOf, refusalOf } from './scripted.ts';

const A = 'http://a.test';
const B = 'http://b.test';
const place = { url: [A, B], key: 'k', config: 'arena', player: 'ann' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Answer = Response | Error | Promise<Response>;
type Script = (machine: string, path: string, signal: AbortSignal | undefined) => Answer;

/** No answer. */
function hanging(signal: AbortSignal | undefined): Promise<Response> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

/** Machines that answer as a test says, and which of them were asked. */
function machines(script: Script): { readonly fetch: Fetch; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const fetch: Fetch = async (url, { signal }) => {
    signal?.throwIfAborted();
    const { origin, pathname } = new URL(url);
    asked.push(origin);
    const answer = script(origin, pathname, signal);
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  };
  return { fetch, asked };
}

const away = (): Response => refusalOf(503, 'UNAVAILABLE', { 'retry-after': '5' });

describe('a call', () => {
  it('goes on to the other address at once, and stays there', async () => {
    const { fetch, asked } = machines((machine) =>
      machine === A ? new Error('refused') : Response.json(lobbyOf(1)),
    );
    const muster = new MusterPlayer({ ...place, fetch });
    const first = muster.getMyLobby();
    await vi.advanceTimersByTimeAsync(100);
    expect((await first).revision).toBe(1);
    expect((await muster.getMyLobby()).revision).toBe(1);
    expect(asked).toEqual([A, B, B]);
  });

  it('waits for the next owner as long as it takes, and as the survivor says', async () => {
    const end = Date.now() + 19_000;
    const { fetch, asked } = machines((machine) =>
      machine === A ? new Error('refused') : Date.now() < end ? away() : Response.json(lobbyOf(7)),
    );
    const call = new MusterPlayer({ ...place, fetch }).updateMyState({ ready: true });
    await vi.advanceTimersByTimeAsync(25_000);
    expect((await call).revision).toBe(7);
    // A round each 5.5 seconds.
    expect(asked.filter((machine) => machine === B)).toHaveLength(5);
  });

  it('gives up after 30 seconds, and does not repeat what it may not', async () => {
    const { fetch, asked } = machines(away);
    const muster = new MusterPlayer({ ...place, fetch });
    const call = expect(muster.getMyLobby()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await vi.advanceTimersByTimeAsync(30_000);
    await call;
    const before = asked.length;
    expect(before).toBeGreaterThan(8);
    const made = expect(muster.createLobby({ name: 'Den' })).rejects;
    await made.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 5 });
    expect(asked).toHaveLength(before + 1);
  });

  it('goes on from a machine without power, which is silent, and stays there', async () => {
    const silent = createServer();
    const sockets: Socket[] = [];
    silent.on('connection', (socket) => sockets.push(socket));
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const { fetch: answers, asked } = machines(() => Response.json(lobbyOf(1)));
    const url = [`http://127.0.0.1:${port}`, B];
    const isSilent = (at: string): boolean => at.includes(`:${port}`);
    const fetch: Fetch = (at, init) =>
      isSilent(at) ? globalThis.fetch(at, init) : answers(at, init);
    const muster = new MusterPlayer({ ...place, url, fetch });
    const call = muster.updateMyState({ ready: true });
    try {
      await once(silent, 'connection');
      await vi.advanceTimersByTimeAsync(4_900);
      expect(asked).toEqual([]);
      await vi.advanceTimersByTimeAsync(200);
      expect((await call).revision).toBe(1);
      expect((await muster.getMyLobby()).revision).toBe(1);
      expect(asked).toEqual([B, B]);
      // What may not be repeated has all of its time.
      const other = new MusterPlayer({ ...place, url, fetch });
      const made = expect(other.createLobby({ name: 'Den' })).rejects.toMatchObject({
        code: 'TIMEOUT',
      });
      await vi.advanceTimersByTimeAsync(15_000);
      await made;
      expect(asked).toEqual([B, B]);
      expect((await other.getMyLobby()).revision).toBe(1);
    } finally {
      sockets.forEach((socket) => socket.destroy());
      silent.close();
    }
  }, 20_000);

  it('gives up after 30 seconds where all are silent', async () => {
    const { fetch, asked } = machines((_, __, signal) => hanging(signal));
    const begun = Date.now();
    const muster = new MusterPlayer({ ...place, fetch });
    const call = expect(muster.getMyLobby()).rejects.toMatchObject({ code: 'TIMEOUT' });
    await vi.advanceTimersByTimeAsync(40_000);
    await call;
    expect(asked.slice(0, 4)).toEqual([A, B, A, B]);
    expect(asked.length).toBeLessThan(8);
    expect(Date.now() - begun).toBeLessThan(41_000);
  });

  it('waits longer for an answer that was asked to wait', async () => {
    const { fetch, asked } = machines((_, __, signal) => hanging(signal));
    const admin = new MusterAdmin({ url: [A, B], key: 'k', timeoutMs: 60_000, fetch });
    const abort = new AbortController();
    const call = expect(
      admin.readRoster('i', { wait: 25, signal: abort.signal }),
    ).rejects.toMatchObject({ name: 'AbortError' });
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked).toEqual([A]);
    await vi.advanceTimersByTimeAsync(500);
    abort.abort();
    await call;
  });

  it('with a list of one address tries on behind a proxy, as with several', async () => {
    const end = Date.now() + 19_000;
    const { fetch, asked } = machines(() =>
      Date.now() < end ? refusalOf(502, 'BAD_GATEWAY') : Response.json(lobbyOf(7)),
    );
    const call = new MusterPlayer({ ...place, url: [A], fetch }).getMyLobby();
    await vi.advanceTimersByTimeAsync(25_000);
    expect((await call).revision).toBe(7);
    expect(new Set(asked)).toEqual(new Set([A]));
  });

  it('with one address fails at once', async () => {
    const { fetch, asked } = machines(away);
    const muster = new MusterPlayer({ ...place, url: A, fetch });
    await expect(muster.getMyLobby()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(asked).toHaveLength(1);
  });
});

describe('a stream', () => {
  it('that is told of a move comes back at once, from the machine that stays', async () => {
    const lines: Line[] = [];
    let isLeaving = false;
    const { fetch, asked } = machines((machine, _, signal) => {
      if (isLeaving && machine === A) {
        return refusalOf(503, 'UNAVAILABLE', { 'retry-after': '1' });
      }
      const line = new Line(signal);
      lines.push(line);
      return line.response;
    });
    const told: LobbyEvent[] = [];
    const states: StreamState[] = [];
    const abort = new AbortController();
    const options = { signal: abort.signal, onState: (state: StreamState) => states.push(state) };
    const run = async (): Promise<void> => {
      for await (const event of new MusterPlayer({ ...place, fetch }).streamEvents(options)) {
        told.push(event);
      }
    };
    const running = run();
    await vi.advanceTimersByTimeAsync(10);
    lines[0]?.event('connected', lobbyOf(1), 1);
    await vi.advanceTimersByTimeAsync(20_000);
    isLeaving = true;
    lines[0]?.event('moved', null);
    await vi.advanceTimersByTimeAsync(250);
    lines[1]?.event('connected', lobbyOf(2), 2);
    await vi.advanceTimersByTimeAsync(10);
    expect(asked).toEqual([A, A, B]);
    expect(told.map(({ type }) => type)).toEqual(['connected', 'connected']);
    expect(states.at(-1)).toBe('streaming');
    abort.abort();
    await running;
  });
});
