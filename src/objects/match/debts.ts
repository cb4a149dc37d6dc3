// What a match owes: the debts that follow from a change of its state, and who is told of its result (decision 47). Pure, but
// for the telling.

import type { LobbyId, PlayerId } from '../../common/ids';
import { isSameJson } from '../../common/json';
import { rankedTeams } from '../../lobby/rating';
import type { Peers } from '../contracts/peers';
import type { MatchRecord } from '../contracts/reports';
import { botsAtFirst, botsIn } from './room';
import type { Match } from './state';

type ResultDebt =
  /** The result for the ladder. */
  | { readonly to: 'ratings' }
  /** The result for a lobby. */
  | { readonly to: 'result'; readonly lobbyId: LobbyId };

/** That the player turned the match down (nos.ts). */
export interface NoDebt {
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
  | NoDebt
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
  const had = before?.phase === 'running' ? botsIn(before) : botsAtFirst(next);
  return next.phase !== 'running' || isSameJson(had, botsIn(next)) ? [] : [{ to: 'bots' }];
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
  debts.push(...botsDebt(before, next));
  const seen = new Map(before?.participants.map((who) => [who.ticketId, who.step]));
  for (const { lobbyId, ticketId, step } of next.participants) {
    if (step !== seen.get(ticketId)) {
      debts.push({ to: 'lobby', lobbyId });
    }
  }
  if (before !== null && next.offerSeq !== before.offerSeq) {
    debts.push({ to: 'queue' });
  }
  return debts;
}

/** Every lobby that was in the match is told, and the ladder if the match counts for one. */
export function debtsOfResult({ teams, rating }: MatchRecord): readonly ResultDebt[] {
  const lobbies = teams.flatMap((team) => team.lobbies.map(({ lobbyId }) => lobbyId));
  const told = lobbies.map((lobbyId): ResultDebt => ({ to: 'result', lobbyId }));
  return rating === undefined ? told : [...told, { to: 'ratings' }];
}

/** Tells the result to one lobby that was in the match, or to the ladder; or that a player turned the match down. */
export async function tellAbout(
  { id, project, rating, result, teams }: MatchRecord,
  debt: ResultDebt | NoDebt,
  peers: Peers,
): Promise<void> {
  if (debt.to === 'no') {
    return peers
      .players(project, debt.player)
      .turnedDown(debt.player, { matchId: id, at: debt.at });
  }
  if (result === undefined) {
    return;
  }
  if (debt.to === 'result') {
    return peers.lobby(debt.lobbyId).result({ matchId: id, at: result.at, teams: result.teams });
  }
  if (rating !== undefined && rating.changes === undefined) {
    // Records of earlier releases list a player who came again in another lobby more than once.
    const seen = new Set<PlayerId>(rating.aside);
    const isFirst = (player: PlayerId): boolean => !seen.has(player) && seen.add(player).size > 0;
    const players = teams.map(({ lobbies }) =>
      lobbies.flatMap((lobby) => lobby.players.map((each) => each.id)).filter(isFirst),
    );
    const match = { matchId: id, at: result.at, teams: rankedTeams(result, players) };
    await peers.ratings(project, rating.field).rate(match);
  }
}
