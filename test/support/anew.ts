// Before each file of the layer in workerd, whose files share a runtime: nothing is saved, no object lives, and no module
// remembers anything of the file before.

import {
  abortAllDurableObjects,
  env,
  listDurableObjectIds,
  runInDurableObject,
} from 'cloudflare:test';
import { vi } from 'vitest';

function isNamespace(binding: object): binding is DurableObjectNamespace {
  return binding.constructor.name === 'DurableObjectNamespace';
}

async function emptied(namespace: DurableObjectNamespace, id: DurableObjectId): Promise<void> {
  await runInDurableObject(namespace.get(id), async (_, { storage }) => {
    await storage.deleteAlarm();
    await storage.deleteAll();
  });
}

vi.useRealTimers();
vi.restoreAllMocks();
vi.unstubAllGlobals();
await abortAllDurableObjects();
for (const namespace of Object.values(env).filter(isNamespace)) {
  const ids = await listDurableObjectIds(namespace);
  await Promise.all(ids.map((id) => emptied(namespace, id)));
}
await abortAllDurableObjects();
vi.resetModules();
