// A stream that was opened for listeners goes on for whoever reads first.

import { expect, it } from 'vitest';
import { Listening, type ReadOptions } from '../../../packages/js/src/listening.ts';
import type { FollowOptions } from '../../../packages/js/src/following.ts';
import type { AnyLobby, LobbyEvent } from '../../../packages/js/src/types.ts';

type Event = LobbyEvent<AnyLobby>;

function lobby(revision: number): AnyLobby {
  return { id: 'lobby', revision } as unknown as AnyLobby;
}

/** Streams that say what the test tells them to. */
function streams() {
  const opened: { readonly options: FollowOptions; say(event: Event): void }[] = [];
  async function* open(options: FollowOptions): AsyncGenerator<Event, void, undefined> {
    const events: Event[] = [];
    let stir = (): void => {};
    options.signal?.addEventListener('abort', () => stir());
    opened.push({
      options,
      say: (event) => {
        events.push(event);
        stir();
      },
    });
    while (options.signal?.aborted !== true) {
      for (let event = events.shift(); event !== undefined; event = events.shift()) {
        yield event;
      }
      await new Promise<void>((resolve) => {
        stir = resolve;
      });
    }
  }
  const heard: string[] = [];
  const listening = new Listening(open);
  listening.add(({ type }) => heard.push(type));
  return { opened, heard, listening };
}

function revisionOf(result: IteratorResult<Event, void>): number | undefined {
  const event = result.value;
  return event !== undefined && 'lobby' in event ? event.lobby?.revision : undefined;
}

async function listened() {
  const own = new AbortController();
  const all = streams();
  const first = all.listening.listen(own.signal, () => {});
  all.opened[0]?.say({ type: 'connected', lobby: lobby(1) });
  await first;
  return { ...all, own };
}

it('is handed over with the state that it is in, and loses and repeats nothing', async () => {
  const { opened, heard, listening } = await listened();
  opened[0]?.say({ type: 'lobby_updated', lobby: lobby(2) });
  // The listener has heard both before anybody reads.
  await expect.poll(() => heard).toEqual(['connected', 'lobby_updated']);
  const read = listening.read({});
  expect(revisionOf(await read.next())).toBe(2);
  opened[0]?.say({ type: 'lobby_updated', lobby: lobby(3) });
  expect(revisionOf(await read.next())).toBe(3);
  expect(heard).toEqual(['connected', 'lobby_updated', 'lobby_updated']);
  expect(opened).toHaveLength(1);
  await read.return();
  expect(listening.isFollowing).toBe(false);
});

it('tells a reader nothing that is older than what the reader knows', async () => {
  const { opened, listening } = await listened();
  const options: ReadOptions = { after: lobby(3) };
  const read = listening.read(options);
  const next = read.next();
  for (const revision of [2, 3]) {
    opened[0]?.say({ type: 'lobby_updated', lobby: lobby(revision) });
  }
  expect(revisionOf(await next)).toBe(3);
});

it('goes on for its reader when those who listened go, and ends with the reader', async () => {
  const { opened, listening, own } = await listened();
  const reader = new AbortController();
  const read = listening.read({ signal: reader.signal });
  await read.next();
  own.abort();
  opened[0]?.say({ type: 'lobby_updated', lobby: lobby(2) });
  expect(revisionOf(await read.next())).toBe(2);
  const last = read.next();
  reader.abort();
  expect((await last).done).toBe(true);
  expect(listening.isFollowing).toBe(false);
});

it('ends with those who listen as long as nobody reads', async () => {
  const { opened, listening, own } = await listened();
  own.abort();
  await expect.poll(() => listening.isFollowing).toBe(false);
  expect(opened).toHaveLength(1);
  const read = listening.read({});
  const next = read.next();
  opened[1]?.say({ type: 'connected', lobby: lobby(4) });
  expect(revisionOf(await next)).toBe(4);
});

it('is not for who chooses a transport, nor for a second reader', async () => {
  const { opened, listening } = await listened();
  void listening.read({ transport: 'poll' }).next();
  await expect.poll(() => opened.length).toBe(2);
  await listening.read({}).next();
  void listening.read({}).next();
  await expect.poll(() => opened.length).toBe(3);
});

it('is not opened while somebody reads one', async () => {
  const { opened, listening } = streams();
  void listening.read({}).next();
  await listening.listen(new AbortController().signal, () => {});
  expect(opened).toHaveLength(1);
});
