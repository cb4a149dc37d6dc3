// The journal of a queue's decisions: lines in a bounded ring of rows. Lines are gathered in memory and written with
// the next save, or by themselves a second later. A crash loses at most that second of the journal, and no work
// (record 0024). Every line is also told to what the queue keeps in memory of its last matches and waits. An object
// that wakes tells it the end of the ring first. A journal that is off has only matches, in a short ring in memory.

import type { QueueTrends } from '../../../packages/js/src/dashboard-types';
import type { LeaveReason } from '../../lobby/reasons';
import { Lru } from '../../common/lru';
import { metrics } from '../../common/metrics';
import { unevenOf } from '../../match/rules/skill';
import type { Line, QueueLine } from '../../match/journal/lines';
import { Opponents } from '../../match/journal/opponents';
import { Pacing } from '../../match/journal/pacing';
import type { Mode } from '../../match/rules/mode';
import type { ActorPorts } from '../contracts/actor-ports';
import type { Ticket } from '../../match/ticket/ticket';
import type { QueueStats } from '../../lobby/view';
import type { JournalSettings } from '../../common/happening';
import { commit } from '../kit/commit';
import type { Store } from '../kit/ports';
import { Ring } from '../kit/ring';
import type { JournalPart } from '../contracts/queue';
import { TrendLog, type Bucket } from './trends';
import { Estimates } from './estimates';

