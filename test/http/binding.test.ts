// The relay between objects that behave badly, as they may around a join or a crash.

import { describe, expect, it } from 'vitest';
import type { PlayerCall } from '../../src/http/call';
import { events } from '../../src/http/stream/events';
import type { LobbyId, PlayerId } from '../../src/ids';
import { refusal, type Reply } from '../../src/lobby/refusals';
import type { Peers } from '../../src/objects/kit/peers';
import { farewell, sseFrame, type Farewell } from '../../src/sse';
import { Stream } from './stream';

type Bytes = ReadableStream<Uint8Array>;

/** Says `first`, then stays silent, or ends with a farewell, or breaks off. */
function source(first: string, then: Farewell | 'silence' | 'break'): Bytes {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  const write = (text: string): void => {
    writer.write(new TextEncoder().encode(text)).catch(() => {
      // The relay has let go of it.
    });
  };
  write(first);
  if (then === 'break') {
    write('event: lobby_upda');
    writer.close().catch(() => {});
  } else if (then !== 'silence') {
    write(farewell(then));
    writer.close().catch(() => {});
  }
  return readable;
}

const lobby = (revision: number): string => sseFrame('connected', { revision }, revision);
const NOT_IN = refusal('LOBBY_NOT_FOUND');
let players = 0;

interface Script {
  /** What the seat says, question by question; the last answer stays. */
  readonly where: readonly (LobbyId | null)[];
  readonly watch: () => Bytes;
  readonly lobby: readonly (() => Reply<Bytes>)[];
}

/** The nth of a list, its last beyond. */
function turn<T>(list: readonly T[]): () => T {
  let at = 0;
  return () => {
    const value = list[Math.min(at, list.length - 1)];
    at += 1;
    return value as T;
  };
}

async function open(script: Script): Promise<{ stream: Stream; watched: () => number }> {
  const [where, answer] = [turn(script.where), turn(script.lobby)];
  let watched = 0;
  const seat = {
    where: async () => where(),
    watch: async () => {
      watched += 1;
      return script.watch();
    },
  };
  const peers = {
    seat: () => seat,
    lobby: () => ({ events: async () => answer()() }),
  } as unknown as Peers;
  players += 1;
  const call = {
    request: new Request('http://muster.test/'),
    peers,
    project: 'dev',
    config: 'binding',
    player: `p${players}` as PlayerId,
    background: () => {},
  } as unknown as PlayerCall;
  return { stream: new Stream(await events(call)), watched: () => watched };
}

const L = 'l' as LobbyId;
const silent = (): Bytes => source(':\n\n', 'silence');

describe('binding', () => {
  it('finds a lobby the seat was taken for just before the watch began', async () => {
    const { stream, watched } = await open({
      where: [null, L],
      watch: silent,
      lobby: [() => ({ ok: true, value: source(lobby(1), 'silence') })],
    });
    expect(await stream.next('connected')).toBeNull();
    expect(await stream.next('connected')).toEqual({ revision: 1 });
    expect(watched()).toBe(1);
    await stream.leave();
  });

  it('waits for a lobby that is still taking the player in', async () => {
    const { stream } = await open({
      where: [L],
      watch: silent,
      lobby: [
        () => NOT_IN,
        () => NOT_IN,
        () => NOT_IN,
        () => ({ ok: true, value: source(lobby(1), 'silence') }),
      ],
    });
    expect(await stream.next('connected')).toBeNull();
    expect(await stream.next('connected')).toEqual({ revision: 1 });
    await stream.leave();
  });

  it('stops asking a seat that points at a lobby which never knew the player', async () => {
    let spoken = false;
    const { stream, watched } = await open({
      where: [L],
      // Only a watch that is kept is read to its event.
      watch: () => {
        spoken = true;
        return source(sseFrame('ping', undefined), 'silence');
      },
      lobby: [() => NOT_IN],
    });
    expect(await stream.next('connected')).toBeNull();
    await stream.next('ping');
    const kept = watched();
    expect([spoken, kept]).toEqual([true, 9]);
    await stream.leave();
  }, 15_000);

  it('binds anew when an object broke off or could not be asked, and drops half an event', async () => {
    const { stream } = await open({
      where: [L],
      watch: silent,
      lobby: [
        () => ({ ok: true, value: source(lobby(1), 'break') }),
        () => {
          throw new Error('the object is moving');
        },
        () => ({ ok: true, value: source(lobby(2), 'silence') }),
      ],
    });
    expect(await stream.next('connected')).toEqual({ revision: 1 });
    expect(await stream.next('connected')).toEqual({ revision: 2 });
    expect(stream.raw).not.toContain('lobby_upda');
    await stream.leave();
  });

  it('ends the stream of a player who has opened a newer one', async () => {
    const { stream } = await open({
      where: [L],
      watch: silent,
      lobby: [() => ({ ok: true, value: source(lobby(1), 'replaced') })],
    });
    const received = await stream.ended();
    expect(received.map(({ event }) => event)).toEqual(['connected']);
    expect(stream.raw).not.toContain('bye');
  });

  it('goes from lobby to seat to lobby without a second greeting', async () => {
    const { stream } = await open({
      where: [L, null, null, L],
      watch: () => source(':\n\n', 'seated'),
      lobby: [
        () => ({ ok: true, value: source(lobby(1), 'left') }),
        () => ({ ok: true, value: source(lobby(2), 'silence') }),
      ],
    });
    expect(await stream.next('connected')).toEqual({ revision: 1 });
    expect(await stream.next('connected')).toEqual({ revision: 2 });
    expect(stream.raw).not.toContain('data: null');
    await stream.leave();
  });
});
