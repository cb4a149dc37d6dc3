// `npm run packages`: the table of packages and steps.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { commandLine, given } from '../../scripts/flags.ts';
import { ALL, prepared } from './programs.ts';
import { conform, type Outcome } from './run.ts';

const { flags, words } = commandLine({
  command: 'npm run packages --',
  about: 'Runs the steps of packages/conformance/steps.json with the program of each package.',
  flags: { broken: given('breaks a line of each, and says which step fails') },
  words: {
    name: 'PACKAGE',
    says: 'js, python, go or csharp; all if none is named',
    least: 0,
    most: 9,
  },
});
const chosen = ALL.filter(({ name }) => words.length === 0 || words.includes(name));
const folder = await mkdtemp(join(tmpdir(), 'muster-packages-'));
try {
  const made = chosen.map((one) =>
    prepared(one, join(folder, one.name), { tool: one.tool ?? '', broken: flags.broken }),
  );
  const programs = await Promise.all(made);
  const outcomes = await conform(programs, flags.broken ? ['follow'] : undefined);
  outcomes.forEach(tell);
  const failed = outcomes.filter((each) => each.failed !== null).length;
  process.exitCode = flags.broken === failed > 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

function tell({ program, scenario, passed, ms, failed }: Outcome): void {
  const end = failed === null ? '' : `, then "${failed.step}" failed: ${failed.got}`;
  console.log(`${program} ${scenario}: ${passed} steps in ${(ms / 1000).toFixed(1)} s${end}`);
}
