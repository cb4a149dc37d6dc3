// The contract of a Directory object: its methods and what they promise.

import type { Census } from '../../../packages/js/src/dashboard-types';
import type { LobbyPage } from '../../../packages/js/src/types';
import type { Limit } from '../../common/buckets';
import type { LobbyId, MemberId, PlayerId } from '../../common/ids';
import type { InviteCodeConfig } from '../../lobby/config';
import type { Status } from '../../lobby/lobby';
import type { Reply } from '../../lobby/refusals';
import type { Sought, Spot } from '../../lobby/search';
import type { LobbyView } from '../../lobby/view';
import type { Watchable } from '../kit/listeners';
import type { CreateInput } from './lobby';

export interface DirectoryRow {
  readonly lobbyId: LobbyId;
  readonly revision: number;
  /** Null if the lobby is private. It is not shown, but its code works. */
  readonly view: LobbyView | null;
}

export type SortOrder = 'newest' | 'players';

/** What a list is asked for besides `region` and `status`. */
export interface Finding extends Omit<Sought, 'region' | 'status'> {
  readonly sort: SortOrder;
  /** Null: from the beginning. */
  readonly after: Spot | null;
}

export interface BrowseQuery {
  readonly region: string | null;
  readonly status: Status | null;
  readonly limit: number;
  readonly offset: number;
  /** Absent: the list of the specification, in which lobbies that accept nobody come last. */
  readonly search?: Finding;
}

/** A player wants a place in any lobby that fits, or else in one of its own, which fits too. */
export interface QuickJoin {
  readonly sought: Sought;
  /** Its player and state are those of a join, too. */
  readonly create: CreateInput;
}

/** A player wants a place in the lobby that has this key, or else founds it. */
export interface KeyJoin {
  readonly key: string;
  /** Its player and state are those of a join, too. */
  readonly create: CreateInput;
}

/** One attempt to found a lobby. A repeated request may found the lobby after the first attempt failed. */
export interface Founding {
  readonly lobbyId: LobbyId;
  /** The membership of its founder. */
  readonly by: MemberId;
  /** A quick join founds it: LOBBY_NOT_FOUND unless the Directory is waiting for it. */
  readonly isQuick?: boolean | undefined;
  /** The lobby of this key from now on: joins by the key lead to it. */
  readonly key?: string | undefined;
  /** It comes from another config, with this code. LOBBY_NOT_MOVED if another lobby has its key. */
  readonly code?: string;
}

/** An attempt to find a lobby by its code. */
export interface Guess {
  readonly code: string;
  /** Null: an operator asks. */
  readonly player: PlayerId | null;
  /** Null: not known. */
  readonly address: string | null;
  /** A token proves who the player is, so that nobody can invent players. Absent: not. */
  readonly isProven?: boolean;
  /** How many wrong codes each may send. Absent: any number. */
  readonly limits: {
    readonly player?: Limit | undefined;
    readonly address?: Limit | undefined;
    readonly config?: Limit | undefined;
  };
}

export interface DirectoryRpc extends Watchable {
  /**
   * Allocates a code for the lobby. A repeated call returns the same code. `first`: the row of the lobby that is about
   * to be founded, which is shown at once with that code.
   */
  allocate(
    founding: Founding,
    config: InviteCodeConfig | null,
    first?: DirectoryRow,
  ): Promise<Reply<string>>;
  /** The key that leads to the lobby. Null: none does. */
  keyOf(lobbyId: LobbyId): Promise<string | null>;
  /** Refuses LOBBY_NOT_FOUND, which counts as a wrong guess, and RATE_LIMITED after too many wrong guesses. */
  find(guess: Guess): Promise<Reply<LobbyId>>;
  /** An older revision never overwrites a newer one. */
  put(row: DirectoryRow): Promise<void>;
  /** Frees the code and deletes the row. If another founding has the code, the Directory asks the lobby first. */
  remove(founding: Founding): Promise<void>;
  browse(query: BrowseQuery): Promise<LobbyPage>;
  /** Brings the player into the fullest lobby that fits, or else founds one. Refuses as join and create do. */
  quickJoin(wanted: QuickJoin): Promise<Reply<LobbyView>>;
  /** Brings the player into the lobby of the key, or else founds it: never two at a time. Refuses as join and create do. */
  joinByKey(wanted: KeyJoin): Promise<Reply<LobbyView>>;
  census(): Promise<Census>;
  /** The lobbies whose ids begin so, private ones too; at most PRIVATE_IDS. */
  beginning(id: string): Promise<readonly LobbyId[]>;
  /** Players in public lobbies whose ids have that part, in lower case, and their lobbies; at most ten. */
  playersLike(part: string): Promise<readonly (readonly [player: string, lobby: LobbyId])[]>;
}
