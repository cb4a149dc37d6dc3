// What is left of a match: its record, or that it was aborted before it opened. It is one row. A record is kept for as
// long as the journal keeps it, and for ten minutes at least: lobbies and queues may ask late.

import type { MatchId } from '../../common/ids';
import type { Host } from '../host';
import type { JournalSettings } from '../kit/journal';
import { getLarge, putLarge } from '../kit/large';
import type { MatchRecord } from '../reports';
import { metrics } from '../../common/metrics';
import { isSetback } from '../../lobby/reasons';
import { noted, recordOf, type Cause } from './history';
import type { Hooks } from './hooks';
import type { Match } from './state';

const PAST = 'past';
const ABORTED = 'aborted';
/** How long an ended or aborted match is remembered at least. */
const REMEMBER_MS = 10 * 60_000;

export class Past {
  readonly #host: Host;
  readonly #hooks: Pick<Hooks, 'empty'>;
  readonly #id: MatchId;
  readonly keepMs: number;
  #record: MatchRecord | null;
  #abortedAt: number | null;

  constructor(host: Host, id: MatchId, { keepMs }: JournalSettings, hooks: Pick<Hooks, 'empty'>) {
    this.#host = host;
    this.#hooks = hooks;
    this.#id = id;
    this.keepMs = keepMs;
    this.#record = getLarge<MatchRecord>(host.store, PAST) ?? null;
    this.#abortedAt = host.store.get<number>(ABORTED) ?? null;
  }

  get isThere(): boolean {
    return this.#record !== null;
  }

  get isAborted(): boolean {
    return this.#abortedAt !== null;
  }

  /** The match will never open. */
  abort(): void {
    this.#abortedAt ??= this.#host.now();
    this.#host.store.put(ABORTED, this.#abortedAt);
  }

  /** When all is forgotten. Null: nothing is left yet, or the backend was not told all. */
  get forgottenAt(): number | null {
    if (!this.#hooks.empty) {
      return null;
    }
    const keptMs = Math.max(this.keepMs, REMEMBER_MS);
    const aborted = this.#abortedAt === null ? null : this.#abortedAt + REMEMBER_MS;
    return this.#record === null ? aborted : (this.#record.endedAt ?? 0) + keptMs;
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
    this.#abortedAt = null;
  }
}
