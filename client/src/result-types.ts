// Results of matches, as they are reported and shown.

export interface TeamResult {
  /** Index in the teams of the match. */
  readonly team: number;
  /** 1 is the best, and teams may share a rank. All teams of a result have a rank, or all have a score. */
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

/** What a lobby shows of the last match that was reported. */
export interface LastResult {
  readonly matchId: string;
  readonly at: string;
  readonly teams: readonly TeamResult[];
}
