// Line charts of figures over time or size: one panel for each, one above the other, and every scale starts at zero.

import { label, STYLE } from './svg.ts';

export interface Panel {
  readonly name: string;
  readonly values: readonly number[];
}

export interface Lines {
  readonly title: string;
  /** The x value of each point. Points are spaced by these values, or by their logarithms. */
  readonly xs: readonly number[];
  readonly scale: 'linear' | 'logarithmic';
  readonly nameOf: (x: number) => string;
  readonly panels: readonly Panel[];
}

const WIDTH = 760;
const LEFT = 70;
const RIGHT = 70;
const TOP = 44;
const PANEL = 92;
const GAP = 34;
/** The most labels along the axis. */
const NAMES = 7;

const COLOURS = `
  .line { fill: none; stroke: #0969da; stroke-width: 2 }
  .dot { fill: #0969da }
  @media (prefers-color-scheme: dark) {
    .line { stroke: #58a6ff }
    .dot { fill: #58a6ff }
  }`;

export function lines({ title, xs, scale, nameOf, panels }: Lines): string {
  const shown = xs.map((x) => (scale === 'linear' ? x : Math.log10(x)));
  const [first = 0, last = 1] = [shown[0], shown.at(-1)];
  const span = last - first || 1;
  const places = shown.map((x) => LEFT + ((x - first) / span) * (WIDTH - LEFT - RIGHT));
  const height = TOP + panels.length * (PANEL + GAP) + 12;
  const every = Math.max(1, Math.ceil(xs.length / NAMES));
  const names = places.flatMap((x, index) =>
    index % every === 0
      ? [
          label(Math.round(x), height - 10, nameOf(xs[index] ?? 0), {
            kind: 'small',
            anchor: 'middle',
          }),
        ]
      : [],
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img"
  aria-label="${title}">
<style>${STYLE}${COLOURS}
</style>
${label(8, 20, title)}
${panels.map((panel, index) => drawn(panel, places, TOP + index * (PANEL + GAP))).join('\n')}
${names.join('\n')}
</svg>
`;
}

function drawn({ name, values }: Panel, places: readonly number[], top: number): string {
  const most = Math.max(...values) || 1;
  const bottom = top + PANEL;
  const points = values.map((value, index) => {
    const y = bottom - (value / most) * (PANEL - 16);
    return `${Math.round(places[index] ?? 0)},${Math.round(y)}`;
  });
  const dots =
    values.length > 12
      ? ''
      : points
          .map((point) => point.split(','))
          .map(([x, y]) => `<circle class="dot" cx="${x}" cy="${y}" r="3"/>`)
          .join('');
  const end = values.at(-1) ?? 0;
  const [x = '0', y = '0'] = points.at(-1)?.split(',') ?? [];
  return `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${bottom}" y2="${bottom}"/>
${label(LEFT, top + 4, name)}${label(LEFT - 8, bottom, '0', { kind: 'small', anchor: 'end' })}
<polyline class="line" points="${points.join(' ')}"/>${dots}
${label(Number(x) + 6, Number(y) + 4, end.toLocaleString('en-US'), { kind: 'small' })}`;
}
