// Writes the requests that are accepted from anywhere into the proxy samples of ops/ (dashboard/description/proxies.ts).

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { PROJECT } from './bundle.ts';
import { commandLine } from './flags.ts';
import { proxyLines } from './reference.ts';
import { withWritten } from './written.ts';

/** The paths of the samples, and their text according to the route table. */
export async function proxySamples(): Promise<ReadonlyMap<string, string>> {
  const { forNginx, forCaddy } = await proxyLines();
  const samples = new Map<string, string>();
  for (const [name, lines] of [
    ['nginx.conf', forNginx],
    ['Caddyfile', forCaddy],
  ] as const) {
    const path = join(PROJECT, 'ops', name);
    const text = await readFile(path, 'utf8');
    samples.set(path, withWritten(text, 'npm run proxy-samples', lines.join('\n')));
  }
  return samples;
}

async function main(): Promise<void> {
  commandLine({
    command: 'npm run proxy-samples --',
    about: 'Writes into ops/nginx.conf and ops/Caddyfile which requests they let in from anywhere.',
    flags: {},
  });
  for (const [path, text] of await proxySamples()) {
    await writeFile(path, text);
  }
}

if (import.meta.main) {
  await main();
}
