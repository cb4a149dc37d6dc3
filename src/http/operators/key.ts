// The actor of a request with a server key, as histories and the audit list name it.

import type { By } from '../../common/happening';
import type { Deed } from '../../objects/project/audit';
import { keyName } from '../access';
import { retrying } from '../ask';
import type { AnyCall } from '../call';

export async function operatorOf({ env, request }: Pick<AnyCall, 'env' | 'request'>): Promise<By> {
  return `operator:${await keyName(env, request.headers.get('api-key') ?? '')}`;
}

/** Adds what the caller has done to the audit list. The project notes its own changes itself. */
export async function noteDeed(call: AnyCall, deed: Omit<Deed, 'by'>): Promise<void> {
  const { peers, project } = call;
  const by = await operatorOf(call);
  await retrying(() => peers.project(project).noteDeed({ ...deed, by }));
}
