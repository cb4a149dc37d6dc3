// The last day of a queue: how long players waited against how even their games were, each hour a point.

import type { Trends } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import type uPlot from 'uplot';
import { counted, span } from './parts';
import { baseOf, colorOf, Plot } from './plot';
import { Table } from './table';

type Hour = NonNullable<Trends['day']>[number];

/** An hour that has both figures. */
interface Point {
  readonly hour: Hour;
  /** Medians: seconds, and points off even, or else how far apart the teams were. */
  readonly wait: number;
  readonly apart: number;
}

const HOUR_MS = 3_600_000;
/** Pixels. */
const HEIGHT = 240;

function clock(at: string): string {
  // As the axes of the other charts.
  const time = (ms: number): string =>
    new Date(ms).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return `${time(Date.parse(at))}\u00A0to\u00A0${time(Date.parse(at) + HOUR_MS)}`;
}

function rounded(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function waited(seconds: number | null): string {
  return seconds === null ? '–' : seconds < 60 ? `${rounded(seconds)} s` : span(seconds);
}

/** A dashed line across the chart at that wait, and what it is. */
function drawTarget(chart: uPlot, seconds: number, color: string): void {
  const { ctx, bbox } = chart;
  const x = chart.valToPos(seconds, 'x', true);
  const { devicePixelRatio: ratio } = globalThis;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.lineWidth = 2 * ratio;
  ctx.setLineDash([5 * ratio, 4 * ratio]);
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.font = `${12 * ratio}px system-ui, sans-serif`;
  ctx.textBaseline = 'top';
  const isLeft = x > bbox.left + bbox.width / 2;
  ctx.textAlign = isLeft ? 'right' : 'left';
  ctx.fillText(`target ${seconds} s`, x + (isLeft ? -6 : 6) * ratio, bbox.top + 2 * ratio);
  ctx.restore();
}

function optionsFor(
  box: HTMLElement,
  points: readonly Point[],
  hasChances: boolean,
  target: number | undefined,
): uPlot.Options {
  const { size, axis } = baseOf(box);
  const dots = (label: string, color: string): uPlot.Series => {
    const fill = colorOf(color, box);
    return {
      label,
      value: (_, value: number | null) =>
        value === null ? '–' : `${rounded(value)}${hasChances ? ' points' : ''}`,
      stroke: fill,
      paths: () => null,
      points: { show: true, size: 9, fill, stroke: fill },
    };
  };
  return {
    ...size,
    cursor: { y: false, drag: { x: false, y: false } },
    padding: [8, 22, 0, 0],
    scales: {
      x: { time: false, range: (_, __, most) => [0, Math.max(1, most, target ?? 0) * 1.1] },
      y: { range: (_, __, most) => [0, Math.max(1, most) * 1.15] },
    },
    axes: [
      { ...axis, values: (_, at) => at.map((each) => `${each} s`), space: 60, size: 26 },
      { ...axis, size: 52 },
    ],
    series: [
      {
        label: 'Wait',
        value: (_, __, ___, at) => {
          const point = points[at ?? -1];
          return point === undefined ? '–' : `${waited(point.wait)}, ${clock(point.hour.at)}`;
        },
      },
      dots('each hour', '--dim'),
      dots('the newest hour', '--accent'),
    ],
    hooks: {
      draw:
        target === undefined ? [] : [(chart) => drawTarget(chart, target, colorOf('--warn', box))],
    },
  };
}

/** What the points say, in words. */
function told(points: readonly Point[], hasChances: boolean, target: number | undefined): string {
  const ends = (values: readonly number[]): string => {
    const [least, most] = [Math.min(...values), Math.max(...values)].map(rounded);
    return least === most ? `${least}` : `${least} to ${most}`;
  };
  const apart = ends(points.map((point) => point.apart));
  const uneven = hasChances ? `chances ${apart} points off even` : `teams ${apart} apart`;
  const wait = ends(points.map((point) => point.wait));
  const aim = target === undefined ? '' : `; the target wait is ${target} s`;
  return `${counted(points.length, 'hour')}: median waits of ${wait} s, and ${uneven}${aim}`;
}

function Hours({ day }: { readonly day: readonly Hour[] }): JSX.Element {
  const hasChances = day.some(({ uneven }) => uneven !== null);
  const hasGaps = day.some(({ gap }) => gap !== null);
  const shown = (value: number | undefined): string => (value === undefined ? '–' : rounded(value));
  const percent = (part: number | undefined): string =>
    part === undefined ? '–' : `${Math.round(100 * part)} %`;
  return (
    <details>
      <summary>The hours in figures</summary>
      <Table
        label="Hours of the last day"
        isCompact
        heads={[
          'Hour',
          'Searches',
          'Wait (p50)',
          'Wait (p90)',
          ...(hasChances ? ['Off even (p50)', 'Off even (p90)', 'Within 5 points of even'] : []),
          ...(hasGaps ? ['Teams apart (p50)', 'Teams apart (p90)'] : []),
        ]}
      >
        {day.toReversed().map(({ at, ended, waitP50, waitP90, uneven, gap }) => (
          <tr key={at}>
            <th scope="row">{clock(at)}</th>
            <td class="number">{ended}</td>
            <td class="number">{waited(waitP50)}</td>
            <td class="number">{waited(waitP90)}</td>
            {hasChances && (
              <>
                <td class="number">{shown(uneven?.p50)}</td>
                <td class="number">{shown(uneven?.p90)}</td>
                <td class="number">{percent(uneven?.within5)}</td>
              </>
            )}
            {hasGaps && (
              <>
                <td class="number">{shown(gap?.p50)}</td>
                <td class="number">{shown(gap?.p90)}</td>
              </>
            )}
          </tr>
        ))}
      </Table>
    </details>
  );
}

export function Day({
  day,
  target,
}: {
  readonly day: readonly Hour[];
  /** Seconds. */
  readonly target: number | undefined;
}): JSX.Element {
  const hasChances = day.some(({ uneven }) => uneven !== null);
  const points = day
    .flatMap((hour): readonly Point[] => {
      const apart = (hasChances ? hour.uneven : hour.gap)?.p50;
      return hour.waitP50 === null || apart === undefined
        ? []
        : [{ hour, wait: hour.waitP50, apart }];
    })
    .toSorted((a, b) => a.wait - b.wait);
  const newest = points
    .map(({ hour }) => hour.at)
    .toSorted()
    .at(-1);
  const valuesOf = (isNewest: boolean) =>
    points.map(({ hour, apart }) => ((hour.at === newest) === isNewest ? apart : null));
  return (
    <section aria-labelledby="day">
      <h2 id="day">Wait against fairness</h2>
      {day.length === 0 ? (
        <p class="dim">No search has ended in the last 24 hours.</p>
      ) : points.length === 0 ? (
        <p class="dim">
          Nothing says how even the games of the last 24 hours were: no match formed, or the mode
          has neither a rating nor a rule that compares a number of its players.
        </p>
      ) : (
        <>
          <Plot
            title={
              hasChances
                ? 'Each hour: median wait, and how many points chances were off even'
                : 'Each hour: median wait, and how far apart the teams were (median)'
            }
            summary={told(points, hasChances, target)}
            drawn={JSON.stringify([points, target])}
            data={[points.map(({ wait }) => wait), valuesOf(false), valuesOf(true)]}
            options={(box) => optionsFor(box, points, hasChances, target)}
            height={HEIGHT}
          />
          <p class="help">
            Further left is sooner, further down is more even.
            {hasChances && ' 5 points off even are chances of 55 to 45.'} A search that gave up
            counts as one that takes at least that long.
          </p>
          <Hours day={day} />
        </>
      )}
    </section>
  );
}
