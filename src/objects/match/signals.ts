// Signals from one lobby of a match to the others (record 0070).

import type { LobbyId, PlayerId } from '../../common/ids';
import type { PeerSignal, Reception } from '../contracts/lobby';
import type { MatchCore } from './core';
import { isPlaying } from './places';
import type { Participant } from './state';

/** Asks the lobby of the named player, or all if the match knows none: somebody who came later may be in any. */
export async function passOn(
  { id, match, ports: { peers } }: MatchCore,
  from: LobbyId,
  said: PeerSignal,
): Promise<Reception> {
  const participants = match !== null && isPlaying(match) ? match.participants : [];
  const all = participants.filter(({ left, out }) => !left && out === undefined);
  const others = all.filter(({ lobbyId }) => lobbyId !== from);
  const named = others.filter((who) => said.to !== null && cameWith(who, said.to));
  const asked = others.length === all.length ? [] : named.length > 0 ? named : others;
  const saying = asked.map(({ lobbyId }) => peers.lobby(lobbyId).signalled(id, said));
  const answers = await Promise.allSettled(saying);
  const heard = answers.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  const sum = (of: 'players' | 'streams'): number =>
    heard.reduce((total, each) => total + each[of], 0);
  return { players: sum('players'), streams: sum('streams'), lobbies: asked.length };
}

function cameWith({ members, aside, players = [] }: Participant, player: PlayerId): boolean {
  return [...members, ...aside, ...players].includes(player);
}
