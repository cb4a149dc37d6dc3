// The data that is read of game servers and recorded of matches.

export interface ServerRow {
  readonly instance_id: string;
  readonly status: string;
  readonly match_id: string | null;
  readonly created_at: string;
  readonly custom_data: {
    readonly matchmaking_mode?: string;
    readonly teams?: readonly {
      readonly lobbies: readonly {
        readonly lobby_id: string;
        readonly player_states?: Readonly<Record<string, unknown>>;
      }[];
    }[];
  };
}

/** A decline that was acknowledged, and the match it was of. */
export interface Declined {
  readonly lobby: string;
  readonly match: string;
}
