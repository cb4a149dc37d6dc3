// Drills of matches that are made of named lobbies (decision 76).

import type { LobbyId, PlayerId } from '../../src/common/ids';
import type { Lobby } from '../../src/lobby/lobby';
import type { Reply } from '../../src/lobby/refusals';
import type { MatchRecord } from '../../src/objects/contracts/reports';
import type { Drill } from './drill';
import { by, confirm, found, game, playing, queue, waiting, type Play } from './drill-steps';
import { madeId, orderOf, type Made } from './made';

const [ANN, BEN, CID] = ['ann', 'ben', 'cid'] as readonly string[] as readonly [
  PlayerId,
  PlayerId,
  PlayerId,
];

/** Asks until it is said whether there is such a match. */
async function make(drill: Drill, made: Made): Promise<Reply<MatchRecord>> {
  const { world, always, ledger } = drill;
  const peers = world.peersOf(world.client('backend'));
  for (;;) {
    const order = orderOf(world, made, (player) => always.lobbiesOf(player)[0]?.id ?? null);
    const reply = await drill.insist(() =>
      peers.match(madeId(world.project, made.ref)).make(order),
    );
    const isUnsaid = !reply.ok && reply.refusal.code === 'UNAVAILABLE';
    // What an attempt that died has booked is free again once its lobbies have asked.
    const isBooked =
      !reply.ok &&
      reply.refusal.code === 'MATCH_NOT_MADE' &&
      reply.refusal.detail.includes('another match');
    if (!isUnsaid && !isBooked) {
      order.lobbies.forEach(({ founds, lobbyId }) => {
        if (founds && drill.lobby(lobbyId)) {
          ledger.joined(founds.player, lobbyId, 0);
        }
      });
      return reply;
    }
    await world.loop.sleep(500);
  }
}

function duel(a: LobbyId, b: LobbyId, ref = 'final'): Made {
  return { mode: 'duel', ref, teams: [{ lobbies: [a] }, { lobbies: [b] }] };
}

function isMade(drill: Drill, reply: Reply<MatchRecord>): void {
  const why = reply.ok ? '' : `${reply.refusal.code}: ${reply.refusal.detail}`;
  drill.world.journal.check(reply.ok, () => `the match was not made: ${why}`);
}

/** Nobody has anything of the match that was refused. */
function isRefused(drill: Drill, reply: Reply<MatchRecord>, ...free: readonly LobbyId[]): void {
  const { journal } = drill.world;
  journal.check(
    !reply.ok && reply.refusal.code === 'MATCH_NOT_MADE',
    () => `it was ${reply.ok ? 'made' : reply.refusal.code}`,
  );
  const taken = free.filter((id) => drill.lobby(id)?.part !== null);
  journal.check(taken.length === 0, () => `${taken.join()} are in a match`);
}

/** The lobby plays with one of the others, and whoever it does not play with is free. */
async function inOne(drill: Drill, id: LobbyId, others: readonly [LobbyId, LobbyId]) {
  await drill.until('it is in one', () => others.some((each) => drill.together(id, each) !== null));
  const apart = others.filter((each) => drill.together(id, each) === null);
  const isFree = apart.length === 1 && apart.every((each) => drill.lobby(each)?.part === null);
  drill.world.journal.check(isFree, () => 'the lobby is in both');
}

/** Two lobbies that have just played a match. */
async function played(drill: Drill): Promise<readonly [LobbyId, LobbyId]> {
  const [a, b] = await game(drill, 'duel');
  await drill.command(a, by('ann', 'end_match'), (lobby) => lobby?.status === 'waiting');
  await waiting(drill, a, b);
  return [a, b];
}

/** Ben says yes, whatever the answer. */
function wants({ world }: Drill, id: LobbyId): Promise<unknown> {
  return world.peersOf(world.client('ben')).lobby(id).execute(by('ben', 'rematch'));
}

const isAsked = (lobby: Lobby | null): boolean =>
  lobby?.status !== 'waiting' || lobby.rematch?.votes !== undefined;

/** Nobody is asked for a rematch any more, or is in one. */
function isOff(drill: Drill, ...ids: readonly LobbyId[]): Promise<void> {
  const isFree = (id: LobbyId): boolean => {
    const lobby = drill.lobby(id);
    return lobby === null || (lobby.part === null && lobby.rematch?.votes === undefined);
  };
  return drill.until('there is no rematch', () => ids.every(isFree));
}

