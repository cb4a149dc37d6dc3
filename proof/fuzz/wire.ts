// HTTP as bytes: sends exactly the given bytes, and reads whatever comes.

import { connect, type Socket } from 'node:net';

export interface Answer {
  /** 0: the connection was closed without an answer. */
  readonly status: number;
  readonly head: string;
  /** As latin1. */
  readonly body: string;
  /** The answer ended before it was complete. */
  readonly isHung: boolean;
  readonly isStream: boolean;
}

export interface Sending {
  readonly port: number;
  readonly bytes: Buffer;
  /** An answer to HEAD has no body. */
  readonly isHead: boolean;
  readonly limitMs: number;
}

/** How much of an event stream is read. */
const STREAM_MS = 60;

interface Kept {
  readonly socket: Socket;
}

const idle = new Map<number, Kept[]>();

/** On a connection that is kept, or a new one; the answer is read to its end. */
export async function send(sending: Sending): Promise<Answer> {
  const kept = idle.get(sending.port)?.findLast(({ socket }) => socket.writable);
  idle.set(
    sending.port,
    // Nothing, not even an error, would come of one that the service has closed.
    (idle.get(sending.port) ?? []).filter((each) => each !== kept && each.socket.writable),
  );
  const socket = kept?.socket ?? connect(sending.port, '127.0.0.1');
  const answer = await exchange(socket, sending);
  if (answer.status === 0 && kept !== undefined && !answer.isHung) {
    // The service had closed the connection, which is allowed.
    return exchange(connect(sending.port, '127.0.0.1'), sending);
  }
  return answer;
}

/** On a connection of its own, which is closed for writing after the bytes. */
export function sendAlone(sending: Sending): Promise<Answer> {
  return exchange(connect(sending.port, '127.0.0.1'), sending, true);
}

function exchange(socket: Socket, sending: Sending, isAlone = false): Promise<Answer> {
  const { port, bytes, isHead, limitMs } = sending;
  return new Promise((resolve) => {
    let text = '';
    let streaming: NodeJS.Timeout | null = null;
    const done = (isDone: boolean, isHung: boolean): void => {
      clearTimeout(limit);
      if (streaming !== null) {
        clearTimeout(streaming);
      }
      socket.removeAllListeners();
      socket.on('error', () => undefined);
      const { head, body, isStream } = parted(text);
      const closes =
        /^connection: *close/im.test(head) || isStream || head.startsWith('HTTP/1.1 101');
      if (isDone && !isAlone && !closes) {
        idle.set(port, [...(idle.get(port) ?? []), { socket }]);
      } else {
        socket.destroy();
      }
      const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
      resolve({ status, head, body, isHung, isStream });
    };
    const limit = setTimeout(() => done(false, true), limitMs);
    socket.on('data', (part: Buffer) => {
      text += part.toString('latin1');
      const { head, isStream } = parted(text);
      if ((isStream || head.startsWith('HTTP/1.1 101')) && streaming === null) {
        streaming = setTimeout(() => done(true, false), STREAM_MS);
      }
      if (!isAlone && isWhole(text, isHead)) {
        done(true, false);
      }
    });
    socket.on('error', () => done(false, false));
    socket.on('close', () => done(false, false));
    socket.write(bytes);
    if (isAlone) {
      socket.end();
    }
  });
}

/** The last of the heads that came, interim ones left out. */
function parted(text: string): { head: string; body: string; isStream: boolean } {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) {
    return { head: text, body: '', isStream: false };
  }
  const head = text.slice(0, end);
  if (/^HTTP\/1\.1 1(?!01)\d\d/.test(head)) {
    return parted(text.slice(end + 4));
  }
  return {
    head,
    body: text.slice(end + 4),
    isStream: /^content-type: text\/event-stream/im.test(head),
  };
}

function isWhole(text: string, isHead: boolean): boolean {
  const { head, body, isStream } = parted(text);
  if (isStream || !text.includes('\r\n\r\n')) {
    return false;
  }
  if (isHead || /^HTTP\/1\.1 (204|304)/.test(head)) {
    return true;
  }
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  if (length !== undefined) {
    return body.length >= Number(length);
  }
  return /^transfer-encoding: *chunked/im.test(head) && body.endsWith('0\r\n\r\n');
}

export function closeIdle(): void {
  for (const all of idle.values()) {
    all.forEach(({ socket }) => socket.destroy());
  }
  idle.clear();
}
