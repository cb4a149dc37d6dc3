// The debts of a match that follow from a change of its state.

import type { LobbyId } from '../../common/ids';
import type { Match } from './state';

export type MatchDebt =
  | { readonly to: 'lobby'; readonly lobbyId: LobbyId }
  | { readonly to: 'server'; readonly act: 'launch' | 'stop' }
  | { readonly to: 'queue' }
  /** The result for the ladder. */
  | { readonly to: 'ratings' }
  /** The result for a lobby. */
  | { readonly to: 'result'; readonly lobbyId: LobbyId };

export function keyOf(debt: MatchDebt): string {
  // A stop replaces a launch. A lobby only gets the newest state.
  return 'lobbyId' in debt ? `${debt.to}:${debt.lobbyId}` : debt.to;
}

/** The launch comes first, because lobbies wait for it. */
export function debtsOf(before: Match | null, next: Match): MatchDebt[] {
  const debts: MatchDebt[] = [];
  if (next.phase === 'launching' && before?.phase !== 'launching') {
    debts.push({ to: 'server', act: 'launch' });
  }
  const launched = before?.phase === 'launching' || before?.phase === 'running';
  if (next.phase === 'over' && launched && next.server?.block.status !== 'stopped') {
    debts.push({ to: 'server', act: 'stop' });
  }
  const seen = new Map(before?.participants.map((who) => [who.ticketId, who.step]));
  for (const { lobbyId, ticketId, left, step } of next.participants) {
    if (!left && step !== seen.get(ticketId)) {
      debts.push({ to: 'lobby', lobbyId });
    }
  }
  if (before !== null && next.offerSeq !== before.offerSeq) {
    debts.push({ to: 'queue' });
  }
  return debts;
}
