// Invariants of a match's saved state: it only goes forward, it launches once all have confirmed,
// and some object always drives it on.

import type { TicketId } from '../../src/common/ids';
import type { Bots } from '../../packages/js/src/game-server-types.ts';
import { playersOf } from '../../src/match/rules/mode';
import { evennessOf } from '../../src/match/rules/rules';
import { sizesOf } from '../../src/match/rules/sizes';
import { brokenInMatch } from '../../src/objects/match/always';
import { botsIn } from '../../src/objects/match/room';
import { membersOf } from '../../src/objects/contracts/party';
import {
  isOf,
  placesIn,
  staysOf,
  type Match,
  type Participant,
} from '../../src/objects/match/state';
import type { Journal } from './journal';
import type { Saved } from './parts';
import { isAborted } from './truth';

export function checkMatch(
  node: Saved,
  after: Match,
  before: Match | null,
  journal: Journal,
): void {
  const { label: id } = node;
  const broken = brokenInMatch(after, before);
  journal.check(!isAborted(node.disk), () => `${id} was aborted, and opened`);
  journal.check(broken.length === 0, () => `${id}: ${broken.join('; ')}`);
  const launches = after.phase === 'launching' || after.phase === 'running';
  if (launches && (before === null || before.phase === 'confirming')) {
    checkRefill(id, after, journal);
  }
  const isDriven = after.phase === 'over' || drives(node, after);
  journal.check(isDriven, () => `${id} is ${after.phase} with nobody driving it`);
  if (after.phase === 'over' && before !== null && before.phase !== 'over') {
    journal.count(`ended: ${before.phase}, ${after.reason}`);
  }
  if (before === null) {
    journal.count('matches opened');
    if (after.roster.madeBy === undefined) {
      checkTeams(id, after, journal);
    }
    const wrong = after.roster.bots ? checkBots(id, after, botsIn(after) ?? []) : null;
    journal.check(wrong === null, () => wrong ?? '');
    kindsOf(after).forEach((kind) => journal.count(`match: ${kind}`));
  } else if (after.participants.some((who) => !before.participants.some((was) => isOf(was, who)))) {
    checkAnchor(id, after, before, journal);
    journal.count(before.phase === 'confirming' ? 'match: refilled' : 'match: backfilled');
  }
}

/** A match that runs, or stands in line, has a server with an alarm, which reports how it ends (`checkServer`). */
function drives({ disk, isAlarming }: Saved, { phase, server }: Match): boolean {
  const isServers = phase === 'running' || server?.waiting !== undefined;
  return isServers || disk.alarm !== null || isAlarming;
}

/** The clocks of lobbies, queue and match differ here by more than a step. When each size holds is for the traces to say. */
function checkTeams(id: string, { participants, roster }: Match, journal: Journal): void {
  const { minTeams } = sizesOf(roster.rules).at(-1)?.mode ?? roster.rules;
  const least = roster.rules.steps?.at(-1)?.bots ? 1 : minTeams;
  const begins = new Set(participants.filter(({ left }) => !left).map(({ team }) => team)).size;
  journal.check(begins >= least, () => `${id} begins with ${begins} teams of ${least}`);
}

/** With bots a match is full as it opens, and has as many players as its mode asks for. */
function checkBots(
  id: string,
  { participants, roster }: Match,
  bots: readonly Bots[],
): string | null {
  const players = placesIn(participants);
  const all = players + bots.reduce((sum, { count }) => sum + count, 0);
  const { minHumans = 1 } = roster.rules.steps?.at(-1) ?? {};
  return players >= minHumans && all === playersOf(roster.rules)
    ? null
    : `${id} opens with ${players} players of ${minHumans}, and ${all} with bots`;
}

/** A match that others came into while it formed begins with as many players in each team as it formed with, and as even. */
function checkRefill(id: string, match: Match, journal: Journal): void {
  const { participants, roster, formedAt } = match;
  const here = participants.filter(({ left }) => !left);
  if (match.isAsIs) {
    journal.count('match: begins without those who said no');
    checkTeams(id, match, journal);
  } else if (here.every(({ joinedAt }) => joinedAt === undefined)) {
    return;
  }
  journal.count('match: refilled, and launches');
  const formed = staysOf(match).filter(({ joinedAt }) => joinedAt === undefined);
  const sizesIn = (those: typeof here): string =>
    [0, 1, 2, 3]
      .map((team) => those.flatMap((who) => (who.team === team ? who.members : [])).length)
      .join(' and ');
  const [was, is] = [sizesIn(formed), sizesIn(here)];
  journal.check(
    match.isAsIs === true || was === is,
    () => `${id} formed with ${was}, and launches with ${is}`,
  );
  const launched = roster.parties.map(({ ticketId }) => ticketId).sort();
  const those = here.map(({ ticketId }) => ticketId).sort();
  const told = roster.teams.flatMap(({ tickets }) => tickets).sort();
  journal.check(
    [launched, told].every((each) => each.join() === those.join()),
    () => `${id} launches with ${launched.join()} in teams of ${told.join()}, not ${those.join()}`,
  );
  const evenness = evennessOf(roster.rules);
  const teams = roster.teams.map(({ tickets: ids }) =>
    (roster.tickets ?? []).filter((ticket) => ids.includes(ticket.id)),
  );
  const played = teams.filter(({ length }) => length > 0);
  const gap = played.length < 2 ? 0 : (evenness?.gapOf(played) ?? 0);
  // As the pool has it: the clock that the search began by may be ahead.
  const waited = Math.max(0, formedAt - roster.anchor.startedAt);
  const bound = evenness?.reach.at(waited) ?? 0;
  journal.check(gap <= bound, () => `${id} launches with teams ${gap} apart, beyond ${bound}`);
}

