// A line chart over time, drawn with uPlot: small, kept, and without dependencies. Its canvas knows
// nothing of the page's colours, so they are read off the page, again when light turns dark.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface Line {
  readonly label: string;
  /** A custom property of the page's style. */
  readonly color: '--accent' | '--violet' | '--bad' | '--good' | '--warn' | '--dim';
  readonly values: readonly (number | null)[];
  readonly dashed?: boolean;
}

const HEIGHT = 150;

/** The current colour, light or dark, because a canvas does not know `light-dark()`. */
function colorOf(name: string, within: HTMLElement): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** A single point is no line, so points between gaps are drawn as dots. */
const alone: uPlot.Series.Points.Filter = ({ data }, line) => {
  const values = [...(data[line] ?? [])];
  const isGap = (at: number): boolean => (values[at] ?? null) === null;
  return [...values.keys()].filter((at) => !isGap(at) && isGap(at - 1) && isGap(at + 1));
};

function optionsFor(box: HTMLElement, lines: readonly Line[], top: number): uPlot.Options {
  const axis: uPlot.Axis = {
    stroke: colorOf('--dim', box),
    font: '12px system-ui, sans-serif',
    grid: { stroke: colorOf('--line', box), width: 1 },
    ticks: { show: false },
  };
  return {
    width: box.clientWidth,
    height: HEIGHT,
    cursor: { y: false, drag: { x: false, y: false } },
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
        points: { show: true, size: 4, filter: alone },
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
  const box = useRef<HTMLDivElement>(null);
  const key = JSON.stringify([at, lines, top]);
  useEffect(() => {
    const within = box.current;
    if (within === null) {
      return undefined;
    }
    let chart: uPlot | null = null;
    const draw = (): void => {
      chart?.destroy();
      const data = [[...at], ...lines.map(({ values }) => [...values])] as uPlot.AlignedData;
      chart = new uPlot(optionsFor(within, lines, top), data, within);
    };
    const fit = new ResizeObserver(() => {
      if (chart !== null && chart.width !== within.clientWidth) {
        chart.setSize({ width: within.clientWidth, height: HEIGHT });
      }
    });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    draw();
    fit.observe(within);
    dark.addEventListener('change', draw);
    return () => {
      fit.disconnect();
      dark.removeEventListener('change', draw);
      chart?.destroy();
    };
  }, [key]);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <div ref={box} role="img" aria-label={summary} />
    </figure>
  );
}
