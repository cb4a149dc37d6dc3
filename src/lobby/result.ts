// The result of a match, as its game server or the backend reports it (decision 47), and the part that its lobbies show. Pure.

import type { Result } from '../../client/src/result-types';
import type { MatchId } from '../common/ids';
import { updated } from './change';
import type { Change } from './command';
import type { LastResult, Lobby } from './lobby';
import { touch } from './transitions';

/** A result as it was saved. */
export interface Reported extends Result {
  /** Epoch ms. */
  readonly at: number;
}

/** The lobby shows the result, unless it shows a later one already. Null: nothing changes. */
export function withResult(lobby: Lobby, result: LastResult, now: number): Change | null {
  const isOld = result.at <= (lobby.lastResult?.at ?? -Infinity);
  return isOld ? null : updated(touch(lobby, { lastResult: result }, now));
}

export function lastResultOf(matchId: MatchId, { teams, at }: Reported): LastResult {
  return { matchId, at, teams };
}

type Teams = readonly {
  readonly lobbies: readonly { readonly players: readonly { readonly id: string }[] }[];
}[];

/** Why this cannot be the result of a match with these teams, or null. */
export function resultProblem({ teams: told }: Result, teams: Teams): string | null {
  const named = new Set(told.map(({ team }) => team));
  if (
    named.size !== told.length ||
    told.length !== teams.length ||
    ![...named].every((team) => team < teams.length)
  ) {
    return `teams: must name each of the match's ${teams.length} teams once`;
  }
  const has = (key: 'rank' | 'score'): number =>
    told.filter((team) => (team[key] ?? null) !== null).length;
  const [ranks, scores] = [has('rank'), has('score')];
  const isOne = told.length === 1 && ranks + scores === 0;
  if (
    !isOne &&
    !(ranks === told.length && scores === 0) &&
    !(scores === told.length && ranks === 0)
  ) {
    return 'teams: must all have a rank, or all a score';
  }
  for (const { team, players = [] } of told) {
    const own = new Set(teams[team]?.lobbies.flatMap((lobby) => lobby.players.map(({ id }) => id)));
    const stranger = players.find(({ id }) => !own.delete(id));
    if (stranger !== undefined) {
      return `teams: team ${team} has no player ${stranger.id}, or lists the player twice`;
    }
  }
  return null;
}
