// How much room is left on the disk of a box. A Worker cannot look, so the program that started the service
// watches the disk and tells (scripts/disk.ts). At the edge nobody tells, and there is always room.

import { logEvent } from '../../log';

const MIB = 2 ** 20;

/** What the watcher has seen, in bytes. */
export interface DiskReading {
  /** Of the file system, without what only root may use. */
  readonly total: number;
  readonly free: number;
  /** The database's file. */
  readonly database: number;
  /** The file of its write-ahead log. */
  readonly log: number;
}

/**
 * `filling`: over nine tenths are used. `low`: new work is refused. `full`: nothing is left but what the
 * database has set aside; only requests that bring something to its end write. `spent`: that is used up too.
 */
export type DiskLevel = 'ok' | 'filling' | 'low' | 'full' | 'spent';

export interface DiskNotice {
  readonly level: Exclude<DiskLevel, 'ok'>;
  readonly usedPercent: number;
}

/** Free pages that the database keeps for writes of a full disk. */
export const SET_ASIDE = 5 * MIB;
/** So much the log grows to before SQLite writes it into the database and begins again. */
const LOG_BYTES = 4.25 * MIB;
const FILLING = 0.9;
/** New work is refused with less than this share of the disk, within these bounds. */
const LOW_SHARE = 1 / 50;
const LEAST_LOW = 2 * MIB;
const MOST_LOW = 256 * MIB;
/** Of that share, the part with which the disk counts as full. */
const FULL_PART = 1 / 4;

export class Disk {
  #seen: DiskReading | null = null;
  /** Bytes of the database that hold rows; null until it was asked. */
  #used: number | null = null;
  #level: DiskLevel = 'ok';
  readonly #log: typeof logEvent;

  constructor(log: typeof logEvent = logEvent) {
    this.#log = log;
  }

  get level(): DiskLevel {
    return this.#level;
  }

  /** Whether requests are refused for it. */
  get isShort(): boolean {
    return this.#level === 'low' || this.#level === 'full' || this.#level === 'spent';
  }

  /** What operators are told from `filling` on, and null before that. */
  get notice(): DiskNotice | null {
    return this.#level === 'ok'
      ? null
      : { level: this.#level, usedPercent: percent(this.usedShare) };
  }

  get seen(): DiskReading | null {
    return this.#seen;
  }

  /** In [0, 1]; null where nobody tells. */
  get usedShare(): number | null {
    return this.#seen === null || this.#seen.total === 0
      ? null
      : 1 - this.#seen.free / this.#seen.total;
  }

  /** Free bytes within the database's file; null where that is not known. */
  get setAside(): number | null {
    return this.#seen === null || this.#used === null
      ? null
      : Math.max(0, this.#seen.database - this.#used);
  }

  /** Whether the database may grow: so much is left beyond what new work needs. */
  hasRoomFor(bytes: number): boolean {
    return this.#seen !== null && this.#seen.free - lowOf(this.#seen) > bytes;
  }

  tell(seen: DiskReading): void {
    this.#seen = seen;
    this.#judge();
  }

  /** Told by the object: bytes of the database that hold rows. */
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

/** Of this isolate: on a box the Worker and its object share it. */
export const disk = new Disk();
