// How long decisions are remembered for operators (record 0024). The service promises nothing about the
// journal, and decides nothing by it.

export interface JournalSettings {
  /** How long the history of a lobby or match outlives it. 0 keeps no history at all. */
  readonly keepMs: number;
}

const HOUR_MS = 3_600_000;

export const A_DAY: JournalSettings = { keepMs: 24 * HOUR_MS };

/** Reads `JOURNAL_HOURS`: 24 by default, 0 turns the journal off. An invalid number counts as unset. */
export function journalOf({ JOURNAL_HOURS }: { readonly JOURNAL_HOURS?: string }): JournalSettings {
  const hours = JOURNAL_HOURS === undefined || JOURNAL_HOURS === '' ? NaN : Number(JOURNAL_HOURS);
  return hours >= 0 && Number.isFinite(hours) ? { keepMs: hours * HOUR_MS } : A_DAY;
}