const PREFIX = 'journal:';
/** Rows of 4 KiB or a little more: up to 40 MiB of a database (docs/costs.md: What the journal adds). */
const SLOTS = 8_192;
/** The same for a journal that is off. */
const SLOTS_IN_MEMORY = 128;
/** How long lines may wait for a save. */
const GATHER_MS = 1_000;
/** Pending text that is written at once, so that no row grows beyond what storage takes. */
const MOST_PENDING = 500_000;
/** How many of the last matches are kept in memory. */
const RECENT = 1_000;
/** The UTF-16 units of the ring's end that an object that wakes reads. They cover the parties that are remembered. */
const READ_BACK_LENGTH = 524_288;
const READ_LENGTH = 1_000_000;
/** The lines that are read back. */
const TOLD = /^{"k":"(formed|made|failed|enter|leave|drop|anew)"/;
/** The lines about matches, which are kept if the journal is off too. */
const OF_MATCHES: ReadonlySet<Line['k']> = new Set(['formed', 'made', 'failed']);

export type Formed = Extract<QueueLine, { k: 'formed' }>;

export type JournalRows = Ring<{
  readonly at: number;
  /** How many tickets waited when the row began. */
  readonly waiting: number;
  /** The current step of the trends. */
  readonly trend: Bucket | null;
}>;

/** The lines of those kinds in the text of a row, oldest first. */
export function linesOf(text: string, kinds: RegExp): Line[] {
  return text.split('\n').flatMap((line) => (kinds.test(line) ? (JSON.parse(line) as Line) : []));
}

export class QueueJournal {
  readonly #ports: ActorPorts;
  readonly rows: JournalRows;
  readonly isOn: boolean;
  /** Null if the journal is off. */
  readonly #trends: TrendLog | null;
  readonly #counts: () => QueueStats;
  readonly #waits = new Estimates();
  readonly #pacing: Pacing;
  readonly #opponents: Opponents;
  /** Newest first. */
  readonly #recent: Formed[] = [];
  /** The last matches that failed, and those that were made. */
  readonly #failed = new Lru<true>(RECENT);
  readonly #made = new Lru<true>(RECENT);
  #hasReadBack = false;
  /** From when on a save takes the pending lines along. Null: they can wait until more is written. */
  #dueAt: number | null = null;
  /** Whether a pending line says that a match formed or was made. */
  #isSettled = false;
  #cancel: (() => void) | null = null;

  /** `counts`: what waits now. `mode`: as it is saved now. */
  constructor(
    ports: ActorPorts,
    kept: JournalSettings,
    counts: () => QueueStats,
    mode: () => Mode | null,
  ) {
    this.#pacing = new Pacing(mode);
    this.#opponents = new Opponents(mode);
    const memory = new Map<string, unknown>();
    const inMemory: Pick<Store, 'get' | 'put'> = {
      get: <T>(key: string) => memory.get(key) as T | undefined,
      put: (key, value) => void memory.set(key, value),
    };
    this.isOn = kept.keepMs > 0;
    this.#ports = ports;
    this.rows = this.isOn
      ? new Ring(ports.store, PREFIX, SLOTS)
      : new Ring(inMemory, PREFIX, SLOTS_IN_MEMORY);
    this.#counts = counts;
    this.#trends = this.isOn ? new TrendLog(ports.store, () => this.rows.last?.head.trend) : null;
  }

  /** Adds a line. `rides`: it can wait until something else is written. */
  note(line: Line, rides = false): void {
    this.#readBack();
    this.#told(line);
    if (!this.isOn && !OF_MATCHES.has(line.k)) {
      return;
    }
    const at = this.#ports.now();
    this.rows.append(JSON.stringify(line), () => {
      // A queue that wakes knows its current step from the row before.
      const trend = this.rows.last?.head.trend ?? null;
      return { at, waiting: this.#counts().lobbiesInQueue, trend };
    });
    if (line.k === 'anew') {
      this.#trends?.restored(this.#waiting);
    }
    this.#dueAt ??= this.isOn && !rides ? at + GATHER_MS / 2 : null;
    this.#isSettled ||= line.k === 'formed' || line.k === 'made';
    if (line.k === 'formed') {
      metrics.count('muster_matches_formed_total', this.#labels);
      this.#rate(line);
      this.#trends?.formed(line.t, line.quality);
    }
  }

  #told(line: Line): void {
    this.#waits.told(line);
    this.#pacing.told(line);
    this.#opponents.told(line);
    if (line.k === 'formed') {
      this.#recent.unshift(line);
      this.#recent.splice(RECENT);
    } else if (line.k === 'failed') {
      this.#failed.set(line.matchId, true);
    } else if (line.k === 'made') {
      this.#made.set(line.matchId, true);
    }
  }

  /** Tells what is kept in memory the end of the ring, before anything new. */
  #readBack(): void {
    if (!this.#hasReadBack) {
      this.#hasReadBack = true;
      const rows = [...this.rows.from(null, -1, READ_BACK_LENGTH)].toReversed();
      rows.flatMap(({ text }) => linesOf(text, TOLD)).forEach((line) => this.#told(line));
    }
  }

  /** The last matches, newest first. */
  get recent(): readonly Formed[] {
    this.#readBack();
    return this.#recent;
  }

  get waits(): Estimates {
    this.#readBack();
    return this.#waits;
  }

  get pacing(): Pacing {
    this.#readBack();
    return this.#pacing;
  }

  get opponents(): Opponents {
    this.#readBack();
    return this.#opponents;
  }

  ended(tickets: readonly Ticket[], reason: LeaveReason | 'matched'): void {
    const now = this.#ports.now();
    const waits = tickets.map(({ region, startedAt }) => ({ region, ms: now - startedAt }));
    const isMatched = reason === 'matched';
    for (const [region, its] of Map.groupBy(waits, (wait) => wait.region)) {
      this.#count(region, reason, its.length);
    }
    const labels = { ...this.#labels, matched: String(isMatched) };
    metrics.histogram('muster_match_wait_seconds', labels)(waits.map(({ ms }) => ms / 1000));
    if (reason !== 'matched_elsewhere') {
      this.#trends?.ended(now, waits, isMatched ? 'matched' : 'gaveUp');
    }
  }

  #count(region: string | null | undefined, reason: string, searches = 1): void {
    const labels = { ...this.#labels, region: region ?? 'unknown', reason };
    metrics.count('muster_searches_ended_total', labels, searches);
  }

  #rate({ quality }: Formed): void {
    const { win, ping } = quality ?? {};
    if (win !== undefined) {
      metrics.histogram('muster_match_uneven_ratio', this.#labels)([unevenOf(win)]);
    }
    if (ping !== undefined) {
      metrics.histogram('muster_match_ping_seconds', this.#labels)([ping.worst / 1000]);
    }
  }

  get #waiting() {
    const { lobbiesInQueue: queued, playersSearching: players } = this.#counts();
    return { queued, players };
  }

  get #labels() {
    const [project = '', config = '', mode = ''] = this.#ports.name;
    return { project, config, mode };
  }

  /** The match tells it until it knows that this is saved. */
  made(line: Extract<QueueLine, { k: 'made' }>): void {
    this.#readBack();
    if (this.#made.get(line.matchId) === undefined) {
      this.note(line);
    }
  }

  /** Its searches are counted again, with the reason; not those of a match that was `made`. A match may tell twice that it failed. */
  failed(line: Extract<QueueLine, { k: 'failed' }>, made?: 'made'): void {
    this.#readBack();
    const { matchId, reason } = line;
    if (this.#failed.get(matchId) !== undefined) {
      return;
    }
    if (made === undefined) {
      const formed = this.#recent.find((each) => each.matchId === matchId);
      const searches = formed?.parties.length ?? 1;
      this.#count(formed?.region, reason, searches);
      this.#trends?.failed(line.t, formed?.region, searches);
    }
    this.note(line);
  }

  /**
   * Call at the end of a transaction. A formed match is saved at once: a change of the mode finds it (decision 56). So is one that was
   * made: it is told no more.
   */
  ride(): void {
    const isDue = this.#dueAt !== null && this.#ports.now() >= this.#dueAt;
    if (isDue || this.#isSettled || this.rows.pending > MOST_PENDING) {
      this.#write();
    } else if (this.#dueAt !== null) {
      const write = (): void => commit(this.#ports, () => this.#write());
      this.#cancel ??= this.#ports.later(GATHER_MS, write);
    }
  }

  #write(): void {
    const now = this.#ports.now();
    const trend = this.#trends?.seen(now, this.#waiting) ?? null;
    this.rows.write((head) => ({ ...head, trend }));
    this.#dueAt = null;
    this.#isSettled = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** `withDay`: its hours too. */
  trends(hours: number, withDay = false): QueueTrends {
    const now = this.#ports.now();
    const read = this.#trends?.read(now, hours) ?? { points: [], waits: [] };
    return withDay ? { ...read, day: this.#trends?.day(now) ?? [] } : read;
  }

  /** The lines from that row on (null: from the oldest), as many as one answer may have. None if the journal is off. */
  read(from: number | null): Omit<JournalPart, 'mode'> {
    if (!this.isOn) {
      return { text: '', waiting: 0, next: null };
    }
    let next = from ?? this.rows.first;
    const waiting = this.rows.at(next)?.head.waiting ?? 0;
    let text = '';
    for (const row of this.rows.from(next, 1, READ_LENGTH)) {
      text += row.text;
      next = row.n + 1;
    }
    return { text, waiting, next: this.rows.at(next) === null ? null : next };
  }
}
