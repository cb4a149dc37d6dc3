// A mode that was changed or deleted while lobbies are queued for it (decision 32). All tickets are gone through in
// slices, and each slice is saved before the next begins.

import type { Mode } from '../../match/rules/mode';
import { pause } from '../../common/later';
import type { QueueCore } from './core';
import type { TicketRow } from './rows';

export class ModeChange {
  readonly #core: QueueCore;
  /** The change for which tickets are being gone through, or were last. */
  #name = '';
  #done: Promise<void> = Promise.resolve();

  constructor(core: QueueCore) {
    this.#core = core;
  }

  /** Takes over the mode; null deletes it. Resolves when all tickets are done. A repeated call joins the first. */
  async to(mode: Mode | null, revision: number): Promise<void> {
    const core = this.#core;
    core.commit(() => {
      if (mode === null) {
        core.state.setGone(revision);
      } else {
        core.useMode(mode, revision);
      }
    });
    const name = `${mode === null} ${revision}`;
    if (this.#name !== name) {
      this.#name = name;
      this.#done = this.#all((row) => this.#apply(row, mode, revision));
    }
    // With many tickets this takes longer than the project waits. The project then asks again.
    await this.#done;
  }

  /** Asks lobbies for tickets of the new mode, or returns the tickets of a deleted one. */
  #apply({ ticket, modeRevision }: TicketRow, mode: Mode | null, revision: number): void {
    const { state, outbox } = this.#core;
    const { id: ticketId, lobbyId } = ticket;
    if (mode !== null && modeRevision < revision) {
      outbox.add([{ to: 'refresh', lobbyId, ticketId }]);
    } else if (mode === null && state.isGone(modeRevision) && !state.takenBy(ticketId)) {
      this.#core.giveBack(ticketId, 'config_changed');
    }
  }

  /** Calls `act` for each ticket that waits now, in slices, longest wait first. */
  async #all(act: (row: TicketRow) => void): Promise<void> {
    const core = this.#core;
    // The queue reads them a slice at a time.
    while (!core.state.isWhole) {
      await pause(0, core.host);
    }
    const ids = [...core.state.byWait].map(({ id }) => id);
    for (let from = 0; from < ids.length; from += core.rows) {
      if (from > 0) {
        await pause(0, core.host);
      }
      const slice = ids.slice(from, from + core.rows);
      core.commit(() => slice.flatMap((id) => core.state.ticket(id) ?? []).forEach(act));
    }
  }
}
