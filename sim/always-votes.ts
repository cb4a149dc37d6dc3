// Invariant of results that most players must report: more than half of those who have a vote have said it (record 0075).

import type { Result } from '../client/src/result-types.ts';
import type { MatchId, PlayerId } from '../src/common/ids';
import type { Journal } from './journal';
import type { Saved } from './parts';
import { recordOn } from './ratings';
import { matchOn } from './truth';

function winnerOf({ teams }: Result): number | undefined {
  return teams.find(({ rank }) => rank === 1)?.team;
}

export class Votes {
  readonly #journal: Journal;
  /** Match -> player -> whom the player ever named. */
  readonly #said = new Map<MatchId, Map<PlayerId, Set<number>>>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  asks(id: MatchId, player: PlayerId, winner: number): void {
    const said = this.#said.get(id) ?? new Map<PlayerId, Set<number>>();
    this.#said.set(id, said.set(player, (said.get(player) ?? new Set()).add(winner)));
  }

  saved({ name, disk }: Saved): void {
    const id = name[0] as MatchId;
    const said = this.#said.get(id);
    const match = matchOn(disk);
    const { result, votes } = match ?? recordOn(disk) ?? {};
    if (said === undefined || result === undefined) {
      return;
    }
    const all = votes?.of ?? match?.participants.flatMap(({ members }) => members) ?? [];
    const those = all.filter((player) => said.get(player)?.has(winnerOf(result) ?? -1));
    this.#journal.check(
      those.length * 2 > all.length,
      () => `the result of ${id} is what ${those.join(', ')} said, of ${all.join(', ')}`,
    );
    this.#journal.count('happened: most players say what the result is');
  }
}
