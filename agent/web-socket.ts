// WebSockets (RFC 6455) for the sample server, which has no packages: whole texts in both directions. Clients that send
// anything else, or read too slowly, or no longer answer pings, are cut off.

import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Peer {
  /** Resolves when the text has left this process, or cannot. */
  send(text: string): Promise<void>;
}

/** What one connection does. */
export interface Listener {
  readonly message: (text: string) => void;
  /** Called once, whoever ends the connection. */
  readonly closed: () => void;
}

export interface Hooks {
  readonly opened: (peer: Peer) => Listener;
}

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const KINDS = { text: 0x81, close: 0x88, ping: 0x89, pong: 0x8a } as const;
const MOST_BYTES = 4_096;
const MOST_WAITING = 65_536;
const MOST_CONNECTIONS = 400;
const PING_MS = 20_000;

interface Frame {
  readonly kind: number;
  readonly payload: Buffer;
  readonly rest: Buffer;
}

/** Answers WebSockets, and every other request with a 426. */
export function webSockets(hooks: Hooks): Server {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(426, { connection: 'close' }).end();
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.on('upgrade', (request, stream, head) => talk(request, stream, { head, hooks }));
  return server;
}

function talk(
  { headers }: IncomingMessage,
  stream: Duplex,
  { head, hooks }: { readonly head: Buffer; readonly hooks: Hooks },
): void {
  const key = headers['sec-websocket-key'];
  if (key === undefined || headers.upgrade?.toLowerCase() !== 'websocket') {
    stream.destroy();
    return;
  }
  const accept = createHash('sha1').update(`${key}${MAGIC}`).digest('base64');
  stream.write(
    [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}\r\n\r\n`,
    ].join('\r\n'),
  );
  let isHeard = true;
  const beat = setInterval(() => {
    if (isHeard) {
      isHeard = false;
      stream.write(framed(KINDS.ping, ''));
    } else {
      stream.destroy();
    }
  }, PING_MS);
  const { message, closed } = hooks.opened({ send: (text) => sent(stream, text) });
  let data = head;
  const read = (more: Buffer): void => {
    isHeard = true;
    data = Buffer.concat([data, more]);
    for (let next = frameIn(data); next !== null; next = frameIn(data)) {
      if (next === 'wrong' || next.kind === KINDS.close) {
        stream.end(framed(KINDS.close, ''));
        stream.off('data', read);
        stream.resume();
        return;
      }
      data = next.rest;
      if (next.kind === KINDS.text) {
        message(next.payload.toString('utf8'));
      } else if (next.kind === KINDS.ping) {
        stream.write(framed(KINDS.pong, next.payload));
      }
    }
  };
  stream.on('data', read);
  stream.on('error', () => undefined);
  stream.on('close', () => {
    clearInterval(beat);
    closed();
  });
  read(Buffer.alloc(0));
}

function sent(stream: Duplex, text: string): Promise<void> {
  if (stream.writableLength > MOST_WAITING) {
    stream.destroy();
  }
  return stream.writable
    ? new Promise((resolve) => stream.write(framed(KINDS.text, text), () => resolve()))
    : Promise.resolve();
}

/** The first frame of the data. Null while a part of it is missing. */
function frameIn(data: Buffer): Frame | 'wrong' | null {
  const [kind = 0, second = 0] = data;
  if (data.length < 2) {
    return null;
  }
  const isKnown = Object.values<number>(KINDS).includes(kind);
  const isMasked = second >= 128;
  const short = second & 127;
  const start = short === 126 ? 8 : 6;
  if (!isKnown || !isMasked || short === 127) {
    return 'wrong';
  }
  if (data.length < start) {
    return null;
  }
  const length = short === 126 ? data.readUInt16BE(2) : short;
  if (length > MOST_BYTES) {
    return 'wrong';
  }
  if (data.length < start + length) {
    return null;
  }
  const mask = data.subarray(start - 4, start);
  const payload = data
    .subarray(start, start + length)
    .map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return { kind, payload: Buffer.from(payload), rest: data.subarray(start + length) };
}

function framed(kind: number, payload: string | Buffer): Buffer {
  const body = Buffer.from(payload);
  const { length } = body;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = kind;
  if (length < 126) {
    head[1] = length;
  } else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, body]);
}
