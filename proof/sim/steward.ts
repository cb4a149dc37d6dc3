// The game servers that steer the places of their matches (record 0067): they open and close them, free seats, put players
// out, and say whom they have. Each names the revision that it knows, and the network repeats and delays what it says.

import type { PlacesOrder } from '../../packages/js/src/journal-types';
import type { MatchId } from '../../src/common/ids';
import type { Match } from '../../src/objects/match/state';
import type { Quiet } from './finally';
import { answerOf, asked } from './history';
import { isExplained } from './parts';
import { Random } from './random';

const STREAM = 33;

export async function steward(
  { world, always, scenario }: Pick<Quiet, 'world' | 'always' | 'scenario'>,
  isOver: () => boolean,
): Promise<void> {
  if (!scenario.steers) {
    return;
  }
  const random = new Random(scenario.seed, STREAM);
  const peers = world.peersOf(world.client('steward'));
  const known = new Map<MatchId, number>();
  const unanswered = new Set<MatchId>();
  while (!isOver()) {
    await world.loop.sleep(random.between(50, 300 + scenario.thinkMs));
    const running = Array.from(always.matches).filter(([, { phase }]) => phase === 'running');
    if (running.length === 0) {
      continue;
    }
    const [id, match] = random.pick(running);
    const said = orderFor(random, match);
    const revision = known.get(id);
    try {
      if (said === null || revision === undefined) {
        const read = await peers
          .match(id)
          .follow(world.project, revision ?? 0, random.pick([0, 500]));
        known.set(id, read.ok ? read.value.revision : 0);
        continue;
      }
      if (said.open !== undefined) {
        // Until it is answered, nobody knows which of the two counts.
        always.opened.delete(id);
      }
      const body = { ...said, after: revision };
      const does = `POST /v3/servers/${match.instanceId}/places`;
      // Of a game that a player hosts, the backend says so too.
      const isHosted = match.server?.block.term !== undefined;
      const by = isHosted && random.chance(0.5) ? 'key' : 'token';
      const reply = await asked(
        world.history,
        { who: null, does, body },
        { ask: () => peers.match(id).steer(world.project, body, by), answer: answerOf },
      );
      world.journal.count(`happened: a game ${reply.ok ? 'steers' : 'steers in vain'}`);
      if (reply.ok) {
        known.set(id, reply.value.revision);
        if (said.open !== undefined && said.team === undefined) {
          // An order that was not answered may have come later than this one, which then counts for nothing.
          const shown = reply.value.open.reduce((sum, { places }) => sum + places, 0);
          if (shown <= said.open || !unanswered.has(id)) {
            always.opened.set(id, { places: said.open, revision: reply.value.revision });
          }
        }
      }
    } catch (error) {
      if (!isExplained(error)) {
        throw error;
      }
      unanswered.add(id);
    }
  }
}

/** Null: the game only looks. */
function orderFor(random: Random, { roster, participants }: Match): PlacesOrder | null {
  const players = participants.flatMap(({ members }) => members);
  const acts = ['look', 'open', 'open', 'open', 'team', 'release', 'kick', 'present'] as const;
  const act = random.pick(acts);
  const open = random.below(3);
  if (act === 'look' || players.length === 0) {
    return null;
  }
  switch (act) {
    case 'open':
      return { open };
    case 'team':
      return { open, team: random.below(roster.rules.teams) };
    case 'present':
      return { present: players.filter(() => random.chance(0.5)) };
    default:
      return { [act]: random.pick(players) };
  }
}
