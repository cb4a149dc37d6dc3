// In which order a client that applies all as it comes gets an answer and the events around it (decision 39).

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { showing } from '../../src/http/players/crossing';
import type { LobbyId } from '../../src/common/ids';
import { ANSWERED, message } from '../../src/common/line';
import type { LobbyView } from '../../src/lobby/view';
import { line, relayed, Spoken } from '../support/relayed';

const L = 'l' as LobbyId;

function event(name: string, id: number): ReturnType<typeof message> {
  return message(name, { id: L, revision: id }, { id });
}

/** The stream of a client that takes only what `read` asks for, and an answer at revision 8 to it. */
async function answering(): Promise<{
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
    lobby: [() => ({ ok: true, value: spoken })],
    answered,
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
  const answer = showing(call, { id: L, revision: 8 } as Partial<LobbyView> as LobbyView, true);
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
    spoken.say(message(ANSWERED, undefined, { id: 8 }));
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
    spoken.say(message(ANSWERED, undefined, { id: 8 }));
    await vi.advanceTimersByTimeAsync(998);
    expect([got, answered]).toEqual([['event 6'], []]);
    await vi.advanceTimersByTimeAsync(2);
    expect([got, answered]).toEqual([['event 6', 'answer 8'], [8]]);
  });
});
