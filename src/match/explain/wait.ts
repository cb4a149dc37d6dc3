// Why a lobby still waits, in words that its own players may read: how many others are in reach, what
// stands in the way, when more come into reach. Nobody is named, and no value of another lobby is told.

import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';
import { explain } from './explain';
import { missing, shape } from './obstacles';
import { inWords } from './seen';

export interface WaitReason {
  /** Other lobbies that all rules let through, of so many that were compared. */
  readonly inReach: number;
  readonly compared: number;
  /** What stands in the way most, in words; null where nothing does. */
  readonly because: string | null;
  /** Until the next of them comes into reach as rules widen; null: none does. */
  readonly opensInSeconds: number | null;
}

/** `others`: as many as may be compared. */
export function waitReason(
  mode: Mode,
  ticket: Ticket,
  others: readonly Ticket[],
  now: number,
): WaitReason {
  const told = explain(mode, ticket, others, now);
  const [most] = told.rules.toSorted((a, b) => b.rejects - a.rejects);
  const rule = most === undefined ? undefined : mode.rules[most.index];
  const rejected =
    rule === undefined || most === undefined || most.rejects === 0
      ? null
      : `${inWords(rule)}: ${most.rejects} of ${told.others} others do not fit`;
  const apart =
    told.noSharedRegion === 0 ? null : `${told.noSharedRegion} others accept no region of yours`;
  const alone = told.others === 0 ? 'nobody else waits' : null;
  const few =
    told.players < told.wanted ? `${told.players} of ${told.wanted} players are here` : null;
  return {
    inReach: told.eligible,
    compared: told.others,
    because:
      missing(mode, ticket) ??
      alone ??
      shape(mode, [ticket, ...others]) ??
      rejected ??
      apart ??
      few,
    opensInSeconds:
      told.opensAt === null ? null : Math.max(0, Math.round((told.opensAt - now) / 100) / 10),
  };
}
