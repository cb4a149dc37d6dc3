// Drills of lobbies that move to another config (record 0109).

import type { LobbyId, PlayerId } from '../../src/common/ids';
import { inside } from '../../src/lobby/lobby';
import type { Drill } from './drill';
import { playing, queue, type Play } from './drill-steps';
import { CONFIG, YARD } from './scenario';

function move(drill: Drill, id: LobbyId, player: string, to: string): Promise<void> {
  const command = { type: 'move', player: player as PlayerId, to } as const;
  return drill.command(id, command, (lobby) => lobby?.config === to);
}

/** Once. */
function asksToMove({ world }: Drill, id: LobbyId, player: string, to: string = YARD) {
  const command = { type: 'move', player: player as PlayerId, to } as const;
  return world.peersOf(world.client(player)).lobby(id).execute(command);
}

/** Requests under the config of the lobby, and of who came along also under the other, find the players in it. */
async function leads(drill: Drill, id: LobbyId, ...players: readonly string[]): Promise<void> {
  const lobby = drill.lobby(id);
  const all = inside(lobby);
  for (const player of players) {
    const { former = [] } = all.find((each) => each.id === player) ?? {};
    for (const config of [lobby?.config ?? CONFIG, ...former.map((seat) => seat.config)]) {
      const found = await drill.isFound(player, config);
      drill.world.journal.check(found === id, () => `${player} is ${found} under ${config}`);
    }
  }
}

