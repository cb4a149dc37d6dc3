// The attacks of players, each in a process of its own: `node proof/bench/attacks/attacker.ts URL KEY KIND SECONDS`.
// Everything comes from one address and stays within what the API allows a client key. Prints what it did.

import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateRawSync } from 'node:zlib';

import { frame, RawWebSocket } from '../../../test/support/raw-websocket.ts';
import { call, eachOf, type From } from '../limits/caller.ts';
import { fatLobbies } from './fat-lobbies.ts';

const [url = '', key = '', kind = '', seconds = '20'] = process.argv.slice(2);
const from: From = { url, key, address: null };
const until = Date.now() + Number(seconds) * 1_000;
const MB = 1024 * 1024;
const counts: Record<string, number> = {};

function count(what: string, by = 1): void {
  counts[what] = (counts[what] ?? 0) + by;
}

/** That many sockets send these bytes as fast as they can. A socket that the service closes is opened again. */
async function sockets(many: number, bytes: Buffer, lines: readonly string[] = []): Promise<void> {
  const one = async (index: number): Promise<void> => {
    const address = `${url}/v3/lobbies/arena/me/events?api-key=${key}&x-player-id=eve-${index}`;
    while (Date.now() < until) {
      const socket = await RawWebSocket.open(address, lines).catch(() => null);
      count(socket?.head.startsWith('HTTP/1.1 101 ') === true ? 'sockets' : 'refused');
      if (socket !== null) {
        await filled(socket, bytes);
      }
      await sleep(10);
    }
  };
  await Promise.all(Array.from({ length: many }, (_, index) => one(index)));
}

async function filled(socket: RawWebSocket, bytes: Buffer): Promise<void> {
  while (!socket.isOver && socket.closedWith === null && Date.now() < until) {
    const isTaken = socket.socket.write(bytes);
    count('MB', bytes.length / MB);
    await (isTaken ? sleep(0) : drained(socket.socket));
  }
  socket.socket.destroy();
}

function drained(socket: Socket): Promise<unknown> {
  return Promise.race([
    new Promise((resolve) => {
      socket.once('drain', resolve);
      socket.once('close', resolve);
    }),
    sleep(1_000),
  ]);
}

async function asked(line: string, player: string, body?: object): Promise<string> {
  const { status, text } = await call(from, line, player, body).catch(() => ({
    status: 0,
    text: '',
  }));
  count(`${line.split(' ')[0]} ${status}`);
  return text;
}

/**
 * Lobbies of 91 invented players with the largest state that a lobby may hold. Each player has a stream that nobody
 * reads.
 */
async function fat(as: 'stream' | 'socket'): Promise<void> {
  const attack = await fatLobbies(url, { lobbies: 10, players: 91, state: 4_900, as, key });
  for (const end = Date.now() + Number(seconds) * 1_000; Date.now() < end;) {
    await attack.patch();
    count('rounds of patches');
    await sleep(500);
  }
  attack.stop();
}

/** Opens 150 streams of large lobbies a second, and leaves each at once. */
async function opens(): Promise<void> {
  const attack = await fatLobbies(url, {
    lobbies: 10,
    players: 91,
    state: 4_900,
    as: 'stream',
    key,
  });
  attack.stop();
  const { port } = new URL(url);
  const end = Date.now() + Number(seconds) * 1_000;
  for (let index = 0; Date.now() < end; index += 1) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    const player = `fat-${index % 10}-${(index * 7) % 91}`;
    socket.write(
      `GET /v3/lobbies/fat/me/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\napi-key: ${key}\r\nx-player-id: ${player}\r\n\r\n`,
    );
    socket.once('data', (data) => count(`opened ${String(data).slice(9, 12)}`));
    setTimeout(() => socket.destroy(), 500);
    await sleep(1_000 / 150);
  }
}

/** Strangers join lobbies in a game, read the seat ticket, and leave. */
async function tickets(): Promise<void> {
  const hosts = Array.from({ length: 20 }, (_, index) => `host-${index}`);
  await eachOf(hosts, 10, async (host) => {
    await asked('POST /lobbies/arena', host, { name: 'duel', maxPlayers: 100 });
    await asked('POST /lobbies/arena/me/start', host);
  });
  let index = 0;
  await Promise.all(
    Array.from({ length: 16 }, async () => {
      while (Date.now() < until) {
        const eve = `late-${(index += 1)}`;
        const page = JSON.parse((await asked('GET /lobbies/arena', eve)) || '{}') as {
          readonly lobbies?: readonly { readonly id: string }[];
        };
        const lobbyId = page.lobbies?.[index % (page.lobbies.length || 1)]?.id;
        await asked('POST /lobbies/arena/join', eve, { lobbyId });
        const text = await asked('GET /lobbies/arena/me', eve);
        count(text.includes('"ticket":"') ? 'tickets' : 'no tickets');
        await asked('DELETE /lobbies/arena/me', eve);
      }
    }),
  );
}

/** A thousand lobbies queue, each with as many region names as a player may have, and no name in common. */
async function names(): Promise<void> {
  let round = 0;
  while (Date.now() < until) {
    const players = Array.from({ length: 1_000 }, (_, index) => `names-${round}-${index}`);
    round += 1;
    await eachOf(players, 50, async (player) => {
      const regions = Array.from({ length: 16 }, (_, index) => `${index}-${player}`.slice(0, 32));
      await asked('POST /lobbies/names', player, { name: 'n', state: { regions } });
      await asked('POST /lobbies/names/me/matchmaking', player, { mode: 'open' });
    });
  }
}

const ATTACKS: Readonly<Record<string, () => Promise<void>>> = {
  compressed: () =>
    sockets(40, frame(deflateRawSync(Buffer.alloc(32 * MB - 1_024)), { compressed: true }), [
      'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
    ]),
  long: () => sockets(60, frame(Buffer.alloc(MB), { announced: 32 * MB })),
  flood: () => sockets(10, Buffer.concat(Array.from({ length: 2_000 }, () => frame('x')))),
  tickets,
  'fat-streams': () => fat('stream'),
  'fat-sockets': () => fat('socket'),
  opens,
  names,
};
await ATTACKS[kind]?.();
console.log(
  JSON.stringify(counts, (_, value: unknown) =>
    typeof value === 'number' ? Math.round(value) : value,
  ),
);
process.exit(0);
