// Results of matches, as they are reported and shown.

export interface TeamResult {
  /** Index in the teams of the match. */
  readonly team: number;
  /** 1 is the best, and teams may share a rank. A team has a rank or a score, and all teams have the same of the two. */
  readonly rank?: number | undefined;
  /** The highest is the best. */
  readonly score?: number | undefined;
  readonly players?:
    | readonly {
        readonly id: string;
        readonly score?: number | undefined;
        /** The player left before the end. */
        readonly abandoned?: boolean | undefined;
      }[]
    | undefined;
}

export interface Result {
  readonly teams: readonly TeamResult[];
  /** Whatever else the game keeps, up to 16 KiB. */
  readonly data?: Readonly<Record<string, unknown>> | null | undefined;
}

/** A team as you report it: with a rank or a score. That of a match of one team may have neither. */
export type TeamReport = Omit<TeamResult, 'rank' | 'score'> &
  (
    | { readonly rank?: number | undefined; readonly score?: undefined }
    | { readonly rank?: undefined; readonly score?: number | undefined }
  );

/** A result as you report it. */
export interface ResultReport extends Pick<Result, 'data'> {
  readonly teams: readonly TeamReport[];
}

/** How the players' votes on the result of a match stand. */
export interface ResultTally {
  /** How many players have a vote. */
  readonly players: number;
  readonly voted: number;
  /** How many of them say the same. */
  readonly same: number;
}

/** What came of a player's own vote. Without a tally: nobody has voted, and your backend has reported the result. */
export interface VotedResult extends Partial<ResultTally> {
  /** The match has a result. */
  readonly isTaken: boolean;
}

/** What a lobby shows of the last match that was reported. */
export interface LastResult {
  readonly matchId: string;
  readonly at: string;
  readonly teams: readonly TeamResult[];
}
