// Saved state outlives releases: an actor may wake up with rows that an earlier version wrote. Before an actor is made,
// in either placement, the steps of its kind migrate its rows, so nothing else knows earlier shapes. The list of steps
// is append only: a step that has shipped is never changed or removed, because its index is its number. No number is
// saved, because new rows never had one: a step tells by the rows (record 0076). A field that older rows lack needs no
// step where its absence is its default; test/upgrade/rows.txt lists those since v0.2.0.

import type { ActorPorts } from '../contracts/actor-ports';
import type { Kind } from '../contracts/peers';
import type { Store } from '../kit/ports';
import { SharedRows } from '../kit/shared-rows';

/** What changes the rows, inside a transaction. Null: they are of today. Asked at each start, so it reads little. */
export type Migration = (store: Store) => (() => void) | null;

/** After v0.2.0: a match that has events for its project's backend owes a debt of that name. */
const eventsAreOwed: Migration = (store) => {
  if (store.get('hooks') === undefined) {
    return null;
  }
  const debts = new SharedRows<readonly [key: string, debt: object]>(store, 'debts:');
  const isOwed = Array.from(debts.entries(), ([key]) => key).includes('hooks');
  debts.put(['hooks', { to: 'hooks' }]);
  return isOwed ? null : () => debts.save();
};

export const MIGRATIONS: { readonly [K in Kind]?: readonly Migration[] } = {
  match: [eventsAreOwed],
};

/** Runs the steps that are due, in order, in one transaction. */
export function migrate(
  { store }: Pick<ActorPorts, 'store'>,
  steps: readonly Migration[] = [],
): void {
  if (steps.some((step) => step(store) !== null)) {
    store.atomically(() => steps.forEach((step) => step(store)?.()));
  }
}
