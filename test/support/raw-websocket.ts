// A WebSocket over a bare connection, so that a test can send what no client would.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { eventually } from './eventually.ts';

export const TEXT = 1;
export const BINARY = 2;
export const PING = 9;

interface Frame {
  readonly opcode?: number;
  /** The bit that says that the payload is compressed. */
  readonly compressed?: boolean;
  /** The length that the header announces, if it is not that of the payload. */
  readonly announced?: number;
}

/** A masked frame, as clients send them. */
export function frame(payload: Buffer | string, told: Frame = {}): Buffer {
  const { opcode = TEXT, compressed = false } = told;
  const bytes = Buffer.from(payload);
  const length = told.announced ?? bytes.length;
  const first = 0x80 | (compressed ? 0x40 : 0) | opcode;
  let head: Buffer;
  if (length < 126) {
    head = Buffer.from([first, 0x80 | length]);
  } else if (length < 65_536) {
    head = Buffer.from([first, 0x80 | 126, length >> 8, length & 0xff]);
  } else {
    head = Buffer.alloc(10);
    head.set([first, 0x80 | 127]);
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([head, Buffer.alloc(4), bytes]);
}

interface Got {
  readonly opcode: number;
  readonly payload: Buffer;
}

type Heard = (got: Got, socket: RawWebSocket) => void;

export class RawWebSocket {
  readonly socket: Socket;
  /** The answer to the handshake. Empty until it arrives. */
  head = '';
  readonly got: Got[] = [];
  /** Set once the connection is over. */
  isOver = false;
  #left = Buffer.alloc(0);
  readonly #heard: Heard;

  private constructor(socket: Socket, heard: Heard) {
    this.socket = socket;
    this.#heard = heard;
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => (this.isOver = true));
  }

  /** `heard` is told each frame of the service. Answers once the handshake is answered. */
  static async open(
    url: string,
    lines: readonly string[] = [],
    heard: Heard = () => {},
  ): Promise<RawWebSocket> {
    const { hostname, port, pathname, search } = new URL(url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const raw = new RawWebSocket(socket, heard);
    const head = [
      `GET ${pathname}${search} HTTP/1.1`,
      `Host: ${hostname}:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ...lines,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await eventually('the handshake is answered', () => raw.head !== '' || raw.isOver || null);
    return raw;
  }

  send(bytes: Buffer): void {
    if (!this.isOver) {
      this.socket.write(bytes);
    }
  }

  /** The code with which the service closed the socket; null: it has not. */
  get closedWith(): number | null {
    const close = this.got.find(({ opcode }) => opcode === 8);
    return close === undefined ? null : close.payload.readUInt16BE(0);
  }

  /** Received bytes that are no frame. */
  get rest(): string {
    return this.#left.toString('latin1');
  }

  #take(chunk: Buffer): void {
    this.#left = Buffer.concat([this.#left, chunk]);
    if (this.head === '') {
      const end = this.#left.indexOf('\r\n\r\n');
      if (end < 0) {
        return;
      }
      this.head = this.#left.subarray(0, end).toString('latin1');
      this.#left = this.#left.subarray(end + 4);
    }
    if (!this.head.startsWith('HTTP/1.1 101 ')) {
      return;
    }
    for (let next = this.#frame(); next !== null; next = this.#frame()) {
      this.got.push(next);
      this.#heard(next, this);
    }
  }

  #frame(): Got | null {
    const bytes = this.#left;
    const short = (bytes[1] ?? 0) & 0x7f;
    const at = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < at) {
      return null;
    }
    const length =
      short === 127
        ? Number(bytes.readBigUInt64BE(2))
        : short === 126
          ? bytes.readUInt16BE(2)
          : short;
    if (bytes.length < at + length) {
      return null;
    }
    this.#left = bytes.subarray(at + length);
    return { opcode: (bytes[0] ?? 0) & 0x0f, payload: bytes.subarray(at, at + length) };
  }
}
