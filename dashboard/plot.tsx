// Draws with uPlot: small, kept, and without dependencies. Its canvas knows nothing of the page's colours, so they are
// read off the page, again when light turns dark.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

const HEIGHT = 150;

/** The current colour, light or dark, because a canvas does not know `light-dark()`. */
export function colorOf(name: string, within: HTMLElement): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  within.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/** The parts that all charts share. */
export function baseOf(box: HTMLElement): {
  readonly size: Pick<uPlot.Options, 'width' | 'height'>;
  readonly axis: uPlot.Axis;
} {
  return {
    size: { width: box.clientWidth, height: HEIGHT },
    axis: {
      stroke: colorOf('--dim', box),
      font: '12px system-ui, sans-serif',
      grid: { stroke: colorOf('--line', box), width: 1 },
      ticks: { show: false },
    },
  };
}

/** The legend has no values while the pointer is elsewhere. */
function markIdle({ root, cursor }: uPlot): void {
  root.classList.toggle('idle', (cursor.idx ?? null) === null);
}

/**
 * `summary`: the description for screen readers. `drawn`: the chart is drawn anew where this is another text. `height`: in
 * pixels, of the canvas.
 */
export function Plot({
  title,
  summary,
  drawn,
  data,
  options,
  height = HEIGHT,
}: {
  readonly title: string;
  readonly summary: string;
  readonly drawn: string;
  readonly data: readonly (readonly (number | null)[])[];
  readonly options: (box: HTMLElement) => uPlot.Options;
  readonly height?: number;
}): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const within = box.current;
    if (within === null) {
      return undefined;
    }
    let chart: uPlot | null = null;
    const draw = (): void => {
      chart?.destroy();
      const aligned = data.map((values) => [...values]) as uPlot.AlignedData;
      const asked = options(within);
      const hooks = { ...asked.hooks, ready: [markIdle], setCursor: [markIdle] };
      chart = new uPlot({ ...asked, height, hooks }, aligned, within);
    };
    const fit = new ResizeObserver(() => {
      if (chart !== null && chart.width !== within.clientWidth) {
        chart.setSize({ width: within.clientWidth, height });
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
  }, [drawn]);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong>
      </figcaption>
      <div ref={box} role="img" aria-label={summary} />
    </figure>
  );
}
