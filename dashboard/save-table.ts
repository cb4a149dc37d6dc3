// Saves the rows that a table shows as a file of the browser.

import { csvOf } from './csv';

/** What a cell says. Ids that are shown by their beginning are whole, and times are ISO 8601. */
export function textOf(cell: HTMLTableCellElement): string {
  const copy = cell.cloneNode(true) as HTMLTableCellElement;
  copy.querySelectorAll('button:not(.sort), dialog').forEach((each) => each.remove());
  copy.querySelectorAll('time').forEach((time) => time.replaceWith(time.dateTime));
  copy
    .querySelectorAll<HTMLElement>('a[title]:has(> code)')
    .forEach((link) => link.replaceWith(link.title));
  return (copy.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}

/** Downloads the rows that the table shows. */
export function saveCsv(table: HTMLTableElement, label: string): void {
  const rows = [...table.rows].map((row) => [...row.cells].map(textOf));
  // Spreadsheets read UTF-8 by its mark.
  const file = new Blob(['\ufeff', csvOf(rows)], { type: 'text/csv;charset=utf-8' });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = `${label.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
