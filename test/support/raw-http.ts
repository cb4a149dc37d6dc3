// HTTP over a bare connection, because clients and test libraries normalize what they send.

import { connect } from 'node:net';

/** The whole answer to one request, without a body. Empty if the connection was closed without an answer. */
export function askRaw(
  port: number,
  line: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    const socket = connect(port, '127.0.0.1');
    const all = Object.entries({ Host: '127.0.0.1', Connection: 'close', ...headers });
    const head = [`${line} HTTP/1.1`, ...all.map(([name, value]) => `${name}: ${value}`)];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.setEncoding('latin1').on('data', (text: string) => (seen += text));
    socket.on('error', reject);
    socket.on('close', () => resolve(seen));
  });
}
