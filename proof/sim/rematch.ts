// Hosts who ask for rematches of the matches that their lobbies have just played (decision 83), and what must hold of each that is
// made: all lobbies of the match before have asked for it.

import type { LobbyId } from '../../src/common/ids';
import type { Lobby } from '../../src/lobby/lobby';
import { againOf, type RematchRow } from '../../src/objects/match/again';
import type { Match } from '../../src/objects/match/state';
import type { MatchRecord } from '../../src/objects/contracts/reports';
import type { Disk } from './disk';
import { answerOf, asked, askingOf } from './history';
import type { Journal } from './journal';
import { isExplained } from './parts';
import { Random } from './random';
import { CONFIG, type Scenario } from './scenario';
import { matchOn } from './truth';
import type { World } from './world';

/** Its own chance: what players do in a seed does not depend on it. */
const STREAM = 49;

interface Playing {
  readonly world: World;
  readonly always: { readonly lobbies: ReadonlyMap<LobbyId, Lobby> };
  readonly scenario: Scenario;
}

export async function rematching(
  { world, always, scenario }: Playing,
  isOver: () => boolean,
): Promise<void> {
  if (scenario.rematches === 0) {
    return;
  }
  const { history, journal } = world;
  const random = new Random(scenario.seed, STREAM);
  for (let left = scenario.rematches; left > 0 && !isOver();) {
    await world.loop.sleep(random.between(20, 200 + scenario.thinkMs));
    const back = [...always.lobbies.values()].filter(({ rematch }) => rematch !== undefined);
    const waited = back.filter(({ rematch }) => rematch?.votes !== undefined);
    if (back.length === 0) {
      continue;
    }
    left -= 1;
    const lobby = random.pick(waited.length > 0 && random.chance(0.8) ? waited : back);
    const type = random.chance(0.9) ? 'rematch' : 'no_rematch';
    const player = lobby.host;
    const command = { type, player } as const;
    const peers = world.peersOf(world.client(player));
    const ask = () => peers.lobby(lobby.id).execute(command);
    try {
      const reply = await asked(history, askingOf(CONFIG, command), {
        ask,
        answer: (done) => answerOf(done, (value) => value.lobby ?? { status: 'lobby_deleted' }),
      });
      journal.count(`happened: ${type} is ${reply.ok ? 'said' : 'refused'}`);
    } catch (error) {
      if (!isExplained(error)) {
        throw error;
      }
    }
  }
}

/** `disk`: of the match before. */
export function checkRematch(id: string, { roster }: Match, disk: Disk, journal: Journal): void {
  const live = matchOn(disk);
  const again = live ? againOf(live) : disk.read<MatchRecord>('past')?.again;
  if (roster.madeBy !== 'rematch' || again === undefined) {
    return;
  }
  const { yes } = disk.read<RematchRow>('rematch') ?? { yes: [] };
  const missing = again.lobbies.filter(({ ticketId }) => !yes.includes(ticketId));
  const here = new Set(roster.parties.map(({ lobbyId }) => lobbyId));
  const isWhole = again.lobbies.every(({ lobbyId }) => here.has(lobbyId));
  journal.count('happened: a rematch is made');
  journal.check(
    missing.length === 0 && isWhole && here.size === again.lobbies.length,
    () => `${id} is a rematch that ${missing.map(({ lobbyId }) => lobbyId).join()} did not ask for`,
  );
}
