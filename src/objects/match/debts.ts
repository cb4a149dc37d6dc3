// What a match owes: the debts that a change of its state causes, and their keys.

import type { LobbyId, PlayerId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import type { MatchRecord } from '../contracts/reports';
import { botsAtFirst, botsIn } from './room';
import { answerBy, type Match } from './state';
import { yesOf } from './update';

/** The result, for the ladder or a lobby. */
export type ResultDebt =
  | { readonly to: 'ratings' }
  | { readonly to: 'result'; readonly lobbyId: LobbyId };

/** That the player turned the match down. */
export interface DeclineDebt {
  readonly to: 'no';
  readonly player: PlayerId;
  /** Epoch ms. */
  readonly at: number;
}

/** How a rematch stands, for a lobby. */
interface RematchDebt {
  readonly to: 'rematch';
  readonly lobbyId: LobbyId;
}

export type MatchDebt =
  | { readonly to: 'lobby'; readonly lobbyId: LobbyId }
  | { readonly to: 'server'; readonly act: 'launch' | 'stop' }
  | { readonly to: 'queue' }
  /** That it was made, for the lists of its mode. */
  | { readonly to: 'made' }
  /** Which places bots take now, for the server. */
  | { readonly to: 'bots' }
  | DeclineDebt
  /** An event for the project's backend (hooks.ts). */
  | { readonly to: 'hooks' }
  | RematchDebt
  /** The rematch is to be made. */
  | { readonly to: 'again' }
  /** The trace of the match, for a collector (trace.ts). */
  | { readonly to: 'trace' }
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
    ...(before === null && next.roster.ref !== undefined ? [{ to: 'made' } as const] : []),
  ];
}

/** A deadline that is noticed later than that passed while the service was away, and perhaps nobody could answer. */
const LATE_MS = 5_000;

/**
 * Who turned a forming match down, in a mode with `declineCooldown` (src/lobby/cooldown.ts): the player who declined or left, or
 * the players of a party who did not answer in time.
 */
export function declinesIn(
  before: Match | null,
  next: Match,
  no: PlayerId | undefined,
  now: number,
): readonly DeclineDebt[] {
  if (before?.phase !== 'confirming' || before.roster.rules.declineCooldown === undefined) {
    return [];
  }
  const isOver = next.phase === 'over' && next.reason === 'confirm_timeout';
  const late = next.participants.filter((who) => isOver || who.out === 'confirm_timeout');
  const out = new Set(late.map(({ ticketId }) => ticketId));
  const silent = before.participants.filter((who) => {
    const lateMs = now - (answerBy(before, who) ?? Infinity);
    return out.has(who.ticketId) && lateMs >= 0 && lateMs <= LATE_MS;
  });
  const players = silent.flatMap((who) => who.members.filter((id) => !yesOf(who).includes(id)));
  const all = no === undefined ? players : [no, ...players];
  return all.map((player) => ({ to: 'no', player, at: now }));
}

/** Every lobby that was in the match is told (decision 47), and the ladder if the match counts for one. */
export function debtsOfResult({ teams, rating }: MatchRecord): readonly ResultDebt[] {
  const lobbies = teams.flatMap((team) => team.lobbies.map(({ lobbyId }) => lobbyId));
  const debts = lobbies.map((lobbyId): ResultDebt => ({ to: 'result', lobbyId }));
  return rating === undefined ? debts : [...debts, { to: 'ratings' }];
}
