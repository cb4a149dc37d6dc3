// How much may wait in the guard of WebSockets for clients that do not read.

import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGuard, type Guard } from '../../scripts/socket-guard.ts';
import { eventually } from '../support/eventually.ts';

const SWITCHED = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';
const EACH = 1024 * 1024;

let folder: string;
let service: Server;
let guard: Guard;
let path: string;
const inner = new Set<Socket>();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-guard-'));
  path = join(folder, 'guard.sock');
  const behind = join(folder, 'guarded.sock');
  service = createServer((socket) => {
    inner.add(socket);
    socket.on('close', () => inner.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.write(SWITCHED));
  });
  await new Promise<void>((resolve) => {
    service.listen(behind, resolve);
  });
  guard = await startGuard({ path, behind, most: 60 });
});

afterAll(async () => {
  await guard.close();
  service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Reads nothing until it is told to. */
async function open(): Promise<Socket> {
  const socket = connect(path);
  socket.on('error', () => socket.destroy());
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await new Promise<void>((resolve) => {
    socket.once('readable', resolve);
  });
  return socket;
}

describe('clients that do not read', () => {
  it('are cut beyond 16 MiB in all, whoever took nothing for longest first', async () => {
    const sockets: Socket[] = [];
    for (let count = 0; count < 60; count += 1) {
      sockets.push(await open());
      const newest = [...inner].at(-1);
      await new Promise<void>((resolve) => {
        newest?.write(Buffer.alloc(EACH), () => resolve());
      });
    }
    await eventually('some are cut', () => inner.size < 60 || null);
    const left = inner.size;
    console.log(`${left} of 60 are left`);
    // The kernel holds a little for each as well.
    expect(left).toBeGreaterThan(14);
    expect(left).toBeLessThan(34);
    let got = 0;
    const [last] = sockets.slice(-1);
    last?.on('data', (bytes: Buffer) => (got += bytes.length));
    await eventually('the newest has all of it', () => got === SWITCHED.length + EACH || null);
    sockets.forEach((socket) => socket.destroy());
    await eventually('all are gone', () => inner.size === 0 || null);
  });

  it('are refused beyond the number that there may be', async () => {
    const sockets = await Promise.all(Array.from({ length: 60 }, open));
    const one = connect(path);
    await new Promise<void>((resolve) => {
      one.on('error', () => resolve());
      one.on('close', () => resolve());
    });
    expect(inner.size).toBe(60);
    sockets.forEach((socket) => socket.destroy());
  });
});
