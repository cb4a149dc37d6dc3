// Keeps the Directory's row of a lobby fresh: pushed at once when quiet, else after 400 ms at
// most, always the newest state under its revision. Losing a push loses no truth: the lobby's
// alarm looks again until the Directory has acknowledged the newest row, also after a crash.

import type { Lobby } from '../../lobby/lobby';
import { viewForStrangers, type LobbyView } from '../../lobby/view';
import type { DirectoryRow } from '../directory/contract';
import type { Host } from '../host';

/** With the age of a page of browsing it is less than a second (decision 20). */
const INTERVAL_MS = 400;
/** When the alarm looks whether the newest row has arrived. */
const LOOK_AGAIN_MS = 2_000;

export class RowPusher {
  readonly #host: Host;
  readonly #lobby: () => Lobby | null;
  readonly #view: (lobby: Lobby) => LobbyView;
  #pushedRevision = 0;
  #pushedPrivate = false;
  /** The newest revision the Directory is known to have; after a restart none is known. */
  #arrivedRevision = 0;
  #arrivedPrivate = false;
  #nextAt = 0;
  #scheduled = false;

  /** `lobby` answers how it is now, `view` how players see it. */
  constructor(host: Host, lobby: () => Lobby | null, view: (lobby: Lobby) => LobbyView) {
    this.#host = host;
    this.#lobby = lobby;
    this.#view = view;
  }

  /** The row of the lobby as it is; a private one shows nothing. */
  row(lobby: Lobby): DirectoryRow {
    const { id: lobbyId, revision, isPrivate } = lobby;
    return { lobbyId, revision, view: isPrivate ? null : viewForStrangers(this.#view(lobby)) };
  }

  /** The Directory has this row: it came with the request for the code. */
  arrived({ revision, isPrivate }: Lobby): void {
    this.#pushedRevision = revision;
    this.#pushedPrivate = isPrivate;
    this.#arrivedRevision = revision;
    this.#arrivedPrivate = isPrivate;
    this.#nextAt = this.#host.now() + INTERVAL_MS;
  }

  /** Tells that the lobby may have changed. A deletion is a debt of its own. */
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

  /** Pushes when the Directory may not have the newest row. */
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

  /** When the alarm must look again; null once the newest row has arrived. */
  nextAt(): number | null {
    const lobby = this.#lobby();
    if (lobby === null || lobby.revision <= this.#arrivedRevision) {
      return null;
    }
    // A private lobby shows nothing: its empty row is pushed once.
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
