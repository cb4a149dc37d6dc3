// How much room is left on the disk of a box. A Worker cannot measure it, so the program that started the service
// reports it here (scripts/disk.ts). At the edge there are no reports, and there is always room.

import { logEvent } from '../../common/log';

const MIB = 2 ** 20;

/** What the watcher measured, in bytes. */
export interface DiskReading {
  /** Without the part that only root may use. */
  readonly total: number;
  readonly free: number;
  /** The database's file, and its write-ahead log. */
  readonly database: number;
  readonly log: number;
}

/**
 * `filling`: more than nine tenths are used. `low`: new work is refused. `full`: only the pages that the database
 * has set aside are left, and only requests that end something may write. `spent`: those pages are used up too.
 */
export type DiskLevel = 'ok' | 'filling' | 'low' | 'full' | 'spent';

export interface DiskNotice {
  readonly level: Exclude<DiskLevel, 'ok'>;
  readonly usedPercent: number;
}

/** Bytes of free pages that the database keeps, so that it can still write when the disk is full. */
export const SET_ASIDE = 5 * MIB;
/** The size that the log reaches before SQLite copies it into the database and starts the log over. */
const LOG_BYTES = 4.25 * MIB;
const FILLING = 0.9;
/** New work is refused when less than this share of the disk is free, within the bounds below. */
const LOW_SHARE = 1 / 50;
const LEAST_LOW = 2 * MIB;
const MOST_LOW = 256 * MIB;
/** The disk counts as full when less than this part of that share is free. */
const FULL_PART = 1 / 4;

export class Disk {
  #seen: DiskReading | null = null;
  /** Bytes of the database that hold rows. Null until the object reports them. */
  #used: number | null = null;
  #level: DiskLevel = 'ok';
  readonly #log: typeof logEvent;

  constructor(log: typeof logEvent = logEvent) {
    this.#log = log;
  }

  get level(): DiskLevel {
    return this.#level;
  }

  /** Whether requests are refused because the disk is short. */
  get isShort(): boolean {
    return this.#level === 'low' || this.#level === 'full' || this.#level === 'spent';
  }

  /** The notice that operators get from `filling` on. Null before that. */
  get notice(): DiskNotice | null {
    const usedPercent = percent(this.usedShare);
    return this.#level === 'ok' ? null : { level: this.#level, usedPercent };
  }

  get seen(): DiskReading | null {
    return this.#seen;
  }

  /** In [0, 1]. Null without a report. */
  get usedShare(): number | null {
    return this.#seen === null || this.#seen.total === 0
      ? null
      : 1 - this.#seen.free / this.#seen.total;
  }

  /** Free bytes within the database's file. Null if they are not known. */
  get setAside(): number | null {
    return this.#seen === null || this.#used === null
      ? null
      : Math.max(0, this.#seen.database - this.#used);
  }

  /** Whether the database may grow by so many bytes and still leave the room that new work needs. */
  hasRoomFor(bytes: number): boolean {
    return this.#seen !== null && this.#seen.free - lowOf(this.#seen) > bytes;
  }

  tell(seen: DiskReading): void {
    this.#seen = seen;
    this.#judge();
  }

  /** The object reports how many bytes of the database hold rows. */
  holds(used: number): void {
    this.#used = used;
    this.#judge();
  }

  #judge(): void {
    const level = this.#seen === null ? 'ok' : this.#levelAt(this.#seen);
    if (level !== this.#level) {
      this.#level = level;
      const freeMiB = Math.floor((this.#seen?.free ?? 0) / MIB);
      this.#log('disk_level', { level, freeMiB, usedPercent: percent(this.usedShare) });
    }
  }

  #levelAt(seen: DiskReading): DiskLevel {
    const low = lowOf(seen);
    if (seen.free >= low) {
      return (this.usedShare ?? 0) < FILLING ? 'ok' : 'filling';
    }
    if (seen.free >= low * FULL_PART) {
      return 'low';
    }
    const hasPages = (this.setAside ?? Infinity) >= SET_ASIDE / 4;
    return hasPages && seen.free + seen.log >= LOG_BYTES ? 'full' : 'spent';
  }
}

function percent(share: number | null): number {
  return Math.round((share ?? 0) * 100);
}

function lowOf({ total }: DiskReading): number {
  return Math.min(MOST_LOW, Math.max(LEAST_LOW, total * LOW_SHARE));
}

/** The isolate's reading. On a box the Worker and its object share the isolate. */
export const disk = new Disk();
