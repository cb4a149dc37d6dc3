// Players who say what came of their matches, where most of them must say the same (record 0075): some of them lie, some say
// another thing first, and some say it again after the end.

import type { PlayerId } from '../../src/common/ids';
import { answerOf, asked } from './history';
import type { Quiet } from './finally';
import { isExplained } from './parts';
import { Random } from './random';
import { CONFIG } from './scenario';

/** Its own chance: what players do in a seed does not depend on it. */
const STREAM = 24;

export async function voting(
  { world, always, scenario }: Pick<Quiet, 'world' | 'always' | 'scenario'>,
  isOver: () => boolean,
): Promise<void> {
  if (scenario.config.serverSettings.results === undefined) {
    return;
  }
  const { project, history, journal } = world;
  const random = new Random(scenario.seed, STREAM);
  const liars = new Set(
    Array.from({ length: scenario.players }, (_, at) => `p${at + 1}`).filter(() =>
      random.chance(0.25),
    ),
  );
  while (!isOver()) {
    await world.loop.sleep(random.between(20, 200 + scenario.thinkMs));
    const running = [...always.matches].filter(
      ([, { phase }]) => phase === 'running' || phase === 'over',
    );
    if (running.length === 0) {
      continue;
    }
    const [id, { roster, participants }] = random.pick(running);
    const players = participants.flatMap(({ members }) => members);
    const player =
      players.length === 0 || random.chance(0.05) ? ('p1' as PlayerId) : random.pick(players);
    const truth = id.length % roster.teams.length;
    const isTrue = liars.has(player) ? random.chance(0.1) : random.chance(0.9);
    const winner = isTrue ? truth : random.below(roster.teams.length);
    const teams = roster.teams.map((_, team) => ({ team, rank: team === winner ? 1 : 2 }));
    always.votes.asks(id, player, winner);
    const does = `POST /v3/lobbies/${CONFIG}/me/matches/${id}/result`;
    const match = world.peersOf(world.client(player)).match(id);
    try {
      const ask = () => match.result(project, { teams }, { player });
      const reply = await asked(
        history,
        { who: player, does, body: { teams } },
        { ask, answer: answerOf },
      );
      journal.count(`happened: the word of a player is ${reply.ok ? 'taken' : 'refused'}`);
    } catch (error) {
      if (!isExplained(error)) {
        throw error;
      }
    }
  }
}
