// Keeps the Directory's row of a lobby fresh: pushed at once when quiet, else at most once a
// second, always the newest state under its revision. Losing a push loses no truth: the lobby's
// alarm looks again until the Directory has acknowledged the newest row, also after a crash.

import type { Lobby } from '../../lobby/lobby';
import type { LobbyHeart } from './heart';

const INTERVAL_MS = 1_000;
/** When the alarm looks whether the newest row has arrived. */
const LOOK_AGAIN_MS = 2_000;

export class RowPusher {
  readonly #core: LobbyHeart;
  #pushedRevision = 0;
  #pushedPrivate = false;
  /** The newest revision the Directory is known to have; after a restart none is known. */
  #arrivedRevision = 0;
  #arrivedPrivate = false;
  #nextAt = 0;
  #scheduled = false;

  constructor(core: LobbyHeart) {
    this.#core = core;
  }

  /** Tells that the lobby may have changed. A deletion is a debt of its own. */
  changed(before: Lobby | null, after: Lobby | null): void {
    if (after === null || before?.revision === after.revision || this.#scheduled) {
      return;
    }
    const wait = this.#nextAt - this.#core.host.now();
    if (wait <= 0) {
      this.catchUp();
    } else {
      this.#scheduled = true;
      this.#core.host.later(wait, () => {
        this.#scheduled = false;
        this.catchUp();
      });
    }
  }

  /** Pushes when the Directory may not have the newest row. */
  catchUp(): void {
    const { lobby, host } = this.#core;
    if (lobby === null || lobby.revision <= this.#pushedRevision) {
      return;
    }
    if (lobby.isPrivate && this.#pushedPrivate) {
      return;
    }
    this.#nextAt = host.now() + INTERVAL_MS;
    host.background(this.#push(lobby));
  }

  /** When the alarm must look again; null once the newest row has arrived. */
  nextAt(): number | null {
    const { lobby, host } = this.#core;
    if (lobby === null || lobby.revision <= this.#arrivedRevision) {
      return null;
    }
    // A private lobby shows nothing: its empty row is pushed once.
    return lobby.isPrivate && this.#arrivedPrivate ? null : host.now() + LOOK_AGAIN_MS;
  }

  async #push(lobby: Lobby): Promise<void> {
    const { id, revision, isPrivate, project, config } = lobby;
    const before = [this.#pushedRevision, this.#pushedPrivate] as const;
    this.#pushedRevision = revision;
    this.#pushedPrivate = isPrivate;
    const view = isPrivate ? null : this.#core.view(lobby);
    try {
      await this.#core.host.peers.directory(project, config).put({ lobbyId: id, revision, view });
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
