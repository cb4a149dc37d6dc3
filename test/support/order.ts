// In which order files run: the longest begin first, so that none is left over at the end of its layer.

import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** About how long files take on two cores that take longer than most. An old number costs time and nothing else. */
const SECONDS: Readonly<Record<string, number>> = {
  'browser/pages': 249,
  'http/together/lobbies': 60,
  'http/together/games': 50,
  'http/together/modes': 50,
  'http/together/matching': 40,
  'http/together/streams': 30,
  'http/together/configs': 30,
  'browser/dashboard': 102,
  'security/access': 88,
  'sim/sim': 40,
  'upgrade/data': 65,
  'wire/recipes': 73,
  'fleet/containers': 72,
  'sdk/scenarios': 57,
  'wire/help': 55,
  'browser/journal-pages': 48,
  'browser/first-start': 47,
  'browser/operator-tasks': 46,
  'wire/client': 44,
  'browser/guides': 44,
  'match/traces': 43,
  'sim/crash-table': 43,
  'browser/streams': 35,
  'objects/model': 34,
  'browser/console': 34,
  'sdk/frames': 33,
  'sdk/crossings': 32,
  'browser/config-editor': 31,
  'wire/client-presence': 30,
  'wire/webhooks': 30,
  'wire/sleep': 30,
  'wire/torture': 28,
  'sdk/leaving': 27,
  'security/client-sockets': 26,
  'fleet/start': 25,
  'wire/client-package': 25,
  'wire/mistakes-of-commands': 24,
  'wire/full-disk': 24,
  'browser/settings-pages': 22,
  'browser/home': 22,
  'http/ratings': 22,
  'browser/hostile': 22,
  'fleet/agent': 22,
  'wire/configs-command': 22,
  'wire/damaged': 20,
  'http/conformance-matching': 19,
  'match/metamorphic': 18,
  'security/pages': 18,
  'http/running-matches': 17,
  'fleet/drain': 16,
  'http/player-tokens': 16,
  'fleet/seat-tickets': 15,
  'match/slices': 14,
  'browser/what-if': 14,
  'security/fuzz': 14,
  'security/signals': 14,
};
const USUAL_SECONDS = 4;

/** They share processes, so their files follow each other. */
const FIRST = ['pure', 'workers'];

const ROOT = join(import.meta.dirname, '..');

function secondsOf({ moduleId }: TestSpecification): number {
  return SECONDS[relative(ROOT, moduleId).replace(/\.test\.ts$/, '')] ?? USUAL_SECONDS;
}

function layerOf({ project: { name } }: TestSpecification): number {
  return FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length;
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted(
      (a, b) =>
        layerOf(a) - layerOf(b) ||
        secondsOf(b) - secondsOf(a) ||
        (a.moduleId < b.moduleId ? -1 : 1),
    );
  }
}
