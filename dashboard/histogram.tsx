// Two histograms over each other: wide bars behind narrow ones.

import type { JSX } from 'preact';
import uPlot from 'uplot';
import { baseOf, colorOf, Plot } from './plot';

export interface Bars {
  readonly label: string;
  /** A custom property of the page's style. */
  readonly color: '--dim' | '--accent';
  /** One for each bin. */
  readonly counts: readonly number[];
}

const WIDTHS = [0.9, 0.45] as const;

function optionsFor(
  box: HTMLElement,
  bins: readonly string[],
  both: readonly [Bars, Bars],
): uPlot.Options {
  const { size, axis } = baseOf(box);
  return {
    ...size,
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, bins.length - 0.4] },
      y: { range: (_, __, most) => [0, Math.max(1, most) * 1.05] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        splits: () => [...bins.keys()],
        values: (_, at) => at.map((index) => bins[index] ?? ''),
        space: 1,
        size: 26,
      },
      { ...axis, size: 46 },
    ],
    series: [
      { label: 'seconds', value: (_, index: number | null) => bins[index ?? -1] ?? '' },
      ...both.map(({ label, color }, index): uPlot.Series => {
        const paths = uPlot.paths.bars?.({ size: [WIDTHS[index] ?? 1] });
        const fill = colorOf(color, box);
        return {
          label,
          stroke: fill,
          fill,
          points: { show: false },
          ...(paths === undefined ? {} : { paths }),
        };
      }),
    ],
  };
}

/** `bins`: what to write under each. The first of both is drawn behind. */
export function Histogram({
  title,
  summary,
  bins,
  both,
}: {
  readonly title: string;
  readonly summary: string;
  readonly bins: readonly string[];
  readonly both: readonly [Bars, Bars];
}): JSX.Element {
  return (
    <Plot
      title={title}
      summary={summary}
      drawn={JSON.stringify([bins, both])}
      data={[[...bins.keys()], ...both.map(({ counts }) => counts)]}
      options={(box) => optionsFor(box, bins, both)}
    />
  );
}
