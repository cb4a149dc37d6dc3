// In which order files run: the longest begin first, so that none is left over at the end of its layer.

import { join, relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { IS_WHOLE } from './parts.ts';

/** About how long files take on two quiet cores that take longer than most. An old number costs time and nothing else. */
const SECONDS: Readonly<Record<string, number>> = {
  'browser/pages': 255,
  'browser/guides': 175,
  'sim/crash-table': 100,
  'sim/sim': 92,
  'browser/operator-tasks': 90,
  'clients/godot-conformance': 82,
  'browser/dashboard': 75,
  'wire/recipes': 71,
  'security/access': 70,
  'fleet/containers': 68,
  'http/together/games': 66,
  'fleet/seat-tickets': 52,
  'browser/journal-pages': 51,
  'browser/console': 50,
  'sdk/scenarios': 48,
  'browser/config-editor': 48,
  'browser/first-start': 47,
  'wire/sleep': 45,
  'browser/streams': 45,
  'clients/godot-server': 44,
  'wire/several-machines': 43,
  'browser/what-if': 41,
  'browser/peers': 41,
  'wire/torture': 38,
  'fleet/torture-images': 38,
  'security/client-sockets': 37,
  'objects/model': 35,
  'wire/webhooks': 35,
  'wire/client-presence': 35,
  'upgrade/data': 32,
  'sdk/crossings': 31,
  'wire/configs-command': 30,
  'clients/stream-clients': 30,
  'clients/csharp': 30,
  'wire/client-package': 29,
  'match/traces': 29,
  'http/together/modes': 29,
  'browser/settings-pages': 28,
  'browser/broken-peers': 28,
  'wire/client': 27,
  'browser/reference': 27,
  'http/together/matching': 26,
  'wire/damaged': 25,
  'browser/client-react': 25,
  'wire/mistakes-of-commands': 25,
  'clients/godot-player': 25,
  'sdk/frames': 24,
  'http/together/lobbies': 24,
  'fleet/start': 24,
  'browser/queue-day': 24,
  'browser/home': 23,
  'wire/full-disk': 22,
  'sim/judge': 22,
  'browser/hostile': 22,
  'match/counters': 21,
  'browser/invites': 21,
  'browser/players-page': 20,
  'browser/line': 20,
  'wire/backup': 19,
  'http/failed-launches': 19,
  'security/quotas': 18,
  'security/pages': 17,
  'browser/viewer': 17,
  'wire/ratings': 16,
  'fleet/agent': 16,
  'browser/support-answers': 16,
  'sdk/leaving': 16,
  'security/fuzz': 15,
  'security/connections': 15,
  'http/player-tokens': 15,
  'fleet/own-ports': 15,
  'browser/paged': 15,
  'browser/overview': 15,
  'security/malformed': 14,
  'security/configs': 14,
  'http/ratings': 14,
  'browser/build-images': 14,
};
const USUAL_SECONDS = 4;

/** They share processes, so their files follow each other. Few of them are in `npm run test:all`. */
const FIRST = IS_WHOLE ? [] : ['pure', 'workers'];

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
