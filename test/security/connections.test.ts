// Where a process may have few files open, strangers with many connections end nothing: neither those
// who send nothing, nor those who never send a request to its end.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { Player } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';

const FILES = 1_024;

let dataDir: string;
let port: number;
let url: string;
let program: ChildProcess;
let printed = '';

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-connections-'));
  port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const script = `ulimit -n ${FILES} && exec '${process.execPath}' scripts/start.ts`;
  const env = { ...process.env, PORT: String(port), MUSTER_DATA: dataDir };
  program = spawn('/bin/sh', ['-c', script], { cwd: PROJECT, env });
  for (const output of [program.stdout, program.stderr]) {
    output?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  await eventually('it is ready', () => printed.includes('muster: ready') || null);
});

afterAll(async () => {
  program.kill('SIGTERM');
  await once(program, 'exit');
  await rm(dataDir, { recursive: true, force: true });
});

const open = new Set<Socket>();

afterEach(() => open.forEach((socket) => socket.destroy()));

/** Settled when it is connected, or refused. */
function connected(sends: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      open.add(socket);
      socket.write(sends);
      resolve();
    });
    socket.resume();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      resolve();
    });
  });
}

/** Milliseconds `GET /health` took on a connection of its own; null when it was refused. */
async function health(): Promise<number | null> {
  const begun = performance.now();
  try {
    const answer = await fetch(`${url}/health`, { headers: { connection: 'close' } });
    await answer.arrayBuffer();
    return performance.now() - begun;
  } catch {
    return null;
  }
}

/** Descriptors of workerd, which has a group of its own. */
async function filesOfWorkerd(): Promise<number> {
  const group = (await readFile(join(dataDir, 'service.group'), 'utf8')).trim();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    if (stat.includes('(workerd)') && stat.split(') ')[1]?.split(' ')[2] === group) {
      return (await readdir(`/proc/${pid}/fd`)).length;
    }
  }
  throw new Error('workerd is gone');
}

interface Flood {
  readonly longestMs: number;
  readonly refused: number;
  readonly most: number;
}

/** Connects so often, each hundred asking for /health and counting files. */
async function flood(count: number, sends: string): Promise<Flood> {
  let longestMs = 0;
  let refused = 0;
  let most = 0;
  for (let done = 0; done < count; done += 100) {
    await Promise.all(Array.from({ length: 100 }, () => connected(sends)));
    const took = await health();
    refused += took === null ? 1 : 0;
    longestMs = Math.max(longestMs, took ?? 0);
    most = Math.max(most, await filesOfWorkerd());
  }
  return { longestMs, refused, most };
}

function print(what: string, { longestMs, refused, most }: Flood): void {
  console.log(
    `${FILES} files, ${what}: /health refused ${refused} times, else at most ${Math.round(longestMs)} ms;` +
      ` workerd had at most ${most} files open`,
  );
}

async function servesAgain(name: string): Promise<void> {
  open.forEach((socket) => socket.destroy());
  await eventually('it answers', health);
  const host = new Player(url, name);
  const { id } = await host.ok('POST', '/lobbies/arena', { name: 'after all that' });
  expect((await host.ok('GET', '/lobbies/arena/me')).id).toBe(id);
  expect(printed).not.toContain('exited with');
}

describe('a service that may have 1,024 files open', () => {
  it('says so', () => {
    expect(printed).toContain('at most 256 requests and 128 WebSockets run at once');
  });

  it('serves on while 5,000 connections send nothing', async () => {
    const seen = await flood(5_000, '');
    print('5,000 connections that send nothing', seen);
    expect(seen.refused).toBe(0);
    await servesAgain('ann');
  });

  it('lives through 1,200 bodies that do not come, and serves when their time is over', async () => {
    const head = `POST /v3/lobbies/arena HTTP/1.1\r\nHost: 127.0.0.1\r\napi-key: client_dev_key\r\nx-player-id: eve\r\nContent-Length: 50\r\n\r\n{`;
    print('1,200 bodies that do not come', await flood(1_200, head));
    // They stay connected: the time limit for bodies ends them.
    await eventually('it answers', health);
    await eventually('they are ended', () => open.size === 0 || null);
    await servesAgain('bob');
  });
});
