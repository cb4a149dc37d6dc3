// The small but real game server that the agent starts if a build names no program.
// It speaks JSON, as datagrams over UDP and as texts of WebSockets on the same port:
//   {"type":"join","player":"ann"}    -> {"cookie":"Jd0xUzhV"} by UDP: send it again with this cookie
//   {"type":"join","player":"ann","cookie":"Jd0xUzhV"}
//                                     -> {"type":"welcome", ...the match and its teams}, and
//                                        {"type":"joined","player":"ann"} to everybody else
//   {"type":"join","ticket":"ey..."}  -> the same with "you", the player's seat; or
//                                        {"type":"refused"} for a ticket that is not good here, or
//                                        that has no place in the match
//   {"type":"state", ...}             -> the same with "player" to everybody who joined
//   {"type":"ping", ...}              -> {"type":"pong", ...}
//   {"type":"quit"}                   -> {"type":"left","player":"ann"} to all; the last one ends it
//   {"type":"end"}                    -> {"type":"ended"} to all, and it exits with 0
// It listens on MUSTER_PORT, or where --port=NUMBER says. docs/local-fleet.md has its variables. Strangers may only
// send `join` and `ping`. Anybody can forge the sender of a datagram, so no answer is longer than its request
// until the cookie has come back from that address. A WebSocket needs none. The server ends itself after being empty for long. Tickets are
// verified. With MUSTER_WANTS_TICKETS=1 nobody joins without one, and with MUSTER_TAKES_SPECTATORS=1 players
// without a place in the match may join.

