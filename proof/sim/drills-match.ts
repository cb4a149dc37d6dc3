// Drills of matches: formed, confirmed, launched, filled up, ended.

import type { PlacesOrder } from '../../packages/js/src/journal-types';
import type { InstanceId, LobbyId, MatchId, PlayerId } from '../../src/common/ids';
import {
  asked,
  by,
  confirm,
  found,
  game,
  pair,
  playing,
  queue,
  RATED_MODES,
  waiting,
} from './drill-steps';
import type { Drill } from './drill';
import type { Play } from './drill-steps';
import { CONFIG, RATING } from './scenario';
import { queueOn } from './truth';

function skillIn(drill: Drill, lobby: LobbyId): unknown {
  return drill.lobby(lobby)?.players[0]?.state?.[RATING.field];
}

/** The game of Ann and Ben has a result, is over, and both lobbies show what it did. */
async function rated(drill: Drill, a: LobbyId, b: LobbyId): Promise<void> {
  const { world } = drill;
  const id = drill.lobby(a)?.part?.matchId as MatchId;
  await drill.until(
    'the server runs',
    () => drill.together(a, b)?.server?.block.status === 'running',
  );
  const peers = world.peersOf(world.client('backend'));
  const result = { teams: [0, 1].map((team) => ({ team, score: team })) };
  const reply = await drill.insist(() => peers.match(id).result(world.project, result));
  world.journal.check(reply.ok, () => 'the result was refused');
  await drill.command(a, by('ann', 'end_match'), (lobby) => lobby?.status === 'waiting');
  await waiting(drill, a, b);
  await drill.until('both show what it did', () =>
    [a, b].every((lobby) => ![undefined, 1_000].includes(skillIn(drill, lobby) as number)),
  );
  const isMoved = skillIn(drill, a) !== skillIn(drill, b);
  world.journal.check(isMoved, () => 'both have the same rating');
}

/** The game of that lobby says it until it is answered, with the revision that it knew first. */
async function steers(drill: Drill, lobby: LobbyId, said: PlacesOrder): Promise<void> {
  const { world } = drill;
  const id = drill.lobby(lobby)?.part?.matchId as MatchId;
  const match = world.peersOf(world.client('steward')).match(id);
  const read = await drill.insist(() => match.follow(world.project, 0, 0));
  // Until it is answered, nobody knows whether it counts.
  drill.always.opened.delete(id);
  const after = read.ok ? read.value.revision : 0;
  const reply = await drill.insist(() => match.steer(world.project, { ...said, after }));
  world.journal.check(reply.ok, () => `the game was refused: ${JSON.stringify(reply)}`);
  if (reply.ok && said.open !== undefined) {
    drill.always.opened.set(id, { places: said.open, revision: reply.value.revision });
  }
}

