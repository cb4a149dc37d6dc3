// The result of a match (decision 47): whether it is taken, and who is told. Pure, but for the telling.

import type { PlayerId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import { ok } from '../../common/result';
import { refusal, type Reply } from '../../lobby/refusals';
import { rankedTeams } from '../../lobby/rating';
import type { Result } from '../../../client/src/result-types';
import { resultProblem, type Reported } from '../../lobby/game';
import type { Peers } from '../peers';
import type { MatchRecord } from '../reports';
import type { MatchDebt } from './debts';

type ResultDebt = Extract<MatchDebt, { readonly to: 'result' | 'ratings' }>;

/**
 * The result as it is saved; the saved one if it says the same. Refuses NOT_FOUND, INVALID_STATE (the match has not
 * begun, or came to no game), RESULT_EXISTS and VALIDATION_ERROR.
 */
export function resultFor(record: MatchRecord | null, told: Result, now: number): Reply<Reported> {
  if (record === null) {
    return refusal('NOT_FOUND', 'No match has this id');
  }
  if (record.outcome !== 'running' && record.outcome !== 'ended') {
    return refusal(
      'INVALID_STATE',
      `The match is ${record.outcome}: only one that ran has a result`,
    );
  }
  if (record.result !== undefined) {
    const { at: _, ...known } = record.result;
    return isSameJson(known, told)
      ? ok(record.result)
      : refusal('RESULT_EXISTS', 'The match has another result already');
  }
  const problem = resultProblem(told, record.teams);
  return problem === null ? ok({ ...told, at: now }) : refusal('VALIDATION_ERROR', problem);
}

/** Every lobby that was in the match is told, and the ladder if the match counts for one. */
export function debtsOfResult({ teams, rating }: MatchRecord): readonly ResultDebt[] {
  const lobbies = teams.flatMap((team) => team.lobbies.map(({ lobbyId }) => lobbyId));
  const told = lobbies.map((lobbyId): ResultDebt => ({ to: 'result', lobbyId }));
  return rating === undefined ? told : [...told, { to: 'ratings' }];
}

/** Tells the result to one lobby that was in the match, or to the ladder. */
export async function tellResult(
  { id, project, rating, result, teams }: MatchRecord,
  debt: ResultDebt,
  peers: Peers,
): Promise<void> {
  if (result === undefined) {
    return;
  }
  if (debt.to === 'result') {
    return peers.lobby(debt.lobbyId).result({ matchId: id, at: result.at, teams: result.teams });
  }
  if (rating !== undefined && rating.changes === undefined) {
    // A player who came again in another lobby counts where it was first.
    const seen = new Set<PlayerId>(rating.aside);
    const isFirst = (player: PlayerId): boolean => !seen.has(player) && seen.add(player).size > 0;
    const players = teams.map(({ lobbies }) =>
      lobbies.flatMap((lobby) => lobby.players.map((each) => each.id)).filter(isFirst),
    );
    const match = { matchId: id, at: result.at, teams: rankedTeams(result, players) };
    await peers.ratings(project, rating.field).rate(match);
  }
}
