// Why a ticket still waits: what each rule makes of the other tickets, the nearest miss, and when that one becomes
// eligible. People ask this now and then, so it reads tickets and no index.

import type { Explanation, RuleRejections } from '../../../packages/js/src/dashboard-types';
import { type Mode, playersOf } from '../rules/mode';
import { type Rule, typeOf } from '../rules/registry';
import { apartMsOf, compileRules, evennessOf, withRematch } from '../rules/rules';
import { nextStep, type SizedMode, sizesOf, startsShort, stepsBy } from '../rules/sizes';
import { RoleBook } from '../teams/role-book';
import type { Ticket } from '../ticket/ticket';
import { longestPatience } from '../waiting/patience';
import { canStart, likelySet } from './set';
import { earliest, openingOf, type Way, waysOf } from './ways';

/** Judges the ticket at `now` (epoch ms) against all other tickets of its queue. */
export function explain(
  mode: Mode,
  ticket: Ticket,
  others: Iterable<Ticket>,
  now: number,
): Explanation {
  return judge(mode, ticket, others, now).counts;
}

/**
 * The same. `misshapen`: what is wrong with the roles, sizes or evenness of those that can play together. `lacking`: the
 * first value that a rule needs and the ticket lacks. `farther`: how many pass, and are not near yet. `isEnough`: they can
 * start short by now.
 */
function judge(given: Mode, ticket: Ticket, queue: Iterable<Ticket>, now: number) {
  const mode = withRematch(given);
  const compiled = compileRules(mode);
  const others = [...queue].filter(({ id }) => id !== ticket.id);
  const asksRegions = mode.rules.some((rule) => typeOf(rule).accepted !== undefined);
  const judged = others.map((candidate): Judged => {
    const ways = waysOf(compiled, { anchor: ticket, candidate, mode, now });
    const passes = ways.some(({ rejecting }) => rejecting.length === 0);
    const isNear = compiled.isNear(ticket, candidate, now);
    const openings =
      (passes && isNear) || compiled.pollsTime ? [] : ways.map((way) => openingOf(compiled, way));
    // A rule about regions says so itself.
    const isShared = asksRegions || haveSharedRegion(ticket, candidate);
    return { candidate, ways, passes, isNear, opensAt: earliest(openings), isShared };
  });
  const passing = judged.filter(({ passes }) => passes);
  const placed = passing.filter(({ isShared }) => isShared);
  const eligible = placed.filter(({ isNear }) => isNear).map(({ candidate }) => candidate);
  const rules = mode.rules.map((rule, index) => rejectionsOf(rule, index, judged));
  const openings = judged.map(({ opensAt, isShared }) => (isShared ? opensAt : null));
  const isAnyRejected = eligible.length < others.length;
  const all = [ticket, ...eligible];
  const { relaxed, sooner } = stepsOf(mode, all, now);
  const { uneven, isEnough } = outlookOf(mode, all, now);
  const among = isAnyRejected ? 'among those that can play together, ' : '';
  const wrong =
    isAnyRejected && eligible.length === 0 ? null : (roles(mode, all) ?? sizes(relaxed, all));
  const misshapen = wrong === null ? uneven : among + wrong;
  const [lacking = null] = mode.rules.flatMap((rule) => {
    const { lacks, needs } = typeOf(rule).words;
    return needs !== undefined && lacks(rule, ticket) ? [needs(rule)] : [];
  });
  const noSharedRegion = passing.length - placed.length;
  const farther = placed.length - eligible.length;
  const players = playersIn(all);
  const soonEnough = players < playersOf(mode) ? sooner : null;
  const allowed = `the rules allow ${noSharedRegion} of ${others.length} other lobbies`;
  return {
    misshapen,
    lacking,
    farther,
    soonEnough,
    isEnough,
    counts: {
      waitSeconds: Math.max(0, now - ticket.startedAt) / 1000,
      others: others.length,
      eligible: eligible.length,
      players,
      wanted: playersOf(mode),
      noSharedRegion,
      rules,
      opensAt: earliest(openings),
      obstacles: [
        ...(lacking === null ? [] : [`its players have no ${lacking}`]),
        ...(noSharedRegion === 0 ? [] : [`${allowed}, but no region works for both sides`]),
        ...(farther === 0 ? [] : [tooFar(farther)]),
        ...(misshapen === null ? [] : [misshapen]),
        ...(soonEnough === null ? [] : [soonEnough]),
      ],
    },
  };
}

