// Even teams by brute force (docs/internals/design.md A18): every set of an anchor in the order of age, and every split of
// a set into teams of equal size.

import type { Mode } from '../../../src/match/rules/mode';
import { chancesOf } from '../../../src/match/rules/plackett-luce';
import { skillAt, START } from '../../../src/match/rules/skill';
import type { Ticket } from '../../../src/match/ticket/ticket';
import { areFoes, apartMs } from './oracle-avoid';
import { byAge, type Entry, isAlone, sharedRegions, tickets } from './oracle-choice';
import { drawn } from './oracle-sizes';
import type { PlainTeams } from './oracle-teams';

/** Every match with the anchor, those with the eldest first. `eligible`: in the order in which they are asked. */
export function* setsOf(
  anchor: Entry,
  eligible: readonly Entry[],
  teams: PlainTeams,
  full: boolean,
): Generator<Entry[]> {
  const arranged = (must: readonly Entry[], rest: readonly Entry[]): boolean =>
    sharedRegions([...must, ...rest], must).some((region) => {
      const usable = rest.filter(({ regions: list }) => {
        return list === null || (region !== null && list.includes(region));
      });
      return teams.arrange(tickets(must), tickets(usable), full) !== null;
    });
  function* from(at: number, taken: readonly Entry[]): Generator<Entry[]> {
    const [candidate] = eligible.slice(at);
    const players = taken.reduce((sum, { ticket }) => sum + ticket.members.length, 0);
    if (candidate === undefined || players === teams.players) {
      if (arranged(taken, []) || (taken.length === 1 && isAlone(anchor, teams, full))) {
        yield [...taken].sort(byAge);
      }
      return;
    }
    if (
      arranged(taken, eligible.slice(at)) ||
      (taken.length === 1 && isAlone(anchor, teams, full))
    ) {
      yield* from(at + 1, [...taken, candidate]);
      yield* from(at + 1, taken);
    }
  }
  yield* from(0, [anchor]);
}

/** The gap that the mode's balance rule allows the anchor at that instant. Infinity without such a rule. */
export function allowedGap(mode: Mode, anchor: Ticket, at: number): number {
  const rule = mode.rules.find(({ type }) => type === 'balance');
  if (rule?.type !== 'balance') {
    return Infinity;
  }
  const begins = rule.maxDifference ?? rule.win ?? 0;
  if (rule.curve !== undefined) {
    return drawn(rule.curve, Math.max(0, at - anchor.startedAt) / 1000);
  }
  const part = Math.min(1, Math.max(0, at - anchor.startedAt) / (mode.timeout * 1000));
  return begins + ((rule.widenTo ?? begins) - begins) * part;
}

/** How uneven the most even split of these lobbies is, in the unit of the mode's balance rule. */
export function leastGap(mode: Mode, all: readonly Ticket[]): number {
  const rule = mode.rules.find(({ type }) => type === 'balance');
  if (rule?.type !== 'balance' || all.length === 1) {
    return 0;
  }
  const players = all.reduce((sum, { members }) => sum + members.length, 0);
  const size = mode.playersPerTeam;
  // In these tests a match of less than full teams is one with bots: they may have a team alone.
  const bots = mode.steps?.at(-1)?.bots === true;
  const teams: Ticket[][] = Array.from({ length: bots ? mode.teams : players / size }, () => []);
  const skillOf = ({ state }: Ticket) =>
    typeof state[rule.field] === 'number'
      ? skillAt(Number(state[rule.field]), Number(state[`${rule.field}Uncertainty`] ?? 0))
      : START;
  const valueOf = (ticket: Ticket): number =>
    rule.win === undefined ? Number(ticket.state[rule.field] ?? 0) : skillOf(ticket).mu;
  const spreadOf = (): number => {
    const means = used().map(
      (team) => team.reduce((sum, each) => sum + valueOf(each) * each.members.length, 0) / on(team),
    );
    return Math.max(...means) - Math.min(...means);
  };
  /** Teams as equal in number as they can be come first. */
  const unlike = (): number => {
    const sizes = teams.map(on);
    return Math.max(...sizes) - Math.min(...sizes);
  };
  let leastUnlike = Infinity;
  const on = (team: readonly Ticket[]): number =>
    team.reduce((sum, { members }) => sum + members.length, 0);
  const used = (): readonly (readonly Ticket[])[] => teams.filter(({ length }) => length > 0);
  let least = Infinity;
  let chances: readonly number[] = [];
  const place = (at: number): void => {
    const ticket = all[at];
    if (ticket === undefined) {
      const spread = spreadOf();
      if (unlike() < leastUnlike || (unlike() === leastUnlike && spread < least - 1e-9)) {
        leastUnlike = unlike();
        least = spread;
        const skills = used().map((team) =>
          team.flatMap((each) => each.members.map(() => skillOf(each))),
        );
        chances = rule.win === undefined ? [] : chancesOf(skills);
      }
      return;
    }
    for (const team of teams) {
      const here = on(team);
      const isFree = apartMs(mode) === null || !team.some((other) => areFoes(other, ticket));
      if (isFree && here + ticket.members.length <= size) {
        team.push(ticket);
        place(at + 1);
        team.pop();
      }
    }
  };
  place(0);
  return rule.win === undefined
    ? least
    : Math.round(
        1e8 * Math.max(...chances.map((chance) => Math.abs(chance - 1 / chances.length))),
      ) / 1e6;
}
