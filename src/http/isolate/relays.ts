// The isolate's relays by caller: answers wait here for the events that came before them (decision 39).

import type { LobbyId } from '../../common/ids';
import { callerKey, type ConfigPlayer } from './where';

export interface Passing {
  /** Ends when the relay has passed `revision` of the lobby, or as late as a relay may make an answer wait. */
  passed(lobby: LobbyId, revision: number): Promise<void>;
}

export const relays = new Map<string, Passing>();

/** Ends when the caller's event stream, if this isolate has it, has passed the lobby's `revision`. */
export async function eventsPassed(
  { cameUnder, ...caller }: ConfigPlayer & { readonly cameUnder?: string },
  lobby: LobbyId,
  revision: number,
) {
  const config = cameUnder ?? caller.config;
  await relays.get(callerKey({ ...caller, config }))?.passed(lobby, revision);
}
