// Keeps the Directory's row of a lobby fresh. After a quiet time a change is pushed at once, else within 400 ms.
// A push is always the newest state with its revision. A lost push does no harm: the lobby's alarm repeats it
// until the Directory has acknowledged the newest row, even after a crash.

import type { Lobby } from '../../lobby/lobby';
import { viewForStrangers, type LobbyView } from '../../lobby/view';
import type { DirectoryRow } from '../directory/contract';
import type { Host } from '../host';

/** Together with the age of a cached page of browsing, this stays below a second (decision 20). */
const INTERVAL_MS = 400;
/** How soon the alarm checks whether the newest row has arrived. */
const LOOK_AGAIN_MS = 2_000;

export class RowPusher {
  readonly #host: Host;
  readonly #lobby: () => Lobby | null;
  readonly #view: (lobby: Lobby) => LobbyView;
  #pushedRevision = 0;
  #pushedPrivate = false;
  /** The newest revision that the Directory is known to have. None is known after a restart. */
  #arrivedRevision = 0;
  #arrivedPrivate = false;
  #nextAt = 0;
  #scheduled = false;

  /** `lobby` returns the current lobby, `view` what players see of it. */
  constructor(host: Host, lobby: () => Lobby | null, view: (lobby: Lobby) => LobbyView) {
    this.#host = host;
    this.#lobby = lobby;
    this.#view = view;
  }

  /** The Directory's row for the lobby. The row of a private lobby shows nothing. */
  row(lobby: Lobby): DirectoryRow {
    const { id: lobbyId, revision, isPrivate } = lobby;
    return { lobbyId, revision, view: isPrivate ? null : viewForStrangers(this.#view(lobby)) };
  }

  /** The Directory has this row already, because it came with the request for the code. */
  arrived({ revision, isPrivate }: Lobby): void {
    this.#pushedRevision = revision;
    this.#pushedPrivate = isPrivate;
    this.#arrivedRevision = revision;
    this.#arrivedPrivate = isPrivate;
    this.#nextAt = this.#host.now() + INTERVAL_MS;
  }

  /** Call when the lobby may have changed. A deletion is a debt of its own. */
  changed(before: Lobby | null, after: Lobby | null): void {
    if (after === null || before?.revision === after.revision || this.#scheduled) {
      return;
    }
    if (after.revision <= this.#pushedRevision) {
      return;
    }
    const wait = this.#nextAt - this.#host.now();
    if (wait <= 0) {
      this.catchUp();
    } else {
      this.#scheduled = true;
      this.#host.later(wait, () => {
        this.#scheduled = false;
        this.catchUp();
      });
    }
  }

  /** Pushes the newest row if the Directory may not have it. */
  catchUp(): void {
    const lobby = this.#lobby();
    if (lobby === null || lobby.revision <= this.#pushedRevision) {
      return;
    }
    if (lobby.isPrivate && this.#pushedPrivate) {
      return;
    }
    this.#nextAt = this.#host.now() + INTERVAL_MS;
    this.#host.background(this.#push(lobby));
  }

  /** When the alarm must check again. Null once the newest row has arrived. */
  nextAt(): number | null {
    const lobby = this.#lobby();
    if (lobby === null || lobby.revision <= this.#arrivedRevision) {
      return null;
    }
    // The row of a private lobby shows nothing, so it is pushed only once.
    return lobby.isPrivate && this.#arrivedPrivate ? null : this.#host.now() + LOOK_AGAIN_MS;
  }

  async #push(lobby: Lobby): Promise<void> {
    const { revision, isPrivate, project, config } = lobby;
    const before = [this.#pushedRevision, this.#pushedPrivate] as const;
    this.#pushedRevision = revision;
    this.#pushedPrivate = isPrivate;
    try {
      await this.#host.peers.directory(project, config).put(this.row(lobby));
      if (revision > this.#arrivedRevision) {
        this.#arrivedRevision = revision;
        this.#arrivedPrivate = isPrivate;
      }
    } catch (error) {
      [this.#pushedRevision, this.#pushedPrivate] = before;
      throw error;
    }
  }
}
