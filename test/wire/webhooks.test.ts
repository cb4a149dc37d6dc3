// Events of matches over real sockets: to the receiver that docs/webhooks.md shows, also through SIGKILL of the service,
// and to receivers that hang, redirect or answer without end.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { must } from '../../src/common/result';
import { API_KEYS } from '../security/tenant.ts';
import { eventually } from '../support/eventually.ts';

const SITE = 'https://play.example.com';
const SECRET = 'a secret of more than 32 characters, for a test';

let dataDir: string;
let service: Service;
let players = 0;

/** The receiver of the page, as a process. */
class Receiver {
  said = '';
  readonly #port: number;
  readonly #child: ChildProcess;

  constructor(file: string, port: number) {
    this.#port = port;
    this.#child = spawn(process.execPath, [file], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { HOOK_SECRET: SECRET, PORT: String(port) },
    });
    this.#child.stdout?.on('data', (chunk) => (this.said += String(chunk)));
  }

  async up(): Promise<void> {
    await eventually('the receiver listens', () =>
      fetch(`http://127.0.0.1:${this.#port}`).then(
        ({ status }) => status === 401,
        () => false,
      ),
    );
  }

  async end(): Promise<void> {
    this.#child.kill();
    await once(this.#child, 'exit');
  }
}

async function receiverFile(): Promise<string> {
  const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  const file = join(dataDir, 'receiver.mjs');
  await writeFile(file, must(/```js\n([^]*?)```/.exec(page)?.[1], 'the receiver of the page'));
  return file;
}

const operator = (): Player => new Player(service.url, 'operator', 'the server key');

async function start(): Promise<void> {
  const env = {
    API_KEYS,
    FLEET: 'simulated',
    PRIVATE_PROVIDERS: '1',
    LIMITS: 'off',
    PUBLIC_URL: SITE,
  };
  service = await startService({ port: 0, dataDir, env });
}

/** The id of a match of two new players. */
async function match(): Promise<{ readonly id: string; readonly ann: Player }> {
  players += 2;
  const [ann, ben] = [players, players + 1].map(
    (number) => new Player(service.url, `p${number}`, 'the client key'),
  ) as [Player, Player];
  for (const who of [ann, ben]) {
    await who.ok('POST', '/lobbies/arena', { name: 'Den', forceFresh: true });
    await who.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  }
  interface Listed {
    readonly items: readonly { readonly id: string; readonly outcome: string }[];
  }
  let id = '';
  await eventually('they play', async () => {
    const { items } = await operator().ok<Listed>('GET', '/matches?limit=1');
    id = items[0]?.id ?? '';
    return items[0]?.outcome === 'running';
  });
  return { id, ann };
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-hooks-'));
});

afterAll(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  await start();
  await operator().ok('PUT', '/lobby-configs/arena', {
    matchmaking: { modes: { duel: { rules: [] } } },
  });
});

afterEach(() => service.stop());

describe('the receiver of docs/webhooks.md', () => {
  it('hears that a match formed and ended', async () => {
    const port = await freePort();
    const receiver = new Receiver(await receiverFile(), port);
    await receiver.up();
    await operator().ok('PUT', '/projects/hooks', {
      url: `http://127.0.0.1:${port}/any/path`,
      secret: SECRET,
    });
    const { id, ann } = await match();
    await ann.ok('POST', '/lobbies/arena/me/end-match');
    const said = `match.formed ${id}\nmatch.ended ${id}\n`;
    await eventually('it has heard both', () => receiver.said === said);
    await receiver.end();
  });

  it('hears after a SIGKILL of the service what it was owed before', async () => {
    const port = await freePort();
    await operator().ok('PUT', '/projects/hooks', {
      url: `http://127.0.0.1:${port}`,
      secret: SECRET,
    });
    const { id, ann } = await match();
    await ann.ok('POST', '/lobbies/arena/me/end-match');
    await service.kill();
    const receiver = new Receiver(await receiverFile(), port);
    await receiver.up();
    await start();
    const said = `match.formed ${id}\nmatch.ended ${id}\n`;
    await eventually('it has heard both', () => receiver.said === said);
    await receiver.end();
  });
});

/** Bad receivers: what each does with a call. */
const BAD: Readonly<Record<string, (response: ServerResponse) => void>> = {
  hangs: () => {},
  redirects: (response) => response.writeHead(302, { location: '/elsewhere' }).end(),
  'answers without end, and refuses': (response) => {
    response.writeHead(500);
    const flood = (): void => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) {
        // Until the other side takes no more.
      }
    };
    response.on('drain', flood);
    flood();
  },
};

