// What the small schemas read, where a wrong value looks like a right one.

import { describe, expect, it } from 'vitest';
import { freeForm, parseWith } from '../../../src/common/shape';
import { timeOrNull } from '../../../src/common/times';

describe('a number in free-form JSON', () => {
  const read = (value: unknown) => parseWith(freeForm(16_384), value);
  const told = (path: string, number: string) => [
    {
      path,
      message: `${number} is beyond 2^53, where numbers lose their last digits: send it as a string`,
    },
  ];

  // A parser has rounded them already: these are two ids that became one.
  it.each(['9007199254740992', '-9007199254740993', '76561197960287930', '18446744073709551615'])(
    'is refused if it is an integer that lost digits: %s',
    (digits) => {
      const rounded = JSON.parse(digits) as number;
      for (const [path, body] of [
        ['id', { id: rounded }],
        ['ids[1]', { ids: [1, rounded] }],
        ['a.b[0].c', { a: { b: [{ c: rounded }] } }],
      ] as const) {
        expect(read(body)).toEqual({ ok: false, refusal: told(path, String(rounded)) });
      }
    },
  );

  it.each([9_007_199_254_740_991, -9_007_199_254_740_991, 0.1, 1.5e15, 3.4028235e38, 1e308])(
    'is kept if it is exact, or a measure: %s',
    (number) => {
      expect(read({ number })).toEqual({ ok: true, value: { number } });
    },
  );
});

// decision 63
it.each([
  ['2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000Z'],
  ['2026-11-20T23:30:00.5-09:30', '2026-11-21T09:00:00.500Z'],
  ['2026-11-21T09:00:00+00:00', '2026-11-21T09:00:00.000Z'],
  ['2026-11-21T09:00:00Z', '2026-11-21T09:00:00Z'],
  [null, null],
  [undefined, null],
])('a time typed as %s is said as %s', (typed, said) => {
  expect(parseWith(timeOrNull(), typed)).toEqual({ ok: true, value: said });
});

it.each(['yesterday', '2026-13-01T00:00:00+01:00', '', 7])(
  'a time typed as %s is refused, and throws nothing',
  (typed) => {
    expect(parseWith(timeOrNull(), typed).ok).toBe(false);
  },
);
