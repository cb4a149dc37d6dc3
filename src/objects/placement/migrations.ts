// Saved state outlives releases: an actor may wake up with rows that any earlier release wrote. Before an actor
// is made, in either placement, the numbered steps of its kind migrate its rows. The list of steps is append only:
// a step that has shipped is never changed or removed, because its index is its number. The number of applied
// steps is saved beside the data, under `schema`.

import type { Store } from '../kit/ports';
import type { Kind } from '../peers';

const KEY = 'schema';

export type Migration = (store: Store) => void;

/** None so far, because no row has changed its meaning yet. */
export const MIGRATIONS: { readonly [K in Kind]?: readonly Migration[] } = {};

/** Applies the steps that this store does not have yet, in one transaction. */
export function migrate(store: Store, steps: readonly Migration[] = []): void {
  if (steps.length === 0) {
    return;
  }
  const applied = store.get<number>(KEY) ?? 0;
  if (applied < steps.length) {
    store.atomically(() => {
      for (const step of steps.slice(applied)) {
        step(store);
      }
      store.put(KEY, steps.length);
    });
  }
}
