// Server objects under test: their alarm at a later time, and what they keep to themselves.

import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import type { ServerBlock } from '../../src/fleet/port';
import { objectName } from '../../src/ids';
import type { Env } from '../../src/objects/env';
import type { Instance } from '../../src/objects/server-state';
import { ask, type Answered } from '../http/support';

function stubOf(instanceId: string): DurableObjectStub {
  return (env as unknown as Env).SERVERS.getByName(objectName(instanceId));
}

/** As it is saved. */
export function savedServer(instanceId: string): Promise<Instance | null> {
  return runInDurableObject(
    stubOf(instanceId),
    (_, state) => state.storage.kv.get<Instance>('instance') ?? null,
  );
}

/** Changes what is saved; it counts from the object's next life. */
export async function rewriteServer(instanceId: string, patch: Partial<Instance>): Promise<void> {
  await runInDurableObject(stubOf(instanceId), (_, state) => {
    const instance = state.storage.kv.get<Instance>('instance');
    state.storage.kv.put('instance', { ...instance, ...patch });
  });
}

/** Its alarm, as if so much time had passed since now. Needs `vi.useRealTimers` afterwards. */
export async function alarmAfter(seconds: number, instanceId: string): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
  await runDurableObjectAlarm(stubOf(instanceId));
}

/** A status report as its fleet or the game server itself sends it. */
export async function report(instanceId: string, body: object): Promise<Answered<ServerBlock>> {
  const token = (await savedServer(instanceId))?.token ?? '';
  const headers = { authorization: `Bearer ${token}` };
  return ask<ServerBlock>(`POST servers/${instanceId}/status`, { key: null, headers, body });
}
