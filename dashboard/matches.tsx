// The matches of the project or of one queue, newest first, by how they went.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAsked } from './asked';
import { Choice } from './choice';
import { reasonText } from './history';
import type { MatchSummary } from '../packages/js/src/journal-types.ts';
import { MatchLink, QueueLink } from './links';
import { Empty, Status, Time, Title, Waiting } from './parts';
import { to } from './place';
import { RatingMove } from './rating-move';
import { CursorPager, Table } from './table';
import { TextLine } from './text-line';

export const LOOK_MS = 5_000;
const SHOWN = 50;

const OUTCOMES = [
  ['', 'all'],
  ['failed', 'failed'],
  ['crashed', 'crashed'],
  ['confirming', 'waiting to be accepted'],
  ['launching', 'launching'],
  ['running', 'running'],
  ['ended', 'ended'],
] as const;

function isBad({ outcome }: MatchSummary): boolean {
  return outcome === 'failed' || outcome === 'crashed';
}

export function isUnderWay({ outcome }: MatchSummary): boolean {
  return outcome !== 'ended' && outcome !== 'crashed' && outcome !== 'failed';
}

function seconds(value: number | null): string {
  return value === null ? '' : value < 120 ? `${value} s` : `${Math.round(value / 60)} min`;
}

function resultText({ result }: MatchSummary): string {
  if (result === undefined) {
    return '';
  }
  const { outcome, rank, score, abandoned } = result;
  return [
    outcome,
    `rank ${rank}`,
    ...(score === null ? [] : [`score ${score}`]),
    ...(abandoned ? ['abandoned'] : []),
  ].join(', ');
}

/** A rematch is called as the match before, whose id says nothing here. */
function makerText({ made_by: by, ref }: MatchSummary): string {
  return by === 'key' ? `made: ${ref}` : 'a rematch';
}

export function MatchTable({
  matches,
  label = 'Matches',
  isPlayers = false,
}: {
  readonly matches: readonly MatchSummary[];
  readonly label?: string;
  /** The list of one player, with how each match went for it. */
  readonly isPlayers?: boolean;
}): JSX.Element {
  return (
    <Table
      label={label}
      isCompact
      heads={[
        'Match',
        'Queue',
        'Outcome',
        ...(isPlayers ? ['Result'] : []),
        'Formed',
        'Players',
        'Wait',
        'Played',
        'Build',
        'Region',
        'Why',
      ]}
    >
      {matches.map((match) => (
        <tr key={match.id} class={isBad(match) ? 'failed' : ''}>
          <th scope="row">
            <MatchLink id={match.id} />
            {match.made_by !== undefined && <div class="dim made">{makerText(match)}</div>}
          </th>
          <td>
            <QueueLink config={match.config} mode={match.mode} />
          </td>
          <td>
            <Status of={match.outcome} />
          </td>
          {isPlayers && (
            <td>
              {resultText(match)}
              <div>
                <RatingMove of={match.result?.rating} />
              </div>
            </td>
          )}
          <td class="number">
            <Time at={match.formedAt} />
          </td>
          <td class="number">
            {match.players}
            {match.short && <span class="dim"> (not full)</span>}
          </td>
          <td class="number">{seconds(match.waitedSeconds)}</td>
          <td class="number">{seconds(match.playedSeconds)}</td>
          <td>{match.build}</td>
          <td class="unbroken">{match.region}</td>
          <td class={isBad(match) ? 'bad' : ''}>
            {match.reason === null ? '' : reasonText(match.reason)}
          </td>
        </tr>
      ))}
    </Table>
  );
}

const NO_FILTER = { outcome: '', build: '', region: '', ref: '', since: '', until: '' };
type Filters = typeof NO_FILTER;

/** A time as its field has it (`2026-11-21T09:00`, of this browser) for a query. */
function instant(local: string): string {
  const ms = Date.parse(local);
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString();
}

export function Matches({
  config,
  mode,
}: {
  /** Null: of every queue. */
  readonly config: string | null;
  readonly mode: string | null;
}): JSX.Element {
  const [filters, setFilters] = useState<Filters>(NO_FILTER);
  /** Where each page that was turned begins; the newest first. */
  const [turned, setTurned] = useState<readonly string[]>([]);
  const asked = {
    limit: String(SHOWN),
    config,
    mode,
    ...filters,
    since: instant(filters.since),
    until: turned.at(-1) ?? instant(filters.until),
  };
  const query = new URLSearchParams(
    Object.entries(asked).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const { data, refusal } = useAsked<{
    readonly items: readonly MatchSummary[];
    readonly next: string | null;
  }>(`GET /matches?${query}`, { every: () => (turned.length === 0 ? LOOK_MS : undefined) });
  const field = (name: keyof Filters, label: string, isTime = false): JSX.Element => (
    <TextLine
      label={label}
      value={filters[name]}
      {...(isTime ? { type: 'datetime-local' } : {})}
      isLate
      onText={(text) => {
        setFilters({ ...filters, [name]: text.trim() });
        setTurned([]);
      }}
    />
  );
  return (
    <>
      {config !== null && mode !== null && (
        <p class="crumbs">
          <a href={to('matches')}>Matches</a> / <QueueLink config={config} mode={mode} />
        </p>
      )}
      <Title>{config === null ? 'Matches' : `Matches in ${config} / ${mode}`}</Title>
      <div class="inline">
        <Choice
          label="Outcome"
          value={filters.outcome}
          options={OUTCOMES}
          onChoice={(outcome) => {
            setFilters({ ...filters, outcome });
            setTurned([]);
          }}
        />
        {field('build', 'Build')}
        {field('region', 'Region')}
        {field('ref', 'Ref')}
        {field('since', 'From', true)}
        {field('until', 'Before', true)}
      </div>
      {data === null ? (
        <Waiting refusal={refusal} />
      ) : data.items.length === 0 && turned.length === 0 && data.next === null ? (
        <Empty title={filters.outcome === 'failed' ? 'No match has failed' : 'No matches'}>
          Matches of the last day show up here.
        </Empty>
      ) : (
        <>
          <MatchTable matches={data.items} />
          <CursorPager turned={turned} next={data.next} onTurned={setTurned} />
        </>
      )}
    </>
  );
}
