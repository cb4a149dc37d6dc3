// The journal of a queue's decisions: lines in a bounded ring of rows. Lines are gathered in memory and written with
// the next save, or by themselves a second later. A crash loses at most that second of the journal, and no work
// (record 0024). The last matches, the waits of parties and the trends are kept in memory. After a wake they are read
// from the ring, newest row first, and only as far back as an answer needs.

import type { ReturnReason } from '../../lobby/reasons';
import { Lru } from '../../common/lru';
import { metrics } from '../../common/metrics';
import type { PoolLine, QueueLine } from '../../match/replay/lines';
import type { Host } from '../host';
import type { Ticket } from '../../match/ticket/ticket';
import type { QueueStats } from '../../match/waiting/proposal';
import type { JournalSettings } from '../kit/journal';
import { Ring } from '../kit/ring';
import type { FormedQuery, FormedRecord, TrendPoint } from '../reports';
import type { JournalPart } from './contract';
import { Trends, type Bucket } from './trends';
import { Estimates } from './estimates';

const PREFIX = 'journal:';
/** Rows of 4 KiB or a little more: up to 40 MiB of a database (docs/costs.md: What the journal adds). */
const SLOTS = 8_192;
/** How long lines may wait for a save. */
const GATHER_MS = 1_000;
/** Pending text that is written at once, so that no row grows beyond what storage takes. */
const MOST_PENDING = 500_000;
/** How many of the last matches are kept in memory. */
const RECENT = 1_000;
/** The most of the ring's end that is read for them, in UTF-16 units. */
const RECENT_LENGTH = 4_194_304;
/** The same for waits. It covers the parties that are remembered, and is read within some milliseconds. */
const WAIT_LENGTH = 524_288;
const READ_LENGTH = 1_000_000;
/** A match that fails does so within about so many rows. */
const ROWS_AFTER = 8;
/** The lines that are read back for matches, and for the estimates of waits. */
const OF_MATCHES = /^{"k":"(formed|failed)"/;
const OF_WAITS = /^{"k":"(formed|failed|enter|leave|drop)"/;

interface RowHead {
  readonly at: number;
  /** How many tickets waited when the row began. */
  readonly waiting: number;
  readonly trend: Bucket | null;
}

export class QueueJournal {
  readonly #host: Host;
  readonly #ring: Ring<RowHead>;
  /** Null if the journal is off. */
  readonly #trends: Trends | null;
  readonly #counts: () => QueueStats;
  /** Newest first. */
  readonly #recent: Formed[] = [];
  /** By match. A failure is read before its match, because the match is older. */
  readonly #failures = new Lru<Failure>(2 * RECENT);
  readonly #waits = new Estimates();
  /** The row to read next, going back. Undefined: none was read yet. -1: there are no more. */
  #unread: number | undefined;
  #lengthRead = 0;
  /** How many tickets waited before the first pending line. */
  #waiting = 0;
  /** Since when the first line is pending. */
  #since = 0;
  /** Whether pending lines must be written by themselves if no save comes. */
  #isUrgent = false;
  /** Whether a pending line says that a match formed. */
  #isSettled = false;
  #cancel: (() => void) | null = null;

  /** `counts`: what waits now. */
  constructor(host: Host, { keepMs }: JournalSettings, counts: () => QueueStats) {
    this.#host = host;
    this.#ring = new Ring(host.store, PREFIX, { slots: SLOTS });
    this.#counts = counts;
    const saved = (): Bucket | null => this.#ring.last?.head.trend ?? null;
    this.#trends = keepMs > 0 ? new Trends(host.store, saved) : null;
  }

  get rows(): Pick<Ring<RowHead>, 'at' | 'last'> {
    return this.#ring;
  }

  get isOn(): boolean {
    return this.#trends !== null;
  }

  /** How many tickets waited when the last row began. Null: there is no row. */
  get waited(): number | null {
    return this.#ring.last?.head.waiting ?? null;
  }

  /** Adds a line. `rides`: it can wait until something else is written. A journal that is off takes estimates from it. */
  note(line: Line, rides = false): void {
    this.waits.told(line);
    if (!this.isOn) {
      return;
    }
    if (this.#ring.pending === 0) {
      this.#waiting = this.#counts().lobbiesInQueue;
      this.#since = this.#host.now();
    }
    this.#ring.append(JSON.stringify(line));
    this.#isUrgent ||= !rides;
    this.#isSettled ||= line.k === 'formed';
  }

  formed(line: Formed): void {
    this.note(line);
    this.#recent.unshift(line);
    this.#recent.splice(RECENT);
    metrics.count('muster_matches_formed_total', this.#labels);
    const waits = line.parties.map(({ startedAt }) => line.t - startedAt);
    this.#waited(waits, true);
    this.#trends?.formed(line.t, waits);
  }

  /** A ticket left without a match. */
  gaveUp({ region, startedAt }: Ticket, reason: ReturnReason): void {
    const now = this.#host.now();
    this.ended(region, reason);
    this.#waited([now - startedAt], false);
    this.#trends?.gaveUp(now, now - startedAt);
  }

  /** Counts searches that ended. Searches of a match that then failed are counted again, with its reason. */
  ended(region: string | null | undefined, reason: string, searches = 1): void {
    const labels = { ...this.#labels, region: region ?? 'unknown', reason };
    metrics.count('muster_searches_ended_total', labels, searches);
  }

  #waited(waitsMs: readonly number[], matched: boolean): void {
    const labels = { ...this.#labels, matched: String(matched) };
    const seconds = waitsMs.map((ms) => ms / 1000);
    metrics.observe('muster_match_wait_seconds', seconds, labels);
  }

  get #labels() {
    const [project = '', config = '', mode = ''] = this.#host.name;
    return { project, config, mode };
  }

  failed(line: Failed): void {
    this.#readBack(WAIT_LENGTH);
    const { matchId, reason } = line;
    if (this.#failures.get(matchId) !== undefined) {
      return;
    }
    this.#failures.set(matchId, failureOf(line));
    const formed = this.#recent.find((each) => each.matchId === matchId);
    this.ended(formed?.region, reason, formed?.parties.length);
    this.#trends?.failed(line.t);
    this.note(line);
  }

  /** Call at the end of every transaction. `isQuiet`: no match is being formed, so the next line is not soon. */
  ride(isQuiet: boolean): void {
    const { pending } = this.#ring;
    const isDue = this.#isUrgent && this.#host.now() - this.#since >= GATHER_MS / 2;
    if (isDue || (this.#isSettled && isQuiet) || pending > MOST_PENDING) {
      this.#write();
    } else if (this.#isUrgent && this.#cancel === null) {
      this.#cancel = this.#host.later(GATHER_MS, () => {
        this.#cancel = null;
        if (this.#isUrgent) {
          this.#host.store.atomically(() => this.#write());
        }
      });
    }
  }

  #write(): void {
    const now = this.#host.now();
    const { lobbiesInQueue: queued, playersSearching: players } = this.#counts();
    const trend = this.#trends?.seen(now, { queued, players }) ?? null;
    const waiting = this.#waiting;
    this.#ring.write((before) => ({ ...(before ?? { at: now, waiting }), trend }));
    this.#isUrgent = false;
    this.#isSettled = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Newest first. */
  get recent(): readonly FormedRecord[] {
    this.#readBack(RECENT_LENGTH);
    return this.#recent.map((line) => recordOf(line, this.#failures.get(line.matchId)));
  }

  /**
   * The matches that formed in that time, newest first: those in memory, then those of rows, of which a bounded
   * part is read. Returns before which instant nothing was read. Null: everything was.
   */
  *past({
    since,
    until,
  }: Pick<FormedQuery, 'since' | 'until'>): Generator<FormedRecord, number | null> {
    const { recent } = this;
    yield* recent.filter(({ at }) => at >= since && at < until);
    const before = Math.min(until, recent.at(-1)?.at ?? until);
    if (before <= since || recent.length < RECENT) {
      return null;
    }
    const failures = new Map<string, Failure>();
    let length = 0;
    for (let row = this.#rowAt(before); row !== null; row = this.#ring.at(row.n - 1)) {
      for (const line of linesOf(row.text, OF_MATCHES)) {
        if (line.k === 'failed') {
          failures.set(line.matchId, failureOf(line));
        } else if (line.k === 'formed') {
          if (line.t < since) {
            return null;
          }
          if (line.t < before) {
            yield recordOf(line, failures.get(line.matchId));
          }
        }
      }
      length += row.text.length;
      if (length >= READ_LENGTH) {
        return row.head.at;
      }
    }
    return null;
  }

  /** The row where reading begins for the matches before `at`: a few later ones may say that those failed. */
  #rowAt(at: number) {
    let [low, high] = [this.#ring.first ?? 0, this.#ring.last?.n ?? 0];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      [low, high] = (this.#ring.at(middle)?.head.at ?? 0) < at ? [middle, high] : [low, middle - 1];
    }
    return this.#ring.at(Math.min(low + ROWS_AFTER, this.#ring.last?.n ?? 0));
  }

  get waits(): Estimates {
    this.#readBack(WAIT_LENGTH);
    return this.#waits;
  }

  /**
   * Reads the ring back until `length` of its end is known. Call this with WAIT_LENGTH before anything new is told, so
   * that all lines for waits are read first.
   */
  #readBack(length: number): void {
    const waits: Line[] = [];
    this.#unread ??= this.#ring.last?.n ?? -1;
    while (this.#unread >= 0 && this.#lengthRead < length && this.#recent.length < RECENT) {
      const kinds = this.#lengthRead < WAIT_LENGTH ? OF_WAITS : OF_MATCHES;
      const row = this.#ring.at(this.#unread);
      this.#unread = row === null ? -1 : row.n - 1;
      this.#lengthRead += row?.text.length ?? 0;
      for (const line of linesOf(row?.text ?? '', kinds)) {
        if (line.k === 'failed') {
          this.#failures.set(line.matchId, failureOf(line));
        } else if (line.k === 'formed') {
          this.#recent.push(line);
        }
        waits.push(line);
      }
    }
    this.#recent.splice(RECENT);
    waits.toReversed().forEach((line) => this.#waits.told(line));
  }

  /** The last `hours` in steps of five minutes, oldest first. */
  trends(hours: number): readonly TrendPoint[] {
    return this.#trends?.read(this.#host.now(), hours) ?? [];
  }

  /** Saved lines from that row on (null: from the oldest), as many as one answer may have. */
  read(from: number | null): JournalPart {
    let n = from ?? this.#ring.first ?? 0;
    const waiting = this.#ring.at(n)?.head.waiting ?? 0;
    let text = '';
    for (let row = this.#ring.at(n); row !== null && text.length < READ_LENGTH;) {
      text += row.text;
      n += 1;
      row = this.#ring.at(n);
    }
    return { text, waiting, next: this.#ring.at(n) === null ? null : n };
  }
}

type Line = PoolLine | QueueLine;
type Formed = Extract<QueueLine, { k: 'formed' }>;
type Failed = Extract<QueueLine, { k: 'failed' }>;
type Failure = NonNullable<FormedRecord['failed']>;

/** The lines of those kinds in the text, newest first. */
function* linesOf(text: string, kinds: RegExp): Generator<Line> {
  for (const line of text.split('\n').toReversed()) {
    if (kinds.test(line)) {
      yield JSON.parse(line) as Line;
    }
  }
}

function failureOf({ t: at, reason, detail }: Failed): Failure {
  return { at, reason, detail };
}

function recordOf(line: Formed, failed: Failure | null = null): FormedRecord {
  const { matchId, kind, t: at, full, region, parties } = line;
  return { matchId, kind, at, full, region, parties, failed };
}
