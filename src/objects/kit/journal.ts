// How long what was decided is remembered, for operators (record 0024). The journal is no part of
// what the service promises: nothing is decided by it.

/** How objects keep their journal. */
export interface JournalSettings {
  /** How long the history of a lobby or match outlives it; 0: nothing is kept at all. */
  readonly keepMs: number;
}

const HOUR_MS = 3_600_000;

export const A_DAY: JournalSettings = { keepMs: 24 * HOUR_MS };

/** `JOURNAL_HOURS`: 24 unless set; 0 turns the journal off. What is no such number counts as unset. */
export function journalOf({ JOURNAL_HOURS }: { readonly JOURNAL_HOURS?: string }): JournalSettings {
  const hours = JOURNAL_HOURS === undefined || JOURNAL_HOURS === '' ? NaN : Number(JOURNAL_HOURS);
  return hours >= 0 && Number.isFinite(hours) ? { keepMs: hours * HOUR_MS } : A_DAY;
}
