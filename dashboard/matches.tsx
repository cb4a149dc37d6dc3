// The matches of the project or of one queue, newest first, by how they went.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAsked } from './asked';
import { reasonText } from './history';
import type { MatchSummary } from '../src/http/operators/told';
import { MatchLink, QueueLink } from './links';
import { Empty, Status, Time, Title, Waiting } from './parts';
import { to } from './place';
import { Table } from './table';

export const LOOK_MS = 5_000;
const SHOWN = 50;

const OUTCOMES = [
  ['', 'all'],
  ['failed', 'failed'],
  ['confirming', 'waiting to be accepted'],
  ['launching', 'launching'],
  ['running', 'running'],
  ['ended', 'ended'],
] as const;

export function isUnderWay({ outcome }: MatchSummary): boolean {
  return outcome !== 'ended' && outcome !== 'failed';
}

export function MatchTable({
  matches,
  label = 'Matches',
}: {
  readonly matches: readonly MatchSummary[];
  readonly label?: string;
}): JSX.Element {
  return (
    <Table label={label} heads={['Match', 'Queue', 'Outcome', 'Formed', 'Players', 'Why']}>
      {matches.map(({ id, config, mode, outcome, reason, formedAt, players, short }) => (
        <tr key={id} class={outcome === 'failed' ? 'failed' : ''}>
          <th scope="row">
            <MatchLink id={id} />
          </th>
          <td>
            <QueueLink config={config} mode={mode} />
          </td>
          <td>
            <Status of={outcome} />
          </td>
          <td class="number">
            <Time at={formedAt} />
          </td>
          <td class="number">
            {players}
            {short && <span class="dim"> (not full)</span>}
          </td>
          <td class={outcome === 'failed' ? 'bad' : ''}>
            {reason === null ? '' : reasonText(reason)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

export function Matches({
  config,
  mode,
}: {
  /** Null: of every queue. */
  readonly config: string | null;
  readonly mode: string | null;
}): JSX.Element {
  const [outcome, setOutcome] = useState('');
  const query = new URLSearchParams({
    limit: String(SHOWN),
    ...(config === null ? {} : { config }),
    ...(mode === null ? {} : { mode }),
    ...(outcome === '' ? {} : { outcome }),
  });
  const { data, refusal } = useAsked<{ readonly items: readonly MatchSummary[] }>(
    `GET /matches?${query}`,
    { every: () => LOOK_MS },
  );
  return (
    <>
      {config !== null && mode !== null && (
        <p class="crumbs">
          <a href={to('matches')}>Matches</a> / <QueueLink config={config} mode={mode} />
        </p>
      )}
      <Title>{config === null ? 'Matches' : `Matches in ${config} / ${mode}`}</Title>
      <div class="field narrow">
        <label for="outcome">Outcome</label>
        <select
          id="outcome"
          value={outcome}
          onChange={(event) => setOutcome(event.currentTarget.value)}
        >
          {OUTCOMES.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.items.length === 0 ? (
        <Empty title={outcome === 'failed' ? 'No match has failed' : 'No matches'}>
          Matches of the last day show up here.
        </Empty>
      ) : (
        <MatchTable matches={data.items} />
      )}
    </>
  );
}
