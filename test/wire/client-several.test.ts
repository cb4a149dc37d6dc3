// The client of a service on several machines, while it moves from one to another.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import type { LobbyEvent, StreamState } from '../../packages/js/src/index.ts';
import type { Fetch } from '../../packages/js/src/http.ts';
import { Line, lobbyOf, refusalOf } from './scripted.ts';

const [A, B] = ['http://a.test', 'http://b.test'];
const place = { url: [A, B], key: 'k', config: 'arena', player: 'ann' };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Script = (machine: string, path: string, signal: AbortSignal | undefined) => Response | Error;

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

  it('with one address fails at once', async () => {
    const { fetch, asked } = machines(away);
    const muster = new MusterPlayer({ ...place, url: A ?? '', fetch });
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