export const MADE_DRILLS: Readonly<Record<string, Play>> = {
  'a match is made': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await queue(drill, a, 'ann', 'minutes');
    await drill.watched(async () => {
      isMade(drill, await make(drill, duel(a, b)));
      await playing(drill, a, b);
    });
    await drill.watched(async () => {
      isMade(drill, await make(drill, duel(a, b)));
      await drill.command(a, by('ann', 'end_match'), (lobby) => lobby?.status === 'waiting');
      await waiting(drill, a, b);
    });
    const again = await make(drill, duel(b, a));
    const { journal } = drill.world;
    journal.check(!again.ok && again.refusal.code === 'REF_EXISTS', () => 'two have one ref');
    journal.check(drill.world.fleet.started() === 1, () => 'another server was started');
  },
  'a match is made of players': async (drill) => {
    const a = await drill.gather('ann', 'cid');
    const teams = [{ players: [ANN] }, { players: [BEN] }, { players: [CID] }];
    await drill.watched(async () => {
      isMade(drill, await make(drill, { mode: 'three', ref: 'three', teams }));
      await drill.until('the third has a lobby', () => drill.always.lobbiesOf(BEN).length === 1);
      const [b] = drill.always.lobbiesOf(BEN);
      await playing(drill, a, ...(b ? [b.id] : []));
    });
    const [who] = drill.together(a)?.participants ?? [];
    drill.world.journal.check(
      JSON.stringify(who?.teamOf) === '{"ann":0,"cid":2}',
      () => `the lobby is in the teams ${JSON.stringify(who?.teamOf)}`,
    );
  },
  'a match is made, a lobby is elsewhere': async (drill) => {
    const [a, b, c] = [
      await drill.gather('ann'),
      await drill.gather('ben'),
      await drill.gather('cid'),
    ];
    await queue(drill, b, 'ben', 'duel');
    await queue(drill, c, 'cid', 'duel');
    await playing(drill, b, c);
    await queue(drill, a, 'ann', 'twin');
    await drill.watched(async () => {
      isRefused(drill, await make(drill, duel(a, b)), a);
      const d = await drill.gather('dan');
      await queue(drill, d, 'dan', 'twin');
      await playing(drill, a, d);
    });
  },
  'a match is made, a player without a lobby goes elsewhere': async (drill) => {
    const a = await drill.gather('ann', 'cid');
    const teams = [{ lobbies: [a] }, { players: [BEN] }];
    await drill.watched(async () => {
      isRefused(drill, await make(drill, { mode: 'duel', ref: 'one', teams }), a);
      await drill.until('he has no lobby', () => drill.always.lobbiesOf(BEN).length === 0);
      await drill.gather('ben');
    });
  },
  'a match is made with confirmation': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await queue(drill, a, 'ann', 'minutes');
    await drill.watched(async () => {
      isMade(drill, await make(drill, { ...duel(a, b), confirm: true }));
      await found(drill, a, b);
      await confirm(drill, a, 'ann');
      await drill.command(b, by('ben', 'decline'), (lobby) => lobby?.status === 'waiting');
      await waiting(drill, a, b);
    });
  },
  'two matches are made of one lobby': async (drill) => {
    const [a, b, c] = [
      await drill.gather('ann'),
      await drill.gather('ben'),
      await drill.gather('cid'),
    ];
    await drill.watched(async () => {
      await Promise.all([make(drill, duel(a, b)), make(drill, duel(b, c, 'other'))]);
      await inOne(drill, b, [a, c]);
    });
  },
  'a match is made of a queue whose matcher is outside': async (drill) => {
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    await queue(drill, a, 'ann', 'outside');
    await queue(drill, b, 'ben', 'outside');
    const outside = { ...duel(a, b), mode: 'outside', confirm: true };
    await drill.watched(async () => {
      isMade(drill, await make(drill, outside));
      await found(drill, a, b);
      await confirm(drill, a, 'ann');
      await drill.command(b, by('ben', 'decline'), (lobby) => lobby?.status === 'waiting');
      await drill.until('she searches on', () => drill.lobby(a)?.status === 'in_queue');
      await queue(drill, b, 'ben', 'outside');
      isMade(drill, await make(drill, { ...outside, ref: 'again', confirm: false }));
      await playing(drill, a, b);
    });
  },
  'a rematch': async (drill) => {
    const [a, b] = await played(drill);
    const { journal, fleet } = drill.world;
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'rematch'), isAsked);
      await drill.until('ben is told', () => isAsked(drill.lobby(b)));
      await drill.command(b, by('ben', 'rematch'), (lobby) => lobby?.status === 'in_game');
      await playing(drill, a, b);
    });
    journal.check(drill.together(a, b)?.roster.madeBy === 'rematch', () => 'it is no rematch');
    journal.check(fleet.started() === 2, () => `${fleet.started()} servers were started`);
  },
  'a rematch, another lobby does not want it': async (drill) => {
    const [a, b] = await played(drill);
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'rematch'), isAsked);
      await drill.until('ben is told', () => isAsked(drill.lobby(b)));
      await drill.command(b, by('ben', 'no_rematch'), (lobby) => lobby?.rematch === undefined);
      await isOff(drill, a, b);
    });
    drill.world.journal.check(drill.world.fleet.started() === 1, () => 'a server was started');
  },
  'a rematch, another lobby goes': async (drill) => {
    const [a, b] = await played(drill);
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'rematch'), isAsked);
      drill.ledger.removalAsked(BEN, b);
      await drill.command(b, by('ben', 'leave'), (lobby) => lobby === null);
      await isOff(drill, a);
    });
  },
  'a rematch, one searches again': async (drill) => {
    const [a, b] = await played(drill);
    const c = await drill.gather('cid');
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'rematch'), isAsked);
      const both = [queue(drill, a, 'ann', 'duel'), drill.insist(() => wants(drill, b))];
      await Promise.all(both);
      await queue(drill, c, 'cid', 'duel');
      await drill.until('she plays', () => drill.lobby(a)?.status === 'in_game');
    });
  },
  'a match is made while a queue forms one': async (drill) => {
    const [a, b, c] = [
      await drill.gather('ann'),
      await drill.gather('ben'),
      await drill.gather('cid'),
    ];
    await queue(drill, a, 'ann', 'duel');
    await drill.watched(async () => {
      const formed = queue(drill, b, 'ben', 'duel');
      await Promise.all([formed, make(drill, duel(a, c))]);
      await inOne(drill, a, [b, c]);
    });
  },
};
