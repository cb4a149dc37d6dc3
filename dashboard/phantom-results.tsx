// The results of the phantoms: how many are in each state, who met whom, and how far apart they
// were.

import type { JSX } from 'preact';
import type { Phantom, Phase } from './phantom';
import { MatchLink } from './links';
import { Json } from './parts';
import { Table } from './table';

const PHASES: readonly (readonly [Phase, string])[] = [
  ['joining', 'joining'],
  ['searching', 'searching'],
  ['accepting', 'accepting'],
  ['matched', 'matched'],
  ['playing', 'playing'],
  ['left', 'done'],
  ['declined', 'declined'],
  ['unmatched', 'no match'],
  ['failed', 'failed'],
];

interface Met {
  readonly matchId: string;
  readonly phantoms: readonly Phantom[];
}

function matchesOf(phantoms: readonly Phantom[]): readonly Met[] {
  const found = new Map<string, Phantom[]>();
  for (const phantom of phantoms) {
    if (phantom.matchId !== null && phantom.phase !== 'failed') {
      found.set(phantom.matchId, [...(found.get(phantom.matchId) ?? []), phantom]);
    }
  }
  return [...found].map(([matchId, met]) => ({ matchId, phantoms: met }));
}

function skillsOf(phantoms: readonly Phantom[], field: string): readonly number[] {
  return phantoms.flatMap(({ state }) => {
    const value = state[field];
    return typeof value === 'number' ? [value] : [];
  });
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function gap(values: readonly number[]): number {
  return values.length === 0 ? 0 : Math.max(...values) - Math.min(...values);
}

const WIDTH = 600;
const ROW = 14;

/** Each match as a line over the skills of who met: short lines are even matches. */
function Spread({
  matches,
  field,
  all,
}: {
  readonly matches: readonly Met[];
  readonly field: string;
  readonly all: readonly number[];
}): JSX.Element | null {
  if (all.length === 0 || matches.length === 0) {
    return null;
  }
  const low = Math.min(...all);
  const range = Math.max(1, Math.max(...all) - low);
  const x = (skill: number): number => 8 + ((skill - low) / range) * (WIDTH - 16);
  const height = matches.length * ROW + 8;
  return (
    <figure>
      <svg
        class="spread"
        viewBox={`0 0 ${WIDTH} ${height}`}
        role="img"
        aria-label={`Skills of the players in ${matches.length} matches; the table below has the same numbers`}
      >
        {matches.map(({ matchId, phantoms }, index) => {
          const skills = skillsOf(phantoms, field);
          const y = index * ROW + 10;
          return (
            <g key={matchId}>
              <line x1={x(Math.min(...skills))} x2={x(Math.max(...skills))} y1={y} y2={y} />
              {skills.map((skill, each) => (
                <circle key={each} cx={x(skill)} cy={y} r={4} />
              ))}
            </g>
          );
        })}
      </svg>
      <figcaption>
        Each line is a match, drawn from {field} {low} to {low + range}. Short lines are even
        matches.
      </figcaption>
    </figure>
  );
}

export function PhantomResults({
  phantoms,
  field,
}: {
  readonly phantoms: readonly Phantom[];
  readonly field: string;
}): JSX.Element {
  const matches = matchesOf(phantoms).filter((met) => met.phantoms.length > 1);
  const waits = phantoms.flatMap(({ waited }) => (waited === null ? [] : [waited]));
  const gaps = matches.map((met) => gap(skillsOf(met.phantoms, field)));
  return (
    <>
      <dl class="tiles small">
        {PHASES.map(([phase, label]) => (
          <div class="tile" key={phase}>
            <dt class="tile-label">{label}</dt>
            <dd class="tile-value">{phantoms.filter((each) => each.phase === phase).length}</dd>
          </div>
        ))}
      </dl>
      <section aria-labelledby="met">
        <h2 id="met">Matches: {matches.length}</h2>
        {matches.length > 0 && (
          <p>
            Average wait {mean(waits).toFixed(1)} s; average gap in {field} {Math.round(mean(gaps))}
            .
          </p>
        )}
        <Spread matches={matches} field={field} all={skillsOf(phantoms, field)} />
        {matches.length > 0 && (
          <Table label="Matches of phantoms" heads={['Match', 'Phantoms', field, 'Gap']}>
            {matches.map(({ matchId, phantoms: met }) => (
              <tr key={matchId}>
                <th scope="row">
                  <MatchLink id={matchId} />
                </th>
                <td>{met.map(({ id }) => id.replace(/^phantom-/, '')).join(', ')}</td>
                <td>{skillsOf(met, field).join(', ')}</td>
                <td class="number">{gap(skillsOf(met, field))}</td>
              </tr>
            ))}
          </Table>
        )}
      </section>
      <section aria-labelledby="all">
        <h2 id="all">Phantoms</h2>
        <Table label="Phantoms" heads={['Phantom', 'Phase', 'Waited', 'State', 'Note']}>
          {phantoms.map((phantom) => (
            <tr key={phantom.id}>
              <th scope="row">{phantom.id}</th>
              <td>
                <span class={`status status-${phantom.phase}`}>
                  {PHASES.find(([phase]) => phase === phantom.phase)?.[1]}
                </span>
              </td>
              <td class="number">
                {phantom.waited === null ? '' : `${phantom.waited.toFixed(1)} s`}
              </td>
              <td>
                <Json value={phantom.state} />
              </td>
              <td class={phantom.phase === 'failed' ? 'bad' : ''}>
                {phantom.note}
                {phantom.phase === 'failed' && phantom.matchId !== null && (
                  <>
                    {' '}
                    (match <MatchLink id={phantom.matchId} />)
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      </section>
    </>
  );
}
