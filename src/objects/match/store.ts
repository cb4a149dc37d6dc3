// What a match object remembers: the match; once that is over and everybody was told, its record alone; or that it was
// aborted before it opened. A record is kept as long as the journal keeps it, and for ten minutes at least: lobbies and
// queues may ask late.

import type { MatchId, TicketId } from '../../common/ids';
import { metrics } from '../../common/metrics';
import { must } from '../../common/result';
import type { ActorPorts } from '../contracts/actor-ports';
import type { JournalSettings } from '../../common/happening';
import type { MatchRecord } from '../contracts/reports';
import { always, breaches } from '../kit/always';
import type { Store } from '../kit/ports';
import type { RematchRow } from './again';
import { brokenInMatch } from './always';
import { matchRecordOf, noted, outcomeOf, type MatchCause } from './history';
import type { Match, LaterParty, Newcomers } from './state';

const MATCH = 'match';
const APART = ['roster', 'earlier', 'links'] as const;
const CAME = 'came:';
const PAST = 'past';
const REMATCH = 'rematch';
const ABORTED = 'aborted';
/** How long an ended or aborted match is remembered at least. */
const REMEMBER_MS = 10 * 60_000;

/** What may come of a match while it runs, or later. */
export type Aftermath = Pick<Match, 'result' | 'rated' | 'votes' | 'links'>;

const OWN_ROWS: ReadonlySet<string> = new Set([...APART, 'newcomers']);

function restOf(match: Match): object {
  return Object.fromEntries(Object.entries(match).filter(([key]) => !OWN_ROWS.has(key)));
}

function isShallowlySame(one: object, other: object): boolean {
  return Object.keys({ ...one, ...other }).every(
    (key) => Reflect.get(one, key) === Reflect.get(other, key),
  );
}

/** The match as its rows have it. Null: there are none. */
export function matchIn(store: Pick<Store, 'get' | 'list'>): Match | null {
  // Rows of an earlier release have the earlier stays and the links among the rest.
  const rest = store.get<Partial<Match>>(MATCH);
  if (rest === undefined) {
    return null;
  }
  const apart = Object.fromEntries(APART.map((key) => [key, store.get(key) ?? rest[key]]));
  const came = Array.from(store.list<LaterParty>(CAME), ([key, row]) => [
    key.slice(CAME.length),
    row,
  ]);
  const newcomers = came.length > 0 && { newcomers: Object.fromEntries(came) as Newcomers };
  must(apart['roster'], 'a roster');
  return { ...rest, ...apart, ...newcomers } as Match;
}

export class MatchStore {
  readonly #ports: ActorPorts;
  readonly #id: MatchId;
  readonly #keepMs: number;
  #match: Match | null;
  #past: MatchRecord | null;
  #rematch: RematchRow;
  #abortedAt: number | null;
  /** What this incarnation has saved in rows of their own. */
  readonly #written: { [key in (typeof APART)[number]]?: unknown } = {};

  constructor(ports: ActorPorts, id: MatchId, { keepMs }: JournalSettings) {
    this.#ports = ports;
    this.#id = id;
    this.#keepMs = keepMs;
    const { store } = ports;
    this.#match = matchIn(store);
    this.#past = store.get<MatchRecord>(PAST) ?? null;
    this.#rematch = store.get<RematchRow>(REMATCH) ?? { yes: [] };
    this.#abortedAt = store.get<number>(ABORTED) ?? null;
  }

  /** Null: only its record is left, it was aborted, or it has not opened. */
  get match(): Match | null {
    return this.#match;
  }

  /** Whether the match may still open. */
  get isNew(): boolean {
    return this.#match === null && this.#past === null && !this.isAborted;
  }

  get isAborted(): boolean {
    return this.#abortedAt !== null;
  }

  /** The record of the match, live or past. Throws if the match has not opened. */
  get record(): MatchRecord {
    const record = this.#match === null ? this.#past : matchRecordOf(this.#match, this.#id);
    return must(record, 'the record of a match');
  }

