// Invariants of matches whose game steers its places (record 0067).

import type { LobbyId, MatchId, PlayerId } from '../../src/common/ids';
import type { Lobby } from '../../src/lobby/lobby';
import { rulesNow, staysOf, type Match } from '../../src/objects/match/state';
import type { Journal } from './journal';

/** How many players may still come in, and those who came after which revision count. */
export interface Opened {
  readonly places: number;
  readonly revision: number;
}

/** At each save: nobody comes into a closed game, and who was put out stays out. */
export function checkSteered(
  id: MatchId,
  match: Match,
  opened: Opened | undefined,
  journal: Journal,
): void {
  const { steered, participants } = match;
  if (steered === undefined) {
    return;
  }
  const here = participants.flatMap(({ left, members }) => (left ? [] : members));
  const back = here.find((each) => steered.kicked.includes(each));
  journal.check(back === undefined, () => `${id} has ${back}, who was kicked`);
  if (opened !== undefined) {
    const came = staysOf(match)
      .filter((who) => (who.came ?? 0) > opened.revision)
      .reduce((sum, { players = [], aside }) => sum + players.length - aside.length, 0);
    journal.check(
      came <= opened.places,
      () => `${id} opened ${opened.places} places, and ${came} players came in`,
    );
  }
}

/** At each save: whoever comes into the lobby takes no place that its match keeps for another (decision 69). */
export function checkKept(
  { id, maxPlayers, part, players, gone = [] }: Lobby,
  match: Match | undefined,
  journal: Journal,
): void {
  const who = match?.participants.find(({ lobbyId }) => lobbyId === id);
  const isNewest = who !== undefined && who.step === part?.step && who.ticketId === part.ticketId;
  if (match === undefined || !isNewest || rulesNow(match).reconnectSeconds === undefined) {
    return;
  }
  const here = new Set(players.map((each) => each.id));
  const out = gone.filter(({ by }) => by !== 'self').map((each) => each.id);
  const kept = part.places.members.filter((each) => !here.has(each) && !out.includes(each));
  if (kept.length > 0) {
    journal.count('happened: somebody comes into a lobby that keeps a place');
  }
  journal.check(
    players.length + kept.length <= maxPlayers,
    () => `${id} has ${players.length} of ${maxPlayers} players, and keeps ${kept.join(', ')}`,
  );
}

/** Those whom the game has put out, and the lobbies that they may be in. */
export function kickedFrom({ steered, participants }: Match): readonly [PlayerId, LobbyId][] {
  return participants.flatMap(({ lobbyId }) =>
    (steered?.kicked ?? []).map((player): [PlayerId, LobbyId] => [player, lobbyId]),
  );
}

/** At rest: whoever has a seat by the lobby holds a place in the match, and nobody whom the game put out is there. */
export function checkSeated(
  lobbies: ReadonlyMap<LobbyId, Lobby>,
  matches: ReadonlyMap<MatchId, Match>,
  journal: Journal,
): void {
  for (const { id, part, players, status } of lobbies.values()) {
    const match = part === null || status !== 'in_game' ? undefined : matches.get(part.matchId);
    const who = match?.participants.find((each) => each.lobbyId === id);
    if (part === null || match === undefined || who === undefined) {
      continue;
    }
    const away = new Set(who.away?.map((each) => each.id));
    for (const player of players) {
      const isSeated =
        player.cameDuring !== part.ticketId && part.places.members.includes(player.id);
      const holds = who.members.includes(player.id) && !away.has(player.id);
      journal.check(!isSeated || holds, () => `${player.id} has a seat in ${id}, and no place`);
      const isOut = match.steered?.kicked.includes(player.id) === true;
      journal.check(!isOut, () => `${player.id} was kicked, and is in ${id}`);
    }
  }
}
