// Players who say things to each other through their streams (record 0070), also to players who are not with them.

import type { PlayerId } from '../../src/common/ids';
import type { Quiet } from './finally';
import { isExplained } from './parts';
import { Random } from './random';

/** Its own chance: what players do in a seed does not depend on it. */
const STREAM = 25;

export async function signalling(
  { world, always, scenario }: Pick<Quiet, 'world' | 'always' | 'scenario'>,
  isOver: () => boolean,
): Promise<void> {
  const random = new Random(scenario.seed, STREAM);
  if (scenario.config.serverSettings.hosting === undefined) {
    return;
  }
  while (!isOver()) {
    await world.loop.sleep(random.between(20, 300 + scenario.thinkMs));
    const all = [...always.lobbies.values()].filter(({ players }) => players.length > 0);
    if (all.length === 0) {
      continue;
    }
    const played = all.filter(({ part }) => part !== null);
    const { id: lobby, players } = random.pick(
      played.length > 0 && random.chance(0.7) ? played : all,
    );
    const from = random.pick(players).id;
    const to = random.chance(0.5) ? null : (`p${1 + random.below(scenario.players)}` as PlayerId);
    const data = always.signals.said({ from, to, lobby });
    try {
      await world.peersOf(world.client(from)).lobby(lobby).signal({ from, to, data });
    } catch (error) {
      if (!isExplained(error)) {
        throw error;
      }
    }
  }
}
