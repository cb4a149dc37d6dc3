// A player's connection to a game server: JSON datagrams, of which the latest of each type is kept. If the server
// asks for a cookie, the player repeats its request with the cookie.

import { createSocket } from 'node:dgram';

const RESEND_MS = 100;

type Message = Record<string, unknown>;

export interface UdpPlayer {
  send(message: Message): void;
  /** Sends until an answer of this type arrives, because a datagram may be lost. Rejects at the deadline. */
  request(message: Message, type: string, withinMs?: number): Promise<Message>;
  /** The latest message of this type, or the next one. Rejects at the deadline. */
  received(type: string, withinMs?: number): Promise<Message>;
  close(): void;
}

export function udpPlayer(port: number, host = '127.0.0.1'): UdpPlayer {
  const socket = createSocket('udp4');
  const latest = new Map<string, Message>();
  const waiting = new Map<string, (message: Message) => void>();
  let asked: Message | null = null;
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString('utf8')) as Message;
    if (asked !== null && 'cookie' in message) {
      send({ ...asked, cookie: message['cookie'] });
      return;
    }
    const type = String(message['type']);
    latest.set(type, message);
    waiting.get(type)?.(message);
  });
  // A port without a listener causes an error here. The deadline handles it.
  socket.on('error', () => undefined);

  function send(message: Message): void {
    socket.send(JSON.stringify(message), port, host);
  }

  async function received(type: string, withinMs = 10_000): Promise<Message> {
    const known = latest.get(type);
    if (known !== undefined) {
      return known;
    }
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Message>((resolve, reject) => {
        waiting.set(type, resolve);
        timer = setTimeout(
          () => reject(new Error(`no datagram "${type}" within ${withinMs} ms`)),
          withinMs,
        );
      });
    } finally {
      clearTimeout(timer);
      waiting.delete(type);
    }
  }

  return {
    send,
    received,
    request: async (message, type, withinMs) => {
      latest.delete(type);
      asked = message;
      send(message);
      const again = setInterval(() => send(message), RESEND_MS);
      try {
        return await received(type, withinMs);
      } finally {
        clearInterval(again);
        asked = null;
      }
    },
    close: () => socket.close(),
  };
}
