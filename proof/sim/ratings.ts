// Invariants of ladders at every save: a match is rated once, and only after its result; what a ladder said of a player
// never goes back.

import type { MatchId } from '../../src/common/ids';
import type { Rated } from '../../src/objects/contracts/players';
import type { Row } from '../../src/objects/ratings/ladder';
import type { MatchRecord } from '../../src/objects/contracts/reports';
import type { Disk } from './disk';
import type { Saved } from './parts';
import { RATING } from './scenario';
import { isAborted, matchOn, owedOn } from './truth';
import type { World } from './world';

export interface RatedRecord {
  readonly rated?: { readonly [field: string]: Rated };
}

export function recordOn(disk: Disk): MatchRecord | null {
  return disk.read<MatchRecord>('past') ?? null;
}

export class Ladders {
  readonly #world: World;
  /** Matches that were rated -> how many players that moved. */
  readonly #rated = new Map<MatchId, number>();
  readonly #seqs = new Map<string, number>();
  /** The games of each row at the last save. */
  #games = new Map<string, number>();
  /** Games of rows that were erased, or that a new season set back. */
  #past = 0;

  constructor(world: World) {
    this.#world = world;
  }

  ladder({ disk }: Saved): void {
    const { journal, project } = this.#world;
    for (const [key, mark] of disk.list<{ readonly changes: readonly unknown[] }>('rated:')) {
      const id = key.split(':')[2] as MatchId;
      if (!this.#rated.has(id)) {
        this.#rated.set(id, mark.changes.length);
        journal.count('happened: a match is rated');
        const match = this.#world.node('match', id).disk;
        const result = matchOn(match)?.result ?? recordOn(match)?.result;
        const isRight = result !== undefined && !isAborted(match);
        journal.check(isRight, () => `the match ${id} of ${project} is rated without a result`);
      }
    }
    const before = this.#games;
    this.#games = new Map(disk.list<Row>('player:').map(([key, row]) => [key, row.games]));
    for (const [key, count] of before) {
      this.#past += (this.#games.get(key) ?? 0) === 0 ? count : 0;
    }
    const { games, moved } = this.#counted;
    journal.check(games === moved, () => `${games} games are counted, the results have ${moved}`);
  }

  get #counted(): { readonly games: number; readonly moved: number } {
    const sum = (counts: Iterable<number>): number =>
      [...counts].reduce((all, one) => all + one, 0);
    return { games: sum(this.#games.values()) + this.#past, moved: sum(this.#rated.values()) };
  }

  /** The rows are those of an earlier run. What its ladder has erased since its results is not in them. */
  goesOn(): void {
    const { games, moved } = this.#counted;
    this.#past += moved - games;
  }

  players({ disk }: Saved): void {
    for (const [key, { rated = {} }] of disk.list<RatedRecord>('record:')) {
      const before = this.#seqs.get(key) ?? 0;
      // Without a number the player was erased, or never rated.
      const { seq } = rated[RATING.field] ?? { seq: before };
      this.#seqs.set(key, Math.max(seq, before));
      const player = key.slice('record:'.length);
      // What comes while the ladder has yet to forget the player goes with its answer.
      const isErasing = owedOn(disk).includes(`${player}\n${RATING.field}`);
      const isOn = seq >= before || isErasing;
      this.#world.journal.check(isOn, () => `the rating of ${key} went from ${before} to ${seq}`);
    }
  }
}