/**
 * Who comes in was judged against the anchor or, once it had left, against who had waited longest of those there (decision 68): it
 * shows by a difference that widens so far and no further.
 */
function checkAnchor(id: string, after: Match, before: Match, journal: Journal): void {
  const { roster, participants, formedAt, saved } = before;
  const rule = (saved?.rules ?? roster.rules).rules.find(
    (each) => each.type === 'difference' && each.widenTo !== undefined && !each.uncertainty,
  );
  const came = after.participants.find((who) => !participants.some((each) => isOf(each, who)));
  if (rule?.type !== 'difference' || came === undefined) {
    return;
  }
  const stateOf = (ticketId: TicketId) => {
    if (ticketId === roster.anchor.id) {
      // A state that changed on the way to the hold is not in the ticket that the match formed with.
      return roster.anchor.state[rule.field];
    }
    const party = roster.parties.find((each) => each.ticketId === ticketId);
    const numbers = party?.players
      .filter((who) => membersOf([who], roster.rules).length > 0)
      .map(({ state }) => state?.[rule.field])
      .filter((value) => typeof value === 'number');
    return numbers?.length
      ? numbers.reduce((sum, value) => sum + value, 0) / numbers.length
      : after.newcomers?.[ticketId]?.ticket?.state[rule.field];
  };
  const sinceOf = ({ ticketId, startedAt = formedAt }: Participant): number =>
    ticketId === roster.anchor.id
      ? -Infinity
      : (roster.parties.find((each) => each.ticketId === ticketId)?.startedAt ?? startedAt);
  const [eldest] = participants.filter(({ left }) => !left).sort((a, b) => sinceOf(a) - sinceOf(b));
  const [is, was] = [came, eldest].map((who) => who && stateOf(who.ticketId));
  if (typeof is === 'number' && typeof was === 'number') {
    const hasLeft = eldest?.ticketId !== roster.anchor.id;
    journal.count(`match: a newcomer is compared${hasLeft ? ', the anchor has left' : ''}`);
    const gap = Math.abs(is - was);
    const bound = rule.widenTo ?? Infinity;
    journal.check(
      gap <= bound + 1e-6,
      () => `${id} takes ${came.ticketId} in, which is ${gap} from who waited longest there`,
    );
  }
}

/** The kind of mode that formed a match. */
function kindsOf({ roster }: Match): readonly string[] {
  const { rules, teams, parties, bots, madeBy } = roster;
  const kinds: readonly [string, boolean][] = [
    ['confirmation', rules.matchConfirmation.enabled],
    ['no confirmation', !rules.matchConfirmation.enabled],
    ['backfill allowed', rules.allowBackfill],
    ['roles', rules.teamComposition !== null],
    ['parties', parties.some(({ players }) => players.length > 1)],
    ['one lobby', parties.length === 1],
    ['started by a host', madeBy === 'host'],
    ['one lobby in several teams', teams.some(({ players }) => players !== undefined)],
    ['partial', teams.length < rules.teams],
    ['sizes that relax', rules.steps !== undefined],
    ['bots', bots === true],
    ['version', rules.useVersionFromState !== null],
    ['several rules', rules.rules.length > 1],
    ['players excluded', rules.excludedFromQueue.length > 0],
    ['onDecline requeue', rules.matchConfirmation.enabled && rules.onDecline === 'requeue'],
    ['onDecline refill', rules.matchConfirmation.enabled && rules.onDecline === 'refill'],
    ...rules.rules.map(({ type }): [string, boolean] => [`rule ${type}`, true]),
  ];
  return kinds.filter(([, holds]) => holds).map(([kind]) => kind);
}

export function warmText(before: Match['warm'], after: Match['warm']): string {
  const lost = before === 'taken' ? 'a warm server is lost' : 'no warm server is ready';
  return after === 'taken' ? 'a match takes a warm server' : lost;
}
