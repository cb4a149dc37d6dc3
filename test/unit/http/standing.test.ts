// A stream does not outlive what it was opened by: a project that requires tokens since, or takes a token back.

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LobbyId, PlayerId } from '../../../src/common/ids';
import { message } from '../../../src/common/line';
import { ok } from '../../../src/common/result';
import { refusal, type Reply } from '../../../src/lobby/refusals';
import { DEFAULT_PLAYERS } from '../../../src/objects/contracts/secrets';
import type { ProjectDocument } from '../../../src/objects/contracts/project';
import type { PlayerCall } from '../../../src/http/wire/call';
import { StreamStanding } from '../../../src/http/stream/standing';
import { SSE_EXPIRED } from '../../../src/common/sse';
import { relayed, Spoken } from '../../support/relayed';

const L = 'l' as LobbyId;
const NAMED = { instance: 'i', match: 'm', lobby: L, team: null, teamName: null, role: null };

/** Public halves alone: what is said goes without a ticket. */
const SEAT = { kid: 'k', x: 'x', createdAt: 0, retiredAt: null };
const KEYS = { revision: 1, tokens: [], seats: [SEAT, SEAT] };

let names = 0;

/** A stream, what it has said, and a project that the test changes. */
async function opened(until?: number) {
  names += 1;
  const spoken = new Spoken(message('connected', { revision: 1 }, { id: 1 }));
  const told = { text: '', isOver: false, asked: 0, identified: 0 };
  const it = {
    told,
    spoken,
    document: {
      revision: 1,
      configs: {},
      builds: {},
      players: DEFAULT_PLAYERS,
      keys: KEYS,
    } as ProjectDocument,
    answer: ok({ player: 'p' as PlayerId }) as Reply<{ readonly player: PlayerId }>,
    requireTokens: (): void => {
      const players = { ...DEFAULT_PLAYERS, playerAuth: 'token' as const };
      it.document = { ...it.document, revision: it.document.revision + 1, players };
    },
    change: (): void => {
      it.document = { ...it.document, revision: it.document.revision + 1 };
    },
  };
  const { response, call } = await relayed({
    where: [L],
    watch: () => new Spoken(),
    lobby: [() => ({ ok: true, value: spoken })],
    project: {
      name: `standing-${names}`,
      document: () => {
        told.asked += 1;
        return it.document;
      },
    },
    identify: () => {
      told.identified += 1;
      return it.answer;
    },
    ...(until === undefined ? {} : { until }),
  });
  it.answer = ok({ player: call.player });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        told.isOver = true;
        return;
      }
      told.text += new TextDecoder().decode(value);
    }
  };
  void read();
  await vi.advanceTimersByTimeAsync(0);
  return it;
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a stream that was opened by name', () => {
  it('goes on while names are trusted, and asks for that a few times a minute', async () => {
    const stream = await opened();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(stream.told.isOver).toBe(false);
    expect(stream.told.identified).toBe(0);
    expect(stream.told.asked).toBeGreaterThan(25);
    expect(stream.told.asked).toBeLessThan(45);
  });

  it('ends within half a minute when the project requires tokens', async () => {
    const stream = await opened();
    await vi.advanceTimersByTimeAsync(35_000);
    stream.requireTokens();
    await vi.advanceTimersByTimeAsync(33_000);
    expect(stream.told.isOver).toBe(true);
    expect(stream.told.text.endsWith(SSE_EXPIRED)).toBe(true);
    expect(stream.spoken.hungUp).toBe(true);
  });

  it('ends within half a minute when the player is banned, and not when another is', async () => {
    const stream = await opened();
    stream.document = { ...stream.document, bans: 1 };
    await vi.advanceTimersByTimeAsync(60_000);
    expect([stream.told.isOver, stream.told.identified]).toEqual([false, 1]);
    stream.document = { ...stream.document, bans: 2 };
    stream.answer = refusal('BANNED');
    await vi.advanceTimersByTimeAsync(33_000);
    expect(stream.told.isOver).toBe(true);
  });

  it('hears of no game that begins after that, and of one before it', async () => {
    const stream = await opened();
    const inGame = (id: number): void =>
      stream.spoken.say({
        ...message('lobby_updated', { revision: id, server: {} }, { id }),
        seat: { at: 1, of: { ...NAMED, late: false } },
      });
    inGame(2);
    await vi.advanceTimersByTimeAsync(100);
    expect(stream.told.text).toContain('"revision":2');
    stream.requireTokens();
    await vi.advanceTimersByTimeAsync(3_500);
    inGame(3);
    await vi.advanceTimersByTimeAsync(100);
    expect(stream.told.text).not.toContain('"revision":3');
    expect(stream.told.isOver).toBe(true);
  });
});

it('a stream whose ticket cannot be made opens a new line, and goes on there', async () => {
  const stream = await opened();
  stream.spoken.say({
    ...message('lobby_updated', { revision: 2 }, { id: 2 }),
    data: 'no JSON',
    seat: { at: 1, of: { ...NAMED, late: true } },
  });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(stream.spoken.hungUp).toBe(true);
  stream.spoken.say(message('connected', { revision: 3 }, { id: 3 }));
  await vi.advanceTimersByTimeAsync(100);
  expect(stream.told.text).toContain('"revision":3');
});

it('a stream is not ended by what the project wanted before it was opened', async () => {
  const players = { ...DEFAULT_PLAYERS, playerAuth: 'token' as const };
  let document: object = { revision: 1, configs: {}, players };
  const standing = (playerUntil: number | null): StreamStanding => {
    const player = 'ann' as PlayerId;
    const peers = { project: () => ({ document: async () => document }) };
    const identify = async () => ({ player });
    const call = { peers, project: 'was strict', player, playerUntil, identify };
    const clock = { now: () => Date.now(), later: () => () => undefined };
    return new StreamStanding(call as unknown as PlayerCall, clock);
  };
  expect(await standing(Date.now() + 60_000).holds({ mayBeOld: true })).toBe(true);
  document = { revision: 2, configs: {}, players: DEFAULT_PLAYERS };
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await standing(null).holds({ mayBeOld: true })).toBe(true);
});

describe('a stream that was opened by a token', () => {
  it('goes on while the token is good, which is asked again when the project has changed', async () => {
    const stream = await opened(Date.now() + 3_600_000);
    stream.requireTokens();
    await vi.advanceTimersByTimeAsync(120_000);
    const asked = stream.told.identified;
    expect(asked).toBe(1);
    stream.change();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([stream.told.identified, stream.told.isOver]).toEqual([2, false]);
  });

  it('goes on while the provider of keys is silent', async () => {
    const stream = await opened(Date.now() + 3_600_000);
    stream.requireTokens();
    stream.answer = refusal('UNAVAILABLE', 'the provider');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(stream.told.isOver).toBe(false);
  });

  it.each([
    ['its secret is deleted', refusal('PLAYER_TOKEN_INVALID', 'gone')],
    ['it would be of another player', ok({ player: 'somebody else' as PlayerId })],
  ])('ends when %s', async (_, answer) => {
    const stream = await opened(Date.now() + 3_600_000);
    stream.requireTokens();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(stream.told.isOver).toBe(false);
    stream.change();
    stream.answer = answer;
    await vi.advanceTimersByTimeAsync(33_000);
    expect(stream.told.isOver).toBe(true);
    expect(stream.told.text.endsWith(SSE_EXPIRED)).toBe(true);
  });
});
