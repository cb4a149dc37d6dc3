// Drills of games that a host starts where they have a match (decision 81).

import type { LobbyId, MatchId, PlayerId } from '../../src/common/ids';
import type { Drill } from './drill';
import { by, playing, waiting, type Play } from './drill-steps';
import { CONFIG } from './scenario';

/** A lobby of Ann and Ben, in two teams. */
async function party(drill: Drill): Promise<LobbyId> {
  await drill.matchOnStart();
  const id = await drill.gather('ann', 'ben');
  const settings = { teams: [{ players: ['ann'] }, { name: 'blue', players: ['ben'] }] };
  const patch = { type: 'settings', player: 'ann' as PlayerId, patch: { settings } } as const;
  await drill.command(id, patch, (lobby) => 'teams' in (lobby?.settings ?? {}));
  return id;
}

/** Asks once, and not again once the lobby has begun. */
function start(drill: Drill, id: LobbyId, isDone: () => boolean): Promise<void> {
  return drill.command(id, by('ann', 'start'), (lobby) => lobby?.status !== 'waiting' || isDone());
}

export const START_DRILLS: Readonly<Record<string, Play>> = {
  'direct start with a match': async (drill) => {
    const id = await party(drill);
    let matchId: MatchId | undefined;
    await drill.watched(async () => {
      await drill.command(id, by('ann', 'start'), (lobby) => lobby?.status === 'in_game');
      await playing(drill, id);
      matchId = drill.lobby(id)?.part?.matchId;
    });
    const [who] = drill.together(id)?.participants ?? [];
    drill.world.journal.check(
      JSON.stringify(who?.teamOf) === '{"ann":0,"ben":1}',
      () => `the match has the teams ${JSON.stringify(who?.teamOf)}`,
    );
    await drill.watched(async () => {
      await drill.command(id, by('ann', 'end_match'), (lobby) => lobby?.status === 'waiting');
      await drill.until('the match is over', () => {
        const match = matchId && drill.always.matches.get(matchId);
        return match === undefined || match.phase === 'over';
      });
    });
  },
  'direct start with a match: the launch fails': async (drill) => {
    const id = await party(drill);
    drill.world.fleet.isFull = true;
    const hasFailed = () => drill.lobby(id)?.returned?.reason === 'launch_failed';
    await drill.watched(async () => {
      await start(drill, id, hasFailed);
      await drill.until('the launch has failed', hasFailed);
      await waiting(drill, id);
    });
    drill.world.journal.check(drill.world.fleet.started() === 0, () => 'a server was started');
  },
  'direct start with a match: a player goes': async (drill) => {
    const id = await party(drill);
    const ben = 'ben' as PlayerId;
    drill.ledger.removalAsked(ben, id);
    await drill.watched(async () => {
      const kick = { type: 'kick', player: 'ann' as PlayerId, target: ben } as const;
      const kicks = async () => {
        await drill.until('it has begun', () => drill.lobby(id)?.status !== 'waiting');
        await drill.command(id, kick, (lobby) => lobby?.players.length === 1);
      };
      await Promise.all([start(drill, id, () => false), kicks()]);
      await playing(drill, id);
      await drill.until('he has no place', () => {
        return drill.together(id)?.participants[0]?.members.includes(ben) === false;
      });
    });
  },
  'direct start with a match: the lobby is deleted': async (drill) => {
    const id = await party(drill);
    drill.ledger.endAsked(id);
    await drill.watched(async () => {
      const admin = drill.world.peersOf(drill.world.client('admin'));
      const { project } = drill.world;
      const deletes = async () => {
        await drill.until('it has begun', () => drill.lobby(id)?.status !== 'waiting');
        await drill.insist(() => admin.lobby(id).adminDelete(project, CONFIG));
      };
      await Promise.all([start(drill, id, () => false), deletes()]);
      await drill.until('it is gone', () => drill.lobby(id) === null);
    });
  },
};
