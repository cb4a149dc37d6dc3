// Warm servers (record 0073): whoever keeps a build saves it again, with another number of them; and what holds of them at rest.

import { launchedFor, LAUNCH_LIMIT_MS } from '../../src/objects/server/hearing';
import { isWarm } from '../../src/objects/server/state';
import { launchOf, saveLaunch } from './happenings';
import { Random } from './random';
import type { Scenario } from './scenario';
import { serverOn, warmOn, type SavedServer } from './truth';
import type { World } from './world';

const STREAM = 42;

export function warmIn({ nodes }: World): ReturnType<typeof warmOn> {
  return [...nodes.values()]
    .filter(({ kind }) => kind === 'project')
    .flatMap(({ disk }) => warmOn(disk));
}

export async function keeper(
  { world, scenario }: { readonly world: World; readonly scenario: Scenario },
  isOver: () => boolean,
): Promise<void> {
  if (scenario.warm === 0) {
    return;
  }
  const random = new Random(scenario.seed, STREAM);
  for (let left = random.below(4); left > 0; left -= 1) {
    await world.loop.sleep(random.between(500, 15_000));
    if (!isOver()) {
      world.journal.count('happened: a build is saved that keeps servers warm');
      // A match that has begun to launch before its build kept any may take one later, and disowns the first.
      const warm = left === 1 ? random.below(4) : 1 + random.below(3);
      await saveLaunch(world, launchOf({ ...scenario, warm }));
    }
  }
}

/** A launch is under way: a warm server that fails is tried again for ever. */
export function isTried(server: SavedServer, now: number, upSince: number): boolean {
  return isWarm(server) && !server.accepted && now < launchedFor(LAUNCH_LIMIT_MS, server, upSince);
}

/** Each warm server waits for its match, and there are as many as the build says, unless they fail. */
export function checkWarm(world: World): void {
  for (const { ids, failures } of warmIn(world)) {
    for (const id of ids) {
      const server = serverOn(world.node('server', id).disk);
      const isReady = server?.status === 'running' && server.order.owner.kind === 'warm';
      world.journal.check(
        isReady || failures > 0,
        () => `warm server ${id} is ${server?.status} of ${JSON.stringify(server?.order.owner)}`,
      );
    }
  }
}
