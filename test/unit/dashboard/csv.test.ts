// Tables as files: what spreadsheets read as the same cells, and never as formulas.

import { describe, expect, it } from 'vitest';
import { csvOf } from '../../../dashboard/csv.ts';

describe('a table as CSV', () => {
  it('quotes what would end a cell or a row', () => {
    expect(csvOf([['a', 'b, c', 'say "hi"', 'two\nlines']])).toBe(
      'a,"b, c","say ""hi""","two\nlines"\r\n',
    );
  });

  it.each(['=1+1', '+cmd', '-2+3', '@SUM(A1)', '\tx'])('disarms the player %j', (id) => {
    expect(csvOf([[id]])).toBe(`"'${id}"\r\n`);
  });

  it.each(['-5', '+12', '3.25', ''])('leaves %j as it is', (text) => {
    expect(csvOf([[text]])).toBe(`${text}\r\n`);
  });
});
