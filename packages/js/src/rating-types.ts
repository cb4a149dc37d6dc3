// Ladders of rated modes. A mode names its ladder, so all calls name a config and a mode.

export interface RatedMode {
  readonly config: string;
  readonly mode: string;
}

export interface LadderQuery extends RatedMode {
  /** The player in the middle of the page, or whose place it would be if it were new; instead of `offset`. */
  readonly around?: string | undefined;
  /** A season that is over. */
  readonly season?: number | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

/** A page of a ladder. */
export interface Ladder {
  readonly season: number;
  /** All players on the ladder. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly has_more: boolean;
  readonly players: readonly LadderPlayer[];
}

/** Rating and uncertainty are in points. */
export interface LadderPlayer {
  /** 1 is the best. */
  readonly place: number;
  readonly player: string;
  readonly rating: number;
  readonly uncertainty: number;
  /** Rated games of the season. */
  readonly games: number;
}

/** How a ladder becomes uncertain of players who are not rated. */
export interface RatingDecay {
  /** Each time that so many days have passed, the uncertainty grows, up to that of a new player. */
  readonly afterDays: number;
  /** By how much, in points: the square of the uncertainty grows by the square of this. */
  readonly sigma: number;
}

/** What a match did to a player, in points. */
export interface RatingChange {
  readonly id: string;
  readonly rating: number;
  readonly uncertainty: number;
  /** The rating before. */
  readonly before: number;
}

/** A player as kept: mean and deviation of the skill. A new player has 25 and 25 / 3. */
export interface KeptRating {
  readonly player: string;
  readonly mu: number;
  readonly sigma: number;
  readonly games: number;
}

export interface ExportQuery extends RatedMode {
  /** Only players behind this id. */
  readonly after?: string | undefined;
}

export interface RatingSeason {
  /** The season that runs, or is about to begin. */
  readonly season: number;
  /** Whether the one before is still being archived. */
  readonly isEnding: boolean;
}
