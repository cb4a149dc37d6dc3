// What a match costs that a player hosts, next to the same match on a game server (record 0069).

import { expect, it } from 'vitest';
import { must } from '../../src/common/result';
import type { LobbyId, PlayerId } from '../../src/common/ids';
import { nameOfTerm } from '../../src/lobby/hosting';
import { gameHostOf, type Lobby } from '../../src/lobby/lobby';
import { Bill, type Cost } from '../../proof/sim/costs';
import { DUEL } from '../../proof/sim/drill-steps';
import { tokenOf } from '../../proof/sim/token';
import { lobbyOn } from '../../proof/sim/truth';

const PLAYERS = ['ann', 'ben'];
const GAME_MS = 20_000;

type Settings = { readonly hosting?: 'players' };

/** Two players with streams meet, play and are done. `changes`: how often the host resigns. */
async function costOf(settings: Settings, changes = 0): Promise<Cost> {
  const bill = new Bill();
  const { world } = bill;
  const { loop } = world;
  const serverSettings = { serverSize: 'small', gameBuild: null, ...settings };
  await bill.open({ duel: DUEL }, { serverSettings });
  const lobby = (id: LobbyId): Lobby => must(lobbyOn(world.node('lobby', id).disk), 'a lobby');
  const ready = async (id: LobbyId): Promise<void> => {
    const { id: host, term, instanceId } = must(gameHostOf(lobby(id)), 'a host');
    const token = tokenOf(instanceId, nameOfTerm(term, host));
    await bill.peers(host).server(instanceId).report(token, { status: 'running' });
  };
  return bill.count(async () => {
    const ids: LobbyId[] = [];
    for (const player of PLAYERS) {
      const id = await bill.create(player);
      await bill
        .peers(player)
        .lobby(id)
        .events(player as PlayerId, null);
      ids.push(id);
    }
    await Promise.all(ids.map((id, at) => bill.queue(id, PLAYERS[at] ?? '', 'duel')));
    await bill.until(ids, 'in_game');
    const first = must(ids[0], 'a lobby');
    if (settings.hosting !== undefined) {
      await ready(first);
    }
    for (let term = 1; term <= changes; term += 1) {
      const player = PLAYERS[term - 1] as PlayerId;
      await bill.command(ids[term - 1] as LobbyId, {
        type: 'host',
        player,
        term,
        says: 'resigned',
      });
      await loop.sleep(1_000);
      await ready(first);
    }
    await loop.sleep(GAME_MS);
    await bill.command(first, { type: 'end_match', player: 'ann' as PlayerId });
    await bill.until(ids, 'waiting');
  });
}

it('a match that a player hosts costs at most 12 rows and 10 calls more than one on a server', async () => {
  const [server, player] = [await costOf({}), await costOf({ hosting: 'players' })];
  const more = { rows: player.rows - server.rows, calls: player.calls - server.calls };
  expect(more.rows).toBeLessThanOrEqual(12);
  expect(more.calls).toBeLessThanOrEqual(10);
});

it('a change of the host costs at most 12 rows and 12 calls', async () => {
  const [none, one] = [
    await costOf({ hosting: 'players' }),
    await costOf({ hosting: 'players' }, 1),
  ];
  expect(one.rows - none.rows).toBeLessThanOrEqual(12);
  expect(one.calls - none.calls).toBeLessThanOrEqual(12);
});
