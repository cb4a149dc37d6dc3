// The contract of a Ratings object: one ladder, of a project and a rated field. Modes that rate one field share it.

import type {
  KeptRating,
  Ladder as LadderAnswer,
  RatingChange as ShownChange,
  RatingSeason,
} from '../../../packages/js/src/rating-types';
import type { MatchId, PlayerId } from '../../common/ids';
import type { RatedTeam } from '../../lobby/rating';
import type { Reply } from '../../lobby/refusals';

/** A match to be rated, with its result. */
export interface RatedMatch {
  readonly matchId: MatchId;
  /** When the result was reported, epoch ms. The same each time that this match is told. */
  readonly at: number;
  readonly teams: readonly RatedTeam[];
}

export interface RatingChange extends ShownChange {
  readonly id: PlayerId;
}

/** A player as kept, exported and imported. */
export interface KeptPlayer extends KeptRating {
  readonly player: PlayerId;
  /** As of a skill; not exported. */
  readonly ratedAt?: number;
}

export type LadderPage = Omit<LadderAnswer, 'limit' | 'has_more'>;

export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
  /** The player in the middle of the page, or whose place it would be if it were new; instead of `offset`. */
  readonly around: PlayerId | null;
  /** A season that is over. Null: the one that runs. */
  readonly season: number | null;
}

export interface RatingsRpc {
  /** Rates the match, once. While a season ends, this waits. The players' records and the match are told afterwards. */
  rate(match: RatedMatch): Promise<void>;
  /**
   * A page of the ladder. Refuses NOT_FOUND: the season is not over; VALIDATION_ERROR: both `around` and a season that is
   * over.
   */
  page(query: PageQuery): Promise<Reply<LadderPage>>;
  /**
   * Ends the season of that number: keeps its ladder, and brings all players back towards the start by `factor` (0 to
   * 1). Results and imports wait until it is archived. To end it again changes nothing. Refuses PRECONDITION_FAILED if
   * another season runs.
   */
  endSeason(season: number, factor: number): Promise<Reply<RatingSeason>>;
  /**
   * Erases the player, once no season is ending. Seasons that are over keep the place, with `erased` as its player. Returns
   * the ladder's floor: no number of an erased player is above it, and it rises with each.
   */
  forget(player: PlayerId): Promise<number>;
  /** Players in the order of their ids, after that one; empty at the end. */
  exported(after: string, limit: number): Promise<readonly KeptPlayer[]>;
  /** Sets players as given, all or none, and returns how many changed. Refuses INVALID_STATE while a season ends. */
  imported(players: readonly KeptPlayer[]): Promise<Reply<number>>;
}