/** Another lobby, and what the rules say of it. */
interface Judged {
  readonly candidate: Ticket;
  readonly ways: readonly Way[];
  /** One of the ways passes now. */
  readonly passes: boolean;
  /** The two are in reach of the mode's target wait. */
  readonly isNear: boolean;
  /** When one of the ways passes; null for now, for never, and where it is not known. */
  readonly opensAt: number | null;
  readonly isShared: boolean;
}

function rejectionsOf(rule: Rule, index: number, judged: readonly Judged[]): RuleRejections {
  const { short, lacks, distance } = typeOf(rule).words;
  const rejected = judged.filter(
    ({ passes, ways }) => !passes && ways.some(({ rejecting }) => rejecting.includes(index)),
  );
  const alone = rejected.filter(({ ways }) =>
    ways.some(({ rejecting }) => rejecting.length === 1 && rejecting[0] === index),
  );
  const near = alone.filter(({ isShared }) => isShared);
  const misses = near.flatMap(({ candidate, ways: [way], opensAt }) => {
    const miss = way === undefined ? null : (distance?.(rule, way.pair) ?? null);
    return miss === null ? [] : [{ ticket: candidate.id, ...miss, opensAt }];
  });
  return {
    index,
    type: rule.type,
    rule: short(rule),
    rejects: rejected.length,
    // A missing region and the rule on regions are one cause, not two.
    rejectsAlone: rule.type === 'region' ? alone.length : near.length,
    lacking: rejected.filter(({ candidate }) => lacks(rule, candidate)).length,
    nearest: misses.sort((a, b) => a.gap - b.gap)[0] ?? null,
  };
}

/**
 * What those make who can play together: whether it is enough to start short, and what keeps a set from starting: teams that
 * are too uneven, or too many who avoid each other. Of many the first are asked.
 */
function outlookOf(mode: Mode, all: readonly Ticket[], now: number) {
  const wanted = playersOf(mode);
  const isApart = apartMsOf(mode) !== null;
  const asked = all.slice(0, 2 * wanted);
  const isShort = playersIn(asked) < wanted;
  const nothing = { uneven: null, isEnough: false };
  if (isShort && !startsShort(mode)) {
    return nothing;
  }
  if (evennessOf(mode) === null && !isApart) {
    return { ...nothing, isEnough: isShort && canStart(mode, asked, now) };
  }
  const isOwn = ({ id }: Ticket): boolean => id === all[0]?.id;
  const madeOf = (tickets: readonly Ticket[]) => {
    const found = likelySet(mode, tickets, now);
    const players = tickets.filter(({ id }) => found?.tickets.includes(id));
    // A short match may be one of others.
    const counts = found !== null && (!isShort || players.some(isOwn));
    return counts ? { ...found, players: playersIn(players) } : null;
  };
  const found = madeOf(asked);
  const unevenness = found?.tooUneven ?? null;
  if (isApart && found === null) {
    const met = madeOf(asked.map((each) => ({ ...each, avoids: [] })));
    const uneven = met && `${met.players} players fit, but some of them avoid others`;
    return { ...nothing, uneven };
  }
  return unevenness === null
    ? { uneven: null, isEnough: isShort && found !== null }
    : { ...nothing, uneven: `${found?.players} players fit, but ${unevenness}: too uneven yet` };
}

function playersIn(tickets: readonly Ticket[]): number {
  return tickets.reduce((sum, { members }) => sum + members.length, 0);
}

function tooFar(farther: number): string {
  return `${farther} ${farther === 1 ? 'other fits' : 'others fit'}, and will be near enough after a longer wait`;
}

