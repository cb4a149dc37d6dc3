// Player ids in whatever bytes they come, over a raw socket: two names are one player only if they are
// the same text (decision 48). Bytes that are no text are refused, and nobody is created for them.

import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startService, type Service } from '../../scripts/service.ts';

let dataDir: string;
let service: Service;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-player-ids-'));
  service = await startService({ port: 0, dataDir, devKeys: true, env: { FLEET: 'simulated' } });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Answered {
  readonly status: number;
  readonly body: { readonly id?: string; readonly host?: string; readonly detail?: string };
}

/** What a request answers whose characters are its bytes (latin1). */
function raw(line: string, headers: readonly string[], body = ''): Promise<Answered> {
  const lines = [
    `${line} HTTP/1.1`,
    'Host: 127.0.0.1',
    'api-key: client_dev_key',
    'Connection: close',
    `Content-Length: ${body.length}`,
    ...headers,
  ];
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    const socket = connect(service.port, '127.0.0.1');
    socket.write(Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1'));
    socket.on('data', (piece) => pieces.push(piece));
    socket.on('error', reject);
    socket.on('close', () => {
      const [head = '', text = ''] = Buffer.concat(pieces).toString('utf8').split('\r\n\r\n');
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
      // workerd itself refuses some of what it cannot read, in one line of text.
      const body: unknown = text.startsWith('{') ? JSON.parse(text) : { detail: text };
      resolve({ status, body: body as Answered['body'] });
    });
  });
}

/** The bytes of a text in UTF-8, a character each. */
const bytes = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
const encoded = (id: string): string => `utf-8''${encodeURIComponent(id)}`;
const create = (id: string): Promise<Answered> =>
  raw('POST /v3/lobbies/ids', [`x-player-id: ${id}`], '{"name":"x"}');
const mine = (id: string): Promise<Answered> =>
  raw('GET /v3/lobbies/ids/me', [`x-player-id: ${id}`]);

it('makes a player each of three names, and the same one however the name is written', async () => {
  const names = ['zo\u00e9', 'zo\u00e8', '\u65e5\u672c', "utf-8''ann", ' ann'];
  const lobbies = new Set<string | undefined>();
  for (const name of names) {
    const made = await create(encoded(name));
    expect(made, name).toMatchObject({ status: 201, body: { host: name } });
    lobbies.add(made.body.id);
    expect((await mine(`UTF-8''${encodeURIComponent(name)}`)).body.id).toBe(made.body.id);
    if (!/^u| /.test(name)) {
      expect((await mine(bytes(name))).body.id).toBe(made.body.id);
    }
  }
  expect(lobbies.size).toBe(names.length);
  expect((await mine('ann')).status).toBe(404);
});

it.each([
  ['bytes of Latin-1', 'zo\u00e9'],
  ['a byte that begins no character', '\u00ff'],
  ['half a character', bytes('\u65e5').slice(0, 2)],
  ['a surrogate', '\u00ed\u00a0\u0080'],
  ['a slash in two bytes', '\u00c0\u00af'],
  ['the sign for lost bytes', bytes('zo\ufffd')],
  ['percent-encoded Latin-1', "utf-8''zo%E9"],
  ['percent signs that encode nothing', "utf-8''100%"],
  ['an encoded line feed', "utf-8''zo%0A"],
  ['percent-encoded beside bytes', "utf-8''%C3%A9\u00e9"],
])('refuses %s', async (_, id) => {
  for (const asked of [await create(id), await mine(id)]) {
    expect(asked.status).toBe(400);
    expect(asked.body.detail).toMatch(/^x-player-id: must be .*UTF-8/);
  }
});

it('refuses them in the query of the event stream and in the path as well', async () => {
  const stream = (id: string): Promise<Answered> =>
    raw(`GET /v3/lobbies/ids/me/events?x-player-id=${id}`, []);
  for (const id of ['zo%E9', 'zo%EF%BF%BD']) {
    const refused = await stream(id);
    expect(refused, id).toMatchObject({ status: 400 });
    expect(refused.body.detail, id).toMatch(/^x-player-id: must be .*UTF-8/);
  }
  const kick = (id: string): Promise<Answered> =>
    raw(`DELETE /v3/lobbies/ids/me/players/${id}`, ['x-player-id: zoe']);
  expect(await kick('zo%E9')).toMatchObject({
    status: 400,
    body: { detail: 'The path is not percent-encoded UTF-8' },
  });
  // The sign for lost bytes is in no id.
  expect((await kick('zo%EF%BF%BD')).status).toBe(404);
  for (const refused of [await stream('zo\u00e9'), await kick('zo\u00e9')]) {
    expect(refused.status).toBe(400);
  }
});

it('kicks the player whose name the path has, and no other', async () => {
  const { body } = await create('host');
  const join = JSON.stringify({ lobbyId: body.id });
  for (const name of ['\u00e9', '\u00e8']) {
    // The first patch makes room for both.
    await raw('PATCH /v3/lobbies/ids/me/settings', ['x-player-id: host'], '{"maxPlayers":3}');
    await raw('POST /v3/lobbies/ids/join', [`x-player-id: ${bytes(name)}`], join);
  }
  await raw('DELETE /v3/lobbies/ids/me/players/%C3%A9', ['x-player-id: host']);
  expect((await mine(bytes('\u00e8'))).body.id).toBe(body.id);
  expect((await mine(bytes('\u00e9'))).status).toBe(404);
});
