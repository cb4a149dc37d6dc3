// A saved state with one large field that rarely changes. The field has a row of its own, which is written
// only when the field changes, so a small change to the state costs a small write.

import { must } from '../../common/result';
import type { Store } from './ports';
import { deleteLarge, getLarge, putLarge } from './large';

export class Apart<Field extends string, State extends Readonly<Record<Field, object>>> {
  readonly #store: Store;
  readonly #key: string;
  readonly #field: Field;
  /** The field as its row holds it. Undefined: no such row is known. */
  #written: State[Field] | undefined;

  /** The state is saved under `key`, its large field under the field's name. */
  constructor(store: Store, key: string, field: Field) {
    this.#store = store;
    this.#key = key;
    this.#field = field;
  }

  load(): State | undefined {
    const saved = getLarge<Omit<State, Field>>(this.#store, this.#key);
    if (saved === undefined) {
      return undefined;
    }
    const field = getLarge<State[Field]>(this.#store, this.#field);
    this.#written = must(field, `the row of ${this.#field}`);
    const both: object = { ...saved, [this.#field]: this.#written };
    return both as State;
  }

  /** Call inside a transaction: it may write several rows. */
  save(state: State): void {
    const { [this.#field]: field, ...rest } = state;
    if (field !== this.#written) {
      putLarge(this.#store, this.#field, field);
      this.#written = field;
    }
    putLarge(this.#store, this.#key, rest);
  }

  /** Deletes the state; call inside a transaction. */
  drop(): void {
    deleteLarge(this.#store, this.#key);
    deleteLarge(this.#store, this.#field);
    this.cleared();
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#written = undefined;
  }
}
