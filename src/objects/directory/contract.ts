// What a directory may be asked, and what it promises.

import type { LobbyId, MemberId } from '../../ids';
import type { InviteCodeConfig } from '../../lobby/config';
import type { Status } from '../../lobby/lobby';
import type { Reply } from '../../lobby/refusals';
import type { LobbyView } from '../../lobby/view';
import type { Guess } from './guesses';
import type { Watchable } from '../kit/watched';
import type { Census } from '../reports';

export interface DirectoryRow {
  readonly lobbyId: LobbyId;
  readonly revision: number;
  /** Null when the lobby is private: not shown, but its code lives. */
  readonly view: LobbyView | null;
}

export interface BrowseQuery {
  readonly region: string | null;
  readonly status: Status | null;
  readonly limit: number;
  readonly offset: number;
}

export interface BrowsePage {
  readonly lobbies: readonly LobbyView[];
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
}

/** One attempt to found a lobby; a request told again may found it after the first failed. */
export interface Founding {
  readonly lobbyId: LobbyId;
  /** The membership of its founder. */
  readonly by: MemberId;
}

export interface DirectoryRpc extends Watchable {
  /**
   * A code of its own for the lobby, the same one when asked again. `first`: as the lobby is about
   * to be founded, shown at once under that code.
   */
  allocate(
    founding: Founding,
    config: InviteCodeConfig | null,
    first?: DirectoryRow,
  ): Promise<Reply<string>>;
  /** LOBBY_NOT_FOUND, which counts as a wrong guess; RATE_LIMITED after too many. */
  find(guess: Guess): Promise<Reply<LobbyId>>;
  /** An older revision never overwrites a newer one. */
  put(row: DirectoryRow): Promise<void>;
  /** Frees the code and takes the row away; of another founding: once that lobby is gone. */
  remove(founding: Founding): Promise<void>;
  browse(query: BrowseQuery): Promise<BrowsePage>;
  census(): Promise<Census>;
}
