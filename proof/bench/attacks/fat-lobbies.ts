// An attack within the default limits: lobbies full of invented players, each with a large state and a stream that
// nobody reads, and hosts that keep changing their lobby. Its test is test/security/fat-lobbies.test.ts.

import { connect, type Socket } from 'node:net';

import { Player } from '../../../scripts/player.ts';

export interface FatLobbies {
  readonly lobbies: number;
  readonly players: number;
  /** Characters of each player's state. */
  readonly state: number;
  readonly as: 'stream' | 'socket';
  /** A client key. */
  readonly key?: string;
}

export interface Attack {
  /** Changes each lobby once. */
  patch(): Promise<void>;
  stop(): void;
}

const DEV_KEY = 'client_dev_key';
const UPGRADE = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** Opens a stream and never reads it. */
function stalled(url: string, player: string, { as, key = DEV_KEY }: FatLobbies): Promise<Socket> {
  const { port } = new URL(url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.pause();
  socket.on('error', () => socket.destroy());
  const head = [
    'GET /v3/lobbies/fat/me/events HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    `api-key: ${key}`,
    `x-player-id: ${player}`,
    ...(as === 'socket' ? UPGRADE : []),
  ];
  return new Promise((resolve) => {
    socket.write(`${head.join('\r\n')}\r\n\r\n`, () => resolve(socket));
  });
}

/** Fills the lobbies and opens a stream for each player. The lobbies change between any two streams. */
export async function fatLobbies(url: string, options: FatLobbies): Promise<Attack> {
  const { lobbies, players, state, key = DEV_KEY } = options;
  const blob = 'x'.repeat(state);
  const hosts: Player[] = [];
  const sockets: Socket[] = [];
  let round = 0;
  const patch = async (host: Player): Promise<void> => {
    round += 1;
    await host.call('PATCH', '/lobbies/fat/me', { state: { round } });
  };
  for (let lobby = 0; lobby < lobbies; lobby += 1) {
    const host = new Player(url, `fat-${lobby}-0`, key);
    const { id } = await host.ok('POST', '/lobbies/fat', {
      name: 'fat',
      maxPlayers: players,
      state: { blob },
    });
    hosts.push(host);
    for (let index = 1; index < players; index += 1) {
      const guest = new Player(url, `fat-${lobby}-${index}`, key);
      await guest.ok('POST', '/lobbies/fat/join', { lobbyId: id, state: { blob } });
    }
  }
  for (let index = 0; index < players; index += 1) {
    for (const [lobby, host] of hosts.entries()) {
      sockets.push(await stalled(url, `fat-${lobby}-${index}`, options));
      await patch(host);
    }
  }
  return {
    patch: async () => void (await Promise.all(hosts.map(patch))),
    stop: () => sockets.forEach((socket) => socket.destroy()),
  };
}
