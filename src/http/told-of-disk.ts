// The disk reports of the program that started a box (scripts/disk.ts). The Worker receives them, because the
// object may be unable to do anything at that moment.

import { disk, type DiskReading } from '../objects/kit/disk';
import { boxOf } from '../objects/placement/at';
import type { Box } from '../objects/placement/box/box';
import type { Env } from '../objects/placement/env';
import { isSecret } from './access';

/** Handles a disk report. Null: the request is none. */
export async function toldOfDisk(
  request: Request,
  { STARTER_KEY = '' }: Pick<Env, 'STARTER_KEY'>,
  namespace: DurableObjectNamespace,
): Promise<Response | null> {
  const key = request.headers.get('x-starter-key');
  if (key === null || !(await isSecret(STARTER_KEY, key))) {
    return null;
  }
  disk.tell(await request.json<DiskReading>());
  const box = boxOf(namespace) as unknown as Pick<Box, 'lookedAtDisk'>;
  await box.lookedAtDisk();
  return new Response(null, { status: 204 });
}
