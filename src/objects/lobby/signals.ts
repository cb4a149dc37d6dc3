// Signals: what players of one match or lobby say to each other, for connections between them (record 0070). A signal
// goes to the streams that are open now. It is neither saved nor said again, and whoever is not a member hears nothing.

import type { MatchId } from '../../common/ids';
import { message } from '../../common/line';
import { ok } from '../../common/result';
import { isMember, isSpectator, type Lobby } from '../../lobby/lobby';
import { refusal, type Reply } from '../../lobby/refusals';
import { ONLY_WATCHES } from '../../lobby/spectators';
import type { PeerSignal, Reception } from '../contracts/lobby';
import type { LobbyCore } from './core';

const UNHEARD: Reception = { players: 0, streams: 0, lobbies: 0 };

/** A member speaks. Only the Match knows the other lobbies of a match that has formed. */
export async function signalFrom(core: LobbyCore, signal: PeerSignal): Promise<Reply<Reception>> {
  const { lobby, ports } = core;
  const isUnder = lobby !== null && (signal.under ?? lobby.config) === lobby.config;
  if (isUnder && isSpectator(lobby, signal.from)) {
    return refusal('INVALID_ACTION', ONLY_WATCHES);
  }
  if (!isUnder || !isMember(lobby, signal.from)) {
    return refusal('LOBBY_NOT_FOUND', 'The player is not in a lobby of this config');
  }
  // The term is that of a match that a player hosts.
  const said = { ...signal, term: lobby.game?.block?.term };
  const here = hand(core, lobby, said);
  const isFound = said.to !== null && here.players > 0;
  if (lobby.part === null || lobby.status === 'match_found' || isFound) {
    return ok(here);
  }
  const { players, streams, lobbies } = await ports.peers
    .match(lobby.part.matchId)
    .signal(lobby.id, said);
  return ok({ players: here.players + players, streams: here.streams + streams, lobbies });
}

/** A player of another lobby of that match speaks. A lobby that is held for it may not know yet that it has formed. */
export function signalIn(core: LobbyCore, match: MatchId, said: PeerSignal): Reception {
  const { lobby } = core;
  const isIn = lobby?.part?.matchId === match || lobby?.search?.hold?.matchId === match;
  return lobby !== null && isIn ? hand(core, lobby, said) : UNHEARD;
}

function hand({ news }: LobbyCore, { players }: Lobby, said: PeerSignal): Reception {
  const { from, to, data, term } = said;
  const those = players.map(({ id }) => id).filter((id) => id !== from && (to ?? id) === id);
  const streams = news.signal(those, message('signal', { from, term, data }));
  return { players: those.length, streams, lobbies: 1 };
}
