// Why a lobby still waits, in words for its own players: how many other lobbies are in reach, what stands in the way,
// and when more come into reach. No other lobby is named, and none of its values is told.

import type { Mode } from '../rules/mode';
import type { Ticket } from '../ticket/ticket';
import { type Explanation, judge } from './explain';

export interface WaitReason {
  /** Other lobbies that all rules let through. */
  readonly inReach: number;
  /** How many other lobbies were compared. */
  readonly compared: number;
  /** What stands in the way, in words. Null if nothing does. */
  readonly because: string | null;
  /** Seconds until the next lobby comes into reach as rules widen. Null if none will. */
  readonly opensInSeconds: number | null;
}

/** Compares the ticket with `others` at `now` (epoch ms). */
export function waitReason(
  mode: Mode,
  ticket: Ticket,
  others: readonly Ticket[],
  now: number,
): WaitReason {
  const { told, misshapen, lacking } = judge(mode, ticket, others, now);
  const lack = lacking === null ? null : `your players have no ${lacking}`;
  const alone = told.others === 0 ? 'nobody else waits' : null;
  const few =
    told.players < told.wanted ? `${told.players} of ${told.wanted} players are here` : null;
  return {
    inReach: told.eligible,
    compared: told.others,
    because: lack ?? alone ?? misshapen ?? cause(told) ?? few,
    opensInSeconds:
      told.opensAt === null ? null : Math.max(0, Math.round((told.opensAt - now) / 100) / 10),
  };
}

/** The one thing without which the most lobbies would be eligible. Null if some are, and nothing keeps others away alone. */
function cause({ rules, others, eligible, noSharedRegion }: Explanation): string | null {
  const [most] = rules.toSorted((a, b) => b.rejectsAlone - a.rejectsAlone);
  const fit = most?.rejectsAlone ?? 0;
  if (noSharedRegion > fit) {
    return `${noSharedRegion} others accept no region of yours`;
  }
  if (most !== undefined && fit > 0) {
    return `${most.rule}: ${fit} of ${others} others do not fit`;
  }
  return eligible > 0
    ? null
    : `no single rule: ${others} of ${others} others do not fit for two or more reasons`;
}