function haveSharedRegion(a: Ticket, b: Ticket): boolean {
  const [left, right] = [a.acceptableRegions, b.acceptableRegions];
  return left.length === 0 || right.length === 0 || left.some((region) => right.includes(region));
}

/** The mode by now for the eldest of those who can play together, and what its next step changes, in words. */
function stepsOf(mode: Mode, together: readonly Ticket[], now: number) {
  const all = sizesOf(mode);
  const eldest = together.reduce((least, { startedAt }) => Math.min(least, startedAt), now);
  const steps = stepsBy(all, eldest, now);
  const [relaxed = mode, next] = all.slice(steps, steps + 2).map((each) => each.mode);
  const seconds = Math.ceil((nextStep(all, eldest, now) - now) / 1000);
  return { relaxed, sooner: next === undefined ? null : `${enough(next)} in ${seconds} s` };
}

function enough(mode: SizedMode): string {
  const { teams, minTeams, playersPerTeam, minPlayersPerTeam, minHumans = 0 } = mode;
  if (minHumans > 0) {
    return `${minHumans === 1 ? '' : `with ${minHumans} players `}bots take the open places`;
  }
  if (minTeams === 1) {
    return `a team of ${minPlayersPerTeam} is enough`;
  }
  return playersPerTeam === 1
    ? `${minTeams} players are enough`
    : `${minTeams === teams ? '' : `${minTeams} `}teams of ${minPlayersPerTeam} are enough`;
}

/** A role that too many or nobody wants. Null if there is none. */
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

/** Parties that cannot fill a team: the others must be able to fill the rest of the first one's. Null if they can. */
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

/**
 * Why the lobby still waits, in words for its own players: how many others are in reach, what stands in the way, and
 * when more come into reach. No other lobby is named, and none of its values is told. `now`: epoch ms.
 */
export function waitReason(mode: Mode, ticket: Ticket, others: readonly Ticket[], now: number) {
  const { counts, misshapen, lacking, farther, soonEnough, isEnough } = judge(
    mode,
    ticket,
    others,
    now,
  );
  const lack = lacking === null ? null : `your players have no ${lacking}`;
  const here = `${counts.players} of ${counts.wanted} players are here`;
  const most = Math.ceil(longestPatience(mode) / 1000);
  const enoughNow = isEnough
    ? `${here}, enough to start: others may join for up to ${most} s`
    : null;
  // With the next step it may be a match alone.
  const stepAt = nextStep(sizesOf(mode), ticket.startedAt, now);
  const isSoon = counts.others === 0 && soonEnough !== null && likelySet(mode, [ticket], stepAt);
  const alone = counts.others === 0 ? `nobody else waits${isSoon ? `; ${soonEnough}` : ''}` : null;
  const few = counts.players < counts.wanted ? [here, soonEnough ?? []].flat().join('; ') : null;
  return {
    inReach: counts.eligible,
    compared: counts.others,
    because: enoughNow ?? lack ?? alone ?? cause(counts, farther) ?? misshapen ?? few,
    opensInSeconds:
      counts.opensAt === null ? null : Math.max(0, Math.round((counts.opensAt - now) / 100) / 10),
  };
}

/** The one thing without which the most lobbies would be eligible. Null if some are, and nothing keeps others away alone. */
function cause(counts: Explanation, farther: number): string | null {
  const { rules, others, eligible, noSharedRegion } = counts;
  const [most] = rules.toSorted((a, b) => b.rejectsAlone - a.rejectsAlone);
  const fit = most?.rejectsAlone ?? 0;
  if (farther > Math.max(noSharedRegion, fit)) {
    return tooFar(farther);
  }
  if (noSharedRegion > fit) {
    return `${noSharedRegion} others accept no region of yours`;
  }
  if (most !== undefined && fit > 0) {
    // An expression can name what players must not know.
    const rule = most.type === 'expression' ? 'a rule of this mode' : most.rule;
    return `${rule}: ${fit} of ${others} others do not fit`;
  }
  return eligible > 0
    ? null
    : `no single rule: ${others} of ${others} others do not fit for two or more reasons`;
}