  /** Also once only the record is left. */
  get hasResult(): boolean {
    return (this.#match ?? this.#past)?.result !== undefined;
  }

  get rematch(): RematchRow {
    return this.#rematch;
  }

  /** Call inside a transaction. */
  keepRematch(row: RematchRow): void {
    this.#rematch = row;
    this.#ports.store.put(REMATCH, row);
  }

  /** The same. Null: there is no such match in that project. */
  recordIn(project: string): MatchRecord | null {
    const record = this.isNew || this.isAborted ? null : this.record;
    return record?.project === project ? record : null;
  }

  /** Whether that ticket was in the match. Only the record of the match is left. */
  took(ticketId: TicketId): boolean {
    return this.#past?.tickets?.includes(ticketId) === true;
  }

  /** When all is forgotten. Null: nothing is left yet. */
  get forgottenAt(): number | null {
    const keptMs = Math.max(this.#keepMs, REMEMBER_MS);
    const aborted = this.#abortedAt === null ? null : this.#abortedAt + REMEMBER_MS;
    return this.#past === null ? aborted : (this.#past.endedAt ?? 0) + keptMs;
  }

  /** The match will never open. */
  abort(): void {
    this.#abortedAt = this.#ports.now();
    this.#ports.store.put(ABORTED, this.#abortedAt);
  }

  /** Whether the next state keeps what always holds. Asked where the caller would else ask again without end. */
  keeps(next: Match): boolean {
    const of = { project: next.roster.project, actor: 'match' };
    return breaches(this.#ports, of, [this.#match, next], brokenInMatch).length === 0;
  }

  /** Saves the next state, with what happened in its history. Call inside a transaction. */
  save(next: Match, cause: MatchCause): void {
    const now = this.#ports.now();
    const of = { project: next.roster.project, actor: 'match' };
    always(this.#ports, of, [this.#match, next], brokenInMatch);
    this.#put(this.#keepMs === 0 ? next : noted(this.#match, next, cause, now));
  }

  #put(match: Match): void {
    const { store } = this.#ports;
    const before = this.#match;
    // What is large, or changes apart from the rest, has rows of its own: the roster of a large match has megabytes.
    for (const key of APART) {
      if (match[key] && match[key] !== this.#written[key]) {
        store.put(key, match[key]);
        this.#written[key] = match[key];
      }
    }
    const [came, had] = [match.newcomers ?? {}, before?.newcomers ?? {}];
    for (const id of Object.keys({ ...came, ...had }) as TicketId[]) {
      if (came[id] === undefined) {
        store.delete(CAME + id);
      } else if (came[id] !== had[id]) {
        store.put(CAME + id, came[id]);
      }
    }
    const rest = restOf(match);
    if (before === null || !isShallowlySame(rest, restOf(before))) {
      store.put(MATCH, rest);
    }
    this.#match = match;
  }

  /** Adds what came of the match. Call inside a transaction, which gets the record as it is then. */
  add(came: Aftermath): MatchRecord {
    const { rated: changes, ...told } = came;
    const { record } = this;
    const { result } = told;
    const entry = result && this.#keepMs > 0 ? [{ at: result.at, kind: 'result' }] : [];
    const history = [...record.history, ...entry];
    const withEntry = entry.length > 0 && { history };
    if (this.#match === null) {
      const rating = record.rating && changes && { rating: { ...record.rating, changes } };
      this.#keep({ ...record, ...told, ...rating, history });
    } else {
      this.#put({ ...this.#match, ...came, ...withEntry });
    }
    return this.record;
  }

  /** Only the record is left from now on. Call inside a transaction. */
  retire(): void {
    const { record } = this;
    const came = Object.keys(this.#match?.newcomers ?? {}).map((id) => CAME + id);
    const apart = APART.filter((key) => this.#match?.[key]);
    [MATCH, ...apart, ...came].forEach((key) => this.#ports.store.delete(key));
    this.#match = null;
    this.#keep(record);
  }

  /** Reports a match that never got a game to its queue. The report is sent once, and may be lost. */
  noteFailure(): void {
    if (this.#match && outcomeOf(this.#match) === 'ended') {
      return;
    }
    const { project, config, mode, outcome, reason, detail, build, madeBy } = this.record;
    if (outcome === 'crashed') {
      metrics.count('muster_games_crashed_total', { project, config, build: build ?? '' });
    }
    if (outcome !== 'failed') {
      return;
    }
    metrics.count('muster_matches_failed_total', { project, config, mode, reason: reason ?? '' });
    if (madeBy !== 'host' && (this.#keepMs > 0 || reason === 'launch_failed')) {
      const queue = this.#ports.peers.queue(project, config, mode);
      const made = madeBy ? (['made'] as const) : [];
      this.#ports.background(queue.matchFailed(this.#id, reason ?? '', detail, ...made));
    }
  }

  #keep(record: MatchRecord): void {
    this.#past = record;
    this.#ports.store.put(PAST, record);
  }

  /** Call after the store was cleared. */
  cleared(): void {
    this.#match = null;
    this.#past = null;
    this.#rematch = { yes: [] };
    this.#abortedAt = null;
  }
}
