// Migrates a box whose actors used to be one object each. The configs and builds of a project are copied when the
// project is first used. Lobbies and matches live for minutes only, and are not copied.

import type { ProjectDocument } from '../../project/contract';
import type { ProjectRpc } from '../../project/contract';
import { actorKey } from './incarnation';

const ROW = 'document';

/** `before`: the projects' old objects. Undefined if there were none. */
export class Adoption {
  readonly #kv: DurableObjectStorage['kv'];
  readonly #before: DurableObjectNamespace | undefined;
  readonly #done = new Set<string>();

  constructor(kv: DurableObjectStorage['kv'], before: DurableObjectNamespace | undefined) {
    this.#kv = kv;
    this.#before = before;
  }

  /** Call before the project's actor is made. */
  async project(name: string): Promise<void> {
    if (this.#before === undefined || this.#done.has(name)) {
      return;
    }
    const key = `${actorKey('project', name)}>${ROW}`;
    const lacks = (): boolean => this.#kv.get<ProjectDocument>(key) === undefined;
    if (lacks()) {
      const object = this.#before.getByName(name) as unknown as ProjectRpc;
      const document = await object.document();
      // Another call may have copied the document in the meantime, and it may have changed since.
      if (document.revision > 0 && lacks()) {
        this.#kv.put(key, document);
      }
    }
    this.#done.add(name);
  }
}
