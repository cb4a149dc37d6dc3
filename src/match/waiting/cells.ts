// Where tickets lie: by partition, then in cells as wide as the rule that decides the cell lets a pair be apart,
// then by class, eldest first. So who is in reach of a ticket lies in a few cells around it, and who stands in
// for whom lies together. Holds always: a group and a cell have at least one ticket.

import { byAge, type Entry } from './entry';
import type { TicketClass } from './classes';
import type { Band } from '../rules/rule-type';
import { SortedList } from '../../common/sorted-list';

/** A cell is a little wider than its rule, so that no rounding hides a neighbour. */
const SLACK = 1 + 1e-6;
/** Keys stay far below the precision of a double; the outermost cells hold all that lies beyond. */
const FARTHEST = 2 ** 30;

/** Tickets of one class that lie in one cell, eldest first. */
export class Group extends SortedList<Entry> {
  readonly ticketClass: TicketClass;
  /** Pairs were left out because the group holds more than this; -1 for none. */
  reliedOn = -1;
  /** No value in it lies beyond these. */
  low: number;
  high: number;

  constructor(ticketClass: TicketClass, value: number) {
    super(byAge);
    this.ticketClass = ticketClass;
    this.low = value;
    this.high = value;
  }
}

/** The groups of one place. Players choose how many there are, so nothing but a walk that is paid for looks at all. */
export class Cell {
  readonly #byClass = new Map<string, Group>();
  #groups: readonly Group[] | null = null;
  #bounds: { low: number; high: number } | null = null;
  /** Players of all its tickets. */
  players = 0;

  /** Another list when a group comes or goes, so that a walk goes on over the groups there were. */
  get groups(): readonly Group[] {
    this.#groups ??= [...this.#byClass.values()];
    return this.#groups;
  }

  get isEmpty(): boolean {
    return this.#byClass.size === 0;
  }

  /** The values between which all its tickets lie. */
  get bounds(): { readonly low: number; readonly high: number } {
    if (this.#bounds === null) {
      this.#bounds = { low: Infinity, high: -Infinity };
      this.groups.forEach((group) => this.#widen(group));
    }
    return this.#bounds;
  }

  groupOf(ticketClass: TicketClass): Group | undefined {
    return this.#byClass.get(ticketClass.key);
  }

  add(entry: Entry): void {
    const { ticketClass, value } = entry;
    let group = this.#byClass.get(ticketClass.key);
    if (group === undefined) {
      group = new Group(ticketClass, value);
      this.#byClass.set(ticketClass.key, group);
      this.#groups = null;
    }
    group.low = Math.min(group.low, value);
    group.high = Math.max(group.high, value);
    group.add(entry);
    this.#widen(group);
    this.players += ticketClass.players;
  }

  /** The group that the ticket lay in; undefined when it lay in none. */
  delete(entry: Entry): Group | undefined {
    const group = this.#byClass.get(entry.ticketClass.key);
    if (group?.delete(entry) === true) {
      this.players -= entry.ticketClass.players;
    }
    if (group?.size === 0) {
      this.#byClass.delete(entry.ticketClass.key);
      this.#groups = null;
      this.#bounds = null;
    }
    return group;
  }

  #widen({ low, high }: Group): void {
    if (this.#bounds !== null) {
      this.#bounds.low = Math.min(this.#bounds.low, low);
      this.#bounds.high = Math.max(this.#bounds.high, high);
    }
  }
}

export class Cells {
  readonly #measure: Band | null;
  readonly #width: number;
  readonly #timeoutMs: number;
  readonly #partitions = new Map<string, Map<number, Cell>>();
  /** Groups of cells in which there is no longer what was relied on. */
  readonly thinned = new Set<Group>();

  constructor(measure: Band | null, timeoutMs: number) {
    this.#measure = measure;
    this.#width = (measure?.max ?? 0) * SLACK;
    this.#timeoutMs = timeoutMs;
  }

  add(entry: Entry): void {
    const { partition, value } = entry;
    if (partition === null) {
      return;
    }
    let cells = this.#partitions.get(partition);
    if (cells === undefined) {
      cells = new Map();
      this.#partitions.set(partition, cells);
    }
    const key = this.#keyOf(value);
    const cell = cells.get(key) ?? new Cell();
    cells.set(key, cell);
    cell.add(entry);
  }

  delete(entry: Entry): void {
    const { partition, value } = entry;
    const cells = this.#partitions.get(partition ?? '');
    const key = this.#keyOf(value);
    const cell = cells?.get(key);
    const group = cell?.delete(entry);
    if (partition === null || cells === undefined || cell === undefined || group === undefined) {
      return;
    }
    if (group.size <= group.reliedOn) {
      group.reliedOn = -1;
      cell.groups.forEach((each) => this.thinned.add(each));
    }
    if (group.size === 0) {
      this.thinned.delete(group);
      if (cell.isEmpty) {
        cells.delete(key);
      }
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

export function playersOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { players }) => sum + players, 0);
}