describe('a receiver that', () => {
  it.each(Object.keys(BAD))('%s stops no match, and is asked again', async (how) => {
    const paths: string[] = [];
    const bodies: string[] = [];
    let isWell = false;
    const server = createServer((request, response) => {
      paths.push(request.url ?? '');
      request.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
      request.on('end', () => (isWell ? response.end('well') : BAD[how]?.(response)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await operator().ok('PUT', '/projects/hooks', {
      url: `http://127.0.0.1:${port}/events`,
      secret: SECRET,
    });
    const { ann } = await match();
    await ann.ok('POST', '/lobbies/arena/me/end-match');
    await eventually('it is asked twice', () => paths.length >= 2);
    isWell = true;
    await eventually('both are told', () => bodies.join('').includes('match.ended'));
    expect(new Set(paths)).toEqual(new Set(['/events']));
    server.closeAllConnections();
    server.close();
  });
});

describe('a channel of a chat', () => {
  it('hears that somebody waits and that a lobby is open, and nothing of matches', async () => {
    const told: { readonly body: unknown; readonly signature: unknown }[] = [];
    const server = createServer((request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (part: string) => (text += part));
      request.on('end', () => {
        told.push({ body: JSON.parse(text), signature: request.headers['muster-signature'] });
        response.writeHead(204).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await operator().ok('PUT', '/projects/hooks', {
      url: `http://127.0.0.1:${port}/api/webhooks/1/token`,
      format: 'discord',
    });
    const modes = { duel: {}, trio: { teams: 3, bellSeconds: 1, timeout: 600 } };
    const invite = { url: 'mygame://{code}' };
    await operator().ok('PUT', '/lobby-configs/bell', {
      matchmaking: { modes },
      invite,
      lobbyBell: true,
    });
    await match();
    const cat = new Player(service.url, 'cat', 'the client key');
    const path = '/lobbies/bell';
    const named = { name: 'Cat *and* @everyone', maxPlayers: 3 };
    const { invite_url: link } = await cat.ok<{ invite_url: string }>('POST', path, named);
    const parse: string[] = [];
    const open = {
      content: `Cat \\*and\\* @\u200beveryone is open: 1 of 3, bell. Join: ${link}`,
      allowed_mentions: { parse },
    };
    await eventually('the lobby is told', () => told.length === 1);
    await cat.ok('POST', `${path}/me/matchmaking`, { mode: 'trio' });
    await eventually('the wait is told', () => told.length === 2);
    const waits = { content: '1 player waits for trio, 1 s.', allowed_mentions: { parse } };
    expect(told).toEqual([open, waits].map((body) => ({ body, signature: undefined })));
    // Back and in the queue again, also after a crash: it is still quiet.
    await cat.ok('DELETE', `${path}/me/matchmaking`);
    await service.kill();
    await start();
    const again = new Player(service.url, 'cat', 'the client key');
    await again.ok('POST', `${path}/me/matchmaking`, { mode: 'trio' });
    await match();
    expect(told).toHaveLength(2);
    server.close();
  });
});

it('a private address is not reached, unless the operator allows it', async () => {
  await service.stop();
  service = await startService({
    port: 0,
    dataDir,
    env: { API_KEYS, FLEET: 'simulated', LIMITS: 'off' },
  });
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await operator().ok('PUT', '/projects/hooks', {
    url: `http://127.0.0.1:${port}`,
    secret: SECRET,
  });
  const { ann } = await match();
  await ann.ok('POST', '/lobbies/arena/me/end-match');
  const failed = async (): Promise<boolean> => {
    const headers = { 'api-key': 'the server key' };
    const metrics = await (await fetch(`${service.url}/metrics`, { headers })).text();
    return /muster_hooks_total\{[^}]*outcome="failed"[^}]*\} [1-9]/.test(metrics);
  };
  await eventually('it was tried', failed);
  expect(calls).toBe(0);
  const said = async (): Promise<string> => readFile(join(dataDir, 'service.log'), 'utf8');
  await eventually('the log says why', async () => /hook_failed.*is not public/.test(await said()));
  expect(await said()).not.toMatch(/"event":"(?!runtime)\w+".*internal error/);
  server.close();
});