import { createHmac, randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { RemoteInfo } from 'node:dgram';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { printable } from './log.ts';
import { ration } from './ration.ts';
import { hasPlace, seatOf, type Seat } from './seats.ts';
import { webSockets, type Listener, type Peer } from './web-socket.ts';

/** Who sends messages: an address of UDP, or a WebSocket. */
interface Sender {
  readonly key: string;
  /** Never rejects. */
  send(message: Message): Promise<void>;
}

interface Joined extends Sender {
  readonly player: string;
  /** Infinite for a WebSocket, which pings. */
  heardAt: number;
}

type Message = Record<string, unknown>;

const SILENT_MS = 60_000;
const FAREWELL_MS = 1_000;
const mayAnswer = ration(1_000);
const MAX_PLAYERS = 200;
const emptyMs = Number(process.env['MUSTER_EMPTY_SECONDS'] ?? 120) * 1000;
const wantsTickets = process.env['MUSTER_WANTS_TICKETS'] === '1';
const takesSpectators = process.env['MUSTER_TAKES_SPECTATORS'] === '1';
let config = readConfig();
let match = describeMatch(config);
const players = new Map<string, Joined>();
const cookieSecret = randomBytes(32);
let emptySince = performance.now();

const socket = createSocket('udp4');
socket.on('message', (data, from) => {
  const message = parse(data);
  if (message !== null) {
    receiveDatagram(message, from);
  }
});
const http = webSockets({ opened });
http.on('error', failed);
socket.on('error', failed);
// UDP is opened last: the agent counts the server as running then.
http.listen(ownPort(), process.env['MUSTER_HOST'] ?? '127.0.0.1', () => {
  const { address, port } = http.address() as AddressInfo;
  socket.bind(port, address);
});
socket.on('listening', () => {
  const { address, port } = socket.address();
  console.log(
    `game server ${String(match['instance_id'])} pid ${process.pid} on udp ${address}:${port}`,
  );
});
process.on('SIGTERM', () => end('told to stop'));
setInterval(dropSilent, 500);

/** As an argument, like that of most servers, or else as Muster tells it. */
function ownPort(): number {
  const options = { port: { type: 'string' } } as const;
  const { port } = parseArgs({ options, strict: false }).values;
  const told = port ?? process.env['MUSTER_PORT'] ?? '0';
  if (!/^\d{1,5}$/.test(String(told))) {
    console.error(`game server: --port must be a number, not "${told}"`);
    process.exit(1);
  }
  return Number(told);
}

function failed(error: Error): void {
  console.error(`game server: ${error.message}`);
  process.exit(1);
}

function receiveDatagram(message: Message, from: RemoteInfo): void {
  const key = `${from.address}:${from.port}`;
  const joined = players.get(key);
  if (joined !== undefined) {
    joined.heardAt = performance.now();
  }
  if (message['type'] === 'ping') {
    answerStranger({ ...message, type: 'pong' }, from);
  } else if (message['type'] !== 'join') {
    act(message, joined);
  } else if (message['cookie'] === cookieOf(key)) {
    join(message, { key, send: (each) => send(each, from) }, performance.now());
  } else {
    answerStranger({ cookie: cookieOf(key) }, from);
  }
}

let connections = 0;

function opened(peer: Peer): Listener {
  connections += 1;
  const sender = {
    key: `socket ${connections}`,
    send: (message: Message) => peer.send(JSON.stringify(message)),
  };
  return {
    message: (text) => {
      const message = parse(text) ?? {};
      if (message['type'] === 'ping') {
        void sender.send({ ...message, type: 'pong' });
      } else if (message['type'] === 'join') {
        join(message, sender, Infinity);
      } else {
        act(message, players.get(sender.key));
      }
    },
    closed: () => void leave(sender.key),
  };
}

/** What only players may do. */
function act(message: Message, joined: Joined | undefined): void {
  if (joined === undefined) {
    return;
  }
  switch (message['type']) {
    case 'state':
      void broadcast({ ...message, player: joined.player });
      break;
    case 'quit':
      quit(joined.key);
      break;
    case 'end':
      end(`ended by ${joined.player}`, broadcast({ type: 'ended', player: joined.player }));
      break;
  }
}

/** A cookie that only the owner of that address can know. */
function cookieOf(key: string): string {
  return createHmac('sha256', cookieSecret).update(key).digest('base64url').slice(0, 8);
}

/** No answer is a question that another server of this kind would answer, and there are so many a second at most. */
function answerStranger(message: Message, from: RemoteInfo): void {
  if (mayAnswer() && Buffer.byteLength(JSON.stringify(message)) <= from.size) {
    void send(message, from);
  }
}

/** The player of a join: from its ticket, or else the name that it gives. Null: the player may not join. */
function whoJoins({
  ticket,
  player,
}: Message): { readonly player: unknown; readonly you?: Seat } | null {
  if (ticket === undefined) {
    return wantsTickets ? null : { player };
  }
  const you = seatOf(ticket, config, Date.now());
  return you !== null && (takesSpectators || hasPlace(you)) ? { player: you.player, you } : null;
}

/** A player may send a join again, because the welcome is a datagram and may have been lost. */
function join(message: Message, sender: Sender, heardAt: number): void {
  const { key } = sender;
  lookForMatch();
  const who = whoJoins(message);
  if (who === null) {
    void sender.send({ type: 'refused' });
    return;
  }
  const { player, you } = who;
  if (typeof player !== 'string' || player === '' || player.length > 128) {
    return;
  }
  if (!players.has(key)) {
    if (players.size >= MAX_PLAYERS) {
      void sender.send({ type: 'full' });
      return;
    }
    void broadcast({ type: 'joined', player });
    players.set(key, { ...sender, player, heardAt });
    console.log(`joined: ${printable(player)}`);
  }
  const present = [...players.values()].map((joined) => joined.player);
  const seat = you === undefined ? {} : { you };
  void sender.send({ type: 'welcome', ...match, players: present, ...seat });
}

function quit(key: string): void {
  const told = leave(key);
  if (players.size === 0) {
    end('the last player left', told);
  }
}

async function leave(key: string): Promise<void> {
  const left = players.get(key);
  if (left !== undefined) {
    const told = broadcast({ type: 'left', player: left.player });
    players.delete(key);
    emptySince = performance.now();
    console.log(`left: ${printable(left.player)}`);
    await told;
  }
}

/** A warm server has none at first, and is not empty before it has one. */
function lookForMatch(): void {
  if (config['match'] === null) {
    config = readConfig();
    match = describeMatch(config);
    emptySince = performance.now();
  }
}

function dropSilent(): void {
  lookForMatch();
  const now = performance.now();
  for (const [key, { heardAt }] of players) {
    if (now - heardAt > SILENT_MS) {
      void leave(key);
    }
  }
  if (players.size === 0 && now - emptySince > emptyMs) {
    end('nobody is here');
  }
}

/** Exits once the farewell has left the sockets, because closing drops what still waits there. */
function end(why: string, farewell: Promise<void> = Promise.resolve()): void {
  console.log(`game server stops: ${why}`);
  // Somebody who does not read may keep it for long.
  setTimeout(() => process.exit(0), FAREWELL_MS);
  void farewell.then(() => process.exit(0));
}

async function broadcast(message: Message): Promise<void> {
  await Promise.all([...players.values()].map((joined) => joined.send(message)));
}

/** Never rejects, because a datagram may be lost anyway. */
function send(
  message: Message,
  { address, port }: { readonly address: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve) => {
    socket.send(JSON.stringify(message), port, address, (error) => {
      if (error !== null) {
        console.error(`not sent to ${address}:${port}: ${error.message}`);
      }
      resolve();
    });
  });
}

function parse(data: Buffer | string): Message | null {
  try {
    const value: unknown = JSON.parse(String(data));
    return typeof value === 'object' && value !== null ? (value as Message) : null;
  } catch {
    return null;
  }
}

function readConfig(): Message {
  const path = process.env['MUSTER_CONFIG'];
  return path === undefined ? {} : (JSON.parse(readFileSync(path, 'utf8')) as Message);
}

/** The description of the match for players. It has no player states, so that it fits one datagram. */
function describeMatch(told: Message): Message {
  const data = (told['custom_data'] ?? {}) as Message;
  const teams = Array.isArray(data['teams']) ? (data['teams'] as Message[]) : [];
  return {
    instance_id: told['instance_id'] ?? process.env['MUSTER_INSTANCE_ID'] ?? null,
    region: told['region'] ?? null,
    match_id: data['match_id'] ?? null,
    matchmaking_mode: data['matchmaking_mode'] ?? null,
    teams: teams.map((team) => ({
      team_id: team['team_id'],
      players: teamPlayers(team['lobbies']),
    })),
  };
}

function teamPlayers(lobbies: unknown): readonly string[] {
  const parties = Array.isArray(lobbies) ? (lobbies as Message[]) : [];
  return parties.flatMap((party) => Object.keys((party['player_states'] ?? {}) as Message));
}
