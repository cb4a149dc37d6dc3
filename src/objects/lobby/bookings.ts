// A lobby and the match that is being made of it (decision 76; src/objects/match/make.ts). Whoever makes the match may die at any
// point: a lobby that hears nothing of its booking asks the Match, which has it or knows nothing of it.

import { booked } from '../../lobby/bookings';
import { modeOf } from '../../lobby/config';
import { ticketFor } from '../../lobby/queueing';
import { refusal } from '../../lobby/refusals';
import { within } from '../../common/later';
import type { BookingReply, LobbyRpc } from '../contracts/lobby';
import type { LobbyCore } from './core';
import { partySnapshot } from './game';

/** Less than the maker of the match waits. */
const HOLD_WAIT_MS = 2_000;
const NONE: BookingReply = { held: false, why: 'there is no such lobby' };

export async function bookAsked(
  core: LobbyCore,
  ...[{ project, config }, request]: Parameters<LobbyRpc['book']>
): Promise<BookingReply> {
  await core.wake();
  // A hold is a promise to a queue's match, which may come about.
  const isFree = core.until((lobby) => !lobby?.search?.hold);
  await within(core.ports, HOLD_WAIT_MS, isFree).catch(() => {});
  const { lobby: before } = core;
  if (before?.project !== project || before.config !== config) {
    return NONE;
  }
  if (before.search?.hold) {
    return { held: false, why: 'a match is forming with it' };
  }
  const said = booked(before, request, core.ports.now());
  if ('why' in said) {
    return { held: false, ...said };
  }
  if (said.lobby !== before) {
    core.apply(said);
  }
  const lobby = core.lobby ?? before;
  const { ticketId, mode: name } = request;
  const mode = modeOf(core.config, name);
  const startedAt = lobby.search?.startedAt ?? core.ports.now();
  const ticket = mode
    ? ticketFor(lobby, mode, { id: ticketId, startedAt })
    : refusal('MODE_NOT_FOUND');
  return { held: true, party: partySnapshot(lobby, ticketId, core), ticket };
}
