// The ledger of nights: what stays on the page, what is added, and what the next night reads back from it.

import { expect, it } from 'vitest';
import { pageWith, type Night } from '../../../scripts/night-page';

const COUNTS = {
  seeds: 1_200,
  twice: 24,
  histories: 1_206,
  kills: 15,
  requests: 12_000,
  traces: 6_000,
  climbs: 6,
};

function night(at: string, more: Partial<Night> = {}): Night {
  return {
    at,
    commit: '12345678',
    minutes: 9,
    counts: COUNTS,
    longestMs: 4.25,
    faults: [],
    reached: {},
    ...more,
  };
}

function lines(page: string, like: RegExp): readonly string[] {
  return page.split('\n').filter((line) => like.test(line));
}

it('adds a line a night, and keeps those before', () => {
  const first = pageWith('', night('2026-11-28T01:00'));
  const second = pageWith(first, night('2026-11-29T01:00'));
  const row = (at: string): string =>
    `| ${at} | 12345678 | 9 | 1,200 | 24 | 1,206 | 15 | 12,000 | 6,000 | 6 | 4.3 | 0 | none |`;
  expect(lines(second, /^\| 2026/)).toEqual([row('2026-11-28T01:00'), row('2026-11-29T01:00')]);
  expect(second.match(/^#+ .*/gm)).toEqual(first.match(/^#+ .*/gm));
});

it('names the oldest fault for as long as nobody takes it out', () => {
  const found = pageWith(
    '',
    night('2026-11-28T01:00', { faults: ['`torture`: lost', '`fuzz`: 500'] }),
  );
  const later = pageWith(found, night('2026-11-30T01:00', { faults: ['`judge`: two lobbies'] }));
  expect(lines(later, /^- /)).toEqual([
    '- 2026-11-28T01:00 12345678: `torture`: lost',
    '- 2026-11-28T01:00 12345678: `fuzz`: 500',
    '- 2026-11-30T01:00 12345678: `judge`: two lobbies',
  ]);
  expect(lines(later, /^\| 2026-11-30/)[0]).toMatch(/ \| 1 \| 2026-11-28T01:00 \|$/);
  const explained = later.replace(/^- .*\n/gm, '');
  expect(lines(pageWith(explained, night('2026-12-01T01:00')), /^\| 2026-12-01/)[0]).toMatch(
    / \| 0 \| none \|$/,
  );
});

it('puts the rate of what is rare beside that of the night before', () => {
  const reached = (late: number, gone: number): Night['reached'] => ({
    box: { seeds: 2_000, counts: { late, gone, often: 900 } },
  });
  const first = pageWith('', night('2026-11-28T01:00', { reached: reached(3, 0) }));
  expect(lines(first, /^\| box/)).toEqual([
    '| box | gone | 0.00 | - |',
    '| box | late | 1.50 | - |',
  ]);
  const second = pageWith(first, night('2026-11-29T01:00', { reached: reached(1, 40) }));
  expect(lines(second, /^\| box/)).toEqual(['| box | late | 0.50 | 1.50 |']);
});
