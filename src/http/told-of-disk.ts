// What the program that started a box tells of its disk (scripts/disk.ts). The Worker takes it, since the object
// may be unable to do anything just then.

import { disk, type DiskReading } from '../objects/kit/disk';
import { boxOf } from '../objects/placement/at';
import type { Box } from '../objects/placement/box/box';
import type { Env } from '../objects/placement/env';
import { isSecret } from './access';

/** Takes what is told; null: the request is somebody else's. */
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
