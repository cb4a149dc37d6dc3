// Takes everything down, and checks that nothing remains after a while.

import type { Quiet } from './finally';
import { saveLaunch } from './happenings';
import { codesOn, queueOn, rowsOn } from './truth';

const HOURS_MS = 3 * 60 * 60_000;
/**
 * State that may remain: the last mode of a queue, the project's own, and seats left by a crash,
 * which the next claim finds free.
 */
const KEPT: ReadonlySet<string> = new Set([
  'queue',
  'project',
  'directory',
  'fleet',
  'seat',
  'players',
  'ratings',
]);

/** Deletes every lobby, lets three hours pass, and lists what is left. */
export async function checkClosed(
  { world, always, ledger }: Quiet,
  broken: () => boolean,
): Promise<void> {
  world.journal.say(() => '=== closing');
  const peers = world.peersOf(world.client('admin'));
  for (const [id, { config }] of always.lobbies) {
    ledger.endAsked(id);
    void peers.lobby(id).adminDelete(world.project, config);
  }
  void saveLaunch(world, {});
  await world.loop.run(world.loop.now + HOURS_MS, broken);
  const { journal, fleet } = world;
  journal.check(always.lobbies.size === 0, () => 'lobbies are left after all were deleted');
  journal.check(fleet.alive().length === 0, () => `servers still run: ${fleet.alive().join(', ')}`);
  for (const node of world.saved) {
    const { rows } = node.disk;
    if (!KEPT.has(node.kind)) {
      journal.check(rows.size === 0, () => `${node.label} keeps ${[...rows.keys()].join(', ')}`);
    }
    if (node.kind === 'queue') {
      journal.check(queueOn(node.disk).tickets.length === 0, () => `${node.label} keeps tickets`);
    }
    if (node.kind === 'directory') {
      const left = codesOn(node.disk).length + rowsOn(node.disk).length;
      journal.check(left === 0, () => `${node.label} keeps codes or rows`);
    }
  }
}
