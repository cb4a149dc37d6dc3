// Asks fleets about problems of a build before it is launched.

import type { Build } from './build';
import type { Fleets } from './fleets';
import { ONLY } from './fleets';

/**
 * Why the fleets that may launch the build could not, one text for each fleet. A fleet that cannot tell or does not
 * answer gives no warning.
 */
export async function problemsOf(
  fleets: Fleets,
  project: string,
  build: Build,
): Promise<readonly string[]> {
  const wanted = { project, region: null, fleet: build.launch.fleet ?? null };
  const names = fleets.candidates(wanted);
  if (names.length === 0) {
    return [`There is no fleet ${build.launch.fleet ?? 'for this project'}`];
  }
  const { name, version, label, launch, ports } = build;
  const problems = names.map(async (each) => {
    const asked = fleets.named(each)?.check?.({ name, version, label, launch, ports });
    const problem = (await asked?.catch(() => null)) ?? null;
    return problem === null || each === ONLY ? problem : `${each}: ${problem}`;
  });
  return (await Promise.all(problems)).filter((problem) => problem !== null);
}
