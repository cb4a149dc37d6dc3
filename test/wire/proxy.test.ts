// An event stream through the proxies of ops/: each event arrives as it is sent.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isMusterError, MusterPlayer } from '../../client/src/index.ts';
import type { StreamState } from '../../client/src/index.ts';
import { freePort } from '../../fleet/ports.ts';
import { startService } from '../../scripts/service.ts';
import type { Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';

const OPS = fileURLToPath(new URL('../../ops/', import.meta.url));

let service: Service;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-proxy-'));
  service = await startService({
    port: 0,
    dataDir: join(folder, 'data'),
    devKeys: true,
    env: {},
  });
});

afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Follows a lobby through the proxy at `url`, and has it changed while the stream is open. */
async function followThrough(url: string, config: string): Promise<void> {
  const place = { key: 'client_dev_key', config, player: 'ann' };
  const player = new MusterPlayer({ ...place, url });
  await eventually('the proxy answers', async () => {
    const answer = await fetch(`${url}/health`).catch(() => null);
    return answer?.ok === true;
  });
  expect(isMusterError(await player.getMyLobby().catch((error: unknown) => error))).toBe(true);
  await player.createLobby({ name: 'Den' });
  const direct = new MusterPlayer({ ...place, url: service.url });
  const states: StreamState[] = [];
  const abort = new AbortController();
  const told: number[] = [];
  const options = {
    transport: 'stream',
    connectMs: 5_000,
    signal: abort.signal,
    onState: (state: StreamState): void => void states.push(state),
  } as const;
  for await (const event of player.streamEvents(options)) {
    if (event.type === 'connected' || event.type === 'lobby_updated') {
      told.push(Number(event.lobby?.players[0]?.state?.['step'] ?? 0));
      // The next step is taken only when the last one has come through.
      await (told.length < 4 ? direct.updateMyState({ step: told.length }) : direct.leaveLobby());
      if (told.length === 4) {
        abort.abort();
      }
    }
  }
  expect(told).toEqual([0, 1, 2, 3]);
  expect(states).toEqual(['connecting', 'streaming']);
}

function ended(child: ChildProcess): Promise<void> {
  return child.exitCode === null
    ? new Promise((resolve) => void child.once('exit', () => resolve()))
    : Promise.resolve();
}

describe.runIf(needs('nginx'))('nginx', () => {
  it('lets an event stream through with the sample of ops/, and operators from their network alone', async () => {
    const port = await freePort();
    const sample = await readFile(join(OPS, 'nginx.conf'), 'utf8');
    // Everything else stays as the sample has it.
    const site = sample
      .replace('127.0.0.1:8787', `127.0.0.1:${service.port}`)
      .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *ssl_certificate.*$/gm, '');
    expect(site).toContain(`listen 127.0.0.1:${port};`);
    const url = `http://127.0.0.1:${port}`;
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (each) => `${each}_temp_path ${folder}/${each};`,
    );
    await writeFile(
      join(folder, 'nginx.conf'),
      `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events {}
http { ${temporary.join(' ')}
${site} }
`,
    );
    const options = ['-p', folder, '-e', join(folder, 'nginx.log')];
    const nginx = spawn(pathOf('nginx'), [...options, '-c', join(folder, 'nginx.conf')]);
    try {
      await followThrough(url, 'through-nginx');
      const hidden = [
        '/v3/projects/settings',
        '/api/v3/servers',
        '/dashboard/',
        '/v3/admin/search',
      ];
      const shown = ['/v3/lobbies/arena', '/health', '/v3/servers/x', '/openapi.json'];
      const statuses = (paths: readonly string[]): Promise<readonly number[]> =>
        Promise.all(
          paths.map(async (path) => {
            const headers = { 'api-key': service.serverKey };
            return (await fetch(url + path, { headers })).status;
          }),
        );
      expect(await statuses(hidden)).toEqual([403, 403, 403, 403]);
      expect(await statuses(shown)).toEqual([200, 200, 404, 200]);
    } finally {
      nginx.kill('SIGTERM');
      await ended(nginx);
    }
  });
});
