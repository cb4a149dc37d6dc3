// The figures of what-if: those of the saved mode and of the changed one, beside each other.

import type { JSX } from 'preact';
import type { Outlook, WhatIf as Found } from './replay/what-if';
import { span } from './parts';
import { Table } from './table';

function percent(part: number | null): string {
  return part === null ? 'none' : `${Math.round(part * 100)} %`;
}

function wait(seconds: number | null): string {
  return seconds === null ? 'none' : seconds < 60 ? `${seconds} s` : span(seconds);
}

type Measure = readonly [
  label: string,
  read: (outlook: Outlook) => number | null,
  show: (value: number | null) => string,
];

const WITHIN = 'Games within 5 points of even';

const count = (value: number | null): string => String(Math.round((value ?? 0) * 10) / 10);

const MEASURES: readonly Measure[] = [
  ['Matches', ({ matches }) => matches, count],
  ['Lobbies matched', ({ matched }) => matched, count],
  ['Gave up before', ({ left }) => left, count],
  ['Median wait (p50)', ({ waitP50 }) => waitP50, wait],
  ['90th percentile of waits (p90)', ({ waitP90 }) => waitP90, wait],
  ['Places filled', ({ fill }) => fill, percent],
  ['Never matched', ({ neverMatched }) => neverMatched, count],
];

const known = (value: number | null): string => (value === null ? 'none' : count(value));
const points = (value: number | null): string =>
  value === null ? 'none' : `${count(value)} points`;
const ms = (value: number | null): string => (value === null ? 'none' : `${count(value)} ms`);

/** The two rows of a figure that either mode has. */
function pair(
  label: string,
  read: (outlook: Outlook) => { readonly p50: number | null; readonly p90: number | null } | null,
  show: (value: number | null) => string,
): readonly Measure[] {
  return [
    [`${label} (p50)`, (outlook) => read(outlook)?.p50 ?? null, show],
    [`${label} (p90)`, (outlook) => read(outlook)?.p90 ?? null, show],
  ];
}

/** How even the games are, as far as the modes tell. */
function fairness({ now, changed, gapField }: Found): readonly Measure[] {
  const isKnown = (read: (outlook: Outlook) => object | null): boolean =>
    read(now) !== null || read(changed) !== null;
  const uneven = ({ evenness }: Outlook) => evenness.uneven;
  const gap = ({ evenness }: Outlook) => evenness.gap;
  const ping = (outlook: Outlook) => outlook.ping;
  return [
    ...(isKnown(uneven)
      ? [
          ...pair('Chances off even', uneven, points),
          [WITHIN, (outlook: Outlook) => uneven(outlook)?.within5 ?? null, percent] as const,
        ]
      : []),
    ...(isKnown(gap) ? pair(`${gapField}: gap between the teams`, gap, known) : []),
    ...(isKnown(ping) ? pair('Ping of the player farthest away', ping, ms) : []),
  ];
}

/** Where each team is one lobby, its gap says the same. */
function spreads({ now, changed, gapField }: Found): readonly Measure[] {
  return now.spread.flatMap(({ field }, index) => {
    const isSaid = [now, changed].every(({ spread, evenness: { gap } }) => {
      return gap?.p50 === spread[index]?.p50 && gap?.p90 === spread[index]?.p90;
    });
    return field === gapField && isSaid
      ? []
      : pair(`${field}: gap within a match`, ({ spread }) => spread[index] ?? null, known);
  });
}

/** What the figures of fairness mean, or why there are none. */
export function EvenNote({ found }: { readonly found: Found }): JSX.Element | null {
  const { now, changed } = found;
  if (now.matches + changed.matches === 0) {
    return null;
  }
  const hasChances = (now.evenness.uneven ?? changed.evenness.uneven) !== null;
  return (
    <p class="help">
      {hasChances
        ? 'Chances off even: how many points of a hundred a team’s chance to win was from an even one, by the model of the ladder. Of two teams, 5 points are 55 to 45.'
        : fairness(found).length > 0
          ? 'Nothing says how likely each team was to win: neither mode has a rating.'
          : 'Nothing says how even these games are: neither mode has a rating, or a rule that compares a number, or the lobbies that queued had no such number.'}
    </p>
  );
}

/** The middle draw, and the range of all of them if they differ. */
function shown([label, read, show]: Measure, middle: Outlook, draws: readonly Outlook[]): string {
  const values = draws.map(read).toSorted((a, b) => (a ?? 0) - (b ?? 0));
  const [low = '', high = ''] = [values.at(0), values.at(-1)].map((value) => show(value ?? null));
  const of = label === 'Lobbies matched' ? ` of ${middle.entered}` : '';
  return `${show(read(middle))}${of}${low === high ? '' : ` (${low} to ${high})`}`;
}

export function Figures({ found }: { readonly found: Found }): JSX.Element {
  const { now, changed, draws } = found;
  return (
    <Table label="What if" heads={['Measure', 'Today’s mode', 'With your changes']}>
      {[...MEASURES, ...fairness(found), ...spreads(found)].map((measure) => (
        <tr key={measure[0]}>
          <th scope="row">{measure[0]}</th>
          <td class="number">{shown(measure, now, draws.now)}</td>
          <td class="number">{shown(measure, changed, draws.changed)}</td>
        </tr>
      ))}
    </Table>
  );
}
