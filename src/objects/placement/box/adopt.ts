// Migrates a box whose actors used to be one object each. The configs and builds of a project are copied when the
// project is first used. Lobbies and matches live for minutes only, and are not copied.

import type { ProjectDocument, ProjectRpc } from '../../project/contract';
import { actorKey } from './incarnation';

/** Copies a project. Call before its actor is made. `before`: the projects' old objects; undefined if there were none. */
export function adopter(
  kv: DurableObjectStorage['kv'],
  before: DurableObjectNamespace | undefined,
): ((name: string) => Promise<void>) | null {
  const done = new Set<string>();
  const adopt = async (name: string, objects: DurableObjectNamespace): Promise<void> => {
    const key = `${actorKey('project', name)}>document`;
    const lacks = (): boolean => kv.get<ProjectDocument>(key) === undefined;
    if (lacks()) {
      const document = await (objects.getByName(name) as unknown as ProjectRpc).document();
      // Another call may have copied the document in the meantime, and it may have changed since.
      if (document.revision > 0 && lacks()) {
        kv.put(key, document);
      }
    }
    done.add(name);
  };
  return before === undefined
    ? null
    : async (name) => (done.has(name) ? undefined : adopt(name, before));
}
