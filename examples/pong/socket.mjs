// WebSockets in a few lines, so that this game needs no package. It reads the short texts that browsers send. For a game
// of your own, a library such as `ws` does more.

import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 0x81;
const CLOSE = 0x88;
const MOST_WAITING = 65_536;

function frame(kind, text = '') {
  const { length } = Buffer.from(text);
  const head = length < 126 ? [kind, length] : [kind, 126, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), Buffer.from(text)]);
}

/** The first frame of what came, or null while a part of it is missing. */
function frameIn(data) {
  const isLong = (data[1] & 127) === 126;
  const start = isLong ? 8 : 6;
  if (data.length < start) {
    return null;
  }
  const end = start + (isLong ? data.readUInt16BE(2) : data[1] & 127);
  const mask = data.subarray(start - 4, start);
  const text = data.subarray(start, end).map((byte, at) => byte ^ mask[at % 4]);
  return data.length < end
    ? null
    : { kind: data[0], text: text.toString(), rest: data.subarray(end) };
}

/** Calls `opened` for each connection, with its socket. The socket calls `onText` and `onClose`. */
export function listen(port, host, opened) {
  const server = createServer((_, response) => response.writeHead(426).end());
  server.on('upgrade', ({ headers }, stream) => {
    const key = `${headers['sec-websocket-key']}${MAGIC}`;
    const accept = createHash('sha1').update(key).digest('base64');
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const socket = {
      // Who reads too slowly is cut off, and comes back.
      send: (text) =>
        stream.writableLength < MOST_WAITING ? stream.write(frame(TEXT, text)) : stream.destroy(),
      close: () => stream.end(frame(CLOSE)),
    };
    let data = Buffer.alloc(0);
    stream.on('data', (more) => {
      data = Buffer.concat([data, more]);
      for (let next = frameIn(data); next !== null; next = frameIn(data)) {
        data = next.rest;
        if (next.kind !== TEXT) {
          socket.close();
          return;
        }
        socket.onText(next.text);
      }
    });
    stream.on('error', () => undefined);
    stream.on('close', () => socket.onClose());
    opened(socket);
  });
  server.listen(port, host);
}
