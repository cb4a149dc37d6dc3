// What stands between a waiting lobby and a match, in words: fields it lacks, and parties and roles that do not
// add up.

import type { Mode } from '../rules/mode';
import { typeOf } from '../rules/registry';
import { FILL } from '../ticket/aggregate';
import type { PartyMember, Ticket } from '../ticket/ticket';

/** A value that a rule needs, and that the lobby does not have, as its players read it. */
export function missing({ rules }: Mode, ticket: Ticket): string | null {
  for (const rule of rules) {
    const { lacks, needs } = typeOf(rule).words;
    if (needs !== undefined && lacks(rule, ticket)) {
      return needs(rule);
    }
  }
  return null;
}

/** Roles that too many or nobody wants, and parties that cannot fill a team; the first, or null. */
export function shape(mode: Mode, all: readonly Ticket[]): string | null {
  return roles(mode, all) ?? sizes(mode, all);
}

function roles({ teamComposition }: Mode, all: readonly Ticket[]): string | null {
  const members = all.flatMap((ticket) => ticket.members);
  for (const [role, needed] of teamComposition === null ? [] : neededRoles(teamComposition)) {
    const wants = members.filter(
      (each) => each.roles.length === 1 && each.roles[0] === role,
    ).length;
    if (wants > needed && wants === members.length) {
      return `${wants} of ${members.length} want ${role}, the mode needs ${needed}`;
    }
    if (!members.some((each) => accepts(each, role))) {
      return `nobody wants ${role}, the mode needs ${needed}`;
    }
  }
  return null;
}

function accepts(member: PartyMember, role: string): boolean {
  const listed = member.roles;
  return listed.length === 0 || listed.includes(role) || listed.includes(FILL);
}

function neededRoles(teams: NonNullable<Mode['teamComposition']>): ReadonlyMap<string, number> {
  const needed = new Map<string, number>();
  for (const composition of Object.values(teams)) {
    for (const [role, count] of Object.entries(composition)) {
      needed.set(role, (needed.get(role) ?? 0) + count);
    }
  }
  return needed;
}

/** The first is the lobby that waits: parties must be there that fill the rest of its team. */
function sizes(mode: Mode, all: readonly Ticket[]): string | null {
  const { teamComposition, playersPerTeam: most, minPlayersPerTeam: least } = mode;
  const [own, ...others] = all.map((ticket) => ticket.members.length);
  if (teamComposition !== null || own === undefined || others.length === 0) {
    return null;
  }
  const kinds = [...new Set(others)].toSorted((a, b) => a - b);
  if (kinds.length === 1 && kinds[0] === own) {
    return Math.floor(most / own) * own >= least
      ? null
      : `only parties of ${own} wait, which do not fill teams of ${most}`;
  }
  // Too few of them are another matter: more of the same would do.
  const isStuck = own < least && kinds.every((size) => size > most - own);
  const more = least === most ? `${least - own}` : `at least ${least - own}`;
  return isStuck
    ? `a team of ${most} needs ${more} more beside a party of ${own}, and only parties of ${kinds.join(' and ')} wait`
    : null;
}
