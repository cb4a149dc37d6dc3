// The chart of the benchmark: enters a second of the pool and of the naive scan on the same trace, by size of the
// queue, on a logarithmic axis.

import { label, STYLE } from '../svg';
import type { Told } from './report';

const SIZES = [1000, 10_000, 100_000];
const FAMILIES = ['W1 1v1', 'W2 5v5 parties', 'W3 FFA-100'];

const WIDTH = 760;
const LEFT = 150;
const RIGHT = 90;
const TOP = 64;
const BAR = 15;
const GROUP = 2 * BAR + 12;
const FAMILY = 22;
/** Enters a second at the left edge, and the length of the axis in powers of ten. */
const FIRST = 1;
const DECADES = 6;

const COLOURS = `
  .pool { fill: #0969da }
  .naive { fill: #9a6700 }
  @media (prefers-color-scheme: dark) {
    .pool { fill: #58a6ff }
    .naive { fill: #d29922 }
  }`;

/** The SVG of all workloads that were measured at several sizes. `head` says on which machine. */
export function chart(rows: readonly Told[], head: string): string {
  const parts: string[] = [];
  let y = TOP;
  for (const family of FAMILIES) {
    parts.push(label(8, y + 14, family));
    for (const size of SIZES) {
      const row = rows.find(({ workload }) => workload === `${family}, ${size} queued`);
      if (row !== undefined) {
        parts.push(
          label(LEFT - 8, y + 14, size.toLocaleString('en-US'), { kind: 'small', anchor: 'end' }),
        );
        parts.push(bar(y + 2, row.perSecond, 'pool'));
        parts.push(bar(y + 2 + BAR, row.naive.newcomerOnly ?? 0, 'naive'));
        y += GROUP;
      }
    }
    y += FAMILY;
  }
  const bottom = y - FAMILY;
  const grid = Array.from({ length: DECADES + 1 }, (_, decade) => {
    const value = FIRST * 10 ** decade;
    const x = place(value);
    const line = `<line class="grid" x1="${x}" x2="${x}" y1="${TOP - 6}" y2="${bottom}"/>`;
    const name = value.toLocaleString('en-US');
    return line + label(x, bottom + 16, name, { kind: 'small', anchor: 'middle' });
  });
  const height = bottom + 46;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img"
  aria-label="Enters a second of the pool and of a naive scan, by size of the queue">
<style>${STYLE}${COLOURS}
</style>
${label(8, 20, 'Enters a second, by tickets in the queue (logarithmic)')}
<rect class="pool" x="8" y="32" width="12" height="12"/>${label(26, 42, 'pool')}
<rect class="naive" x="76" y="32" width="12" height="12"/>${label(94, 42, 'naive scan for the newcomer alone')}
${grid.join('\n')}
${parts.join('\n')}
${label(8, height - 8, head, { kind: 'small' })}
</svg>
`;
}

function place(perSecond: number): number {
  const share = Math.log10(Math.max(FIRST, perSecond) / FIRST) / DECADES;
  return Math.round(LEFT + share * (WIDTH - LEFT - RIGHT));
}

function bar(y: number, perSecond: number, kind: 'pool' | 'naive'): string {
  const end = place(perSecond);
  const told = Math.round(perSecond).toLocaleString('en-US');
  const rect = `<rect class="${kind}" x="${LEFT}" y="${y}" width="${end - LEFT}" height="${BAR - 2}"/>`;
  return perSecond === 0 ? '' : rect + label(end + 5, y + 10, told, { kind: 'small' });
}
