// Who acts with a server key, as histories name it: by a fingerprint that tells keys apart and
// opens nothing.

import type { By } from '../../happening';
import { fingerprintOf } from '../access';
import type { KeyedCall } from '../call';

export async function operatorOf({ request }: KeyedCall<unknown, unknown>): Promise<By> {
  return `operator:${await fingerprintOf(request.headers.get('api-key') ?? '')}`;
}