export const MOVED_DRILLS: Readonly<Record<string, Play>> = {
  'a lobby moves': async (drill) => {
    await drill.saveYard();
    const [a, b] = [await drill.gather('ann', 'cid'), await drill.gatherInYard('ben')];
    const code = drill.lobby(a)?.code;
    await drill.watched(() => move(drill, a, 'ann', YARD));
    drill.world.journal.check(drill.lobby(a)?.code === code, () => 'the code is another');
    await leads(drill, a, 'ann', 'cid');
    drill.ledger.removalAsked('cid' as PlayerId, a);
    await drill.watched(async () => {
      const leave = { type: 'leave', player: 'cid' as PlayerId } as const;
      await drill.command(a, leave, (lobby) => lobby?.players.length === 1);
      await queue(drill, a, 'ann', 'duel');
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
    });
  },
  'a lobby moves and comes back': async (drill) => {
    await drill.saveYard();
    const a = await drill.gather('ann', 'ben');
    await drill.watched(async () => {
      await move(drill, a, 'ann', YARD);
      await move(drill, a, 'ann', CONFIG);
    });
    await leads(drill, a, 'ann', 'ben');
  },
  'a lobby moves with its key': async (drill) => {
    await drill.saveYard();
    await drill.joinByKey('ann', 'den');
    const [id] = [...drill.always.lobbies.keys()];
    if (id === undefined) {
      throw new Error('there is no lobby by the key');
    }
    // Either the lobby comes with its key, and the other player into it, or the other has founded one by that key.
    await drill.watched(async () => {
      const moving = drill.insist(() => asksToMove(drill, id, 'ann'));
      await Promise.all([moving, drill.joinByKey('ben', 'den', YARD)]);
    });
    const isMoved = drill.lobby(id)?.config === YARD;
    drill.world.journal.check(
      drill.always.lobbies.size === (isMoved ? 1 : 2),
      () =>
        `there are ${drill.always.lobbies.size} lobbies, and ${id} ${isMoved ? 'moved' : 'did not'}`,
    );
    await leads(drill, id, 'ann', ...(isMoved ? ['ben'] : []));
  },
  'a lobby cannot move, a player is elsewhere': async (drill) => {
    await drill.saveYard();
    const [a, b] = [await drill.gather('ann', 'ben'), await drill.gatherInYard('ben')];
    const { world } = drill;
    await drill.watched(async () => {
      const reply = await drill.insist(() => asksToMove(drill, a, 'ann'));
      const why = reply.ok ? '' : reply.refusal.code;
      world.journal.check(why === 'LOBBY_NOT_MOVED', () => `it was answered ${why}`);
      await drill.gatherInYard('ann');
    });
    world.journal.check(drill.lobby(a)?.config === CONFIG, () => 'the lobby has moved');
    world.journal.check((await drill.isFound('ben', YARD)) === b, () => 'ben is elsewhere');
  },
  'a watched lobby moves': async (drill) => {
    await drill.saveYard();
    const a = await drill.gather('ann');
    await drill.watch(a, 'ben');
    await drill.watched(() => move(drill, a, 'ann', YARD));
    await leads(drill, a, 'ann', 'ben');
    await drill.watched(async () => {
      const leave = { type: 'leave', player: 'ben' as PlayerId } as const;
      await drill.command(a, leave, (lobby) => lobby?.spectators?.length === 0);
      await drill.gather('ben');
      await drill.gatherInYard('ben');
    });
  },
  'a lobby cannot move, who watches has no place there': async (drill) => {
    await drill.saveYard();
    const a = await drill.gather('ann');
    for (const player of ['ben', 'cid', 'dan']) {
      await drill.watch(a, player);
    }
    const { journal } = drill.world;
    await drill.watched(async () => {
      const reply = await drill.insist(() => asksToMove(drill, a, 'ann'));
      const [why] = reply.ok ? [] : (reply.refusal.issues ?? []);
      journal.check(why?.path === 'spectators', () => `it was answered ${why?.message}`);
    });
    await leads(drill, a, 'ann', 'ben', 'cid', 'dan');
  },
  'a lobby cannot move back, a player is elsewhere': async (drill) => {
    await drill.saveYard();
    const a = await drill.gather('ann', 'ben');
    await drill.watch(a, 'cid');
    await move(drill, a, 'ann', YARD);
    const b = await drill.gather('ben');
    const { journal } = drill.world;
    await drill.watched(async () => {
      const reply = await drill.insist(() => asksToMove(drill, a, 'ann', CONFIG));
      const why = reply.ok ? '' : reply.refusal.code;
      journal.check(why === 'LOBBY_NOT_MOVED', () => `it was answered ${why}`);
    });
    // Whom requests under the config of before led to the lobby, they still do.
    await leads(drill, a, 'ann', 'cid');
    journal.check((await drill.isFound('ben', CONFIG)) === b, () => 'ben is not in the other');
  },
  'an operator moves a lobby': async (drill) => {
    await drill.saveYard();
    const a = await drill.gather('ann', 'ben');
    const reply = await drill.watched(() => drill.move(a, YARD));
    drill.world.journal.check(reply.ok, () => 'it was refused to the operator who asked again');
    await leads(drill, a, 'ann', 'ben');
  },
  'a lobby moves while others come and go': async (drill) => {
    await drill.saveYard();
    const a = await drill.gather('ann', 'ben');
    drill.ledger.removalAsked('ben' as PlayerId, a);
    const { world } = drill;
    const peers = world.peersOf(world.client('cid'));
    const input = { project: world.project, config: CONFIG, state: null };
    await drill.watched(async () => {
      const cid = 'cid' as PlayerId;
      const leave = { type: 'leave', player: 'ben' as PlayerId } as const;
      await Promise.all([
        move(drill, a, 'ann', YARD),
        drill.insist(() => peers.lobby(a).join({ ...input, player: cid })),
        drill.command(a, leave, (lobby) => lobby?.players.every(({ id }) => id !== 'ben') === true),
      ]);
    });
    // Whoever was let in has come along.
    const isIn = drill.lobby(a)?.players.some(({ id }) => id === 'cid') === true;
    const found = await drill.isFound('cid', isIn ? YARD : CONFIG);
    world.journal.check(found === (isIn ? a : null), () => `cid is in ${found}`);
  },
};
