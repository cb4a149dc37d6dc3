// The bans of a project, as its object keeps them and as isolates remember them (record 0045).

import type { Ban as ShownBan } from '../../../packages/js/src/identity-types';
import type { By } from '../../common/happening';

/** A player has at most one ban in each config, and one in the whole project. */
export interface Ban extends ShownBan {
  readonly by: By;
}

export interface BanList {
  /** Rises by 1 with every change. */
  readonly revision: number;
  /** Oldest first. Some may be over. */
  readonly bans: readonly Ban[];
}

/** `lift` without a config lifts all bans of the player. Repeating a change has no further effect. */
export type BanChange =
  | { readonly act: 'ban'; readonly ban: Ban }
  | { readonly act: 'lift'; readonly playerId: string; readonly config: string | null };

/** When the ban ends, epoch ms. */
export function banEnds({ until }: Ban): number {
  return until === null ? Infinity : Date.parse(until);
}
