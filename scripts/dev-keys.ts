// The development keys (decision 8): `client_dev_key`, which everybody knows, and a server key that the first
// start on a data folder makes and saves there as `server-key`, readable only by its user. A service on any other
// address accepts that server key, and a client key that is saved beside it (record 0032). `npm run dev` runs this
// file, which prints the digest for wrangler, and for people where the key is.

import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { digestOf, entryOf, newKey } from './keys.ts';
import { keptSecret } from './kept-secret.ts';

export interface DevKeys {
  readonly serverKey: string;
  /** The binding that makes the service accept both keys on a loopback address. */
  readonly env: { readonly DEV_KEY_SHA256: string };
}

/** The keys of this data folder, which is created if it does not exist. */
export async function devKeys(dataDir: string): Promise<DevKeys> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const serverKey = await keptSecret(join(dataDir, 'server-key'), newKey('server'));
  return { serverKey, env: { DEV_KEY_SHA256: digestOf(serverKey) } };
}

export interface NetworkKeys {
  readonly clientKey: string;
  readonly serverKey: string;
  /** The bindings that make the service accept both keys on any address and serve the examples. */
  readonly env: { readonly API_KEYS: string; readonly EXAMPLES: 'on' };
}

/** The keys of this data folder for other machines, where the development keys are not accepted (decision 8). */
export async function networkKeys(dataDir: string): Promise<NetworkKeys> {
  const { serverKey } = await devKeys(dataDir);
  const clientKey = await keptSecret(join(dataDir, 'client-key'), newKey('client'));
  const entries = [entryOf('dev', 'client', clientKey), entryOf('dev', 'server', serverKey)];
  return { clientKey, serverKey, env: { API_KEYS: JSON.stringify(entries), EXAMPLES: 'on' } };
}

/** The address that opens the dashboard signed in. The key is after the `#`, so it is never sent. */
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
