// In which order a client that applies all as it comes gets an answer and the events around it (decisions 39 and 64).

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Crossing, showing } from '../../../src/http/players/crossing';
import type { LobbyId } from '../../../src/common/ids';
import { ANSWERED, message, type Message } from '../../../src/common/line';
import { refusal } from '../../../src/lobby/refusals';
import { line, relayed, type Script, Spoken } from '../../support/relayed';

const L = 'l' as LobbyId;

function event(name: string, id: number): Message {
  return message(name, { id: L, revision: id }, { id });
}

/** The stream of a client that takes only what `read` asks for, and an answer at revision 8 to it. */
async function answering(
  script: Partial<Script> = {},
  crossing: Partial<Crossing> = {},
): Promise<{
  readonly spoken: Spoken;
  readonly answered: readonly number[];
  readonly read: () => Promise<string>;
  /** What the client gets, in order. */
  readonly got: readonly string[];
}> {
  const spoken = line(event('connected', 6));
  const answered: number[] = [];
  const { call, response } = await relayed({
    where: [L],
    watch: () => new Spoken(),
    lobby: [() => ({ ok: true, value: spoken }), () => refusal('LOBBY_NOT_FOUND', '')],
    answered,
    ...script,
  });
  const got: string[] = [];
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const read = async (): Promise<string> => {
    const { value } = await reader.read();
    const ids = [...new TextDecoder().decode(value).matchAll(/^id: (\d+)$/gm)].map(([, id]) => id);
    got.push(`event ${ids.join(' ')}`);
    return got.at(-1) ?? '';
  };
  await read();
  const answer = showing(call, {}, { lobby: L, revision: 8, isTold: true, ...crossing });
  void answer.text().then(() => got.push('answer 8'));
  await settled();
  return { spoken, answered, read, got };
}

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(1);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('an answer', () => {
  it('comes after older events that are still on the line, or that the client takes slowly', async () => {
    const { spoken, read, got } = await answering();
    expect(got).toEqual(['event 6']);
    spoken.say(event('lobby_updated', 7));
    spoken.say(message(ANSWERED, null, { id: 8 }));
    await settled();
    expect(got).toEqual(['event 6']);
    await read();
    void read();
    await settled();
    expect(got).toEqual(['event 6', 'event 7', 'answer 8']);
  });

  it('comes after a second to a client that does not read its stream', async () => {
    const { spoken, answered, got } = await answering();
    spoken.say(event('lobby_updated', 7));
    spoken.say(message(ANSWERED, null, { id: 8 }));
    await vi.advanceTimersByTimeAsync(998);
    expect([got, answered]).toEqual([['event 6'], []]);
    await vi.advanceTimersByTimeAsync(2);
    expect([got, answered]).toEqual([['event 6', 'answer 8'], [8]]);
  });
});

describe('the answer to leaving', () => {
  // shows: D64
  it('comes after all that the lobby said, and the lobby is not told of it', async () => {
    const { spoken, answered, read, got } = await answering({}, { isOver: true });
    spoken.say(event('lobby_updated', 7));
    await settled();
    expect(got).toEqual(['event 6']);
    spoken.say('left');
    await settled();
    expect(got).toEqual(['event 6']);
    await read();
    void read();
    await settled();
    expect([got, answered]).toEqual([['event 6', 'event 7', 'answer 8'], []]);
  });

  it('comes after what still waits for a ticket, though the stream has gone back to the seat', async () => {
    const asked = Promise.withResolvers<object>();
    const project = { name: 'crossing', document: () => asked.promise };
    const { spoken, read, got } = await answering({ project }, { isOver: true });
    spoken.say({ ...event('lobby_updated', 7), seat: { at: 1, of: { late: false } } });
    spoken.say('left');
    await settled();
    expect(got).toEqual(['event 6']);
    asked.resolve({ revision: 1, configs: {}, builds: {} });
    await read();
    void read();
    await settled();
    expect(got).toEqual(['event 6', 'event 7', 'answer 8']);
  });

  it('waits for nothing where the stream is not of that lobby', async () => {
    const { read, got } = await answering({}, { lobby: 'another' as LobbyId, isOver: true });
    void read();
    await settled();
    expect(got).toEqual(['event 6', 'answer 8']);
  });

  it('does not wait for a line that breaks', async () => {
    const { spoken, read, got } = await answering({}, { isOver: true });
    void read();
    await settled();
    expect(got).toEqual(['event 6']);
    spoken.break();
    await settled();
    expect(got.at(-1)).toBe('answer 8');
  });
});

describe('the newest state', () => {
  /** A client that reads its stream, and what it gets. */
  async function reading(
    isSdk = true,
  ): Promise<{ readonly spoken: Spoken; readonly got: string[] }> {
    const spoken = line(event('connected', 6));
    const { response } = await relayed({
      where: [L],
      watch: () => new Spoken(),
      lobby: [() => ({ ok: true, value: spoken }), () => refusal('LOBBY_NOT_FOUND', '')],
      ...(isSdk ? { answered: [] } : {}),
    });
    const got: string[] = [];
    const from = Date.now();
    void (async () => {
      for await (const chunk of response.body ?? []) {
        const text = new TextDecoder().decode(chunk);
        const [, id] = /^id: (\d+)$/m.exec(text) ?? [];
        const [, name] = /^event: (.*)$/m.exec(text) ?? [];
        if (id !== undefined) {
          got.push(`${Date.now() - from} ${name} ${id}`);
        }
      }
    })();
    await settled();
    got.length = 0;
    return { spoken, got };
  }

  function answers(spoken: Spoken, id: number): void {
    spoken.say(message(ANSWERED, null, { id }));
  }

  // shows: D64
  it('is said once more 2.2 s after the last answer, and not again', async () => {
    const { spoken, got } = await reading();
    answers(spoken, 7);
    await vi.advanceTimersByTimeAsync(99);
    answers(spoken, 7);
    await vi.advanceTimersByTimeAsync(400);
    spoken.say(event('lobby_updated', 7));
    spoken.say(event('connected', 8));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(got).toEqual(['500 lobby_updated 7', '500 connected 8', '2300 lobby_updated 8']);
  });

  it('is not said once more without an answer, nor where nothing was said since', async () => {
    const { spoken, got } = await reading();
    spoken.say(event('lobby_updated', 7));
    await settled();
    answers(spoken, 7);
    await vi.advanceTimersByTimeAsync(60_000);
    spoken.say(event('lobby_updated', 8));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(got.map((each) => each.split(' ').at(-1))).toEqual(['7', '8']);
  });

  it('is not said once more where an answer is newer', async () => {
    const { spoken, got } = await reading();
    answers(spoken, 7);
    spoken.say(event('lobby_updated', 8));
    await vi.advanceTimersByTimeAsync(2_000);
    answers(spoken, 9);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(got).toHaveLength(1);
  });

  it('is not said once more to who has left', async () => {
    const { spoken, got } = await reading();
    answers(spoken, 7);
    spoken.say(event('lobby_updated', 8));
    spoken.say('left');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(got).toHaveLength(1);
  });

  it('is not said once more under /v3', async () => {
    const { spoken, got } = await reading(false);
    answers(spoken, 7);
    spoken.say(event('lobby_updated', 8));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(got).toHaveLength(1);
  });
});
