// Tables. On a phone each row is a card, and each cell says what it is: no column is cut off, and
// nothing has to be scrolled sideways.

import { type ComponentChildren, type JSX, toChildArray } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { saveCsv, textOf } from './save-table';

/**
 * Cells are written by the callers, rows by parts of their own: what they need for the form of a card
 * is added to what was drawn. The head of numbers stands above them. Roles, since browsers forget those of a table that is not shown as one.
 */
function mark(table: HTMLTableElement, heads: readonly string[]): void {
  for (const row of table.querySelectorAll('tr')) {
    row.setAttribute('role', 'row');
  }
  for (const head of table.querySelectorAll<HTMLTableCellElement>('thead th')) {
    const below = `tbody tr > :nth-child(${head.cellIndex + 1}).number`;
    head.classList.toggle('number', table.querySelector(below) !== null);
  }
  for (const row of table.querySelectorAll<HTMLTableRowElement>('tbody tr')) {
    for (const [index, cell] of [...row.cells].entries()) {
      const head = heads[index] ?? '';
      cell.dataset['head'] = head.charAt(0).toUpperCase() + head.slice(1);
      cell.setAttribute('role', cell.tagName === 'TH' ? 'rowheader' : 'cell');
    }
  }
}

interface Sorting {
  readonly column: number;
  readonly isDown: boolean;
}

/** Numbers by size, times by instant, all else by the alphabet. */
function compared(one: string, other: string): number {
  const isNumber = /^[+-]?\d+(\.\d+)?( |$)/;
  return isNumber.test(one) && isNumber.test(other)
    ? Number.parseFloat(one) - Number.parseFloat(other)
    : one.localeCompare(other, undefined, { numeric: true });
}

/** Where each of the rows that are drawn belongs: what was drawn in place `order[0]` comes first. */
function sorted({ rows }: HTMLTableSectionElement, { column, isDown }: Sorting): readonly number[] {
  const texts = Array.from(rows, ({ cells }) => {
    const cell = cells[column];
    return cell === undefined ? '' : textOf(cell);
  });
  const way = isDown ? -1 : 1;
  return texts
    .map((_, index) => index)
    .sort((a, b) => way * compared(texts[a] ?? '', texts[b] ?? '') || a - b);
}

/** The first cell of each row is a `th` that names it. A head sorts the rows that are there by its column. */
export function Table({
  label,
  heads,
  isCompact = false,
  children,
}: {
  readonly label: string;
  readonly heads: readonly string[];
  /** On a phone short cells share a line: for lists of many rows. */
  readonly isCompact?: boolean;
  readonly children: ComponentChildren;
}): JSX.Element {
  const table = useRef<HTMLTableElement>(null);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  /** The keys of the rows, as they were last sorted. */
  const [order, setOrder] = useState<ReadonlyMap<unknown, number>>(new Map());
  const given = toChildArray(children);
  const placeOf = (row: (typeof given)[number]): number =>
    (typeof row === 'object' ? order.get(row.key) : undefined) ?? Infinity;
  const rows = sorting === null ? given : given.toSorted((a, b) => placeOf(a) - placeOf(b) || 0);
  useLayoutEffect(() => {
    const [body] = table.current?.tBodies ?? [];
    if (table.current === null || body === undefined) {
      return;
    }
    mark(table.current, heads);
    if (sorting !== null && body.rows.length === rows.length) {
      const next = sorted(body, sorting);
      if (order.size !== rows.length || next.some((from, to) => from !== to)) {
        const keys = next.map(
          (from, to) => [(rows[from] as JSX.Element | undefined)?.key, to] as const,
        );
        setOrder(new Map(keys));
      }
    }
  });
  return (
    <div class={isCompact ? 'sheet compact' : 'sheet'}>
      <table ref={table} role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr>
            {heads.map((head, column) => (
              <th
                scope="col"
                role="columnheader"
                key={head}
                aria-sort={
                  sorting?.column === column
                    ? sorting.isDown
                      ? 'descending'
                      : 'ascending'
                    : undefined
                }
              >
                {head === '' ? null : (
                  <button
                    type="button"
                    class="sort"
                    title="Sort the rows that are shown"
                    onClick={() =>
                      setSorting((was) =>
                        was?.column !== column
                          ? { column, isDown: false }
                          : was.isDown
                            ? null
                            : { column, isDown: true },
                      )
                    }
                  >
                    {head}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{rows}</tbody>
      </table>
      <button
        type="button"
        class="quiet csv"
        title={`Download these rows: ${label}`}
        onClick={() => table.current !== null && saveCsv(table.current, label)}
      >
        CSV
      </button>
    </div>
  );
}

const PAGE = 50;

/** To the newer and older rows of a list of which the service sends a page of 50 at a time. */
export function Pager({
  offset,
  shown,
  total,
  words = ['Newer', 'Older'],
  onOffset,
}: {
  readonly offset: number;
  readonly shown: number;
  readonly total: number;
  readonly words?: readonly [before: string, after: string];
  readonly onOffset: (offset: number) => void;
}): JSX.Element {
  return (
    <div class="actions">
      <button
        type="button"
        disabled={offset === 0}
        onClick={() => onOffset(Math.max(0, offset - PAGE))}
      >
        {words[0]}
      </button>
      <span class="dim">
        {shown === 0 ? 0 : offset + 1}–{offset + shown} of {total}
      </span>
      <button
        type="button"
        disabled={offset + shown >= total}
        onClick={() => onOffset(offset + shown)}
      >
        {words[1]}
      </button>
    </div>
  );
}

/** To the newer and older pages of a list whose answer says where the next page begins. */
export function CursorPager({
  turned,
  next,
  onTurned,
}: {
  /** Where each page that was turned begins; the newest first. */
  readonly turned: readonly string[];
  /** Null: there are no older ones. */
  readonly next: string | null;
  readonly onTurned: (turned: readonly string[]) => void;
}): JSX.Element {
  return (
    <div class="actions">
      <button
        type="button"
        disabled={turned.length === 0}
        onClick={() => onTurned(turned.slice(0, -1))}
      >
        Newer
      </button>
      <button
        type="button"
        disabled={next === null}
        onClick={() => onTurned([...turned, next ?? ''])}
      >
        Older
      </button>
    </div>
  );
}
