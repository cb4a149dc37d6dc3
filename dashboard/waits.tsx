// How long searches took in the last hour or day, by mode and region.

import type { Trends } from '../packages/js/src/dashboard-types';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAsked } from './asked';
import { Choice, HourOrDay } from './choice';
import { QueueLink } from './links';
import { span, Waiting } from './parts';
import { Table } from './table';

const LOOK_MS = 60_000;

function waited(seconds: number | null): string {
  return seconds !== null && seconds < 10 ? `${seconds} s` : span(seconds ?? 0);
}

function percent(part: number, of: number): number {
  return of === 0 ? 0 : Math.round((100 * part) / of);
}

/** The different values, after one for all. */
function optionsOf(values: readonly string[], all: string): readonly (readonly [string, string])[] {
  const sorted = [...new Set(values)].toSorted();
  return [['', all], ...sorted.map((each) => [each, each] as const)];
}

export function Waits(): JSX.Element {
  const [hours, setHours] = useState(1);
  const [queue, setQueue] = useState('');
  const [region, setRegion] = useState('');
  const { data, refusal } = useAsked<Trends>(`GET /admin/trends?hours=${hours}`, {
    every: () => LOOK_MS,
  });
  const all = (data?.waits ?? []).map((each) => ({
    ...each,
    queue: `${each.config} / ${each.mode}`,
  }));
  const rows = all
    .filter((each) => (queue || each.queue) === each.queue)
    .filter((each) => (region || each.region) === each.region)
    .toSorted((a, b) => (b.waitP90 ?? 0) - (a.waitP90 ?? 0));
  return (
    <section aria-labelledby="waits">
      <h2 id="waits">Waits by mode and region</h2>
      <HourOrDay hours={hours} onChoice={setHours} />
      {all.length > 1 && (
        <div class="inline">
          <Choice
            label="Mode"
            value={queue}
            options={optionsOf(
              all.map((each) => each.queue),
              'all modes',
            )}
            onChoice={setQueue}
          />
          <Choice
            label="Region"
            value={region}
            options={optionsOf(
              all.map((each) => each.region),
              'all regions',
            )}
            onChoice={setRegion}
          />
        </div>
      )}
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.keptHours === 0 ? (
        <p class="note">
          The journal is turned off (<code>JOURNAL_HOURS=0</code>), so waits are not kept.
        </p>
      ) : rows.length === 0 ? (
        <p class="dim">No search has ended in that time.</p>
      ) : (
        <>
          <Table
            label="Waits by mode and region"
            heads={[
              'Queue',
              'Region',
              'Searches',
              'Without a match',
              'Median (p50)',
              '90th percentile (p90)',
            ]}
          >
            {rows.map((each) => (
              <tr key={`${each.queue} ${each.region}`}>
                <th scope="row">
                  <QueueLink config={each.config} mode={each.mode} />
                </th>
                <td>{each.region}</td>
                <td class="number">{each.ended}</td>
                <td class="number">
                  {each.unmatched} ({percent(each.unmatched, each.ended)} %)
                  {each.noGame > 0 && `, and ${each.noGame} with a match that never got a game`}
                </td>
                <td class="number">{waited(each.waitP50)}</td>
                <td class="number">{waited(each.waitP90)}</td>
              </tr>
            ))}
          </Table>
          <p class="dim">
            The median and the 90th percentile of the time until a match, by the region of the
            lobby. A search that gave up counts as one that takes at least that long.
          </p>
        </>
      )}
    </section>
  );
}
