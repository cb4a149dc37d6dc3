// The contract of a Players object: the records of a share of a project's players, and what it promises.

import type { PlayerId } from '../../common/ids';
import type { JsonObject } from '../../common/json';
import type { Attributes } from '../../lobby/attributes';
import type { Decline } from '../../lobby/cooldown';
import type { Skill } from '../../match/rules/skill';
import type { Reply } from '../../lobby/refusals';

export interface RecordChange {
  readonly player: PlayerId;
  /** `put` replaces the record, `patch` merges into it (null removes a key), `remove` erases it, and the player's ratings. */
  readonly act: 'put' | 'patch' | 'remove';
  readonly attributes: JsonObject;
}

/** What a ladder says of a player. `seq` rises with every change. */
export interface Rated {
  readonly seq: number;
  readonly attributes: JsonObject;
  /** What `attributes` shows. Absent: an earlier release said it. */
  readonly kept?: Skill;
}

export interface PlayersRpc {
  /**
   * Ratings are as decayed by now. A player without a record has no attributes, at the revision after which its next
   * record counts.
   */
  read(player: PlayerId): Promise<Attributes>;
  /**
   * Makes all changes or none, and returns the records in the same order. A change that changes nothing keeps its
   * revision. Refuses VALIDATION_ERROR, and PRECONDITION_FAILED unless `ifRevision` is null or the revision of
   * the first record. The player's lobbies are told afterwards.
   */
  change(
    changes: readonly RecordChange[],
    ifRevision: number | null,
  ): Promise<Reply<readonly Attributes[]>>;
  /**
   * What a ladder says of the player in a rated field, from now on and over anything that a backend says there. A
   * number not above the last one changes nothing. `floor`: of the ladder, when it said so. False: it has erased somebody
   * since, perhaps this player, and has to say it anew.
   */
  rated(
    player: PlayerId,
    field: string,
    said: Rated & { readonly floor: number },
  ): Promise<boolean>;
  /** Spends a one-time login ticket, by its digest. False: it was spent before. Do not retry: a retry answers false. */
  spend(player: PlayerId, digest: string): Promise<boolean>;
  /** The player turned a match down. The same match again changes nothing. */
  turnedDown(player: PlayerId, no: Decline): Promise<void>;
  /** Until when the player may not search, epoch ms, in a mode with that `declineCooldown`. Null: the player may. */
  coolsUntil(player: PlayerId, seconds: number): Promise<number | null>;
}
