// Why a lobby still waits, in words that its own players may read: how many others are in reach, what
// stands in the way, when more come into reach. Nobody is named, and no value of another lobby is told.

import type { Mode } from '../rules/mode';
import { stateField } from '../rules/rules';
import type { Ticket } from '../ticket/ticket';
import { explain } from './explain';
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

/** A field that a rule reads, and that the lobby does not have. */
function missing({ rules }: Mode, ticket: Ticket): string | null {
  const rule = rules.find(
    (each) => each.type === 'difference' && typeof stateField(ticket, each.field) !== 'number',
  );
  return rule?.type === 'difference' ? `your players have no ${rule.field}` : null;
}

/** Roles that too many or nobody wants, and parties that cannot fill a team. */
function shape(
  { teamComposition, playersPerTeam, minPlayersPerTeam }: Mode,
  all: readonly Ticket[],
) {
  const members = all.flatMap((ticket) => ticket.members);
  for (const [role, needed] of teamComposition === null ? [] : neededRoles(teamComposition)) {
    const wants = members.filter(({ roles }) => roles.length === 1 && roles[0] === role).length;
    if (wants > needed && wants === members.length) {
      return `${wants} of ${members.length} want ${role}, the mode needs ${needed}`;
    }
    if (!members.some(({ roles }) => roles.length === 0 || roles.includes(role))) {
      return `nobody wants ${role}, the mode needs ${needed}`;
    }
  }
  const sizes = new Set(all.map((ticket) => ticket.members.length));
  const [size = 1] = sizes;
  const isStuck = teamComposition === null && sizes.size === 1 && minPlayersPerTeam % size !== 0;
  return isStuck && playersPerTeam % size !== 0 && size < playersPerTeam
    ? `only parties of ${size} wait, which do not fill teams of ${playersPerTeam}`
    : null;
}

function neededRoles(teams: NonNullable<Mode['teamComposition']>): ReadonlyMap<string, number> {
  const needed = new Map<string, number>();
  for (const roles of Object.values(teams)) {
    for (const [role, count] of Object.entries(roles)) {
      needed.set(role, (needed.get(role) ?? 0) + count);
    }
  }
  return needed;
}
