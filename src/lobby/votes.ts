// What players say of the result of a match that one of them hosts, where most of them must say the same (record 0075).

import type { ResultTally } from '../../packages/js/src/result-types';
import type { PlayerId } from '../common/ids';

/** So long after the end of the match, players may still vote. */
export const VOTING_MS = 60_000;

/** Always: one vote a player, of whom the match had when the first one voted, or when it ended. Only its digest is kept. */
export interface Votes {
  /** Who has a vote. */
  readonly of: readonly PlayerId[];
  /** Who hosts the match, or hosted it last. Absent: nobody yet. */
  readonly host?: PlayerId;
  readonly said: readonly (readonly [PlayerId, digest: string])[];
}

/** How the votes stand. Null: nobody has voted. */
export function tallyOf({ of, said }: Votes = { of: [], said: [] }): ResultTally | null {
  const counts = [...Map.groupBy(said, ([, digest]) => digest).values()];
  const same = Math.max(0, ...counts.map(({ length }) => length));
  return same === 0 ? null : { players: of.length, voted: said.length, same };
}
