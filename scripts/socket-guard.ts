// Guards the WebSockets of clients on a box (record 0026). workerd buffers up to 32 MiB of a message before
// the Worker sees it, and it keeps what the Worker sent until the client reads it or disconnects. So
// workerd passes each WebSocket through this guard as raw bytes. The guard closes clients that send too
// much (decision 52), and cuts off clients that read too little.

import { connect, createServer, type Socket } from 'node:net';
import { meetingPlace } from '../agent/platform.ts';

/** The same limits as in src/http/stream/client-socket.ts, where they hold at the edge. */
const MAX_PAYLOAD_BYTES = 256;
const MAX_FRAMES = 10;
const FRAMES_MS = 10_000;
/** How much may wait for all clients together. Beyond it, the guard cuts off who has read nothing for longest. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** How long a client may take to read its last messages. */
const FAREWELL_MS = 2_000;

const SWITCHING = 'HTTP/1.1 101 ';

/** Why the guard closes a socket: the code and reason of the close frame. */
type Fault = readonly [code: number, reason: string];

const TOO_LONG: Fault = [1009, 'a message has at most 256 bytes'];
const TOO_MANY: Fault = [1008, 'at most ten messages in ten seconds'];

/** Reads the frame headers in a client's bytes, however the bytes are split, and skips the payloads. */
export class Frames {
  readonly #now: () => number;
  #header: number[] = [];
  /** Bytes of the current frame's mask and payload that have not come yet. */
  #left = 0;
  #since = -Infinity;
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns null if the bytes may pass. */
  take(bytes: Uint8Array): Fault | null {
    for (let at = 0; at < bytes.length;) {
      if (this.#left > 0) {
        const skipped = Math.min(this.#left, bytes.length - at);
        this.#left -= skipped;
        at += skipped;
        continue;
      }
      this.#header.push(bytes[at] ?? 0);
      at += 1;
      const fault = this.#begin();
      if (fault !== null) {
        return fault;
      }
    }
    return null;
  }

  /** Checks the header if it is complete. */
  #begin(): Fault | null {
    const [, second, high = 0, low] = this.#header;
    if (second === undefined) {
      return null;
    }
    const short = second & 0x7f;
    if (short === 127) {
      return TOO_LONG;
    }
    if (short === 126 && low === undefined) {
      return null;
    }
    const length = short === 126 ? high * 256 + (low ?? 0) : short;
    if (length > MAX_PAYLOAD_BYTES) {
      return TOO_LONG;
    }
    this.#header = [];
    this.#left = length + (second >= 0x80 ? 4 : 0);
    return this.#counted();
  }

  #counted(): Fault | null {
    const now = this.#now();
    if (now - this.#since >= FRAMES_MS) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count > MAX_FRAMES ? TOO_MANY : null;
  }
}

function closeFrame([code, reason]: Fault): Buffer {
  const payload = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), Buffer.from(reason)]);
  return Buffer.concat([Buffer.from([0x88, payload.length]), payload]);
}

export interface GuardOptions {
  /** Where to listen: a Unix socket, or a port of this machine (agent/platform.ts). */
  readonly path: string;
  /** Where workerd accepts the guarded connections. */
  readonly behind: string;
  /** How many connections there may be at once; further ones are refused. */
  readonly most: number;
}

export interface Guard {
  /** Ends every connection. */
  close(): Promise<void>;
}

/** Resolves when the guard listens. Throws if it cannot. */
export async function startGuard({ path, behind, most }: GuardOptions): Promise<Guard> {
  const clients = new Set<Socket>();
  /** Bytes that each client has not read yet. The client that has read nothing for longest comes first. */
  const waiting = new Map<Socket, number>();
  let held = 0;

  function forget(client: Socket): void {
    held -= waiting.get(client) ?? 0;
    waiting.delete(client);
  }

  /** Never pauses workerd: what waits in workerd cannot be dropped, but here it can. */
  function tell(client: Socket, bytes: Buffer): void {
    held += bytes.length;
    waiting.set(client, (waiting.get(client) ?? 0) + bytes.length);
    client.write(bytes, () => {
      const left = waiting.get(client) ?? 0;
      forget(client);
      if (left > bytes.length) {
        held += left - bytes.length;
        waiting.set(client, left - bytes.length);
      }
    });
    for (const slowest of waiting.keys()) {
      if (held <= MAX_HELD_BYTES) {
        break;
      }
      forget(slowest);
      slowest.destroy();
    }
  }

  const server = createServer((client) => {
    if (clients.size >= most) {
      client.destroy();
      return;
    }
    const inner = connect(meetingPlace(behind));
    let frames: Frames | null = null;
    clients.add(client);
    const farewell = (last: Buffer | string): void => {
      client.end(last);
      const cut = setTimeout(() => client.destroy(), FAREWELL_MS);
      client.on('close', () => clearTimeout(cut));
    };
    client.on('data', (bytes) => {
      const fault = frames?.take(bytes) ?? null;
      if (fault === null) {
        inner.write(bytes);
      } else {
        // Do not destroy it yet, or workerd would lose the close frame.
        client.pause();
        inner.destroy();
        farewell(closeFrame(fault));
      }
    });
    inner.on('data', (bytes) => {
      // No frame comes before this answer, which workerd writes in one piece.
      if (frames === null && bytes.toString('latin1', 0, SWITCHING.length) === SWITCHING) {
        frames = new Frames(() => performance.now());
      }
      tell(client, bytes);
    });
    inner.on('end', () => farewell(''));
    inner.on('error', () => client.destroy());
    client.on('error', () => client.destroy());
    client.on('close', () => {
      clients.delete(client);
      forget(client);
      inner.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(meetingPlace(path), resolve);
  });
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        clients.forEach((client) => client.destroy());
      }),
  };
}
