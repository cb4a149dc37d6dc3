// A box whose actors had an object each before: the configs and builds of its projects come over as
// they are first asked for. What lives for minutes, lobbies and matches, does not.

import type { ProjectDocument } from '../../project/contract';
import type { ProjectRpc } from '../../project/contract';
import { actorKey } from './incarnation';

const ROW = 'document';

/** `before`: the objects as they were; undefined where there were none. */
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
      // Another call may have brought it over meanwhile, and it may have changed since.
      if (document.revision > 0 && lacks()) {
        this.#kv.put(key, document);
      }
    }
    this.#done.add(name);
  }
}
