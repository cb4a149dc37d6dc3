// The keys of development (decision 8): `client_dev_key`, which everybody knows, and a server key that
// the first start on a data folder makes, kept there as `server-key` for its user alone.
// `npm run dev` runs this file: it prints the digest for wrangler, and where the key is for people.

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { digestOf, newKey } from './keys.ts';
import { keptSecret } from './kept-secret.ts';

export interface DevKeys {
  readonly serverKey: string;
  /** The binding by which the service accepts both keys, on a loopback address. */
  readonly env: { readonly DEV_KEY_SHA256: string };
}

/** The keys of this data folder, which is made when absent. */
export async function devKeys(dataDir: string): Promise<DevKeys> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const serverKey = await keptSecret(join(dataDir, 'server-key'), newKey('server'));
  return { serverKey, env: { DEV_KEY_SHA256: digestOf(serverKey) } };
}

/** The address that opens the dashboard signed in. The key is behind `#`, so it is never sent. */
export function dashboardLink(url: string, serverKey: string): string {
  return `${url}/dashboard/#key=${serverKey}`;
}

if (import.meta.main) {
  const dataDir = resolve(process.env['MUSTER_DATA'] ?? '.muster');
  const { serverKey, env } = await devKeys(dataDir);
  console.error(`dashboard  ${dashboardLink('http://127.0.0.1:8787', serverKey)}
keys       client_dev_key (players), and that of ${join(dataDir, 'server-key')} (operators)`);
  console.log(env.DEV_KEY_SHA256);
}
