// What `npm test` runs, and what only `npm run test:all` runs after it. Each of the two sets TESTS; without it, as where one
// names a file, every file is run, those in parts at their small size.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TESTS = process.env['TESTS'];

/** Files that share a runtime with others in `npm test`, and where they are named. */
const TOGETHER = 'http/together';

/** The run after `npm test`: files in parts have their whole size. */
export const IS_WHOLE = TESTS === 'rest';

/**
 * Files that only `npm run test:all` runs: pages command by command, data of old versions, containers, NATs, real clocks,
 * programs of others, and second ways to show what a file of `npm test` shows.
 */
export const AFTER: readonly string[] = [
  'browser/discord-activity',
  'browser/first-start',
  'browser/guides',
  'browser/operator-tasks',
  'browser/pages',
  'browser/what-if',
  'clients/conformance',
  'clients/csharp',
  'clients/godot-conformance',
  'clients/godot-player',
  'clients/godot-server',
  'clients/lua',
  'clients/lua-following',
  'clients/samples',
  'clients/stream-clients',
  'fleet/containers',
  'fleet/seat-tickets',
  'fleet/torture-images',
  'match/from-flexmatch-large',
  'objects/model',
  'sdk/crossings',
  'sdk/leaving',
  'sim/full-fleet',
  'sim/large-commits',
  'unit/docs/fairness-page',
  'unit/docs/small-games',
  'upgrade/data',
  'wire/bracket',
  'wire/client-presence',
  'wire/client-package',
  'wire/clock',
  'wire/coturn',
  'wire/created-game',
  'wire/ended-npm',
  'wire/image',
  'wire/mistakes-of-commands',
  'wire/other-systems',
  'wire/own-matcher',
  'wire/prometheus',
  'wire/recipes',
  'wire/servers',
  'wire/several-machines',
  'wire/several-machines-proxies',
  'wire/sleep',
  'wire/teeworlds',
  'wire/traces',
  'wire/webhooks',
];

/** Files that ask `IS_WHOLE`: a part of them is in `npm test`, and all of them in `npm run test:all`. */
export const IN_PARTS: readonly string[] = ['sim/crash-table', 'sim/judge', 'sim/sim'];

/** Files that neither runs, because they wait for minutes: `npm run engines` does. */
const BY_ENGINES: readonly string[] = ['clients/quickstarts'];

/** `.ci/run` sets it for `npm test`, as it runs the whole of these after it. */
const LATER: readonly string[] = process.env['PARTS'] === 'later' ? IN_PARTS : [];

export function sharing(): readonly string[] {
  const folder = join(import.meta.dirname, '..', TOGETHER);
  return readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/'\.\.\/(.+)\.test'/g)].map(
      ([, name = '']) => `http/${name}`,
    ),
  );
}

/** The files of some folders of `test`, as vitest takes them. */
export function filesOf(...folders: readonly string[]): { include: string[]; exclude: string[] } {
  const path = (name: string): string => `test/${name}.test.ts`;
  const isHere = (name: string): boolean => folders.includes(name.split('/')[0] ?? '');
  return IS_WHOLE
    ? { include: [...AFTER, ...IN_PARTS].filter(isHere).map(path), exclude: [] }
    : {
        include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
        exclude:
          TESTS === 'most'
            ? [...AFTER, ...LATER, ...BY_ENGINES, ...sharing()].map(path)
            : [path(`${TOGETHER}/*`)],
      };
}
