// The last day in charts: matches and failures, waits, and how many players there were.

import type { JSX } from 'preact';
import { useAsked } from './asked';
import { Chart, type Line } from './chart';
import type { Trends as Told } from '../src/http/operators/told';
import { Waiting } from './parts';

const LOOK_MS = 300_000;

type Point = Told['points'][number];

function most(values: readonly (number | null)[]): number {
  return values.reduce<number>((highest, value) => Math.max(highest, value ?? 0), 0);
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

function Charts({ step, points }: Told): JSX.Element {
  const at = points.map((point) => Date.parse(point.at) / 1000);
  const of = (read: (point: Point) => number | null): Line['values'] => points.map(read);
  const aMinute = (count: number): number => (count * 60) / step;
  const matches = of((point) => aMinute(point.matches));
  const failed = of((point) => aMinute(point.failed));
  const p50 = of(({ waitP50 }) => waitP50);
  const p90 = of(({ waitP90 }) => waitP90);
  const queued = of((point) => point.queued);
  const players = of((point) => point.players);
  return (
    <div class="charts">
      <Chart
        title="Matches a minute"
        at={at}
        top={1}
        summary={`Up to ${rounded(most(matches))} matches a minute, of which up to ${rounded(most(failed))} failed`}
        lines={[
          { label: 'formed', color: '--accent', values: matches },
          { label: 'failed', color: '--bad', values: failed, dashed: true },
        ]}
      />
      <Chart
        title="Wait, seconds"
        at={at}
        top={10}
        summary={`Half of the lobbies waited up to ${rounded(most(p50))} s at the worst, nine in ten up to ${rounded(most(p90))} s`}
        lines={[
          { label: 'half (p50)', color: '--accent', values: p50 },
          { label: 'nine in ten (p90)', color: '--violet', values: p90, dashed: true },
        ]}
      />
      <Chart
        title="Lobbies in queue"
        at={at}
        top={5}
        summary={`Up to ${most(queued)} lobbies in queue at once`}
        lines={[{ label: 'in queue', color: '--warn', values: queued }]}
      />
      <Chart
        title="Players"
        at={at}
        top={5}
        summary={`Up to ${most(players)} players`}
        lines={[{ label: 'players', color: '--good', values: players }]}
      />
    </div>
  );
}

/** Of all queues, or of one. */
export function Trends({
  config,
  mode,
}: {
  readonly config?: string;
  readonly mode?: string;
}): JSX.Element {
  const query = new URLSearchParams({
    hours: '24',
    ...(config === undefined ? {} : { config }),
    ...(mode === undefined ? {} : { mode }),
  });
  const { data, refusal } = useAsked<Told>(`GET /admin/trends?${query}`, { every: () => LOOK_MS });
  return (
    <section aria-labelledby="trends">
      <h2 id="trends">Last 24 hours</h2>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.keptHours === 0 ? (
        <p class="note">
          The journal is turned off (<code>JOURNAL_HOURS=0</code>), so the past is not kept: there
          are no trends, and matches and lobbies have no history.
        </p>
      ) : (
        <Charts {...data} />
      )}
    </section>
  );
}
