// The page that nights are written into (docs/internals/ledger.md): a line each night, what nobody has explained yet, and
// what the simulation comes by rarely. A pure function of the page before.

/** What one night did. */
export interface Night {
  /** ISO 8601, to the minute. */
  readonly at: string;
  readonly commit: string;
  readonly minutes: number;
  /** What was done, in the order of its columns: see COUNTS. */
  readonly counts: Readonly<Record<Count, number>>;
  /** The longest single call of the pool that the climb found. */
  readonly longestMs: number;
  /** How to see each again, in a line. */
  readonly faults: readonly string[];
  /** By placement: how often each wanted event was come by. */
  readonly reached: Readonly<Record<string, Reached>>;
}

export interface Reached {
  readonly seeds: number;
  readonly counts: Readonly<Record<string, number>>;
}

export const COUNTS = [
  'seeds',
  'twice',
  'histories',
  'kills',
  'requests',
  'traces',
  'climbs',
] as const;
export type Count = (typeof COUNTS)[number];

/** Fewer in a thousand seeds are few. */
const FEW = 2;

const HEAD = `# Ledger

\`npm run night -- --minutes N\` runs, in turns, seeds of the simulation in both placements, the [judge](judge.md) on what their clients
saw, torture, fuzz, traces of the pool against the oracle, and the climb of \`bench:worst\`. It ends a few minutes late rather than in
the middle of something, also after Ctrl-C, and adds a line here. One seed in fifty runs twice, and must show its clients the same bytes.
`;

const UNEXPLAINED = '## Unexplained';
const RARELY = '## Rarely reached';
const NIGHTS = `## Nights

| At | Commit | Minutes | ${COUNTS.map((name) => name[0]?.toUpperCase() + name.slice(1)).join(' | ')} | Longest call, ms | Faults | Oldest unexplained |
|---|---|---|${'---|'.repeat(COUNTS.length)}---|---|---|`;

function rowsOf(page: string, section: string): readonly string[] {
  const [, text = ''] = page.split(`${section}\n`);
  const [own = ''] = text.split('\n## ');
  return own.split('\n').filter((line) => /^(?:\| (?!At |In )|- )/.test(line));
}

function cellsOf(row: string): readonly string[] {
  return row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, ''));
}

/** Rates of the last night, by placement and event. */
function ratesOf(page: string): ReadonlyMap<string, string> {
  return new Map(
    rowsOf(page, RARELY).map((row) => {
      const [placement = '', what = '', rate = ''] = cellsOf(row);
      return [`${placement} ${what}`, rate];
    }),
  );
}

function rareRows({ reached }: Night, before: ReadonlyMap<string, string>): readonly string[] {
  return Object.entries(reached).flatMap(([placement, { seeds, counts }]) =>
    Object.entries(counts)
      .map(([what, count]) => [what, (1_000 * count) / Math.max(1, seeds)] as const)
      .filter(([, rate]) => rate < FEW)
      .toSorted(([, a], [, b]) => a - b)
      .map(([what, rate]) => {
        const was = before.get(`${placement} ${what}`) ?? '-';
        return `| ${placement} | ${what} | ${rate.toFixed(2)} | ${was} |`;
      }),
  );
}

/** The page with this night. Lines under *Unexplained* stay until somebody takes them out with the reason. */
export function pageWith(page: string, night: Night): string {
  const fresh = night.faults.map((fault) => `- ${night.at} ${night.commit}: ${fault}`);
  const unexplained = [...rowsOf(page, UNEXPLAINED), ...fresh];
  const oldest = /^- (\S+)/.exec(unexplained[0] ?? '')?.[1] ?? 'none';
  const counts = COUNTS.map((name) => night.counts[name].toLocaleString('en-US'));
  const longest = night.longestMs.toFixed(1);
  const cells = [
    night.at,
    night.commit,
    night.minutes,
    ...counts,
    longest,
    night.faults.length,
    oldest,
  ];
  const nights = [...rowsOf(page, '## Nights'), `| ${cells.join(' | ')} |`];
  const rare = rareRows(night, ratesOf(page));
  return [
    HEAD,
    [NIGHTS.split('\n\n')[0], '', NIGHTS.split('\n\n')[1], ...nights, ''].join('\n'),
    [UNEXPLAINED, '', ...(unexplained.length === 0 ? ['Nothing.'] : unexplained), ''].join('\n'),
    [
      RARELY,
      '',
      `What came fewer than ${FEW} times in a thousand seeds of the last night, beside the rate of the night before (\`-\`: not among the rare).`,
      '',
      '| In | What | Per 1,000 seeds | Before |',
      '|---|---|---|---|',
      ...rare,
      '',
    ].join('\n'),
  ].join('\n');
}
