// A game's own matcher (record 0107), in seeds with a mode whose matcher is outside: it reads who waits, and makes matches of
// them by a rule of its own. It dies now and then and knows nothing afterwards. In some seeds there are two.

import type { TicketId } from '../../src/common/ids';
import type { Mode } from '../../src/match/rules/mode';
import type { Ticket } from '../../src/match/ticket/ticket';
import type { Quiet } from './finally';
import { make, sizesOf, type Made } from './made';
import { isExplained } from './parts';
import { Random } from './random';
import { CONFIG } from './scenario';

/** Its own chance: what players do in a seed does not depend on it. */
const STREAM = 48;
const WAIT_MS = 2_000;

type Of = Pick<Quiet, 'world' | 'always' | 'scenario' | 'ledger'>;

export async function matching(quiet: Of, isOver: () => boolean): Promise<void> {
  const { scenario } = quiet;
  const random = new Random(scenario.seed, STREAM);
  for (const [name, mode] of Object.entries(scenario.config.matchmaking.modes)) {
    if (mode.matcher === 'external') {
      const all = Array.from({ length: random.chance(0.3) ? 2 : 1 }, async () => {
        while (!isOver()) {
          await lives(quiet, { random, name, mode }, isOver);
          await quiet.world.loop.sleep(random.between(20, 2_000));
        }
      });
      await Promise.all(all);
    }
  }
}

interface Matched {
  readonly random: Random;
  readonly name: string;
  readonly mode: Mode;
}

/** Until it dies, or Muster does not answer. */
async function lives(quiet: Of, of: Matched, isOver: () => boolean): Promise<void> {
  const { world } = quiet;
  const peers = world.peersOf(world.client('matcher'));
  const waiting = new Map<TicketId, Ticket>();
  let after = '';
  while (!isOver() && !of.random.chance(0.05)) {
    try {
      const page = await peers.queue(world.project, CONFIG, of.name).changed(after, WAIT_MS);
      if (page.isWhole) {
        waiting.clear();
      }
      page.tickets.forEach((ticket) => waiting.set(ticket.id, ticket));
      page.gone.forEach((id) => waiting.delete(id));
      after = page.next;
    } catch (error) {
      if (!isExplained(error)) {
        throw error;
      }
      return;
    }
    await world.loop.sleep(of.random.below(200));
    const its = chosen([...waiting.values()], of);
    if (its !== null && (await make(quiet, orderOf(its, of)))) {
      world.journal.count('happened: a matcher outside makes a match');
      its.flat().forEach(({ id }) => waiting.delete(id));
    }
  }
}

/** Full teams of those who have waited longest, as well as it goes. Null: they fill no teams. */
function chosen(
  waiting: readonly Ticket[],
  { mode }: Matched,
): readonly (readonly Ticket[])[] | null {
  const left = waiting.toSorted((a, b) => a.startedAt - b.startedAt);
  const teams = sizesOf(mode).map((size) => {
    const team: Ticket[] = [];
    for (let free = size; free > 0;) {
      const at = left.findIndex(({ members }) => members.length <= free);
      const [ticket] = at < 0 ? [] : left.splice(at, 1);
      if (ticket === undefined) {
        return null;
      }
      free -= ticket.members.length;
      team.push(ticket);
    }
    return team;
  });
  const full = teams.filter((team) => team !== null);
  return full.length === teams.length ? full : null;
}

/** The same tickets are the same match, whichever matcher asks for it. */
function orderOf(teams: readonly (readonly Ticket[])[], { name }: Matched): Made {
  const ids = teams.flat().map(({ id }) => id);
  const named = teams.map((team) => ({ lobbies: team.map(({ lobbyId }) => lobbyId) }));
  return { mode: name, ref: ids.toSorted().join(' '), teams: named, confirm: null };
}
