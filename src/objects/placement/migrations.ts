// Saved state outlives releases: an actor may wake up with rows that an earlier version wrote. Before an actor is
// made, in either placement, the numbered steps of its kind migrate its rows, so nothing else knows earlier shapes.
// The list of steps is append only: a step that has shipped is never changed or removed, because its index is its
// number. The number of applied steps is saved beside the data. The first rows that must be read are those of v0.2.0: a
// step is due as soon as one of them would be read wrongly, and test/wire/upgrade.test.ts begins on its data.

import type { Host } from '../contracts/host';
import type { Kind } from '../contracts/peers';

/** Not `schema`: rows of that name count steps that were removed before the first release. */
const KEY = 'steps';

export type Migration = (host: Host) => void;

export const MIGRATIONS: { readonly [K in Kind]?: readonly Migration[] } = {};

/** Applies the steps that this store does not have yet, in one transaction. An empty store stays empty. */
export function migrate(host: Host, steps: readonly Migration[] = []): void {
  const { store } = host;
  const applied = steps.length === 0 ? 0 : (store.get<number>(KEY) ?? 0);
  if (applied < steps.length && [...store.list('', { after: '', limit: 1 })].length > 0) {
    store.atomically(() => {
      for (const step of steps.slice(applied)) {
        step(host);
      }
      store.put(KEY, steps.length);
    });
  }
}
