// The tables and the chart of docs/fairness.md, made from what was measured.

import { label, STYLE } from '../svg';
import type { Score, Spread } from './score';

export interface Told {
  readonly population: string;
  readonly rate: number;
  readonly parties: number;
  readonly policy: string;
  readonly score: Score;
}

export interface Hour {
  readonly hour: number;
  readonly parties: number;
  readonly median: number;
}

export interface Measured {
  readonly seed: number;
  readonly rows: readonly Told[];
  readonly hours: readonly Hour[];
}

const START = '<!-- figures: proof/bench/fair -->';
const END = '<!-- end of figures -->';

/** The page with the figures of one party a second, and of a day, between its marks. */
export function withFigures(page: string, measured: Measured): string {
  const [before = '', rest = ''] = page.split(START);
  const [, after = ''] = rest.split(END);
  const rows = measured.rows.filter(
    ({ rate, population }) => rate === 1 && !population.includes(','),
  );
  const told = [...tables({ ...measured, rows }), day(measured.hours)].join('\n');
  return `${before}${START}\n\n${told}\n${END}${after}`;
}

/** Everything that was measured, as Markdown. */
export function allFigures(measured: Measured): string {
  const head =
    '# Fair games soon: all figures\n\n`npm run bench:fair`; docs/fairness.md says what they mean.\n';
  return [head, ...tables(measured)].join('\n');
}

function tables({ seed, rows }: Measured): readonly string[] {
  const groups = Map.groupBy(rows, ({ population, rate }) => `${population}, ${rate} a second`);
  return [...groups].map(
    ([name, its]) =>
      `### ${name}\n\n${its[0]?.parties ?? 0} parties, seed ${seed}.\n\n${table(its)}\n`,
  );
}

const HEAD =
  '| | wait, s | off even, points | within 5 | within 10 | never | rarest | overtaken | by kind |\n' +
  '|---|--:|--:|--:|--:|--:|--:|--:|--:|';

function table(rows: readonly Told[]): string {
  const lines = rows.map(({ policy, score }) => {
    const { wait, unfair, within5, within10, never, rarest, overtaken, bySize, byTenth } = score;
    const cells = [policy, spread(wait), spread(unfair)];
    const shares = [within5, within10, never].map(percent);
    const kinds = (bySize.length > 1 ? bySize : byTenth).map((each) => each.toFixed(0)).join(' ');
    return `| ${[...cells, ...shares, round(rarest), overtaken.toFixed(2), kinds].join(' | ')} |`;
  });
  return [HEAD, ...lines].join('\n');
}

function day(hours: readonly Hour[]): string {
  const cells = hours.map(({ hour, parties, median }) => `| ${hour} | ${parties} | ${median} |`);
  return ['| Hour | Parties | Median wait, s |', '|--:|--:|--:|', ...cells, ''].join('\n');
}

function spread(values: Spread): string {
  return values.map(round).join(' / ');
}

function round(value: number): string {
  return Number.isFinite(value) ? value.toFixed(1) : '-';
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

const WIDTH = 760;
const HEIGHT = 420;
const [LEFT, RIGHT, TOP, BOTTOM] = [60, 24, 56, 48];
const COLOURS = `
  .ours { fill: #0969da }
  .theirs { fill: #9a6700 }
  @media (prefers-color-scheme: dark) {
    .ours { fill: #58a6ff }
    .theirs { fill: #d29922 }
  }`;

/** Waits against fairness, a point for each policy: both p90, the wait on a logarithmic axis from 1 to 100 s. */
export function frontier(title: string, rows: readonly Told[]): string {
  const most = Math.max(...rows.map(({ score }) => score.unfair[1]));
  const xOf = (seconds: number): number =>
    LEFT + (Math.log10(Math.min(100, Math.max(1, seconds))) / 2) * (WIDTH - LEFT - RIGHT);
  const yOf = (points: number): number => TOP + (points / most) * (HEIGHT - TOP - BOTTOM);
  const grid = [1, 3, 10, 30, 100].map(
    (seconds) =>
      `<line class="grid" x1="${xOf(seconds)}" x2="${xOf(seconds)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}"/>` +
      label(xOf(seconds), HEIGHT - BOTTOM + 18, `${seconds} s`, {
        kind: 'small',
        anchor: 'middle',
      }),
  );
  const scale = [0, most / 2, most].map((points) =>
    label(LEFT - 8, yOf(points) + 4, points.toFixed(0), { kind: 'small', anchor: 'end' }),
  );
  /** Where the last name ended on the left of its point, and on the right. */
  const below = { ours: 0, theirs: 0 };
  const points = rows
    .toSorted((one, other) => one.score.unfair[1] - other.score.unfair[1])
    .map(({ policy, score }) => {
      const [x, y] = [xOf(score.wait[1]), yOf(score.unfair[1])];
      const kind = policy.startsWith('Muster') ? 'ours' : 'theirs';
      below[kind] = Math.max(Math.round(y) + 4, below[kind] + 12);
      const name =
        kind === 'ours'
          ? label(Math.round(x) - 8, below[kind], policy, { kind: 'small', anchor: 'end' })
          : label(Math.round(x) + 8, below[kind], policy, { kind: 'small' });
      return `<circle class="${kind}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="4"/>${name}`;
    });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    `<style>${STYLE}${COLOURS}</style>`,
    label(8, 20, title),
    label(
      8,
      38,
      'Across: wait, p90. Down: points off an even chance, p90. Higher and further left is better.',
      { kind: 'small' },
    ),
    ...grid,
    ...scale,
    ...points,
    '</svg>',
    '',
  ].join('\n');
}
