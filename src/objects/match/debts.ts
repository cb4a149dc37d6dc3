// What a match owes: the debts that a change of its state causes, and their keys.

import type { LobbyId, PlayerId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import type { MatchRecord } from '../contracts/reports';
import { botsAtFirst, botsIn } from './room';
import type { Match } from './state';

/** The result, for the ladder or a lobby. */
export type ResultDebt =
  | { readonly to: 'ratings' }
  | { readonly to: 'result'; readonly lobbyId: LobbyId };

/** That the player turned the match down (declines.ts). */
export interface DeclineDebt {
  readonly to: 'no';
  readonly player: PlayerId;
  /** Epoch ms. */
  readonly at: number;
}

export type MatchDebt =
  | { readonly to: 'lobby'; readonly lobbyId: LobbyId }
  | { readonly to: 'server'; readonly act: 'launch' | 'stop' }
  | { readonly to: 'queue' }
  /** Which places bots take now, for the server. */
  | { readonly to: 'bots' }
  | DeclineDebt
  /** An event for the project's backend (hooks.ts). */
  | { readonly to: 'hooks' }
  | ResultDebt;

export function debtKeyOf(debt: MatchDebt): string {
  // A stop replaces a launch. A lobby only gets the newest state.
  if (debt.to === 'no') {
    return `no:${debt.player}`;
  }
  return 'lobbyId' in debt ? `${debt.to}:${debt.lobbyId}` : debt.to;
}

/** The order of a server that has just begun had the bots of an earlier moment. */
function botsDebt(before: Match | null, next: Match): readonly MatchDebt[] {
  if (next.phase !== 'running' || next.roster.bots === undefined) {
    return [];
  }
  const had = before?.phase === 'running' ? botsIn(before) : botsAtFirst(next);
  return isSameJson(had, botsIn(next)) ? [] : [{ to: 'bots' }];
}

/** The launch comes first, because lobbies wait for it. */
export function debtsOf(before: Match | null, next: Match): readonly MatchDebt[] {
  const isToLaunch = next.phase === 'launching' && before?.phase !== 'launching';
  const launched = before?.phase === 'launching' || before?.phase === 'running';
  const isToStop = next.phase === 'over' && launched && next.server?.block.status !== 'stopped';
  const seen = new Map(before?.participants.map((who) => [who.ticketId, who.step]));
  const changed = next.participants.filter(({ ticketId, step }) => step !== seen.get(ticketId));
  const isOffered = before !== null && next.offerSeq !== before.offerSeq;
  return [
    ...(isToLaunch ? [{ to: 'server', act: 'launch' } as const] : []),
    ...(isToStop ? [{ to: 'server', act: 'stop' } as const] : []),
    ...botsDebt(before, next),
    ...changed.map(({ lobbyId }) => ({ to: 'lobby', lobbyId }) as const),
    ...(isOffered ? [{ to: 'queue' } as const] : []),
  ];
}

/** Every lobby that was in the match is told (decision 47), and the ladder if the match counts for one. */
export function debtsOfResult({ teams, rating }: MatchRecord): readonly ResultDebt[] {
  const lobbies = teams.flatMap((team) => team.lobbies.map(({ lobbyId }) => lobbyId));
  const debts = lobbies.map((lobbyId): ResultDebt => ({ to: 'result', lobbyId }));
  return rating === undefined ? debts : [...debts, { to: 'ratings' }];
}
