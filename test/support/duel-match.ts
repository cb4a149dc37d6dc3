// A match of two lobbies, and what its server reports.

import type { LobbyId, PlayerId, TicketId } from '../../src/common/ids';
import type { Mode } from '../../src/match/rules/mode';
import type { ServerReport } from '../../src/objects/contracts/server';
import type { Match, Participant } from '../../src/objects/match/state';
import { mode } from '../match/support/make';
import { block } from './lobbies';
import { formedOf, party } from './running-match';

export const A = 'a' as LobbyId;
export const B = 'b' as LobbyId;
export const ANN = 'ann' as PlayerId;
export const ABE = 'abe' as PlayerId;
export const BEN = 'ben' as PlayerId;
export const ASKS = { matchConfirmation: { enabled: true, timeoutSeconds: 30 } } as const;
const WIDE = { playersPerTeam: 3, minPlayersPerTeam: 1 } as const;
export const MIXED = { ...WIDE, excludedFromQueue: ['spectator'] } as const;
export const stayOf = (lobby: string) => ({
  lobbyId: lobby as LobbyId,
  ticketId: `ticket of ${lobby}` as TicketId,
});

/** Ann and Abe, with one who watches, against Ben. */
export function duel(rules: Partial<Mode> = {}, patch: Partial<Match> = {}): Match {
  const parties = [party('a', 'ann', 'abe', 'spectator-sue'), party('b', 'ben')];
  const teams = parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null }));
  return { ...formedOf({ rules: mode({ ...MIXED, ...rules }), parties, teams }), ...patch };
}

export function serverReport(patch: object = {}): ServerReport {
  return { instanceId: 'i', seq: 1, block: block('running', 'i'), ...patch } as never;
}

export const steps = ({ participants }: Match): readonly number[] =>
  participants.map(({ step }) => step);
export const first = ({ participants: [who] }: Match): Participant => who as Participant;
