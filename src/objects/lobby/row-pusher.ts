// Keeps the Directory's row of a lobby fresh, a moment after a change. Changes within that moment need no row of their
// own. The row is a view, and may be lost: a lobby that dies before it has pushed its row pushes it when it wakes
// within a minute or the Directory asks, else with its next change. Only the news that a lobby has become private is
// pushed until the Directory has it.

import type { Lobby } from '../../lobby/lobby';
import { viewForBrowsing } from '../../lobby/view';
import type { DirectoryRow } from '../contracts/directory';
import type { Seen } from './seen';

/** Together with the age of a cached page of browsing, this stays below a second (decision 20). */
const AFTER_MS = 400;
/** How soon a push that failed is repeated. */
const AGAIN_MS = 2_000;
/** A lobby that changed this lately may have died before it pushed its row. */
const LATELY_MS = 60_000;

export class RowPusher {
  readonly #core: Seen;
  /** The newest row that the Directory is known to have. None is known after a restart. */
  #known: Pick<Lobby, 'revision' | 'isPrivate'> = { revision: 0, isPrivate: false };
  #isScheduled = false;

  constructor(core: Seen) {
    this.#core = core;
    if ((core.lobby?.updatedAt ?? 0) > core.ports.now() - LATELY_MS) {
      this.soon();
    }
  }

  /** The Directory's row for the lobby. The row of a private lobby shows nothing. */
  row(lobby: Lobby): DirectoryRow {
    const { id: lobbyId, revision, isPrivate } = lobby;
    return { lobbyId, revision, view: isPrivate ? null : viewForBrowsing(this.#core.view(lobby)) };
  }

  /** The Directory has this row: it was pushed, or came with the request for the code. */
  arrived({ revision, isPrivate }: Lobby): void {
    if (revision > this.#known.revision) {
      this.#known = { revision, isPrivate };
    }
  }

  /** The lobby moves to another Directory, which has none of its rows. */
  moves(): void {
    this.#known = { revision: 0, isPrivate: false };
  }

  /** Call when the lobby may have changed. A deletion is a debt of its own. */
  soon(afterMs = AFTER_MS): void {
    if (!this.#isScheduled && this.#unknown() !== null) {
      const { ports } = this.#core;
      this.#isScheduled = true;
      ports.later(afterMs, () => ports.background(this.#push()));
    }
  }

  /** The lobby, if the Directory may not have its newest row. The row of a private lobby is pushed only once. */
  #unknown(): Lobby | null {
    const lobby = this.#core.lobby;
    const { revision, isPrivate } = this.#known;
    const isNews = lobby !== null && lobby.revision > revision && !(lobby.isPrivate && isPrivate);
    return isNews ? lobby : null;
  }

  /** When the alarm must push again. Null: there is no need. */
  nextAt(): number | null {
    return this.#unknown()?.isPrivate === true ? this.#core.ports.now() + AGAIN_MS : null;
  }

  async #push(): Promise<void> {
    this.#isScheduled = false;
    try {
      await this.#core.wake();
      const lobby = this.#unknown();
      if (lobby !== null) {
        const { project, config, isPrivate } = lobby;
        // Even if no answer comes, the Directory may show it from now on.
        this.#known = { ...this.#known, isPrivate: this.#known.isPrivate && isPrivate };
        await this.#core.ports.peers.directory(project, config).put(this.row(lobby));
        if (this.#core.lobby?.config === config) {
          this.arrived(lobby);
        }
      }
    } catch (error) {
      this.soon(AGAIN_MS);
      throw error;
    }
  }
}
