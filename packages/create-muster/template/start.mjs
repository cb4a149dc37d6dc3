// Starts Muster, tells it of the game, and serves the page.
//   PORT (8787) is Muster's, PAGE_PORT (8080) the page's

import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MusterAdmin } from '@muster/client/admin';

const { PORT = '8787', PAGE_PORT = '8080', MUSTER_DATA = '.muster' } = process.env;
const url = `http://127.0.0.1:${PORT}`;
const here = import.meta.dirname;
const program = join(here, 'node_modules/muster/muster.cjs');

const muster = spawn(process.execPath, [program], {
  env: { ...process.env, PORT, MUSTER_DATA },
  stdio: 'inherit',
});
muster.once('exit', (code) => process.exit(code ?? 1));
// Ctrl-C reaches Muster too, which then ends its game servers.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => muster.kill('SIGTERM'));
while (!(await fetch(`${url}/health`).catch(() => null))?.ok) {
  await sleep(100);
}

const key = readFileSync(join(MUSTER_DATA, 'server-key'), 'utf8').trim();
const admin = new MusterAdmin({ url, key });
await admin.saveBuild('game', {
  launch: { command: process.execPath, args: [join(here, 'server.mjs')] },
  ports: [{ name: 'game_ws', internal_port: 7777, protocol: 'tcp' }],
});
const env = { ...process.env, MUSTER_URL: url, MUSTER_SERVER_KEY: key };
spawnSync(process.execPath, [program, 'configs', 'push', 'configs'], {
  cwd: here,
  env,
  stdio: 'inherit',
});

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript' };
createServer((request, answer) => {
  try {
    // Anybody may send a path that is none, such as `//`.
    const { pathname } = new URL(request.url, url);
    const path = pathname === '/' ? '/index.html' : pathname;
    const type = TYPES[extname(path)];
    if (type === undefined || path !== normalize(path)) {
      throw new Error('no page');
    }
    const text = readFileSync(join(here, path), 'utf8').replace('MUSTER_PORT', PORT);
    answer.writeHead(200, { 'content-type': type }).end(text);
  } catch {
    answer.writeHead(404).end();
  }
}).listen(Number(PAGE_PORT), '127.0.0.1', () => {
  console.log(`\nThe game: http://127.0.0.1:${PAGE_PORT}/ (open it in two windows)`);
});
