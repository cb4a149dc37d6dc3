// Waiting tickets by partition, then in cells as wide as the widest gap that the rule lets pass at first, then by class,
// eldest first. Whoever is in reach of a ticket lies in a few cells around it. Groups and cells are never empty.

import type { Reach } from '../rules/reach';
import type { Band } from '../rules/rule-type';
import { SortedList } from '../../common/sorted-list';
import { byAge, type Entry, type TicketClass } from './entry';

/** A cell is a little wider than its rule, so that rounding hides no neighbour. */
const SLACK = 1 + 1e-6;
/** A ticket reaches no more cells than this to each side, however far its rule widens in time. */
const MOST_CELLS = 8;
/** Keys stay far below the precision of a double. The outermost cells hold everything beyond. */
const FARTHEST = 2 ** 30;

/** The tickets of one class in one cell, eldest first. */
export class Group extends SortedList<Entry> {
  readonly ticketClass: TicketClass;
  /** Pairs were left out because the group holds more tickets than this; -1 if none were. */
  reliedOn = -1;

  constructor(ticketClass: TicketClass) {
    super(byAge);
    this.ticketClass = ticketClass;
  }
}

export class Cell {
  /** A new array whenever a group comes or goes, so a walk under way continues over the groups it began with. */
  groups: readonly Group[] = [];
  players = 0;
  /** The range of values that the cell has held. */
  low: number;
  high: number;

  constructor(value: number) {
    this.low = value;
    this.high = value;
  }

  add(entry: Entry): void {
    const { ticketClass, value } = entry;
    let group = this.groupOf(ticketClass);
    if (group === undefined) {
      group = new Group(ticketClass);
      // To spread the groups would leave room for sixteen more, in each of a hundred thousand cells.
      this.groups = this.groups.concat(group);
    }
    group.add(entry);
    this.players += ticketClass.players;
    this.low = Math.min(this.low, value);
    this.high = Math.max(this.high, value);
  }

  /** True if others relied on tickets that are no longer there. */
  delete(entry: Entry): boolean {
    const group = this.groupOf(entry.ticketClass);
    if (group?.delete(entry) !== true) {
      return false;
    }
    this.players -= entry.ticketClass.players;
    if (group.size === 0) {
      this.groups = this.groups.filter((each) => each !== group);
    }
    const isThinned = group.size <= group.reliedOn;
    group.reliedOn = isThinned ? -1 : group.reliedOn;
    return isThinned;
  }

  groupOf({ key }: TicketClass): Group | undefined {
    return this.groups.find(({ ticketClass }) => ticketClass.key === key);
  }
}

export type CellPlace = Pick<Entry, 'partition' | 'value'>;

export class Cells {
  readonly #reach: Reach | null;
  /** Of a cell, without the slack. */
  readonly #width: number;
  readonly #partitions = new Map<string, Map<number, Cell>>();

  constructor(measure: Band | null, timeoutMs: number) {
    this.#reach = measure?.reach ?? null;
    this.#width = Math.max(measure?.max ?? 0, (this.#reach?.at(timeoutMs) ?? 0) / MOST_CELLS);
  }

  add(entry: Entry): void {
    const { partition, value } = entry;
    if (partition === null) {
      return;
    }
    const cells = this.#partitions.get(partition) ?? new Map<number, Cell>();
    this.#partitions.set(partition, cells);
    const key = this.#keyOf(value);
    const cell = cells.get(key) ?? new Cell(value);
    cells.set(key, cell);
    cell.add(entry);
  }

  /** The cell of the ticket, if others relied on tickets that are no longer there; else null. */
  delete(entry: Entry): Cell | null {
    const { partition, value } = entry;
    const cells = this.#partitions.get(partition ?? '');
    const key = this.#keyOf(value);
    const cell = cells?.get(key);
    if (partition === null || cells === undefined || cell === undefined) {
      return null;
    }
    const isThinned = cell.delete(entry);
    if (cell.groups.length === 0) {
      cells.delete(key);
    }
    if (cells.size === 0) {
      this.#partitions.delete(partition);
    }
    return isThinned ? cell : null;
  }

  /** How many cells to each side a pair can span if the elder has waited that long. */
  reach(longestWaitMs: number): number {
    const reach = this.#reach?.at(Math.max(0, longestWaitMs)) ?? 0;
    return this.#width === 0 ? 0 : Math.max(1, Math.ceil(reach / this.#width));
  }

  /** The cells up to `reach` to each side of the place, lowest first; undefined for an empty one. */
  around({ partition, value }: CellPlace, reach: number): (Cell | undefined)[] {
    const cells = partition === null ? undefined : this.#partitions.get(partition);
    const key = this.#keyOf(value);
    return Array.from({ length: 2 * reach + 1 }, (_, at) => cells?.get(key - reach + at));
  }

  /**
   * Each cell up to `reach` to each side of the place, lowest first, with its window: the cells up to `reach` to each side
   * of it. With a reach of 1, of the cells `a b P d e` these are `b` in `a b P`, `P` in `b P d`, and `d` in `P d e`.
   */
  *windows(place: CellPlace, reach: number): Iterable<readonly [cell: Cell, window: Cell[]]> {
    const around = this.around(place, 2 * reach);
    for (let at = reach; at <= 3 * reach; at += 1) {
      const cell = around[at];
      if (cell !== undefined) {
        const window = around.slice(at - reach, at + reach + 1);
        yield [cell, window.filter((each) => each !== undefined)];
      }
    }
  }

  #keyOf(value: number): number {
    if (this.#width === 0) {
      // Only equal values meet, if a rule asks for values at all, and equal values have the same whole part.
      return Math.trunc(value);
    }
    return Math.max(-FARTHEST, Math.min(FARTHEST, Math.floor(value / (this.#width * SLACK))));
  }
}

export function playersIn(cells: readonly Cell[]): number {
  return cells.reduce((sum, { players }) => sum + players, 0);
}

/** The tickets of the cells. They may come and go meanwhile. */
export function* entriesIn(cells: readonly (Cell | undefined)[]): Iterable<Entry> {
  for (const cell of cells) {
    for (const group of cell?.groups ?? []) {
      yield* group;
    }
  }
}
