// Saved state outlives releases: an object may wake up with rows that any earlier release wrote. Each
// kind of object calls `migrate` as it loads, with its list of numbered steps. All five lists are empty
// so far, since no row has changed its meaning yet; the calls stand so that the first one is not forgotten.
// A list is append only: a step that has shipped is never changed or taken out, because its place is its
// number. The number of steps applied lies beside the data, under `schema`.

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
