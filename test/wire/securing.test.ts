// docs/securing.md: the backend in ten lines runs as the page shows it, and its tokens let players in.

import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MusterAdmin } from '../../packages/js/src/admin.ts';
import { MusterPlayer } from '../../packages/js/src/index.ts';
import { freePort } from '../../agent/ports.ts';
import { PROJECT } from '../../scripts/bundle.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';

let folder: string;
let service: Service;
let backend: ChildProcess;
let port: number;

/** The one block of the page that is a program. */
function shown(): string {
  const page = readFileSync(join(PROJECT, 'docs/securing.md'), 'utf8');
  const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
  expect(blocks).toHaveLength(1);
  return blocks[0] ?? '';
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-securing-'));
  const env = { FLEET: 'simulated' };
  service = await startService({ port: 0, dataDir: join(folder, 'data'), devKeys: true, env });
  await new MusterAdmin({ url: service.url, key: service.serverKey }).updatePlayerSettings({
    playerAuth: 'token',
  });
  port = await freePort();
  // The page leaves to the reader who has signed in: here whoever the cookie says.
  const session = 'const playerOfSession = async ({ headers }) => headers.cookie;\n';
  const program = join(folder, 'backend.mjs');
  await writeFile(program, session + shown().replace('8080', String(port)));
  backend = spawn(process.execPath, [program], {
    env: { ...process.env, MUSTER_URL: service.url, MUSTER_SERVER_KEY: service.serverKey },
    stdio: 'inherit',
  });
});

afterAll(async () => {
  backend.kill();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

it('is a backend that lets its player in, and as nobody else', async () => {
  const asked = async (): Promise<string> => {
    const cookie = { cookie: 'ann' };
    const answer = await fetch(`http://127.0.0.1:${port}/token`, {
      method: 'POST',
      headers: cookie,
    });
    return ((await answer.json()) as { token: string }).token;
  };
  await eventually('the backend answers', () => asked().catch(() => false));
  const at = { url: service.url, key: 'client_dev_key', config: 'arena', token: asked };
  const lobby = await new MusterPlayer({ ...at, player: 'ann' }).createLobby({ name: 'Den' });
  expect(lobby.host).toBe('ann');
  await expect(new MusterPlayer({ ...at, player: 'ben' }).getMyLobby()).rejects.toMatchObject({
    code: 'PLAYER_TOKEN_INVALID',
  });
});
