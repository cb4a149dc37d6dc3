// The studio's backend: says something of players, again and again, while they come and go, and reports results of
// matches, of some twice and of some that never ran.

import type { MatchId, PlayerId } from '../../src/common/ids';
import type { Quiet } from './finally';
import { answerOf, asked, type Answering, type Asking } from './history';
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
      const method = { put: 'PUT', patch: 'PATCH', remove: 'DELETE' }[act];
      const does = `${method} /v3/players/${player}/attributes`;
      const asking = { who: null, does, body: { attributes } };
      await noted(world, asking, 'players.change', {
        ask: () => peers.players(world.project, player).change([{ player, act, attributes }], null),
        answer: answerOf,
      });
      world.journal.count('happened: the backend says something of a player');
    });
  }
}

/** The question, and a second one that nobody waits for if the network brings it again, at any time from now on. */
async function noted<T>(
  world: World,
  asking: Asking,
  method: 'players.change' | 'match.result',
  asks: { ask: () => Promise<T>; answer: (value: T) => Answering },
): Promise<T> {
  const timesAgain = (): number => world.journal.counts.get(`again: ${method}`) ?? 0;
  const before = timesAgain();
  const value = await asked(world.history, asking, asks);
  if (timesAgain() > before) {
    world.history?.unheard(asking);
  }
  return value;
}

/** Reports results of rated matches, in any phase, and often the same again. */
export async function referee(
  { world, always, scenario }: Pick<Quiet, 'world' | 'always' | 'scenario'>,
  isOver: () => boolean,
): Promise<void> {
  const { trusted, serverSettings } = scenario.config;
  if (trusted?.includes(RATING.field) !== true || serverSettings.results !== undefined) {
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
        const asking = { who: null, does: `POST /v3/matches/${id}/result`, body: { teams } };
        const reply = await noted(world, asking, 'match.result', {
          ask: () => peers.match(id).result(world.project, { teams }),
          answer: (done) => answerOf(done, () => ({ matchId: id })),
        });
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
