// One thing that happened to a lobby or a match, as the journal keeps it (record 0024).

/**
 * Who did it: `player:` and the player's id, or `operator:` and the fingerprint of a server key.
 * Absent: nobody did, time or another part of the service brought it about.
 */
export type By = `player:${string}` | `operator:${string}`;

/** Absent fields are the same as null in what operators read. */
export interface Happening {
  /** Epoch ms. */
  readonly at: number;
  /** What happened, in the past tense: `entered`, `kicked`, `launched`. */
  readonly kind: string;
  readonly by?: By | undefined;
  /** The lobby of a match, or the player, that it is about. */
  readonly lobbyId?: string | undefined;
  readonly playerId?: string | undefined;
  readonly matchId?: string | undefined;
  /** In one word, for programs. */
  readonly reason?: string | undefined;
  /** In words, for people; at most MAX_DETAIL characters. */
  readonly detail?: string | undefined;
}

export const MAX_DETAIL = 400;

export function byPlayer(id: string): By {
  return `player:${id}`;
}

/** How it lies in a row: what is not said takes no room. */
export function compact(happening: Happening): Happening {
  const { detail } = happening;
  const short =
    detail === undefined ? happening : { ...happening, detail: detail.slice(0, MAX_DETAIL) };
  const said = Object.entries(short).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(said) as unknown as Happening;
}
