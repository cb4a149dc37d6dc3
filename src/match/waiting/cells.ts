// Where tickets lie: by partition, then in cells as wide as the rule that decides the cell lets a pair be apart,
// then by class, eldest first. So who is in reach of a ticket lies in a few cells around it, and who stands in
// for whom lies together. Holds always: a group and a cell have at least one ticket.

import { byAge, type Entry } from './entry';
import type { TicketClass } from './classes';
import type { Measure } from './plan';
import { SortedList } from '../../sorted-list';

/** A cell is a little wider than its rule, so that no rounding hides a neighbour. */
const SLACK = 1 + 1e-6;
/** Keys stay far below the precision of a double; the outermost cells hold all that lies beyond. */
const FARTHEST = 2 ** 30;

export interface Group {
  readonly ticketClass: TicketClass;
  readonly entries: SortedList<Entry>;
  /** Pairs were left out because the group holds more than this; -1 for none. */
  reliedOn: number;
}

export interface Cell {
  /** Replaced when a group comes or goes, so that a walk over them goes on over those there were. */
  groups: readonly Group[];
  players: number;
  /** No value in it lies beyond these. */
  low: number;
  high: number;
}

export class Cells {
  readonly #measure: Measure | null;
  readonly #width: number;
  readonly #timeoutMs: number;
  readonly #partitions = new Map<string, Map<number, Cell>>();
  /** Cells with a group that no longer holds what was relied on. */
  readonly thinned = new Set<Cell>();

  constructor(measure: Measure | null, timeoutMs: number) {
    this.#measure = measure;
    this.#width = (measure?.max ?? 0) * SLACK;
    this.#timeoutMs = timeoutMs;
  }

  add(entry: Entry): void {
    const { partition, ticketClass, value } = entry;
    if (partition === null) {
      return;
    }
    let cells = this.#partitions.get(partition);
    if (cells === undefined) {
      cells = new Map();
      this.#partitions.set(partition, cells);
    }
    const key = this.#keyOf(value);
    let cell = cells.get(key);
    if (cell === undefined) {
      cell = { groups: [], players: 0, low: value, high: value };
      cells.set(key, cell);
    }
    cell.players += ticketClass.players;
    cell.low = Math.min(cell.low, value);
    cell.high = Math.max(cell.high, value);
    let group = cell.groups.find((known) => known.ticketClass === ticketClass);
    if (group === undefined) {
      group = { ticketClass, entries: new SortedList(byAge), reliedOn: -1 };
      cell.groups = [...cell.groups, group];
    }
    group.entries.add(entry);
  }

  delete(entry: Entry): void {
    const { partition, ticketClass, value } = entry;
    const cells = this.#partitions.get(partition ?? '');
    const key = this.#keyOf(value);
    const cell = cells?.get(key);
    const group = cell?.groups.find((known) => known.ticketClass === ticketClass);
    if (partition === null || cells === undefined || cell === undefined || group === undefined) {
      return;
    }
    group.entries.delete(entry);
    cell.players -= ticketClass.players;
    if (group.entries.size <= group.reliedOn) {
      group.reliedOn = -1;
      this.thinned.add(cell);
    }
    if (group.entries.size === 0) {
      cell.groups = cell.groups.filter((known) => known !== group);
    }
    if (cell.groups.length === 0) {
      this.thinned.delete(cell);
      cells.delete(key);
      if (cells.size === 0) {
        this.#partitions.delete(partition);
      }
    }
  }

  /** How many cells to each side a pair can reach of which the elder has waited so long. */
  reach(longestWaitMs: number): number {
    if (this.#measure === null || this.#width === 0) {
      return 0;
    }
    const widens = this.#measure.widens && this.#timeoutMs > 0;
    return widens ? Math.ceil(1 + Math.max(0, longestWaitMs) / this.#timeoutMs) : 1;
  }

  /** The cells so many to each side of a place, from the lowest on; undefined where one is empty. */
  around(
    { partition, value }: Pick<Entry, 'partition' | 'value'>,
    reach: number,
  ): (Cell | undefined)[] {
    const cells = partition === null ? undefined : this.#partitions.get(partition);
    const key = this.#keyOf(value);
    return Array.from({ length: 2 * reach + 1 }, (_, at) => cells?.get(key - reach + at));
  }

  #keyOf(value: number): number {
    if (this.#width === 0) {
      // Only equal values meet, if any rule asks for values, and these have the same whole part.
      return Math.trunc(value);
    }
    return Math.max(-FARTHEST, Math.min(FARTHEST, Math.floor(value / this.#width)));
  }
}

/** The farthest that a ticket of the cell can lie from the value. */
export function farthest({ low, high }: Cell, value: number): number {
  return Math.max(value - low, high - value);
}

/** The nearest that a ticket of the cell can lie to the value. */
export function nearest({ low, high }: Cell, value: number): number {
  return Math.max(0, low - value, value - high);
}
