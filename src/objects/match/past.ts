// The record that a match leaves. It is one row, kept for as long as the journal keeps it, and for ten minutes at
// least: lobbies and queues may ask late.

import type { MatchId } from '../../common/ids';
import type { Host } from '../host';
import type { JournalSettings } from '../kit/journal';
import { getLarge, putLarge } from '../kit/large';
import type { MatchRecord } from '../reports';
import { metrics } from '../../common/metrics';
import { isSetback } from '../../lobby/reasons';
import { noted, recordOf, type Cause } from './history';
import type { Match } from './state';

const PAST = 'past';
/** How long an ended or aborted match is remembered at least. */
export const REMEMBER_MS = 10 * 60_000;

export class Past {
  readonly #host: Host;
  readonly #id: MatchId;
  readonly keepMs: number;
  #record: MatchRecord | null;

  constructor(host: Host, id: MatchId, { keepMs }: JournalSettings) {
    this.#host = host;
    this.#id = id;
    this.keepMs = keepMs;
    this.#record = getLarge<MatchRecord>(host.store, PAST) ?? null;
  }

  get isThere(): boolean {
    return this.#record !== null;
  }

  /** When the record is forgotten. Null: there is none. */
  get forgottenAt(): number | null {
    const keptMs = Math.max(this.keepMs, REMEMBER_MS);
    return this.#record === null ? null : (this.#record.endedAt ?? 0) + keptMs;
  }

  /** The record of the match, live or past. Null if the match belongs to another project. */
  of(match: Match | null, project: string): MatchRecord | null {
    const found = this.now(match);
    return found?.project === project ? found : null;
  }

  /** The next state, with this change added to its history. */
  noted(before: Match | null, next: Match, cause: Cause): Match {
    return this.keepMs === 0 ? next : noted(before, next, cause, this.#host.now());
  }

  /** Reports a match that came to no game to its queue's journal. The report is sent once, and may be lost. */
  saved(before: Match | null, next: Match): void {
    const isNew = next.phase === 'over' && before !== null && before.phase !== 'over';
    if (!isNew || !isSetback(next.reason)) {
      return;
    }
    const { project, config, mode } = next.roster;
    const labels = { project, config, mode, reason: next.reason };
    metrics.count('muster_matches_failed_total', labels);
    if (this.keepMs > 0) {
      const { detail, reason } = recordOf(next, this.#id);
      const queue = this.#host.peers.queue(project, config, mode);
      this.#host.background(queue.matchFailed(this.#id, reason ?? '', detail));
    }
  }

  /** The record of the match, live or past. */
  now(match: Match | null): MatchRecord | null {
    return match === null ? this.#record : recordOf(match, this.#id);
  }

  /** Replaces the record of a match that only its record remembers. Call inside a transaction. */
  change(record: MatchRecord): void {
    this.#record = record;
    putLarge(this.#host.store, PAST, record);
  }

  /** Call inside the transaction that deletes the match. */
  keep(match: Match): void {
    this.change(recordOf(match, this.#id));
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#record = null;
  }
}
