// Once all is quiet, each match that somebody made is listed once in the journal of its mode's queue, where operators find it.

import type { MatchRecord } from '../../src/objects/contracts/reports';
import { linesOf } from '../../src/objects/queue/journal';
import type { Disk } from './disk';
import { matchOn } from './truth';
import type { World } from './world';

const MADE = /^{"k":"made"/;

function refOn(disk: Disk): string | undefined {
  return matchOn(disk)?.roster.ref ?? disk.read<MatchRecord>('past')?.ref;
}

export function checkListed(world: World): void {
  const listed: string[] = [];
  for (const { kind, disk } of world.saved) {
    const rows = kind === 'queue' ? disk.list('journal:') : [];
    for (const [key] of rows) {
      // A large row is in parts.
      const { text = '' } = disk.read<{ readonly text: string }>(key) ?? {};
      const made = linesOf(text, MADE).flatMap((line) => (line.k === 'made' ? line.matchId : []));
      listed.push(...made);
    }
  }
  for (const { kind, disk, name } of world.saved) {
    const ref = kind === 'match' ? refOn(disk) : undefined;
    const times = listed.filter((id) => id === name[0]).length;
    world.journal.check(
      ref === undefined || times === 1,
      () => `the match ${name[0]}, made as ${ref}, is listed ${times} times`,
    );
  }
}
