// Numbered migrations of an object's saved state. Append only: a step that has shipped is never
// changed. The number applied lies in storage beside the data it speaks of.

import type { Store } from './host';

const KEY = 'schema';

export type Migration = (store: Store) => void;

/** Brings saved state up to date, in one transaction; an empty store needs nothing. */
export function migrate(store: Store, steps: readonly Migration[]): void {
  const applied = store.get<number>(KEY) ?? 0;
  if (applied >= steps.length) {
    return;
  }
  store.atomically(() => {
    for (const step of steps.slice(applied)) {
      step(store);
    }
    store.put(KEY, steps.length);
  });
}