export const MATCH_DRILLS: Readonly<Record<string, Play>> = {
  'hold, commit and launch': async (drill) => {
    const [a, b] = await pair(drill, 'duel');
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
    });
  },
  'one refuses': async (drill) => {
    const [a, b] = await pair(drill, 'duel');
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await drill.command(b, by('ben', 'cancel'), (lobby) => lobby?.search === null);
      if (drill.lobby(b)?.status === 'waiting') {
        const late = await drill.gather('eve');
        await queue(drill, late, 'eve', 'duel');
        await playing(drill, a, late);
      } else {
        await playing(drill, a, b);
      }
    });
  },
  'a result': async (drill) => {
    const [a, b] = await game(drill, 'duel');
    const id = drill.lobby(a)?.part?.matchId as MatchId;
    await drill.until(
      'the server runs',
      () => drill.together(a, b)?.server?.block.status === 'running',
    );
    const peers = drill.world.peersOf(drill.world.client('backend'));
    const result = { teams: [0, 1].map((team) => ({ team, score: team })) };
    await drill.watched(async () => {
      const reply = await drill.insist(() => peers.match(id).result(drill.world.project, result));
      drill.world.journal.check(reply.ok, () => 'the result was refused');
      await drill.until('both show it', () =>
        [a, b].every((lobby) => drill.lobby(lobby)?.lastResult?.matchId === id),
      );
    });
  },
  'its backend is told': async (drill) => {
    await drill.hook();
    const [a, b] = await pair(drill, 'duel');
    await drill.watched(async () => {
      await queue(drill, b, 'ben', 'duel');
      await playing(drill, a, b);
      const id = drill.lobby(a)?.part?.matchId as MatchId;
      await drill.command(a, by('ann', 'end_match'), (lobby) => lobby?.status === 'waiting');
      await drill.until('it is told', () => drill.world.receiver.heard.get(id)?.length === 2);
    });
  },
  'a rated result': async (drill) => {
    await drill.change(RATED_MODES);
    const [a, b] = await game(drill, 'duel');
    await drill.watched(() => rated(drill, a, b));
  },
  'a season ends': async (drill) => {
    await drill.change(RATED_MODES);
    const [a, b] = await game(drill, 'duel');
    await rated(drill, a, b);
    const { world } = drill;
    const { disk } = world.node('ratings', world.project, RATING.field);
    const peers = world.peersOf(world.client('backend'));
    await drill.watched(async () => {
      await drill.insist(() => peers.ratings(world.project, RATING.field).endSeason(1, 1));
      await drill.until('the next season runs', () => {
        return JSON.stringify(disk.read('season')) === JSON.stringify({ season: 2 });
      });
      await drill.until('both show the start', () =>
        [a, b].every((lobby) => skillIn(drill, lobby) === 1_000),
      );
    });
    world.journal.check(disk.list('past:').length === 2, () => 'the archive has not both players');
  },
  'a rated player is erased': async (drill) => {
    await drill.change(RATED_MODES);
    const [a, b] = await game(drill, 'duel');
    await rated(drill, a, b);
    const { world } = drill;
    const player = 'ann' as PlayerId;
    const change = { player, act: 'remove', attributes: {} } as const;
    const peers = world.peersOf(world.client('backend'));
    await drill.watched(async () => {
      await drill.insist(() => peers.players(world.project, player).change([change], null));
      const { disk } = world.node('ratings', world.project, RATING.field);
      await drill.until('no row is left', () => disk.read(`player:${player}`) === undefined);
      await drill.until('her lobby shows the start', () => skillIn(drill, a) === 1_000);
    });
  },
  confirm: async (drill) => {
    const [a, b] = await asked(drill, 'ranked');
    await drill.watched(async () => {
      await confirm(drill, a, 'ann');
      await confirm(drill, b, 'ben');
      await playing(drill, a, b);
    });
  },
  decline: async (drill) => {
    const [a, b] = await asked(drill, 'ranked');
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'decline'), (lobby) => lobby?.status === 'waiting');
      await waiting(drill, a, b);
    });
  },
  'decline, the other searches on': async (drill) => {
    const [a, b] = await asked(drill, 'again');
    const since = drill.lobby(b)?.part?.startedAt;
    await drill.watched(async () => {
      await confirm(drill, b, 'ben');
      await drill.command(a, by('ann', 'decline'), (lobby) => lobby?.status === 'waiting');
      await drill.until('the other searches', () => drill.lobby(b)?.status === 'in_queue');
    });
    drill.world.journal.check(
      since !== undefined && drill.lobby(b)?.search?.startedAt === since,
      () => `it began to wait at ${since}, and now searches since another instant`,
    );
    const late = await drill.gather('eve');
    await queue(drill, late, 'eve', 'again');
    await found(drill, b, late);
    await confirm(drill, b, 'ben');
    await confirm(drill, late, 'eve');
    await playing(drill, b, late);
  },
  'decline, another takes the place': async (drill) => {
    const [a, b] = await asked(drill, 'refill');
    await confirm(drill, b, 'ben');
    const late = await drill.gather('eve');
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'decline'), (lobby) => lobby?.status === 'waiting');
      await queue(drill, late, 'eve', 'refill');
      await found(drill, b, late);
      await confirm(drill, late, 'eve');
      await playing(drill, b, late);
    });
    await waiting(drill, a);
  },
  'decline, nobody takes the place': async (drill) => {
    const [a, b] = await asked(drill, 'refillBriefly');
    await confirm(drill, b, 'ben');
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'decline'), (lobby) => lobby?.status === 'waiting');
      await drill.until('the other searches', () => drill.lobby(b)?.status === 'in_queue');
    });
  },
  'decline, the others are enough': async (drill) => {
    const [a, b] = await pair(drill, 'enough');
    const c = await drill.gather('eve');
    await Promise.all([queue(drill, b, 'ben', 'enough'), queue(drill, c, 'eve', 'enough')]);
    await found(drill, a, b, c);
    await confirm(drill, b, 'ben');
    await confirm(drill, c, 'eve');
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'decline'), (lobby) => lobby?.status === 'waiting');
      await playing(drill, b, c);
    });
    await waiting(drill, a);
  },
  deadline: async (drill) => {
    const [a, b] = await asked(drill, 'brief');
    await drill.watched(() => waiting(drill, a, b));
  },
  'the launch fails': async (drill) => {
    drill.world.fleet.isFull = true;
    const [a, b] = await pair(drill, 'duel');
    // In a box the match may be over and forgotten in one commit. The histories of its lobbies tell why.
    const hasFailed = (): boolean =>
      [a, b].some((id) => {
        const saved = drill.world.node('lobby', id).disk.read('lobby');
        return JSON.stringify(saved ?? null).includes('launch_failed');
      });
    await drill.watched(async () => {
      const enter = { type: 'enter', player: 'ben' as PlayerId, mode: 'duel' } as const;
      // A player who repeats a request, because the answer was lost, may already be back from the
      // match.
      await drill.command(b, enter, (lobby) => lobby?.status !== 'waiting' || hasFailed());
      await drill.until('the launch has failed', hasFailed);
      if (drill.lobby(b)?.search !== null) {
        await drill.command(b, by('ben', 'cancel'), (lobby) => lobby?.search === null);
      }
      await waiting(drill, a, b);
    });
    drill.world.journal.check(drill.world.fleet.started() === 0, () => 'a server was started');
  },
  'launches fail in a row': async (drill) => {
    drill.world.fleet.isFull = true;
    const [a, b] = [await drill.gather('ann'), await drill.gather('ben')];
    const { world } = drill;
    const isHeld = (): boolean =>
      queueOn(world.node('queue', world.project, CONFIG, 'duel').disk).proposals.some(
        ({ held }) => held === true,
      );
    const both = [['ann', a] as const, ['ben', b] as const];
    while (!isHeld()) {
      for (const [player, id] of both) {
        const enter = { type: 'enter', player: player as PlayerId, mode: 'duel' } as const;
        await drill.command(id, enter, () => true);
      }
      await drill.world.loop.sleep(500);
    }
    drill.world.fleet.isFull = false;
    await drill.watched(() => playing(drill, a, b));
  },
  'direct start': async (drill) => {
    const id = await drill.gather('ann');
    await drill.watched(() =>
      drill.command(id, by('ann', 'start'), (lobby) => lobby?.status === 'in_game'),
    );
  },
  backfill: async (drill) => {
    const [a, b] = await game(drill, 'open');
    const late = await drill.gather('eve');
    await drill.watched(async () => {
      await queue(drill, late, 'eve', 'open');
      await playing(drill, a, b, late);
    });
  },
  "a bot's place is taken": async (drill) => {
    const [a, late] = [await drill.gather('ann'), await drill.gather('eve')];
    await queue(drill, a, 'ann', 'bots');
    await playing(drill, a);
    await drill.watched(async () => {
      await queue(drill, late, 'eve', 'bots');
      await playing(drill, a, late);
    });
  },
  'a place reopens': async (drill) => {
    const [a, b] = await game(drill, 'open');
    drill.ledger.removalAsked('ben' as PlayerId, b);
    drill.ledger.endAsked(b);
    await drill.watched(async () => {
      await drill.command(b, by('ben', 'leave'), (lobby) => lobby === null);
      const late = [await drill.gather('eve'), await drill.gather('kim')] as const;
      await queue(drill, late[0], 'eve', 'open');
      await queue(drill, late[1], 'kim', 'open');
      await playing(drill, a, ...late);
    });
  },
  'a game puts a player out': async (drill) => {
    const [a, b] = await game(drill, 'open');
    const ben = 'ben' as PlayerId;
    drill.ledger.removalAsked(ben, b);
    drill.ledger.endAsked(b);
    await drill.watched(async () => {
      await steers(drill, a, { kick: ben });
      await drill.until('his lobby is gone', () => drill.lobby(b) === null);
      const late = await drill.gather('eve');
      await queue(drill, late, 'eve', 'open');
      await playing(drill, a, late);
    });
  },
  'a place is kept': async (drill) => {
    const a = await drill.gather('ann', 'amy');
    const b = await drill.gather('ben');
    await queue(drill, a, 'ann', 'kept');
    await queue(drill, b, 'ben', 'kept');
    await playing(drill, a, b);
    const amy = 'amy' as PlayerId;
    const holds = () => {
      const who = drill.together(a, b)?.participants.find(({ lobbyId }) => lobbyId === a);
      return who?.members.includes(amy) === true ? (who.away?.length ?? 0) : null;
    };
    drill.ledger.removalAsked(amy, a);
    await drill.watched(async () => {
      await drill.command(a, by('amy', 'leave'), (lobby) => lobby?.players.length === 1);
      await drill.until('her place is kept', () => holds() === 1);
      await drill.join(a, 'amy');
      await drill.until('she has it again', () => holds() === 0);
      await drill.command(a, by('amy', 'leave'), (lobby) => lobby?.players.length === 1);
      await drill.until('it is over', () => holds() === null);
    });
  },
  'a game closes its places, and opens one': async (drill) => {
    const [a, b] = await game(drill, 'open');
    const late = await drill.gather('eve');
    await drill.watched(async () => {
      await steers(drill, a, { open: 0 });
      await queue(drill, late, 'eve', 'open');
      await steers(drill, a, { open: 1 });
      await playing(drill, a, b, late);
    });
  },
  end: async (drill) => {
    const [a, b] = await game(drill, 'duel');
    await drill.watched(async () => {
      await drill.command(a, by('ann', 'end_match'), (lobby) => lobby?.status === 'waiting');
      await waiting(drill, a, b);
    });
  },
  'the server exits': async (drill) => {
    const [a, b] = await game(drill, 'duel');
    await drill.watched(async () => {
      drill.world.fleet.alive().forEach((id) => drill.world.fleet.crash(id));
      await waiting(drill, a, b);
    });
  },
  restart: async (drill) => {
    const [a, b] = await game(drill, 'duel');
    const { fleet, project } = drill.world;
    const id = drill.together(a, b)?.instanceId as InstanceId;
    /** The address that all are told. Each run has a port of its own. */
    const port = (): number | null => {
      const [first, second] = [a, b].map((lobby) => drill.lobby(lobby)?.game?.block ?? null);
      const isShown =
        first?.status === 'running' && JSON.stringify(first) === JSON.stringify(second);
      return isShown ? (first.network_ports[0]?.external_port ?? null) : null;
    };
    await drill.until('all can connect', () => port() !== null);
    const [firstRun] = fleet.runsOf(id);
    const firstPort = port();
    await drill.watched(async () => {
      const admin = drill.world.peersOf(drill.world.client('admin'));
      const again = { order: {}, options: {} };
      const reply = await drill.insist(() => admin.server(id).restart(project, again));
      drill.world.journal.check(reply.ok, () => `refused: ${JSON.stringify(reply)}`);
      await drill.until(
        'all can connect to the next run',
        () => ![null, firstPort].includes(port()),
      );
    });
    const runs = fleet.runsOf(id);
    drill.world.journal.check(
      runs.length === 1 && runs[0] !== firstRun,
      () => `after ${firstRun} these runs are alive: ${runs.join()}`,
    );
  },
  'delete in a game': async (drill) => {
    const [a, b] = await game(drill, 'duel');
    drill.ledger.endAsked(a);
    await drill.watched(async () => {
      const admin = drill.world.peersOf(drill.world.client('admin'));
      const { project } = drill.world;
      await drill.insist(() => admin.lobby(a).adminDelete(project, 'arena'));
      await drill.until('it is gone', () => drill.lobby(a) === null);
    });
    drill.world.journal.check(drill.lobby(b)?.status === 'in_game', () => 'the other plays on');
  },
};
