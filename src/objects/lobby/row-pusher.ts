// Keeps the Directory's row of a lobby fresh: the newest state with its revision, a moment after a change. What
// changes again within that moment, or ends, needs no row of its own.
//
// The row is a view, and may be lost: a lobby that dies before it has pushed its row pushes it when it wakes within a
// minute or the Directory asks, else with its next change. Only that a lobby has become private is pushed until the
// Directory has it.

import type { Lobby } from '../../lobby/lobby';
import { viewForBrowsing, type LobbyView } from '../../lobby/view';
import type { DirectoryRow } from '../directory/contract';
import type { Host } from '../host';

/** Together with the age of a cached page of browsing, this stays below a second (decision 20). */
const AFTER_MS = 400;
/** How soon a push that failed is repeated. */
const AGAIN_MS = 2_000;
/** A lobby that changed this lately may have died before it pushed its row. */
const LATELY_MS = 60_000;

export class RowPusher {
  readonly #host: Host;
  readonly #lobby: () => Lobby | null;
  readonly #view: (lobby: Lobby) => LobbyView;
  readonly #ready: () => Promise<void>;
  /** The newest row that the Directory is known to have. None is known after a restart. */
  #known: Pick<Lobby, 'revision' | 'isPrivate'> = { revision: 0, isPrivate: false };
  #isScheduled = false;

  /** `lobby` returns the current lobby, `view` what players see of it once `ready` has loaded the config. */
  constructor(
    host: Host,
    lobby: () => Lobby | null,
    view: (lobby: Lobby) => LobbyView,
    ready: () => Promise<void>,
  ) {
    this.#host = host;
    this.#lobby = lobby;
    this.#view = view;
    this.#ready = ready;
    if ((lobby()?.updatedAt ?? 0) > host.now() - LATELY_MS) {
      this.soon();
    }
  }

  /** The Directory's row for the lobby. The row of a private lobby shows nothing. */
  row(lobby: Lobby): DirectoryRow {
    const { id: lobbyId, revision, isPrivate } = lobby;
    return { lobbyId, revision, view: isPrivate ? null : viewForBrowsing(this.#view(lobby)) };
  }

  /** The Directory has this row: it was pushed, or came with the request for the code. */
  arrived({ revision, isPrivate }: Lobby): void {
    if (revision > this.#known.revision) {
      this.#known = { revision, isPrivate };
    }
  }

  /** Call when the lobby may have changed. A deletion is a debt of its own. */
  soon(afterMs = AFTER_MS): void {
    if (!this.#isScheduled && this.#unknown() !== null) {
      this.#isScheduled = true;
      this.#host.later(afterMs, () => this.#host.background(this.#push()));
    }
  }

  /** The lobby, if the Directory may not have its newest row. The row of a private lobby is pushed only once. */
  #unknown(): Lobby | null {
    const lobby = this.#lobby();
    const { revision, isPrivate } = this.#known;
    const isKnown =
      lobby !== null && (lobby.revision <= revision || (lobby.isPrivate && isPrivate));
    return isKnown ? null : lobby;
  }

  /** When the alarm must push again. Null: there is no need. */
  nextAt(): number | null {
    return this.#unknown()?.isPrivate === true ? this.#host.now() + AGAIN_MS : null;
  }

  async #push(): Promise<void> {
    this.#isScheduled = false;
    try {
      await this.#ready();
      const lobby = this.#unknown();
      if (lobby !== null) {
        const { project, config } = lobby;
        await this.#host.peers.directory(project, config).put(this.row(lobby));
        this.arrived(lobby);
      }
    } catch (error) {
      this.soon(AGAIN_MS);
      throw error;
    }
  }
}
