// Tables. On a phone each row is a card, and each cell says what it is: no column is cut off, and
// nothing has to be scrolled sideways.

import type { ComponentChildren, JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { saveCsv } from './save-table';

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

/** The first cell of each row is a `th` that names it. */
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
  useLayoutEffect(() => {
    if (table.current !== null) {
      mark(table.current, heads);
    }
  });
  return (
    <div class={isCompact ? 'sheet compact' : 'sheet'}>
      <table ref={table} role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr>
            {heads.map((head) => (
              <th scope="col" role="columnheader" key={head}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">{children}</tbody>
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
