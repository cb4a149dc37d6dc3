// The keys of development (decision 8): `client_dev_key`, which everybody knows, and a server key that
// the first start on a data folder makes, kept there as `server-key` for its user alone.
// A service on any other address takes that server key, and a client key that is kept beside it (record 0032).
// `npm run dev` runs this file: it prints the digest for wrangler, and where the key is for people.

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { digestOf, entryOf, newKey } from './keys.ts';
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

export interface NetworkKeys {
  readonly clientKey: string;
  readonly serverKey: string;
  /** The bindings by which the service accepts both keys on any address, and serves the examples. */
  readonly env: { readonly API_KEYS: string; readonly EXAMPLES: 'on' };
}

/** Keys of this data folder for other machines, which the development keys do not admit (decision 8). */
export async function networkKeys(dataDir: string): Promise<NetworkKeys> {
  const { serverKey } = await devKeys(dataDir);
  const clientKey = await keptSecret(join(dataDir, 'client-key'), newKey('client'));
  const entries = [entryOf('dev', 'client', clientKey), entryOf('dev', 'server', serverKey)];
  return { clientKey, serverKey, env: { API_KEYS: JSON.stringify(entries), EXAMPLES: 'on' } };
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
