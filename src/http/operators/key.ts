// The actor of a request with a server key, as histories name it: by the key's fingerprint, which tells keys apart
// and grants nothing.

import type { By } from '../../common/happening';
import { fingerprintOf } from '../access';
import type { KeyedCall } from '../call';

export async function operatorOf({ request }: KeyedCall<unknown, unknown>): Promise<By> {
  return `operator:${await fingerprintOf(request.headers.get('api-key') ?? '')}`;
}
