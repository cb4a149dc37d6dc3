// An entry in the history of a lobby or match, as the journal keeps it (record 0024). The service decides nothing by it.

/** A player's id, or the name or fingerprint of a server key. Absent: time or another part of the service caused it. */
export type By = `player:${string}` | `operator:${string}`;

/** Operators see absent fields as null. */
export interface Happening {
  /** Epoch ms. */
  readonly at: number;
  /** What happened, in the past tense: `entered`, `kicked`, `launched`. */
  readonly kind: string;
  readonly by?: By | undefined;
  /** The lobby or the player that the entry is about. */
  readonly lobbyId?: string | undefined;
  readonly playerId?: string | undefined;
  readonly matchId?: string | undefined;
  /** The reason in one word, for programs. */
  readonly reason?: string | undefined;
  /** More detail for people, at most MAX_HAPPENING_DETAIL characters. */
  readonly detail?: string | undefined;
}

const MAX_HAPPENING_DETAIL = 400;

export function byPlayer(id: string): By {
  return `player:${id}`;
}

/** The entry as it is saved, without empty fields. */
export function compact(happening: Happening): Happening {
  const short = { ...happening, detail: happening.detail?.slice(0, MAX_HAPPENING_DETAIL) };
  const said = Object.entries(short).filter(([, value]) => value !== undefined && value !== '');
  return Object.fromEntries(said) as unknown as Happening;
}

export interface JournalSettings {
  /** How long the history of a lobby or match outlives it. 0 keeps no history at all. */
  readonly keepMs: number;
  /** The share of matches that are traced (record 0110). Absent: no traces, as without histories. */
  readonly traced?: number;
}

const HOUR_MS = 3_600_000;

export const A_DAY: JournalSettings = { keepMs: 24 * HOUR_MS };

/** Reads `JOURNAL_HOURS`: 24 by default, 0 turns the journal off. An invalid number counts as unset. */
export function journalOf({ JOURNAL_HOURS }: { readonly JOURNAL_HOURS?: string }): JournalSettings {
  const hours = JOURNAL_HOURS === undefined || JOURNAL_HOURS === '' ? NaN : Number(JOURNAL_HOURS);
  return hours >= 0 && Number.isFinite(hours) ? { keepMs: hours * HOUR_MS } : A_DAY;
}
