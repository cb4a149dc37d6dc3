// How a match delivers its debts to other objects. Every receiver is idempotent.

import type { LobbyId, PlayerId } from '../../common/ids';
import { waitOf } from '../../common/later';
import { assertNever } from '../../common/result';
import { rankedTeams } from '../../lobby/rating';
import { playersOf } from '../../match/rules/mode';
import { membersOf } from '../contracts/party';
import type { Peers } from '../contracts/peers';
import type { MatchRecord } from '../contracts/reports';
import type { MatchCore } from './core';
import type { DeclineDebt, MatchDebt, ResultDebt } from './debts';
import { AT_ONCE_MS, launchForMatch, retryOf, tellBots } from './launch';
import { makeRematch, refuseRematch, rematchFor } from './rematch';
import { offerNow } from './room';
import type { Match } from './state';
import { tellTrace } from './trace';
import { updateOf } from './update';

/** Delivers a debt. `attempts`: how often it was delivered in vain. */
export async function payMatchDebt(
  core: MatchCore,
  debt: MatchDebt,
  attempts: number,
): Promise<void> {
  const { id, match, ports } = core;
  if (debt.to === 'hooks') {
    return core.hooks.deliver(attempts);
  }
  if (debt.to === 'again') {
    return makeRematch(core);
  }
  if (debt.to === 'rematch') {
    return tellRematch(core, debt.lobbyId);
  }
  if (debt.to === 'result' || debt.to === 'ratings' || debt.to === 'no') {
    return tellAbout(core.memory.record, debt, ports.peers);
  }
  if (match === null) {
    return;
  }
  switch (debt.to) {
    case 'lobby':
      return tellLobby(core, match, debt.lobbyId);
    case 'queue': {
      const { project, config, mode } = match.roster;
      return ports.peers.queue(project, config, mode).offer(id, offerNow(match, id));
    }
    case 'made':
      return tellMade(core, match);
    case 'trace':
      return tellTrace(core, match, attempts);
    case 'bots':
      return tellBots(ports, match);
    case 'server':
      return debt.act === 'launch'
        ? launchForMatch(core)
        : ports.peers.server(match.instanceId).stop(true);
    default:
      return assertNever(debt);
  }
}

async function tellMade({ id: matchId, ports }: MatchCore, { roster }: Match): Promise<void> {
  const { project, config, mode, madeBy: by, ref, rules, region } = roster;
  if (by === undefined || by === 'host' || ref === undefined) {
    return;
  }
  const parties = roster.parties.map(({ lobbyId, ticketId, startedAt, players, requestId }) => {
    return { lobbyId, ticketId, startedAt, players: players.map((who) => who.id), requestId };
  });
  const seated = roster.parties.flatMap(({ players }) => membersOf(players, rules));
  const full = seated.length >= playersOf(rules);
  const made = { matchId, by, ref, full, region, parties };
  await ports.peers.queue(project, config, mode).matchMade(made);
}

async function tellLobby(core: MatchCore, match: Match, lobbyId: LobbyId): Promise<void> {
  const update = updateOf(match, core.id, lobbyId);
  if (match.phase === 'launching' && match.roster.madeBy === 'host') {
    // Its lobby has told its players that the game is starting.
    return;
  }
  if (match.phase === 'launching') {
    core.fleetAnswers ??= waitOf(core.ports, AT_ONCE_MS);
    await core.fleetAnswers.over;
  }
  const now = updateOf(core.match, core.id, lobbyId);
  // A newer update has a debt of its own, which delivers it.
  if (now !== null && now.step === update?.step) {
    const newest = { ...now, retryAfter: await retryOf(core.ports, match, now) };
    if (!(await core.ports.peers.lobby(lobbyId).matchUpdate(newest))) {
      core.left(lobbyId, newest.ticketId);
    }
  }
}

async function tellRematch(core: MatchCore, lobbyId: LobbyId): Promise<void> {
  if (core.match !== null) {
    // It may not have heard yet that the match is over.
    await tellLobby(core, core.match, lobbyId);
  }
  const update = rematchFor(core, lobbyId);
  if (update !== null && !(await core.ports.peers.lobby(lobbyId).rematch(update))) {
    refuseRematch(core);
  }
}

/** Tells the result to one lobby that was in the match, or to the ladder; or that a player turned the match down. */
export async function tellAbout(
  { id, project, rating, result, teams }: MatchRecord,
  debt: ResultDebt | DeclineDebt,
  peers: Peers,
): Promise<void> {
  if (debt.to === 'no') {
    const no = { matchId: id, at: debt.at };
    return peers.players(project, debt.player).turnedDown(debt.player, no);
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
    const listed = teams.map(({ lobbies }) => lobbies.flatMap((lobby) => lobby.players));
    const players = listed.map((those) => those.map((each) => each.id).filter(isFirst));
    const ranked = rankedTeams(result, players, rating.places);
    await peers.ratings(project, rating.field).rate({ matchId: id, at: result.at, teams: ranked });
  }
}
