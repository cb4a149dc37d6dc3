// The game's calls for its places and its roster (places.ts).

import type { GameRoster, PlacesOrder } from '../../../packages/js/src/journal-types';
import { pause } from '../../common/later';
import { ok } from '../../common/result';
import type { PlayerId } from '../../common/ids';
import { refusal, type Reply } from '../../lobby/refusals';
import { configOf } from '../caches/project';
import type { MatchRpc } from '../contracts/match';
import type { MatchCore } from './core';
import { followed, isPlaying, steer } from './places';
import { rosterOf } from './room';
import type { Match } from './state';
import { resigned } from './voters';

function playing(match: Match | null, project: string): Reply<Match> {
  if (match !== null && match.roster.project !== project) {
    return refusal('NOT_FOUND', 'No match has this id');
  }
  return match !== null && isPlaying(match)
    ? ok(match)
    : refusal('INVALID_STATE', 'Only a running match has places, and this one is not running');
}

/** `by`: the server key, or the token of the game server or of the player who hosts. */
export async function steerPlaces(
  core: MatchCore,
  project: string,
  order: PlacesOrder,
  by = 'token',
): Promise<Reply<GameRoster>> {
  if (by === 'token' && !(await mayHost(core, project))) {
    const why = 'A player who hosts steers no places, unless serverSettings.hostSteers is true';
    return refusal('FORBIDDEN', why);
  }
  const running = playing(core.match, project);
  const steered = running.ok ? steer(running.value, order, core.ports.now()) : running;
  if (!steered.ok) {
    return steered;
  }
  const { kick } = order;
  const out =
    kick === undefined || by === 'token' ? [] : [{ id: kick as PlayerId, by: 'key' as const }];
  core.goOn(resigned(steered.value, out));
  return ok(rosterOf(core.opened, core.id));
}

async function mayHost({ match, ports }: MatchCore, project: string): Promise<boolean> {
  if (match?.roster.project !== project || match.server?.block.term === undefined) {
    return true;
  }
  const document = await ports.document(project);
  return configOf(document, match.roster.config).serverSettings.hostSteers === true;
}

export async function followRoster(
  core: MatchCore,
  ...[project, after, waitMs, only]: Parameters<MatchRpc['follow']>
): Promise<Reply<GameRoster>> {
  const running = playing(core.match, project);
  if (!running.ok) {
    return running;
  }
  if (only === undefined) {
    core.goOn(followed(running.value));
  }
  if (waitMs > 0 && rosterOf(core.opened, core.id).revision === after) {
    await Promise.race([core.news.promise, pause(waitMs, core.ports)]);
  }
  const now = playing(core.match, project);
  return now.ok ? ok(rosterOf(core.opened, core.id, after)) : now;
}

export function hasPlace(match: Match | null, player: PlayerId): boolean {
  const { participants = [] } = match ?? {};
  return participants.some(({ left, members, away = [] }) => {
    return !left && members.includes(player) && !away.some(({ id }) => id === player);
  });
}
