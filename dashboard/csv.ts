// Rows of texts as a file for spreadsheets (RFC 4180).

/**
 * Players choose their ids, so a text that a spreadsheet would run as a formula gets an apostrophe before it. Numbers
 * stay numbers.
 */
function csvField(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}
