// What operators do with a lobby, and see of its members.

import type { By } from '../../common/happening';
import type { PlayerId } from '../../common/ids';
import { ok } from '../../common/result';
import { COMMANDS, operate, type Order } from '../../lobby/decide';
import { keptIn } from '../../lobby/gone';
import { isSpectator, type Lobby } from '../../lobby/lobby';
import { isIn } from '../../lobby/spectators';
import { refusal } from '../../lobby/refusals';
import type { KeptPlace } from '../contracts/lobby';
import type { LobbyCore } from './core';
import { answerOf } from './game';

export function operated(core: LobbyCore, lobby: Lobby | null, order: Order, by: By) {
  if (lobby === null) {
    return refusal('LOBBY_NOT_FOUND', 'No lobby has this id');
  }
  const decided = operate(lobby, order, core.given());
  if (!decided.ok) {
    return decided;
  }
  core.apply(decided.value, { by, kicks: COMMANDS[order.type].kicks });
  return ok(answerOf(core, decided.value.lobby, null));
}

export function memberSeen({ connected, news }: LobbyCore, lobby: Lobby | null, player: PlayerId) {
  if (lobby === null || !isIn(lobby, player)) {
    return null;
  }
  const watches = isSpectator(lobby, player);
  const { status: lobbyStatus, search, part, code } = (watches && news.crowd.shown()) || lobby;
  const streaming = connected.has(player) || news.crowd.streams.has(player);
  const as = watches ? ({ as: 'spectator' } as const) : {};
  return { lobbyStatus, streaming, mode: (search ?? part)?.mode ?? null, code, ...as };
}

export function keptPlace(lobby: Lobby | null, player: PlayerId): KeptPlace | null {
  const left = lobby?.gone?.find(({ id }) => id === player);
  if (!lobby?.part || left === undefined || !keptIn(lobby).includes(player)) {
    return null;
  }
  const { code, part } = lobby;
  const { keptSeconds = 0 } = part.places;
  return { code, mode: part.mode, until: part.backfills ? left.at + keptSeconds * 1000 : null };
}
