// What keeps a waiting lobby from a match, in words: fields it lacks, and roles and party sizes that do not add up.

import type { Mode } from '../rules/mode';
import { typeOf } from '../rules/registry';
import { RoleBook } from '../teams/role-book';
import type { Ticket } from '../ticket/ticket';

/** The first value that a rule needs and the lobby lacks. Null if there is none. */
export function missing({ rules }: Mode, ticket: Ticket): string | null {
  const needed = rules.flatMap((rule) => {
    const { lacks, needs } = typeOf(rule).words;
    return needs !== undefined && lacks(rule, ticket) ? [needs(rule)] : [];
  });
  return needed[0] ?? null;
}

/** A role that too many or nobody wants, or parties that cannot fill a team. Null if neither is found. */
export function shape(mode: Mode, all: readonly Ticket[]): string | null {
  return roles(mode, all) ?? sizes(mode, all);
}

function roles({ teamComposition }: Mode, all: readonly Ticket[]): string | null {
  const book = new RoleBook(teamComposition ?? {});
  const members = all.flatMap((ticket) => ticket.members);
  for (const [number, role] of book.roles.entries()) {
    const needed = book.demand.reduce((sum, team) => sum + (team[number] ?? 0), 0);
    const wants = members.filter(({ roles: own }) => own.length === 1 && own[0] === role).length;
    if (wants > needed && wants === members.length) {
      return `${wants} of ${members.length} want ${role}, the mode needs ${needed}`;
    }
    if (!members.some((each) => book.preferences(each).includes(number))) {
      return `nobody wants ${role}, the mode needs ${needed}`;
    }
  }
  return null;
}

/** `all` begins with the waiting lobby. The others must be able to fill the rest of its team. */
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
  // This is not about too few lobbies, which more of the same would mend.
  const isStuck = own < least && kinds.every((size) => size > most - own);
  const more = least === most ? `${least - own}` : `at least ${least - own}`;
  return isStuck
    ? `a team of ${most} needs ${more} more beside a party of ${own}, and only parties of ${kinds.join(' and ')} wait`
    : null;
}
