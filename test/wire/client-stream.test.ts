// The client's stream against a scripted service: every way in which a line can fail.

import { createParser } from 'eventsource-parser';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import type { FollowOptions, LobbyEvent, StreamState } from '../../packages/js/src/index.ts';
import { SseParser } from '../../packages/js/src/sse.ts';
import type { ServerSentEvent } from '../../packages/js/src/sse.ts';
import { backoffMs, linked, pause } from '../../packages/js/src/wait.ts';
import { Line, lobbyOf, refusalOf, scripted } from './scripted.ts';
import type { Script, Scripted } from './scripted.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Runs the client, and keeps what it says. */
class Listening {
  readonly events: LobbyEvent[] = [];
  readonly states: StreamState[] = [];
  /** With each state: the code of why the last attempt failed. */
  readonly errors: (string | null)[] = [];
  readonly player: MusterPlayer;
  readonly abort = new AbortController();
  /** `ended`, or what it rejected with. */
  end: unknown = null;

  constructor(service: Scripted, options: FollowOptions = {}) {
    const { fetch } = service;
    const place = { url: 'http://muster.test', key: 'k', config: 'arena', player: 'ann' };
    this.player = new MusterPlayer({ ...place, fetch });
    const onState: FollowOptions['onState'] = (state, error) => {
      this.states.push(state);
      this.errors.push(error?.code ?? null);
    };
    const all = { signal: this.abort.signal, onState, ...options };
    this.#run(all).then(
      () => {
        this.end = 'ended';
      },
      (error: unknown) => {
        this.end = error;
      },
    );
  }

  async #run(options: FollowOptions): Promise<void> {
    for await (const event of this.player.streamEvents(options)) {
      this.events.push(event);
    }
  }

  get told(): readonly string[] {
    return this.events.map((event) =>
      event.type === 'connected' || event.type === 'lobby_updated'
        ? `${event.type} ${event.lobby?.revision ?? 'null'}`
        : event.type === 'closed'
          ? `closed ${event.reason}`
          : event.type,
    );
  }
}

/** Every connection of the stream so far; other requests are answered by `others`. */
function lines(others: Script = () => new Error('not asked for')): {
  readonly service: Scripted;
  readonly lines: readonly Line[];
  readonly at: (index: number) => Line;
} {
  const opened: Line[] = [];
  const service = scripted((request, signal) => {
    if (!request.path.includes('/events?')) {
      return others(request, signal);
    }
    const line = new Line(signal);
    opened.push(line);
    return line.response;
  });
  const at = (index: number): Line => {
    const line = opened[index];
    if (line === undefined) {
      throw new Error(`only ${opened.length} streams were opened`);
    }
    return line;
  };
  return { service, lines: opened, at };
}

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

