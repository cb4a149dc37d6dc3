// The event stream as a WebSocket: the same events, credentials and resumption as the stream has.

import { later } from '../../src/common/later';
import { describe, expect, it, vi } from 'vitest';
import type { LobbyView } from '../../src/lobby/view';
import { message } from '../../src/common/line';
import { Client } from '../../src/http/stream/client';
import { ClientSocket } from '../../src/http/stream/client-socket';
import { eventually } from '../support/eventually';
import {
  ask,
  askUnder,
  CLIENT,
  createLobby,
  fetchRaw,
  freshConfig,
  joinLobby,
  SERVER,
} from './support';

interface Told {
  readonly event: string;
  readonly id: number | null;
  readonly data: LobbyView;
}

class Socket {
  readonly told: Told[] = [];
  readonly socket: WebSocket;
  closed: { readonly code: number; readonly reason: string } | null = null;

  constructor(response: Response) {
    expect(response.status).toBe(101);
    this.socket = response.webSocket as WebSocket;
    this.socket.addEventListener('message', ({ data }) => {
      this.told.push(JSON.parse(String(data)) as Told);
    });
    this.socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason };
    });
    this.socket.accept();
  }

  until(event: string): Promise<Told> {
    return eventually(event, () => this.told.find((each) => each.event === event));
  }
}

const UPGRADE = { upgrade: 'websocket' };

async function open(config: string, player: string, query = '', headers = {}): Promise<Socket> {
  const path = `GET lobbies/${config}/me/events${query}`;
  return new Socket(await fetchRaw(path, { player, headers: { ...UPGRADE, ...headers } }));
}

describe('the stream as a WebSocket', () => {
  it('tells the same events, each a JSON message', async () => {
    const config = freshConfig();
    const lobby = await createLobby(config, 'ann', { name: 'Caf\u00e9' });
    const socket = await open(config, 'ann');
    expect(await socket.until('connected')).toEqual({ event: 'connected', id: 1, data: lobby });
    await joinLobby(config, 'bob', lobby.code);
    expect(await socket.until('lobby_updated')).toMatchObject({
      id: 2,
      data: { currentPlayers: 2 },
    });
    await ask(`DELETE lobbies/${config}/${lobby.id}`, { key: SERVER });
    expect(await socket.until('lobby_deleted')).toEqual({
      event: 'lobby_deleted',
      id: null,
      data: { id: lobby.id },
    });
    const next = await createLobby(config, 'ann');
    await eventually('it goes on into the next lobby', () =>
      socket.told.some(({ event, data }) => event === 'connected' && data?.id === next.id),
    );
    socket.socket.close(1000);
  });

  it('takes credentials and the last event from the query', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    for (const name of ['Two', 'Three']) {
      await ask(`PATCH lobbies/${config}/me/settings`, { player: 'ann', body: { name } });
    }
    const query = `?api-key=${CLIENT}&x-player-id=ann&last-event-id=2`;
    const path = `GET lobbies/${config}/me/events${query}`;
    const socket = new Socket(await fetchRaw(path, { key: null, headers: UPGRADE }));
    await socket.until('connected');
    expect(socket.told.map(({ event, id }) => [event, id])).toEqual([
      ['lobby_updated', 3],
      ['connected', 3],
    ]);
    socket.socket.close(1000);
  });

  it('is replaced by a newer stream of the player, whatever carries it, and says so', async () => {
    const config = freshConfig();
    await createLobby(config, 'ann');
    const first = await open(config, 'ann');
    await first.until('connected');
    const second = await open(config, 'ann');
    await second.until('connected');
    await eventually('the first is closed', () => first.closed !== null);
    expect(first.closed).toEqual({ code: 4000, reason: 'replaced' });
    expect(first.told.at(-1)).toEqual({ event: 'replaced', id: null, data: null });
    second.socket.close(1000);
  });

  it('is refused without credentials, and to pages of origins that are not listed', async () => {
    const refused = await ask('GET lobbies/any/me/events', { key: null, headers: UPGRADE });
    expect([refused.status, refused.body.code]).toEqual([401, 'UNAUTHORIZED']);
    const from = (origin: string) =>
      askUnder({ CORS_ORIGINS: 'https://game.test' }, 'GET lobbies/any/me/events', {
        player: 'ann',
        headers: { ...UPGRADE, origin },
      });
    const foreign = await from('https://elsewhere.test');
    expect([foreign.status, foreign.body.code]).toEqual([403, 'FORBIDDEN']);
  });
});

describe('a client that sends a long message', () => {
  it('is refused without a copy of it, which the isolate may have no room for', async () => {
    const carrier = new ClientSocket({ now: Date.now, later });
    new Client(carrier, later).say(message('lobby_updated', {}, { id: 1 }));
    const socket = new Socket(carrier.response);
    const encode = vi.spyOn(TextEncoder.prototype, 'encode');
    socket.socket.send('x'.repeat(100_000));
    await eventually('it is closed', () => socket.closed);
    expect(socket.closed?.code).toBe(1009);
    expect(encode.mock.calls.every(([text = '']) => text.length <= 256)).toBe(true);
    encode.mockRestore();
  });
});

describe('a client that does not answer', () => {
  it('is asked, then told nothing more until it answers, then the newest', async () => {
    const carrier = new ClientSocket({ now: Date.now, later });
    const client = new Client(carrier, later);
    const { told, socket } = new Socket(carrier.response);
    const state = (id: number) => message('lobby_updated', { x: 'x'.repeat(10_000) }, { id });
    for (let id = 1; id <= 100; id += 1) {
      client.say(state(id));
    }
    client.onStale = () => client.say(state(100));
    await eventually('it is asked', () => told.some(({ event }) => event === 'ping'));
    const before = told.filter(({ event }) => event === 'lobby_updated').length;
    expect(before).toBeLessThan(10);
    socket.send('here');
    await eventually('the newest', () => told.at(-1)?.id === 100 || told.at(-2)?.id === 100);
    expect(told.filter(({ event }) => event === 'lobby_updated').length).toBeLessThan(20);
    socket.close(1000);
  });
});
