// A line chart over time.

import type { JSX } from 'preact';
import type uPlot from 'uplot';
import { baseOf, colorOf, Plot } from './plot';

export interface Line {
  readonly label: string;
  /** A custom property of the page's style. */
  readonly color: '--accent' | '--violet' | '--bad' | '--good' | '--warn' | '--dim';
  readonly values: readonly (number | null)[];
  readonly dashed?: boolean;
}

/** A single point is no line, so points between gaps are drawn as dots. */
const alone: uPlot.Series.Points.Filter = ({ data }, line) => {
  const values = [...(data[line] ?? [])];
  const isGap = (at: number): boolean => (values[at] ?? null) === null;
  return [...values.keys()].filter((at) => !isGap(at) && isGap(at - 1) && isGap(at + 1));
};

function optionsFor(box: HTMLElement, lines: readonly Line[], top: number): uPlot.Options {
  const { size, axis } = baseOf(box);
  return {
    ...size,
    cursor: { y: false, drag: { x: false, y: false } },
    class: 'lines',
    legend: {
      markers: { dash: (_, line) => (lines[line - 1]?.dashed === true ? 'dashed' : 'solid') },
    },
    // Half of a label of the hour fits beside the last of them.
    padding: [8, 22, 0, 0],
    scales: { y: { range: (_, __, most) => [0, Math.max(top, most) * 1.05] } },
    axes: [
      { ...axis, values: '{HH}:{mm}', space: 70, size: 26 },
      { ...axis, size: 46 },
    ],
    series: [
      { value: '{HH}:{mm}' },
      ...lines.map(({ label, color, dashed }) => ({
        label,
        value: (_: uPlot, value: number | null) =>
          value === null ? '–' : String(Math.round(value * 10) / 10),
        stroke: colorOf(color, box),
        width: 2,
        spanGaps: false,
        points: { show: true, size: 7, filter: alone },
        ...(dashed === true ? { dash: [5, 4] } : {}),
      })),
    ],
  };
}

/** `at`: epoch seconds, one for each value. `top`: how high the axis goes at least. */
export function Chart({
  title,
  at,
  lines,
  summary,
  top,
}: {
  readonly title: string;
  readonly at: readonly number[];
  readonly lines: readonly Line[];
  /** The description for screen readers. */
  readonly summary: string;
  readonly top: number;
}): JSX.Element {
  return (
    <Plot
      title={title}
      summary={summary}
      drawn={JSON.stringify([at, lines, top])}
      data={[at, ...lines.map(({ values }) => values)]}
      options={(box) => optionsFor(box, lines, top)}
    />
  );
}
