// What stands between a waiting lobby and a match, in words: fields it lacks, what each rule rejects of
// the others, regions, and parties and roles that do not add up. Of another lobby no value is told.

import type { Mode, Rule } from '../rules/mode';
import { FILL } from '../ticket/aggregate';
import type { PartyMember, Ticket } from '../ticket/ticket';
import { stateField } from '../rules/rules';
import { inWords } from './seen';
import { assertNever } from '../../result';

/** What a rule reads: null for those that read no single field. */
function fieldOf(rule: Rule): string | null {
  return rule.type === 'region' || rule.type === 'expression' ? null : rule.field;
}

/** Whether the rule finds nothing to compare: `difference` needs a number (A9). */
export function lacks(rule: Rule, ticket: Ticket): boolean {
  const field = fieldOf(rule);
  const value = field === null ? null : stateField(ticket, field);
  return value === undefined || (rule.type === 'difference' && typeof value !== 'number');
}

/** A field that a `difference` needs, and that the lobby does not have, as its players read it. */
export function missing({ rules }: Mode, ticket: Ticket): string | null {
  const rule = rules.find((each) => each.type === 'difference' && lacks(each, ticket));
  return rule?.type === 'difference' ? `your players have no ${rule.field}` : null;
}

export interface Rejected {
  /** Others that the rule rejects, */
  readonly rejects: number;
  /** of these, others that lack the field it reads, */
  readonly lacking: number;
  /** of so many. */
  readonly others: number;
}

/** What one rule makes of the others; empty where it rejects none of them. */
export function rejections(
  rule: Rule,
  ticket: Ticket,
  { rejects, lacking, others }: Rejected,
): readonly string[] {
  const told = (count: number): string => countOf(count, others);
  const apart = rejects - lacking;
  const none = (field: string): readonly string[] =>
    lacking === 0 ? [] : [`${told(lacking)} ${have(lacking)} no ${field}`];
  if (rejects === 0) {
    return [];
  }
  switch (rule.type) {
    case 'difference':
      return lacks(rule, ticket)
        ? [`its players have no ${rule.field}`]
        : [
            ...(apart === 0
              ? []
              : [`${told(apart)} ${are(apart)} too far away in ${rule.field} for now`]),
            ...none(rule.field),
          ];
    case 'equals':
      return lacks(rule, ticket)
        ? [`its players share no ${rule.field}, and ${told(rejects)} ${have(rejects)} one`]
        : [
            ...(apart === 0 ? [] : [`${told(apart)} ${have(apart)} another ${rule.field}`]),
            ...none(rule.field),
          ];
    case 'not_equals':
      return [`${told(rejects)} ${have(rejects)} the same ${rule.field}`];
    case 'region':
      return [
        rule.minOverlap === 1
          ? `${told(rejects)} ${have(rejects)} no region in common with it`
          : `${told(rejects)} ${have(rejects)} fewer than ${rule.minOverlap} regions in common with it`,
      ];
    case 'expression':
      return [`${told(rejects)} ${rejects === 1 ? 'does' : 'do'} not satisfy ${inWords(rule)}`];
    default:
      return assertNever(rule);
  }
}

/** So many of the other lobbies. */
export function countOf(count: number, others: number): string {
  return others === 1 ? 'the only other lobby' : `${count} of ${others} other lobbies`;
}

function have(count: number): string {
  return count === 1 ? 'has' : 'have';
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
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
