// Tickets that complete a proposal in the transaction in which they enter. They have no row of their own: the row of
// the proposal has them for as long as it stays.

import type { TicketId } from '../../common/ids';

export class Newcomers {
  /** The proposal whose row has the ticket. Null: the ticket is not saved yet. */
  readonly #within = new Map<TicketId, string | null>();
  /** Proposals whose rows are to be written. */
  readonly changed = new Set<string>();

  /** `within`: the proposal whose saved row has the ticket. Null: the ticket enters in this transaction. */
  note(id: TicketId, within: string | null): void {
    this.#within.set(id, within);
  }

  /** Call when a ticket changes. False if it has a row of its own, which is then to be written. */
  change(id: TicketId): boolean {
    const within = this.#within.get(id);
    if (within !== undefined && within !== null) {
      this.changed.add(within);
    }
    return within !== undefined;
  }

  /** Call when a ticket is dropped. False if it has a row of its own. */
  drop(id: TicketId): boolean {
    const isHere = this.change(id);
    this.#within.delete(id);
    return isHere;
  }

  /** Call at the end of a transaction. Returns the tickets that get a row of their own. */
  settle(takenBy: ReadonlyMap<TicketId, string>): readonly TicketId[] {
    const own: TicketId[] = [];
    for (const [id, within] of this.#within) {
      const by = takenBy.get(id);
      if (by !== undefined && (within === null ? this.changed.has(by) : within === by)) {
        this.#within.set(id, by);
      } else {
        this.#within.delete(id);
        own.push(id);
      }
    }
    return own;
  }

  has(id: TicketId): boolean {
    return this.#within.has(id);
  }
}
