// A game in a page on https: a real WebSocket over TLS, through a real Caddy with the sample of ops/, to a server that a
// real agent has started.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../agent/ports.ts';
import { MusterPlayer, type Match } from '../../packages/js/src/index.ts';
import { eventually } from '../support/eventually.ts';
import { needs, pathOf } from '../support/tools.ts';
import { ownMuster, type OwnMuster } from './own-muster.ts';

/** A game server that greets each WebSocket with the path that it sees. */
const GAME = `
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
createServer().on('upgrade', ({ url, headers }, socket) => {
  const accept = createHash('sha1').update(headers['sec-websocket-key'] + MAGIC).digest('base64');
  socket.write('HTTP/1.1 101 Switching Protocols\\r\\nUpgrade: websocket\\r\\nConnection: Upgrade\\r\\n' +
    'Sec-WebSocket-Accept: ' + accept + '\\r\\n\\r\\n');
  const text = Buffer.from('you came by ' + url);
  socket.write(Buffer.concat([Buffer.from([0x81, text.length]), text]));
}).listen(Number(process.env.MUSTER_PORT), '127.0.0.1');
`;

/** What a page does, as a process of its own: only there can it trust another CA. */
const PAGE = `
const socket = new WebSocket(process.argv[1]);
socket.onmessage = ({ data }) => { console.log(data); process.exit(0); };
socket.onerror = () => { console.log('refused'); process.exit(1); };
`;

let muster: OwnMuster;

beforeAll(async () => {
  muster = await ownMuster('wss');
});

afterAll(() => muster?.stop());

async function match(): Promise<Match> {
  const { operator, folder, running } = muster;
  const program = join(folder, 'game.mjs');
  await writeFile(program, GAME);
  await operator.ok('PUT', '/builds/web', {
    launch: { command: process.execPath, args: [program] },
    ports: [{ name: 'game_ws', internal_port: 7777, protocol: 'tcp', tls: 'proxy' }],
  });
  await operator.ok('PUT', '/lobby-configs/pages', {
    serverSettings: { gameBuild: 'web' },
    matchmaking: { modes: { duel: { teams: 2, playersPerTeam: 1 } } },
  });
  const players = ['ann', 'bob'].map(
    (player) =>
      new MusterPlayer({ url: running.url, key: 'client_dev_key', config: 'pages', player }),
  );
  const [found] = await Promise.all(
    players.map(async (player) => {
      await player.createLobby({ name: 'page' });
      return player.playMatch('duel');
    }),
  );
  return found as Match;
}

async function caddy(port: number, folder: string): Promise<ChildProcess> {
  const sample = await readFile(join(import.meta.dirname, '../../ops/Caddyfile'), 'utf8');
  const site = sample
    .replaceAll('127.0.0.1:8787', new URL(muster.running.url).host)
    .replace(
      'muster.example.com {',
      `https://localhost:${port} {\n\tbind 127.0.0.1\n\ttls internal`,
    );
  const path = join(folder, 'Caddyfile');
  const head = '{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n';
  await writeFile(path, `${head}${site}`);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(pathOf('caddy'), ['run', '--adapter', 'caddyfile', '--config', path], {
    env,
    stdio: 'ignore',
  });
}

describe.runIf(needs('caddy'))('a page on https', () => {
  it('plays on a server of the agent, through the proxy, and reaches nothing else', async () => {
    const found = await match();
    const [port] = found.lobby.server?.network_ports ?? [];
    const game = Number(port?.path?.slice('/g/'.length));
    expect(port).toMatchObject({ external_port: 443, tls_enabled: true, path: `/g/${game}` });
    expect(found.url).toBe(`wss://${found.host}:443/g/${game}`);
    const folder = await mkdtemp(join(tmpdir(), 'muster-wss-'));
    const site = await freePort();
    const proxy = await caddy(site, folder);
    try {
      const ca = join(folder, 'caddy/pki/authorities/local/root.crt');
      await eventually('the CA of Caddy', () => readFile(ca));
      const opened = async (path: string): Promise<string> => {
        const url = `wss://localhost:${site}${path}`;
        const env = { ...process.env, NODE_EXTRA_CA_CERTS: ca };
        const run = promisify(execFile)(process.execPath, ['-e', PAGE, url], { env });
        return run.then(
          ({ stdout }) => stdout.trim(),
          ({ stdout }: { readonly stdout: string }) => stdout.trim(),
        );
      };
      const greeting = await eventually('the game answers', async () => {
        const text = await opened(`${port?.path}?ticket=x`);
        return text !== 'refused' && text;
      });
      expect(greeting).toBe('you came by /?ticket=x');
      const agent = new URL(muster.running.agentUrl).port;
      for (const path of [`/g/${agent}`, '/g/22', `/g/${game}/x`, `/g/${game}0`, `/g/%32${game}`]) {
        expect([path, await opened(path)]).toEqual([path, 'refused']);
      }
    } finally {
      proxy.kill('SIGTERM');
      await rm(folder, { recursive: true, force: true });
    }
  });
});
