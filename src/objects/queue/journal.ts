// What a queue decided, and when: lines in a bounded ring of rows. They are gathered in memory and
// written with a save that happens anyway, or alone a second later; a crash loses at most that
// second of the journal, and nothing of the work (record 0024). What is asked often of it (the last
// matches, how long parties waited, the last day in steps) is kept in memory. When the object has slept
// and is asked, the ring is read again, from its end back and only as far as that takes.

import type { PlayerId } from '../../common/ids';
import type { ReturnReason } from '../../lobby/reasons';
import { Lru } from '../../common/lru';
import { metrics } from '../../common/metrics';
import type { FormedParty, PoolLine, QueueLine } from '../../match/replay/lines';
import type { Host } from '../host';
import type { Ticket } from '../../match/ticket/ticket';
import type { JournalSettings } from '../kit/journal';
import { Ring } from '../kit/ring';
import type { FormedRecord, TrendPoint } from '../reports';
import type { JournalPart } from './contract';
import { Trends, type Bucket } from './trends';
import { Estimates } from './estimates';

const PREFIX = 'journal:';
/** Rows of 4 KiB or a little more: up to 40 MiB of a database (docs/costs.md: What the journal adds). */
const SLOTS = 8_192;
/** So long may lines wait for a save to go with. */
const GATHER_MS = 1_000;
/** A row never grows beyond what storage takes. */
const MOST_PENDING = 500_000;
const RECENT = 1_000;
/** So much of the ring's end is read for them at most, in UTF-16 units. */
const RECENT_LENGTH = 4_194_304;
/** The same for waits: enough for the parties that are remembered, and read within some milliseconds. */
const WAIT_LENGTH = 524_288;
const READ_LENGTH = 1_000_000;

interface RowHead {
  readonly at: number;
  /** Tickets that waited when the row began, and the mode in force. */
  readonly waiting: number;
  readonly trend: Bucket | null;
}

export class QueueJournal {
  readonly #host: Host;
  readonly #isOn: boolean;
  readonly #ring: Ring<RowHead>;
  readonly #trends: Trends;
  readonly #counts: () => { readonly lobbies: number; readonly players: number };
  /** Newest first: those that formed since it woke, and those read of before. */
  readonly #recent: Formed[] = [];
  /** Of matches too that are not read yet. */
  readonly #failures = new Lru<NonNullable<FormedRecord['failed']>>(2 * RECENT);
  readonly #waits = new Estimates();
  /** The row that is read next, going back; undefined: none was, -1: there are no more. */
  #unread: number | undefined;
  #lengthRead = 0;
  /** Tickets that waited before the first line that is pending. */
  #waiting = 0;
  #writtenAt = -Infinity;
  /** Something that has to be written by itself, should no save come along. */
  #isUrgent = false;
  #isSettled = false;
  #cancel: (() => void) | null = null;

  /** `counts`: of what waits now. */
  constructor(
    host: Host,
    { keepMs }: JournalSettings,
    counts: () => { readonly lobbies: number; readonly players: number },
  ) {
    this.#host = host;
    this.#isOn = keepMs > 0;
    this.#ring = new Ring(host.store, PREFIX, { slots: SLOTS });
    this.#counts = counts;
    this.#trends = new Trends(host.store, () => this.#ring.last?.head.trend ?? null);
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  /** Tickets that waited when its last row was begun; null: there is none. */
  get waited(): number | null {
    return this.#ring.last?.head.waiting ?? null;
  }

  /** `rides`: it need not be written before something else is. */
  note(line: PoolLine | QueueLine, rides = false): void {
    if (!this.#isOn) {
      return;
    }
    if (this.#ring.pending === 0) {
      this.#waiting = this.#counts().lobbies;
    }
    this.#ring.append(JSON.stringify(line));
    this.#isUrgent ||= !rides;
    this.#isSettled ||= line.k === 'formed';
  }

  formed(line: Formed): void {
    this.#readBack(WAIT_LENGTH);
    this.#matched(line);
    this.#recent.unshift(line);
    this.#recent.splice(RECENT);
    metrics.count('muster_matches_formed_total', this.#labels);
    const waits = line.parties.map(({ startedAt }) => line.t - startedAt);
    this.#waited(waits, true);
    if (this.#isOn) {
      this.#trends.formed(line.t, waits);
    }
    this.note(line);
  }

  #matched({ parties, t }: Formed): void {
    parties.forEach(({ ticketId }) => this.#waits.went(ticketId, t, true));
  }

  /** It waits from now on. */
  came({ id, players, startedAt }: Ticket): void {
    this.waits.came(id, players.length, startedAt);
  }

  /** It went without a match. */
  gaveUp({ id, region, startedAt }: Ticket, reason: ReturnReason): void {
    const now = this.#host.now();
    this.waits.went(id, now, false);
    this.ended(region, reason);
    this.#waited([now - startedAt], false);
    if (this.#isOn) {
      this.#trends.gaveUp(now, now - startedAt);
    }
  }

  /** Counts searches that ended. Those of a match that then failed are counted again, with that reason. */
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
    const { matchId, t: at, reason, detail } = line;
    if (this.#failures.get(matchId) !== undefined) {
      return;
    }
    this.#failures.set(matchId, { at, reason, detail });
    const formed = this.#recent.find((each) => each.matchId === matchId);
    this.ended(formed?.region, reason, formed?.parties.length);
    if (this.#isOn) {
      this.#trends.failed(at);
    }
    this.note(line);
  }

  /**
   * Call at the end of every transaction. `isQuiet`: nothing is under way, so that what was formed
   * is not written twice.
   */
  ride(isQuiet: boolean): void {
    const { pending } = this.#ring;
    const isDue = this.#isUrgent && this.#host.now() - this.#writtenAt >= GATHER_MS;
    if (isDue || (this.#isSettled && isQuiet) || pending > MOST_PENDING) {
      this.#write();
    } else if (this.#isUrgent && this.#cancel === null) {
      this.#cancel = this.#host.later(GATHER_MS, () => {
        this.#cancel = null;
        this.#alone();
      });
    }
  }

