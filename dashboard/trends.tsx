// The last hour or day in charts: matches and failures, searches without a match, waits, and who searched.

import type { Trends as Told } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAsked } from './asked';
import { HourOrDay } from './choice';
import { Chart, type Line } from './chart';
import { Day } from './day';
import { Waiting } from './parts';

const LOOK_MS = 300_000;

type Point = Told['points'][number];

function most(values: readonly (number | null)[]): number {
  return values.reduce<number>((highest, value) => Math.max(highest, value ?? 0), 0);
}

/** In percent. A match may fail in a step in which fewer searches ended. */
function shareOf(part: number, of: number): number | null {
  return of === 0 ? null : Math.min(100, (100 * part) / of);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** One chart: its lines, and the first of them as it was a day before. */
function Figure({
  title,
  points,
  before,
  top,
  summary,
  lines,
}: {
  readonly title: string;
  readonly points: readonly Point[];
  /** The same steps of the day before, one for each point. */
  readonly before: readonly Point[];
  readonly top: number;
  /** Of the highest value of each line. */
  readonly summary: (most: readonly number[]) => string;
  readonly lines: readonly (readonly [
    label: string,
    color: Line['color'],
    read: (point: Point) => number | null,
  ])[];
}): JSX.Element {
  const drawn = lines.map(([label, color, read], index) => ({
    label,
    color,
    values: points.map(read),
    dashed: index > 0,
  }));
  const past = before.map(lines[0]?.[2] ?? (() => null));
  const yesterday: readonly Line[] = past.some((value) => (value ?? 0) > 0)
    ? [{ label: 'the day before', color: '--dim', values: past, dashed: true }]
    : [];
  return (
    <Chart
      title={title}
      at={points.map((point) => Date.parse(point.at) / 1000)}
      top={top}
      summary={summary(drawn.map(({ values }) => rounded(most(values))))}
      lines={[...drawn, ...yesterday]}
    />
  );
}

function Charts({
  step,
  points: all,
  hours,
}: Pick<Told, 'step' | 'points'> & { readonly hours: number }): JSX.Element {
  const [shownSteps, aDay] = [(hours * 3600) / step, 86_400 / step];
  const points = all.slice(-shownSteps);
  const before = all.slice(-aDay - shownSteps, all.length - aDay);
  const aMinute = (count: number): number => (count * 60) / step;
  const shown = { points, before };
  return (
    <div class="charts">
      <Figure
        {...shown}
        title="Matches a minute"
        top={1}
        summary={([formed, failed]) =>
          `Up to ${formed} matches a minute, of which up to ${failed} failed`
        }
        lines={[
          ['formed', '--accent', ({ matches }) => aMinute(matches)],
          ['failed', '--bad', ({ failed }) => aMinute(failed)],
        ]}
      />
      <Figure
        {...shown}
        title="Searches that ended without a match or a game, %"
        top={10}
        summary={([share, noGame]) =>
          `Up to ${share} % of the searches ended without a match, and up to ${noGame} % in a match that never got a game`
        }
        lines={[
          ['without a match', '--bad', ({ ended, unmatched }) => shareOf(unmatched, ended)],
          ['match without a game', '--warn', ({ ended, noGame }) => shareOf(noGame, ended)],
        ]}
      />
      <Figure
        {...shown}
        title="Wait for a match, seconds"
        top={10}
        summary={([half, nine]) => `Median wait up to ${half} s, 90th percentile up to ${nine} s`}
        lines={[
          ['median (p50)', '--accent', ({ waitP50 }) => waitP50],
          ['90th percentile (p90)', '--violet', ({ waitP90 }) => waitP90],
        ]}
      />
      <Figure
        {...shown}
        title="In queue, on average"
        top={5}
        summary={([lobbies, players]) =>
          `Up to ${lobbies} lobbies with ${players} players in queue`
        }
        lines={[
          ['lobbies', '--warn', ({ queued }) => queued],
          ['players', '--good', ({ players }) => players],
        ]}
      />
    </div>
  );
}

/** Of all queues, or of one: then the hours of its day too. */
export function Trends({
  config,
  mode,
  target,
}: {
  readonly config?: string;
  readonly mode?: string;
  /** The wait that the mode aims at, in seconds. */
  readonly target?: number | undefined;
}): JSX.Element {
  const [chosen, choose] = useState<number | null>(null);
  const query = new URLSearchParams({
    hours: '48',
    ...(config === undefined ? {} : { config }),
    ...(mode === undefined ? {} : { mode }),
  });
  const { data, refusal } = useAsked<Told>(`GET /admin/trends?${query}`, { every: () => LOOK_MS });
  const old = data?.points.slice(0, -12).some(({ ended, queued }) => ended > 0 || queued > 0);
  // The hour where there is no more: an empty day with a line at its edge says little.
  const hours = chosen ?? (old === true ? 24 : 1);
  return (
    <>
      <section aria-labelledby="trends">
        <h2 id="trends">{hours === 1 ? 'Last hour' : 'Last 24 hours'}</h2>
        <HourOrDay hours={hours} onChoice={choose} />
        {data === null ? (
          <Waiting refusal={refusal} />
        ) : data.keptHours === 0 ? (
          <p class="note">
            The journal is turned off (<code>JOURNAL_HOURS=0</code>), so the past is not kept: there
            are no trends, and matches and lobbies have no history.
          </p>
        ) : (
          <Charts {...data} hours={hours} />
        )}
      </section>
      {data?.day !== undefined && data.keptHours > 0 && <Day day={data.day} target={target} />}
    </>
  );
}
