// The studio's backend: says something of players, again and again, while they come and go, and reports results of
// matches, of some twice and of some that never ran.

import type { MatchId, PlayerId } from '../src/common/ids';
import type { Quiet } from './finally';
import { isExplained } from './parts';
import { Random } from './random';
import { RATING, TIER, type Scenario } from './scenario';
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
    await tried(async () => {
      await peers.players(world.project, player).change([{ player, act, attributes }], null);
      world.journal.count('happened: the backend says something of a player');
    });
  }
}

/** Reports results of rated matches, in any phase, and often the same again. */
export async function referee(
  { world, always, scenario }: Pick<Quiet, 'world' | 'always' | 'scenario'>,
  isOver: () => boolean,
): Promise<void> {
  if (scenario.config.trusted?.includes(RATING.field) !== true) {
    return;
  }
  const random = new Random(scenario.seed, STREAM + 1);
  const peers = world.peersOf(world.client('referee'));
  const best = new Map<MatchId, number>();
  while (!isOver()) {
    await world.loop.sleep(random.between(50, 500 + scenario.thinkMs));
    const isAny = random.chance(0.1);
    const rated = Array.from(always.matches).filter(
      ([, { roster, phase }]) => roster.rules.rating && (isAny || phase === 'running'),
    );
    if (rated.length > 0) {
      const [id, { roster }] = random.pick(rated);
      best.set(id, best.get(id) ?? random.below(roster.teams.length));
      const teams = roster.teams.map((_, team) => ({ team, rank: team === best.get(id) ? 1 : 2 }));
      await tried(async () => {
        const reply = await peers.match(id).result(world.project, { teams });
        world.journal.count(`happened: a result is ${reply.ok ? 'reported' : 'refused'}`);
      });
    }
  }
}

async function tried(ask: () => Promise<void>): Promise<void> {
  try {
    await ask();
  } catch (error) {
    if (!isExplained(error)) {
      throw error;
    }
  }
}