describe('a request to a service that is overloaded or asked too much', () => {
  const place = { url: 'http://muster.test', key: 'k', config: 'arena', player: 'ann' };
  const refused = (): Response => refusalOf(503, 'OVERLOADED', { 'retry-after': '2' });

  const limited = (): Response => refusalOf(429, 'RATE_LIMITED', { 'retry-after': '2' });

  it('is sent again when the service says, and a part of a second later, so that not all come at once', async () => {
    const answers = [refused(), limited(), Response.json(lobbyOf(1))];
    const service = scripted(() => answers.shift() ?? new Error('not asked for'));
    const asked = new MusterPlayer({ ...place, fetch: service.fetch }).getMyLobby();
    await vi.advanceTimersByTimeAsync(2_499);
    expect(service.requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2_501);
    expect((await asked).revision).toBe(1);
    expect(service.requests).toHaveLength(3);
  });

  it('is not sent again beyond its time, nor after other refusals', async () => {
    const service = scripted(refused);
    const player = new MusterPlayer({ ...place, timeoutMs: 6_000, fetch: service.fetch });
    const asked = expect(player.getMyLobby()).rejects.toMatchObject({ code: 'OVERLOADED' });
    await vi.advanceTimersByTimeAsync(6_000);
    await asked;
    expect(service.requests).toHaveLength(3);
    const busy = scripted(() => refusalOf(503, 'UNAVAILABLE', { 'retry-after': '1' }));
    const other = new MusterPlayer({ ...place, fetch: busy.fetch });
    await expect(other.getMyLobby()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(busy.requests).toHaveLength(1);
  });
});

describe('a stream', () => {
  it('sends what identifies the player, and tells what comes', async () => {
    const { service, at } = lines();
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', null);
    at(0).event('connected', lobbyOf(1), 1);
    at(0).event('lobby_updated', lobbyOf(2), 2);
    const stats = { playersSearching: 1, lobbiesInQueue: 1, avgWaitSeconds: 0 };
    at(0).event('queue_stats', stats);
    at(0).event('matchmaking_timeout', { id: 'x', mode: 'duel', reason: 'timeout' });
    at(0).say('event: ping\ndata: \n\n:\n\nevent: of a newer service\ndata: {}\n\n');
    await settle();
    expect(heard.events).toEqual([
      { type: 'connected', lobby: null },
      { type: 'connected', lobby: lobbyOf(1) },
      { type: 'lobby_updated', lobby: lobbyOf(2) },
      { type: 'queue_stats', stats },
      { type: 'matchmaking_timeout', id: 'x', mode: 'duel', reason: 'timeout' },
    ]);
    const { path, headers } = service.requests[0] ?? { path: '', headers: new Headers() };
    expect(path).toMatch(/^\/v3\/lobbies\/arena\/me\/events\?changes=1(&lobby=.+)?$/);
    expect(headers.get('api-key')).toBe('k');
    expect(headers.get('x-player-id')).toBe('ann');
    expect(headers.get('accept')).toBe('text/event-stream');
    expect(headers.get('last-event-id')).toBeNull();
    expect(heard.states).toEqual(['connecting', 'streaming']);
  });

  it('comes back after a break, from where it was, and tells nothing twice', async () => {
    const { service, at } = lines();
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(4), 4);
    at(0).event('lobby_updated', lobbyOf(5), 5);
    await settle();
    at(0).break();
    await settle(249);
    expect(service.requests).toHaveLength(1);
    await settle(1);
    expect(service.requests[1]?.headers.get('last-event-id')).toBe('5');
    at(1).event('lobby_updated', lobbyOf(5), 5);
    at(1).event('lobby_updated', lobbyOf(6), 6);
    at(1).event('connected', lobbyOf(6), 6);
    await settle();
    expect(heard.told).toEqual([
      'connected 4',
      'lobby_updated 5',
      'lobby_updated 6',
      'connected 6',
    ]);
    expect(heard.states).toEqual(['connecting', 'streaming', 'waiting', 'connecting', 'streaming']);
  });

  it('says why it waits, and comes back at once when the browser is online again', async () => {
    const page = new EventTarget();
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
    const { service, lines: opened, at } = lines();
    const heard = new Listening(service, { backoff: { firstMs: 20_000, maxMs: 20_000 } });
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    await settle();
    at(0).break();
    await settle();
    expect(heard.states).toEqual(['connecting', 'streaming', 'waiting']);
    expect(heard.errors).toEqual([null, null, 'NETWORK']);
    page.dispatchEvent(new Event('online'));
    await settle();
    expect(opened).toHaveLength(2);
    at(1).event('connected', lobbyOf(1), 1);
    await settle();
    at(1).end();
    await settle();
    expect(heard.states.slice(3)).toEqual(['connecting', 'streaming', 'waiting']);
    expect(heard.errors.slice(3)).toEqual([null, null, null]);
    heard.abort.abort();
    await settle();
    expect(heard.end).toBe('ended');
    page.dispatchEvent(new Event('online'));
    expect(vi.getTimerCount()).toBe(0);
    vi.unstubAllGlobals();
  });

  it('over a WebSocket says what it needs where there is none', async () => {
    vi.stubGlobal('WebSocket', undefined);
    const { service } = lines();
    const heard = new Listening(service, { transport: 'socket' });
    await settle();
    expect(heard.end).toMatchObject({ code: 'INVALID_OPTION', isPassing: false });
    expect(String(heard.end)).toContain('Node has from version 22 on');
    vi.unstubAllGlobals();
  });

  it('waits longer after each failure, up to a ceiling', async () => {
    const service = scripted(() => new TypeError('fetch failed'));
    const heard = new Listening(service);
    // Half of the ceiling each time, by the chance that was fixed above.
    const waits = [250, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000];
    for (const [index, wait] of waits.entries()) {
      await settle(index === 0 ? 0 : (waits[index - 1] ?? 0) - 1);
      expect(service.requests, `before wait ${index}`).toHaveLength(index === 0 ? 1 : index);
      await settle(index === 0 ? 0 : 1);
      expect(service.requests, `wait ${wait}`).toHaveLength(index + 1);
    }
    expect(heard.end).toBeNull();
    expect(heard.states.filter((state) => state === 'polling')).toEqual([]);
  });

  it('that breaks again and again right after it opened is not asked for in a hurry', async () => {
    const { service, at } = lines();
    const heard = new Listening(service);
    for (const [turn, wait] of [0, 250, 500, 1_000, 2_000, 4_000].entries()) {
      await settle(wait);
      at(turn).event('connected', lobbyOf(1), 1);
      await settle();
      at(turn).break();
      await settle();
    }
    await settle(7_999);
    expect(service.requests).toHaveLength(6);
    expect(heard.end).toBeNull();
  });

  it('waits as long as the service says, and its backoff besides', async () => {
    let asked = 0;
    const service = scripted(() => {
      asked += 1;
      return refusalOf(503, 'UNAVAILABLE', { 'retry-after': '7' });
    });
    const heard = new Listening(service);
    await settle(7_249);
    expect(asked).toBe(1);
    await settle(1);
    expect(asked).toBe(2);
    expect(heard.end).toBeNull();
  });

  it('without a byte for 45 seconds counts as dead; a comment is a byte', async () => {
    const { service, at } = lines();
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    await settle(40_000);
    at(0).say(':\n\n');
    await settle(44_999);
    expect(at(0).cancelled).toBe(false);
    await settle(1);
    expect(at(0).cancelled).toBe(true);
    await settle(250);
    expect(service.requests).toHaveLength(2);
    expect(heard.end).toBeNull();
  });

  it('is closed by leaving the loop', async () => {
    const { service, at } = lines();
    const { fetch } = service;
    const place = { url: 'http://muster.test', key: 'k', config: 'arena', player: 'ann' };
    const reading = (async () => {
      for await (const event of new MusterPlayer({ ...place, fetch }).streamEvents()) {
        return event.type;
      }
      return null;
    })();
    await settle();
    at(0).event('connected', null);
    expect(await reading).toBe('connected');
    expect(at(0).cancelled).toBe(true);
    await settle(600_000);
    expect(service.requests).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends quietly when aborted: while it reads, waits, or before it began', async () => {
    const reason = new Error('the player closed the game');
    const { service, at } = lines();
    const reading = new Listening(service);
    await settle();
    at(0).event('connected', null);
    await settle();
    reading.abort.abort(reason);
    await settle();
    expect(reading.end).toBe('ended');
    const waiting = new Listening(scripted(() => new TypeError('fetch failed')));
    await settle();
    waiting.abort.abort(reason);
    await settle();
    expect(waiting.end).toBe('ended');
    const begun = new Listening(service, { signal: AbortSignal.abort(reason) });
    await settle();
    expect(begun.end).toBe('ended');
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([
    [401, 'UNAUTHORIZED'],
    [400, 'VALIDATION_ERROR'],
    [404, 'NOT_FOUND'],
  ])('that is refused with %i %s is not asked for again', async (status, code) => {
    const service = scripted(() => refusalOf(status, code));
    const heard = new Listening(service);
    await settle(600_000);
    expect(heard.end).toMatchObject({ name: 'MusterError', code, status });
    expect(service.requests).toHaveLength(1);
  });
});

describe('the end of a stream', () => {
  it('after lobby_deleted is the end', async () => {
    const { service, at } = lines();
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    at(0).event('lobby_deleted', { id: 'x' });
    await settle();
    expect(heard.told).toEqual(['connected 1', 'lobby_deleted', 'closed deleted']);
    expect([heard.end, at(0).cancelled]).toEqual(['ended', true]);
  });

  it('after an update without the player is a kick', async () => {
    const { service, at } = lines();
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    at(0).event('lobby_updated', lobbyOf(2, { players: [] }), 2);
    await settle();
    expect(heard.told.at(-1)).toBe('closed kicked');
    expect([heard.end, at(0).cancelled]).toEqual(['ended', true]);
  });

  it.each([
    ['event', 'event: replaced\ndata: null\n\n'],
    ['comment of earlier versions', ': replaced\n\n'],
  ])('by a newer stream of the player is not fought: the %s', async (_, farewell) => {
    const { service, at } = lines();
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    at(0).say(farewell);
    at(0).end();
    await settle(600_000);
    expect(heard.told).toEqual(['connected 1', 'closed replaced']);
    expect(service.requests).toHaveLength(1);
  });

  it('for no reason is some proxy, and it comes back soon if the stream had held', async () => {
    const { service, at } = lines();
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    await settle(44_000);
    at(0).end();
    await settle(250);
    expect(service.requests).toHaveLength(2);
    expect(heard.end).toBeNull();
  });
});

describe('a stream whose player leaves', () => {
  const answers = (answer: () => Response) =>
    lines(({ method }) => {
      expect(method).toBe('DELETE');
      return answer();
    });

  it('ends where others remain, of which the service says nothing', async () => {
    const { service, at } = answers(() => Response.json(lobbyOf(2, { players: [] })));
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    await settle();
    await heard.player.leave();
    await settle();
    expect(heard.told).toEqual(['connected 1', 'closed left']);
    expect(heard.end).toBe('ended');
    expect(at(0).cancelled).toBe(true);
  });

  it('says so too where the lobby ends, before the call is answered or after', async () => {
    const { service, at } = answers(() => {
      at(0).event('lobby_deleted', { id: lobbyOf(1).id });
      return Response.json({ status: 'lobby_deleted' });
    });
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    await settle();
    expect(await heard.player.leaveLobby()).toBeNull();
    await settle();
    expect(heard.told.at(-1)).toBe('closed left');
    expect(heard.end).toBe('ended');
  });

  it('goes on if it shows another lobby, or the player could not leave', async () => {
    const left = [Response.json(lobbyOf(9, { id: 'another' })), refusalOf(503, 'UNAVAILABLE')];
    const { service, at } = answers(() => left.shift() ?? refusalOf(404, 'LOBBY_NOT_FOUND'));
    const heard = new Listening(service);
    await settle();
    at(0).event('connected', lobbyOf(1), 1);
    await settle();
    await heard.player.leave();
    await expect(heard.player.leave()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await settle();
    expect(heard.told).toEqual(['connected 1']);
    await heard.player.leave();
    await settle();
    expect(heard.told).toEqual(['connected 1', 'closed left']);
  });

  it('begins anew if it has shown nothing yet: what comes may be from before', async () => {
    const { service, at, lines: opened } = answers(() => refusalOf(404, 'LOBBY_NOT_FOUND'));
    const heard = new Listening(service);
    await settle();
    await heard.player.leave();
    await settle();
    expect(opened.map(({ cancelled }) => cancelled)).toEqual([true, false]);
    at(1).event('connected', null);
    at(1).event('connected', lobbyOf(4), 4);
    await settle();
    expect(heard.told).toEqual(['connected null', 'connected 4']);
    heard.abort.abort();
    await settle();
    expect(heard.end).toBe('ended');
    expect(heard.told).toHaveLength(2);
  });
});

describe('polling', () => {
  const polled = (answers: () => Response): ReturnType<typeof scripted> =>
    scripted(({ path, method }) => {
      if (path.includes('/events?')) {
        return new Response('<html>', { headers: { 'content-type': 'text/html' } });
      }
      return method === 'POST' ? Response.json({ status: 'ok' }) : answers();
    });

  it('takes over when what answers is no stream, with heartbeats, and tells only changes', async () => {
    let revision = 3;
    const service = polled(() => Response.json(lobbyOf(revision)));
    const heard = new Listening(service);
    await settle(250);
    expect(heard.states).toEqual(['connecting', 'waiting', 'connecting', 'polling']);
    expect(heard.told).toEqual(['connected 3']);
    await settle(6_000);
    expect(heard.told).toEqual(['connected 3']);
    revision = 5;
    await settle(3_000);
    expect(heard.told).toEqual(['connected 3', 'lobby_updated 5']);
    const beats = service.requests.filter(({ method }) => method === 'POST');
    expect(beats.map(({ path }) => path)).toEqual(['/v3/lobbies/arena/me/heartbeat']);
    await settle(48_000);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(5);
    expect(service.requests.filter(({ path }) => path.includes('/events?'))).toHaveLength(2);
    await settle(12_000);
    expect(service.requests.filter(({ path }) => path.includes('/events?'))).toHaveLength(3);
    expect(heard.end).toBeNull();
  });

  it('takes over when a stream stays silent from the start: something holds it back', async () => {
    const { service, lines: opened } = lines(() => Response.json(lobbyOf(1)));
    const heard = new Listening(service);
    await settle(10_000 + 250 + 10_000);
    expect(opened.map(({ cancelled }) => cancelled)).toEqual([true, true]);
    expect(heard.told).toEqual(['connected 1']);
    expect(heard.states.at(-1)).toBe('polling');
  });

  it('gives way to the stream once that gets through', async () => {
    let blocked = true;
    const opened: Line[] = [];
    const service = scripted(({ path }, signal) => {
      if (!path.includes('/events?')) {
        return Response.json(lobbyOf(1));
      }
      const line = new Line(signal, blocked ? 'text/plain' : 'text/event-stream');
      opened.push(line);
      return line.response;
    });
    const heard = new Listening(service, { retryStreamMs: 30_000 });
    await settle(1_000);
    blocked = false;
    await settle(31_000);
    opened.at(-1)?.event('connected', lobbyOf(1), 1);
    opened.at(-1)?.event('lobby_updated', lobbyOf(2), 2);
    await settle();
    expect(heard.states.slice(-2)).toEqual(['connecting', 'streaming']);
    expect(heard.told).toEqual(['connected 1', 'connected 1', 'lobby_updated 2']);
    expect(service.requests.at(-1)?.headers.get('last-event-id')).toBe('1');
  });

  it('says that the lobby is gone, or that the player has left it', async () => {
    let lobby: ReturnType<typeof lobbyOf> | null = lobbyOf(1);
    const service = scripted(({ method }) =>
      method === 'DELETE'
        ? Response.json({ status: 'lobby_deleted' })
        : lobby === null
          ? refusalOf(404, 'LOBBY_NOT_FOUND')
          : Response.json(method === 'POST' ? { status: 'ok' } : lobby),
    );
    const left = new Listening(service, { transport: 'poll' });
    const heard = new Listening(service, { transport: 'poll' });
    await settle();
    await left.player.leaveLobby();
    await settle();
    expect(left.told).toEqual(['connected 1', 'closed left']);
    expect(left.end).toBe('ended');
    lobby = null;
    await settle(3_000);
    expect(heard.told).toEqual(['connected 1', 'closed gone']);
    expect(heard.end).toBe('ended');
  });

  it('waits longer after each failure too, and stops at what no waiting mends', async () => {
    let answer = (): Response | Error => new TypeError('fetch failed');
    const service = scripted(() => answer());
    const heard = new Listening(service, { transport: 'poll' });
    await settle(250 + 500 + 1_000);
    expect(service.requests).toHaveLength(4);
    answer = () => refusalOf(401, 'UNAUTHORIZED');
    await settle(2_000);
    expect(heard.end).toMatchObject({ code: 'UNAUTHORIZED' });
  });
});

describe('the reader of events', () => {
  function readAll(pieces: readonly string[]): readonly ServerSentEvent[] {
    const read: ServerSentEvent[] = [];
    const parser = new SseParser({ onEvent: (event) => void read.push(event) });
    for (const piece of pieces) {
      parser.feed(piece);
    }
    return read;
  }

  const line = fc.oneof(
    fc.constantFrom('', ':', ': replaced', 'data', 'data:', 'event: ping', 'id: 7', 'id', 'data:x'),
    fc.string({ maxLength: 8 }).map((text) => `data: ${text.replace(/[\r\n\0]/g, '')}`),
    fc.string({ maxLength: 8 }).map((text) => text.replace(/[\r\n\0]/g, '')),
  );

  it('reads what another reader reads, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 30 }),
        fc.array(fc.nat(200), { maxLength: 10 }),
        (written, cuts) => {
          const text = written.map(([content, end]) => content + end).join('') + '\n';
          const at = [0, ...cuts.map((cut) => cut % (text.length + 1)), text.length];
          const sorted = at.toSorted((one, other) => one - other);
          const pieces = sorted.map((from, index) => text.slice(from, sorted[index + 1]));
          const expected: { event: string; data: string }[] = [];
          const other = createParser({
            onEvent: ({ event = 'message', data }) => void expected.push({ event, data }),
          });
          other.feed(text);
          const read = readAll(pieces).map(({ event, data }) => ({ event, data }));
          expect(read).toEqual(expected);
        },
      ),
      { seed: 20_261_121, numRuns: 500 },
    );
  });

  it('keeps the last id, and takes carriage returns and a byte order mark', () => {
    expect(readAll(['\uFEFFid: 4\rdata: a\r', '\r', 'data: b\r\rdata: c\n\n'])).toEqual([
      { event: 'message', id: '4', data: 'a' },
      { event: 'message', id: '4', data: 'b' },
      { event: 'message', id: '4', data: 'c' },
    ]);
  });
});

describe('waiting', () => {
  it('is spread over everything below a ceiling that doubles', () => {
    const limits = { firstMs: 100, maxMs: 1_000 };
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.double({ min: 0, max: 0.999_999, noNaN: true }),
        (failures, chance) => {
          const ms = backoffMs(failures, limits, () => chance);
          expect(ms).toBeCloseTo(chance * Math.min(1_000, 100 * 2 ** Math.min(failures - 1, 30)));
        },
      ),
      { seed: 20_261_121 },
    );
  });

  it('ends at once when aborted, and leaves nothing behind', async () => {
    const abort = new AbortController();
    const waiting = pause(1_000, abort.signal);
    abort.abort('plain text');
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError', message: 'plain text' });
    await expect(pause(1_000, abort.signal)).rejects.toMatchObject({ name: 'AbortError' });
    expect(vi.getTimerCount()).toBe(0);
    const link = linked(abort.signal);
    expect(link.signal.aborted).toBe(true);
    link.free();
  });
});
