// What operators do with a lobby, and see of its members.

import type { By } from '../../common/happening';
import type { PlayerId } from '../../common/ids';
import { ok } from '../../common/result';
import { COMMANDS, operate, type Order } from '../../lobby/decide';
import { keptIn } from '../../lobby/gone';
import { isSpectator, type Lobby } from '../../lobby/lobby';
import { isIn } from '../../lobby/spectators';
import { refusal, type Reply } from '../../lobby/refusals';
import type { KeptPlace, LobbyAnswer, Site } from '../contracts/lobby';
import type { LobbyCore } from './core';
import { answerOf } from './game';
import { moveTo } from './move';

export async function operated(
  core: LobbyCore,
  { project, config }: Site,
  order: Order,
  by: By,
): Promise<Reply<LobbyAnswer>> {
  const { lobby } = core;
  const there = lobby?.project === project ? lobby.config : null;
  // A move that was answered to nobody is asked for again, where the lobby is no more.
  const isIts = there === config || (order.type === 'move' && there === order.to);
  if (lobby === null || !isIts) {
    const detail = `No lobby of ${config} has this id`;
    return refusal('LOBBY_NOT_FOUND', there === null ? detail : `${detail}: it is in ${there}`);
  }
  const decided = operate(lobby, order, core.given());
  if (!decided.ok) {
    return decided;
  }
  core.apply(decided.value, { by, kicks: COMMANDS[order.type].kicks });
  return order.type === 'move'
    ? moveTo(core, order.to, by, null)
    : ok(answerOf(core, decided.value.lobby, null));
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
