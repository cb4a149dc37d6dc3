// A match takes its result (decision 47), while it is remembered with all that it was, or only by its record.

import type { MatchId, PlayerId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import { refusal } from '../../lobby/refusals';
import { rankedTeams } from '../../lobby/rating';
import { lastResultOf, resultProblem, type Reported, type Result } from '../../lobby/result';
import type { Host } from '../host';
import type { Alarm } from '../kit/alarm';
import { commit } from '../kit/commit';
import type { Outbox } from '../kit/outbox';
import type { RatingChange } from '../ratings/contract';
import type { MatchDebt } from './debts';
import type { Hooks } from './hooks';
import type { Past } from './past';
import type { Match } from './state';

type Refused = ReturnType<typeof refusal>;

/** The parts of a match that a result touches. */
export interface Holder {
  readonly host: Host;
  readonly past: Past;
  readonly outbox: Outbox<MatchDebt>;
  readonly hooks: Hooks;
  readonly alarm: Alarm;
  readonly match: Match | null;
  readonly save: (match: Match) => void;
}

/**
 * Saves the result, and owes it to the lobbies. The same result again changes nothing. Refuses NOT_FOUND,
 * INVALID_STATE (the match has not begun, or came to no game), RESULT_EXISTS and VALIDATION_ERROR.
 */
export function takeResult(
  { host, past, outbox, hooks, alarm, match, save }: Holder,
  project: string,
  told: Result,
): Refused | null {
  const record = past.of(match, project);
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
      ? null
      : refusal('RESULT_EXISTS', 'The match has another result already');
  }
  const problem = resultProblem(told, record.teams);
  if (problem !== null) {
    return refusal('VALIDATION_ERROR', problem);
  }
  const result: Reported = { ...told, at: host.now() };
  if (match !== null) {
    save({ ...match, result });
    return null;
  }
  const lobbies = record.teams.flatMap(({ lobbies: of }) => of.map(({ lobbyId }) => lobbyId));
  const news = past.keepMs === 0 ? [] : [{ at: result.at, kind: 'result' }];
  commit(host, () => {
    const after = { ...record, result, history: [...record.history, ...news] };
    past.change(after);
    hooks.owe('match.result', after);
    outbox.add(lobbies.map((lobbyId) => ({ to: 'result', lobbyId })));
    outbox.add(record.rating === undefined ? [] : [{ to: 'ratings' }]);
  });
  outbox.flush();
  hooks.flush();
  alarm.arm();
  return null;
}

/** Tells the result to one lobby that was in the match, or to the ladder. */
export async function tellResult(
  { host, past, match }: Pick<Holder, 'host' | 'past' | 'match'>,
  id: MatchId,
  debt: Extract<MatchDebt, { readonly to: 'result' | 'ratings' }>,
): Promise<void> {
  const record = past.now(match);
  if (record?.result === undefined) {
    return;
  }
  if (debt.to === 'result') {
    return host.peers.lobby(debt.lobbyId).result(lastResultOf(id, record.result));
  }
  const { project, rating, result, teams } = record;
  if (rating !== undefined && rating.changes === undefined) {
    // A player who came again in another lobby counts where it was first.
    const seen = new Set<PlayerId>(rating.aside);
    const isFirst = (player: PlayerId): boolean => !seen.has(player) && seen.add(player).size > 0;
    const players = teams.map(({ lobbies }) =>
      lobbies.flatMap((lobby) => lobby.players.map((each) => each.id)).filter(isFirst),
    );
    const ladder = host.peers.ratings(project, rating.field);
    await ladder.rate({ matchId: id, at: result.at, teams: rankedTeams(result, players) });
  }
}

/** Notes what the ladder made of the result. From then on the ladder is told it no more. */
export function noteRated(
  { host, past, hooks, alarm, match, save }: Holder,
  project: string,
  changes: readonly RatingChange[],
): void {
  const record = past.of(match, project);
  if (record?.rating === undefined || record.rating.changes !== undefined) {
    return;
  }
  if (match !== null) {
    save({ ...match, rated: changes });
  } else {
    const after = { ...record, rating: { ...record.rating, changes } };
    commit(host, () => {
      past.change(after);
      hooks.owe('match.rated', after);
    });
    hooks.flush();
    alarm.arm();
  }
}
