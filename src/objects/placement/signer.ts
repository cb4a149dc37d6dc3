// The key by which ids are signed: one for all isolates, and the same after a restart.

import { Signer } from '../../signed';
import type { Env } from './env';

type Settings = Pick<Env, 'ID_KEY' | 'API_KEYS'>;

let known: { readonly secret: string; readonly signer: Signer } | null = null;
/** Without any secret nobody has a key to the service: its ids need not outlive the isolate. */
let passing: string | null = null;

/**
 * ID_KEY, which is to outlive any change of keys; without it the secret of the keys. Whoever changes
 * that then cuts live ids off from clients for as long as their lobbies and servers last.
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