  /** In a transaction of its own. */
  #alone(): void {
    if (this.#isUrgent) {
      this.#host.store.atomically(() => this.#write());
    }
  }

  #write(): void {
    const now = this.#host.now();
    const { lobbies, players } = this.#counts();
    const trend = this.#trends.seen(now, { queued: lobbies, players });
    const waiting = this.#waiting;
    this.#ring.write((before) => ({ ...(before ?? { at: now, waiting }), trend }));
    this.#writtenAt = now;
    this.#isUrgent = false;
    this.#isSettled = false;
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Newest first. */
  get recent(): readonly FormedRecord[] {
    this.#readBack(RECENT_LENGTH);
    return this.#recent.map(({ matchId, kind, t: at, full, region, parties }) => {
      const failed = this.#failures.get(matchId) ?? null;
      return { matchId, kind, at, full, region, parties, failed };
    });
  }

  get waits(): Estimates {
    this.#readBack(WAIT_LENGTH);
    return this.#waits;
  }

  /**
   * Reads on until so much of the ring's end is known. What waits need is read before anything of now
   * is told, so that all that is read later is older than it.
   */
  #readBack(length: number): void {
    const waits: (() => void)[] = [];
    this.#unread ??= this.#ring.last?.n ?? -1;
    while (this.#unread >= 0 && this.#lengthRead < length && this.#recent.length < RECENT) {
      const isOfWaits = this.#lengthRead < WAIT_LENGTH;
      const row = this.#ring.at(this.#unread);
      this.#unread = row === null ? -1 : row.n - 1;
      this.#lengthRead += row?.text.length ?? 0;
      for (const text of row?.text.split('\n').toReversed() ?? []) {
        if (text.startsWith('{"k":"failed"')) {
          const { matchId, t, reason, detail } = JSON.parse(text) as Failed;
          this.#failures.set(matchId, { at: t, reason, detail });
        } else if (text.startsWith('{"k":"formed"')) {
          const formed = JSON.parse(text) as Formed;
          this.#recent.push(formed);
          waits.push(() => this.#matched(formed));
        } else if (isOfWaits && /^{"k":"(leave|drop)"/.test(text)) {
          const { id, t } = JSON.parse(text) as Going;
          waits.push(() => this.#waits.went(id, t, false));
        } else if (isOfWaits && text.startsWith('{"k":"enter"')) {
          const { id, players, startedAt } = (JSON.parse(text) as Entry).ticket;
          waits.push(() => this.#waits.came(id, players.length, startedAt));
        }
      }
    }
    this.#recent.splice(RECENT);
    waits.toReversed().forEach((tell) => tell());
  }

  /** Steps of five minutes, oldest first. */
  trends(hours: number): readonly TrendPoint[] {
    return this.#isOn ? this.#trends.read(this.#host.now(), hours) : [];
  }

  /** Some of what is saved, from that row on; null: from the oldest. */
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

type Entry = Extract<PoolLine, { k: 'enter' | 'refresh' }>;
type Going = Extract<PoolLine, { k: 'leave' | 'drop' }>;
type Formed = Extract<QueueLine, { k: 'formed' }>;
type Failed = Extract<QueueLine, { k: 'failed' }>;

export function playersOf(parties: readonly FormedParty[]): readonly PlayerId[] {
  return parties.flatMap(({ players }) => players);
}
