// The key that signs ids. All isolates use the same key, and it survives a restart.

import { Signer } from '../../common/signed';
import type { Env } from './env';

type Settings = Pick<Env, 'ID_KEY' | 'API_KEYS'>;

let known: { readonly secret: string; readonly signer: Signer } | null = null;
/** The secret if none is configured. Nobody has a key to such a service, so its ids need not outlive the isolate. */
let passing: string | null = null;

/**
 * The signer with ID_KEY, or with API_KEYS without it. Set ID_KEY before changing API keys: without it, a change
 * invalidates the ids of live lobbies and servers.
 */
export function signerOf({ ID_KEY, API_KEYS }: Settings): Signer {
  const set = [ID_KEY, API_KEYS].find((text) => text !== undefined && text !== '');
  passing ??= set === undefined ? crypto.randomUUID() : null;
  const secret = set ?? passing ?? '';
  if (known?.secret !== secret) {
    known = { secret, signer: new Signer(secret) };
  }
  return known.signer;
}
