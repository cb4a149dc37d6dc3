// The proxy samples of ops/ before two instances on this machine, on plain HTTP.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from './eventually.ts';

const OPS = join(import.meta.dirname, '../../ops');

interface Before {
  /** The proxy's program. */
  readonly program: string;
  /** For what the proxy writes. */
  readonly folder: string;
  /** Where it listens on 127.0.0.1. */
  readonly port: number;
  /** Of the two instances. */
  readonly instances: readonly number[];
}

/** A sample with its lines for two machines. Throws if it lacks what is changed for the test. */
async function sampleFor(name: string, changes: readonly (readonly [string, string])[]) {
  let text = (await readFile(join(OPS, name), 'utf8')).replaceAll('#two ', '');
  for (const [from, to] of [...changes, ['10.0.0.0/8', '127.0.0.0/8'] as const]) {
    if (!text.includes(from)) {
      throw new Error(`ops/${name} has no ${from}`);
    }
    text = text.replaceAll(from, to);
  }
  return text;
}

async function nginx({ program, folder, port, instances }: Before): Promise<ChildProcess> {
  const sample = await sampleFor('nginx.conf', [
    ['  server 127.0.0.1:8787;\n  keepalive 64;\n', ''],
    ['10.0.0.2:8787', `127.0.0.1:${instances[0]}`],
    ['10.0.0.3:8787', `127.0.0.1:${instances[1]}`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port};`],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (each) => `${each}_temp_path ${folder}/${each};`,
  );
  const path = join(folder, 'nginx.conf');
  const site = sample.replaceAll(/^ *ssl_certificate.*$/gm, '');
  await writeFile(
    path,
    `daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
events {}
http { ${temporary.join(' ')}
${site} }
`,
  );
  return spawn(program, ['-p', folder, '-e', join(folder, 'nginx.log'), '-c', path]);
}

async function caddy({ program, folder, port, instances }: Before): Promise<ChildProcess> {
  const sample = await sampleFor('Caddyfile', [
    [
      'reverse_proxy 127.0.0.1:8787 {',
      `reverse_proxy 127.0.0.1:${instances[0]} 127.0.0.1:${instances[1]} {`,
    ],
    ['muster.example.com {', `http://127.0.0.1:${port} {\n\tbind 127.0.0.1`],
  ]);
  const path = join(folder, 'Caddyfile');
  await writeFile(path, `{\n\tadmin off\n\tauto_https off\n\tgrace_period 1s\n}\n${sample}`);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  return spawn(program, ['run', '--adapter', 'caddyfile', '--config', path], { env });
}

const PROXIES = { nginx, caddy };

/** Resolves when the proxy answers for an instance that is ready. The answer ends it. */
export async function startProxy(
  name: keyof typeof PROXIES,
  before: Before,
): Promise<() => Promise<void>> {
  const running = await PROXIES[name](before);
  await eventually(`${name} answers`, async () => {
    const answer = await fetch(`http://127.0.0.1:${before.port}/health`).catch(() => null);
    return answer?.ok === true;
  });
  return async () => {
    running.kill('SIGTERM');
    await (running.exitCode === null ? once(running, 'exit') : null);
  };
}
