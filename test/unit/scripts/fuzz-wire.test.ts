// How the fuzzer asks: a connection that the service closed meanwhile is not asked on.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';

import { send } from '../../../proof/fuzz/wire.ts';

it('an answer comes although the kept connection was closed', async () => {
  const server = createServer((_, answer) => answer.end('yes')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const bytes = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const ask = async (): Promise<number> =>
    (await send({ port, bytes, isHead: false, limitMs: 60_000 })).status;
  const closed = once(server, 'connection').then(([socket]) => once(socket as never, 'close'));
  expect(await ask()).toBe(200);
  server.closeAllConnections();
  await closed;
  // Our end hears of it in one of the next turns.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  expect(await ask()).toBe(200);
  server.close();
  server.closeAllConnections();
});
