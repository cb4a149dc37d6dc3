// The contract of a Ratings object: one ladder, of a project and a rated field. Modes that rate one field share it.

import type { MatchId, PlayerId } from '../../common/ids';
import type { RatedTeam, Skill } from '../../lobby/rating';
import type { Reply } from '../../lobby/refusals';

/** A match to be rated, with its result. */
export interface RatedMatch {
  readonly matchId: MatchId;
  /** When the result was reported, epoch ms. The same each time that this match is told. */
  readonly at: number;
  readonly teams: readonly RatedTeam[];
}

/** What a match did to a player, in points. */
export interface RatingChange {
  readonly id: PlayerId;
  readonly rating: number;
  readonly uncertainty: number;
  /** The rating before the match. */
  readonly before: number;
}

/** A player as kept, exported and imported. */
export interface Kept extends Skill {
  readonly player: PlayerId;
  /** Rated games of the season. */
  readonly games: number;
}

/** A player on the ladder. Rating and uncertainty are in points. */
export interface Standing {
  /** 1 is the best. Null: not on the ladder, since no result has rated the player. */
  readonly place: number | null;
  readonly player: PlayerId;
  readonly rating: number;
  readonly uncertainty: number;
  readonly games: number;
}

export interface LadderPage {
  readonly season: number;
  /** All players on the ladder. */
  readonly total: number;
  /** The index of the first of these. */
  readonly offset: number;
  readonly players: readonly Standing[];
}

export interface PageQuery {
  readonly limit: number;
  readonly offset: number;
  /** The player in the middle of the page, instead of `offset`. */
  readonly around: PlayerId | null;
  /** A season that is over. Null: the one that runs. */
  readonly season: number | null;
}

export interface SeasonState {
  /** The season that runs, or is about to begin. */
  readonly season: number;
  /** Whether the season before is still being archived. Results and imports wait for that. */
  readonly isEnding: boolean;
}

export interface RatingsRpc {
  /** Rates the match, once. While a season ends, this waits. The players' records and the match are told afterwards. */
  rate(match: RatedMatch): Promise<void>;
  /**
   * A page of the ladder. Refuses NOT_FOUND: `around` is not on it, or the season is not over; VALIDATION_ERROR: both
   * `around` and a season that is over.
   */
  page(query: PageQuery): Promise<Reply<LadderPage>>;
  read(player: PlayerId): Promise<Standing>;
  /**
   * Ends the season of that number: keeps its ladder, and brings all players back towards the start by `factor` (0 to
   * 1). To end it again changes nothing. Refuses PRECONDITION_FAILED if another season runs.
   */
  endSeason(season: number, factor: number): Promise<Reply<SeasonState>>;
  /** Erases the player, once no season is ending. Seasons that are over keep the place, with `erased` as its player. */
  forget(player: PlayerId): Promise<void>;
  /** Players in the order of their ids, after that one; empty at the end. */
  exported(after: string, limit: number): Promise<readonly Kept[]>;
  /** Sets players as given, all or none, and returns how many changed. Refuses INVALID_STATE while a season ends. */
  imported(players: readonly Kept[]): Promise<Reply<number>>;
}
