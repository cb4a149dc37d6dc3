// Server objects under test: their alarm at a later time, and what they keep to themselves.

import { vi } from 'vitest';
import type { ServerBlock } from '../../src/fleet/port';
import type { Instance } from '../../src/objects/server/state';
import { ask, type Answered } from '../http/support';
import { actorAt } from '../support/actors';

/** As it is saved. */
export async function savedServer(instanceId: string): Promise<Instance | null> {
  return (await actorAt('server', instanceId).row<Instance>('instance')) ?? null;
}

/** Changes what is saved; it counts from the object's next life. */
export async function rewriteServer(instanceId: string, patch: Partial<Instance>): Promise<void> {
  const server = actorAt('server', instanceId);
  await server.put('instance', { ...(await server.row<Instance>('instance')), ...patch });
}

/** Its alarm, as if so much time had passed since now. Needs `vi.useRealTimers` afterwards. */
export async function alarmAfter(seconds: number, instanceId: string): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  await actorAt('server', instanceId).ring();
}

/** A status report as its fleet or the game server itself sends it. */
export async function report(instanceId: string, body: object): Promise<Answered<ServerBlock>> {
  const token = (await savedServer(instanceId))?.token ?? '';
  const headers = { authorization: `Bearer ${token}` };
  return ask<ServerBlock>(`POST servers/${instanceId}/status`, { key: null, headers, body });
}
