// The studio's backend: says something of players, again and again, while they come and go.

import type { PlayerId } from '../src/common/ids';
import { isExplained } from './parts';
import { Random } from './random';
import { TIER, type Scenario } from './scenario';
import type { World } from './world';

/** Its own chance: what players do in a seed does not depend on it. */
const STREAM = 10;

export async function backend(world: World, scenario: Scenario): Promise<void> {
  const random = new Random(scenario.seed, STREAM);
  const peers = world.peersOf(world.client('backend'));
  for (let left = scenario.says; left > 0; left -= 1) {
    await world.loop.sleep(random.between(0, 2 * scenario.thinkMs));
    const player = `p${1 + random.below(scenario.players)}` as PlayerId;
    const act = random.pick(['put', 'put', 'patch', 'remove'] as const);
    const attributes = act === 'remove' ? {} : { [TIER]: random.below(1_000) };
    try {
      await peers.players(world.project, player).change([{ player, act, attributes }], null);
      world.journal.count('happened: the backend says something of a player');
    } catch (error) {
      if (!isExplained(error)) {
        throw error;
      }
    }
  }
}
