// A match takes its result (decision 47), while it is remembered with all that it was, or only by its record.

import type { LobbyId, MatchId } from '../../common/ids';
import { refusal } from '../../lobby/refusals';
import { lastResultOf, resultProblem, type Reported, type Result } from '../../lobby/result';
import type { Host } from '../host';
import type { Alarm } from '../kit/alarm';
import { commit } from '../kit/commit';
import type { Outbox } from '../kit/outbox';
import type { MatchRecord } from '../reports';
import type { MatchDebt } from './debts';
import type { Hooks } from './hooks';
import type { Past } from './past';
import type { Match } from './state';

type Refused = ReturnType<typeof refusal>;

interface Holder {
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
    return JSON.stringify(known) === JSON.stringify(told)
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
  });
  outbox.flush();
  hooks.flush();
  alarm.arm();
  return null;
}

/** Tells one lobby the result of the match that it was in. */
export async function tellResult(
  host: Host,
  id: MatchId,
  record: MatchRecord | null,
  lobbyId: LobbyId,
): Promise<void> {
  if (record?.result !== undefined) {
    await host.peers.lobby(lobbyId).result(lastResultOf(id, record.result));
  }
}
