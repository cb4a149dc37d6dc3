// Replays the entries of a queue under another mode. The journal is the answer of GET /v3/admin/journal. Without
// `--mode`, the queue's real matches are compared with those that a replay under its own mode gives.

import { readFileSync } from 'node:fs';
import { parseMode } from '../src/match/rules/schema';
import { compare, parseJournal } from '../dashboard/replay/replay';
import { whatIf, type Outlook } from '../dashboard/replay/what-if';
import { commandLine, word } from './flags';

const { flags, words } = commandLine({
  command: 'npm run replay --',
  about: "Plays a queue's journal again, and what another mode would have made of it.",
  flags: { mode: word(null, 'a file with the other mode') },
  words: { name: 'JOURNAL', says: 'a file of GET /v3/admin/journal', least: 1, most: 1 },
});

/** How wide the names of rows are. */
const NAME = 32;

function row(
  name: string,
  of: (outlook: Outlook) => string | number,
  both: readonly Outlook[],
): void {
  console.log([name.padEnd(NAME), ...both.map((each) => String(of(each)).padStart(12))].join(''));
}

function main(): number {
  const journal = readFileSync(words[0] ?? '', 'utf8');
  if (flags.mode === null) {
    const { matches, differences, gaps } = compare(parseJournal(journal));
    console.log(`${matches} matches compared, ${differences} differences, ${gaps} unknown tickets`);
    return differences === 0 ? 0 : 1;
  }
  const mode = parseMode(JSON.parse(readFileSync(flags.mode, 'utf8')));
  if (!mode.ok) {
    mode.refusal.forEach(({ path: at, message }) => console.error(`${at}: ${message}`));
    return 2;
  }
  const { now, changed, draws, compared, gapField, failedLaunches } = whatIf(journal, mode.value);
  const both = [now, changed];
  const range = (all: readonly Outlook[]): string =>
    `${all[0]?.matched ?? 0}-${all.at(-1)?.matched ?? 0}`;
  console.log(`${' '.repeat(NAME)}${'as it was'.padStart(12)}${'changed'.padStart(12)}`);
  row('searches', ({ entered }) => entered, both);
  row('matches', ({ matches }) => matches, both);
  row('matched', ({ matched }) => matched, both);
  console.log(
    `${`of ${draws.now.length} draws`.padEnd(NAME)}${range(draws.now).padStart(12)}${range(draws.changed).padStart(12)}`,
  );
  row('gave up before', ({ left }) => left, both);
  row('would never have matched', ({ neverMatched }) => neverMatched, both);
  row('wait, half of them, s', ({ waitP50 }) => waitP50 ?? '-', both);
  row('wait, nine of ten, s', ({ waitP90 }) => waitP90 ?? '-', both);
  row('places filled', ({ fill }) => (fill === null ? '-' : `${(fill * 100).toFixed(1)}%`), both);
  const part = (of: number | undefined): string =>
    of === undefined ? '-' : `${(of * 100).toFixed(1)}%`;
  row('chances off even, half', ({ evenness }) => evenness.uneven?.p50 ?? '-', both);
  row('chances off even, nine of ten', ({ evenness }) => evenness.uneven?.p90 ?? '-', both);
  row('within 5 of even', ({ evenness }) => part(evenness.uneven?.within5), both);
  if (gapField !== null) {
    row(`teams' ${gapField} apart, half`, ({ evenness }) => evenness.gap?.p50 ?? '-', both);
    row(`teams' ${gapField} apart, most`, ({ evenness }) => evenness.gap?.p90 ?? '-', both);
  }
  row('worst ping, half, ms', ({ ping }) => ping?.p50 ?? '-', both);
  row('worst ping, nine of ten, ms', ({ ping }) => ping?.p90 ?? '-', both);
  for (const [index, { field }] of now.spread.entries()) {
    row(`${field} apart, half`, ({ spread }) => spread[index]?.p50 ?? '-', both);
    row(`${field} apart, nine of ten`, ({ spread }) => spread[index]?.p90 ?? '-', both);
  }
  const { matches, differences, gaps } = compared;
  console.log(`\n${failedLaunches.searches} searches left out, whose games could not be launched.`);
  console.log(
    `\nThe journal against its own mode: ${matches} matches compared, ` +
      `${differences} differences, ${gaps} unknown tickets.`,
  );
  return 0;
}

try {
  process.exitCode = main();
} catch (error) {
  // Lines of the journal that are no JSON are skipped.
  const says = error instanceof SyntaxError ? `${flags.mode} is not JSON: ` : '';
  console.error(`replay: ${says}${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 2;
}
