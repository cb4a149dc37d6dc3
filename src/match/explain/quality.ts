// How good a match is: how even its teams are, how long its lobbies waited. Read off what it keeps, so it costs no row.

import type { MatchQuality } from '../../../packages/js/src/journal-types';
import type { JsonObject } from '../../common/json';
import type { TicketId } from '../../common/ids';
import { own, present } from '../../common/named';
import type { ProposedTeam } from '../pool';
import { type Mode, unequalPlaces } from '../rules/mode';
import { chancesOf } from '../rules/plackett-luce';
import { type Skill, skillAt } from '../rules/skill';
import { isExcluded } from '../ticket/aggregate';
import { measuredIn, pingFieldOf } from '../ticket/pings';
import { uncertaintyOf } from '../ticket/ticket';

/** Of players. */
type StatesOf = readonly JsonObject[];

interface JudgedParty {
  readonly ticketId: TicketId;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly players: readonly { readonly state: JsonObject | null }[];
}

export interface FormedRoster {
  readonly rules: Mode;
  readonly region: string;
  readonly parties: readonly JudgedParty[];
  readonly teams: readonly Pick<ProposedTeam, 'tickets'>[];
}

/** Null for a mode that compares no number: nothing says how good it is. `at`: epoch ms. */
export function qualityOf(formed: FormedRoster, at: number): MatchQuality | null {
  const { rules: mode, region, parties, teams } = formed;
  const byId = new Map(parties.map((party) => [party.ticketId, party]));
  const all = teams.map(({ tickets }) =>
    tickets.flatMap((id) => {
      const players = byId.get(id)?.players.filter((who) => !isExcluded(who, mode)) ?? [];
      return players.length === 0 ? [] : [players.map(({ state }) => state ?? {})];
    }),
  );
  const players = all.map((team) => team.flat());
  // Nothing is known of bots.
  const isOneTeam = players.filter(({ length }) => length > 0).length < Math.max(2, teams.length);
  const win =
    isOneTeam || mode.rating === undefined ? null : winOf(players, mode, mode.rating.field);
  const gap = isOneTeam ? null : gapOf(all, mode);
  const ping = pingIn(region, players.flat(), mode);
  if (win === null && gap === null && ping === null) {
    return null;
  }
  const waits = parties.map(({ startedAt }) => Math.max(0, Math.round(at - startedAt)) / 1000);
  waits.sort((a, b) => a - b);
  const p50 = waits[Math.ceil(waits.length / 2) - 1] ?? 0;
  return { ...present({ win, gap, ping }), waits: { p50, max: waits.at(-1) ?? 0 } };
}

/** The chance of each team, by the model that rates the results. */
function winOf(teams: readonly StatesOf[], mode: Mode, field: string): readonly number[] {
  const skillOf = (state: JsonObject): Skill =>
    skillAt(numberIn(state, field), numberIn(state, uncertaintyOf(field)));
  const chances = chancesOf(
    teams.map((team) => team.map(skillOf)),
    unequalPlaces(mode),
  );
  return chances.map((chance) => Math.round(chance * 1000) / 1000);
}

/** What the players measured to the region of the match. Null if nobody did, or no rule reads it. */
function pingIn(region: string, players: StatesOf, mode: Mode) {
  const name = pingFieldOf(mode);
  const pings = players.flatMap((state) =>
    name === undefined ? [] : (measuredIn(own(state, name)).get(region) ?? []),
  );
  const sum = pings.reduce((total, each) => total + each, 0);
  return pings.length === 0
    ? null
    : { worst: Math.max(...pings), mean: Math.round((10 * sum) / pings.length) / 10 };
}

/** The field by which the teams of the mode are made even. Null without one. */
export function gapFieldOf({ rules }: Mode): string | null {
  const rule =
    rules.find(({ type }) => type === 'balance') ?? rules.find(({ type }) => type === 'difference');
  return rule?.type === 'balance' || rule?.type === 'difference' ? rule.field : null;
}

/** How far apart the means of the teams are, in that field. Null if a lobby has no number. */
function gapOf(teams: readonly (readonly StatesOf[])[], mode: Mode): number | null {
  const field = gapFieldOf(mode);
  if (field === null) {
    return null;
  }
  const means = teams.map((team) => {
    const players = team.reduce((sum, { length }) => sum + length, 0);
    const worth = team.map((party) => party.length * (meanOf(party, field) ?? NaN));
    return worth.reduce((sum, each) => sum + each, 0) / players;
  });
  const gap = Math.max(...means) - Math.min(...means);
  return Number.isFinite(gap) ? Math.round(gap * 100) / 100 : null;
}

/** Of those who have the number, as rules read a party. */
function meanOf(party: StatesOf, field: string): number | null {
  const numbers = party.flatMap((state) => numberIn(state, field) ?? []);
  return numbers.length === 0 ? null : numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function numberIn(state: JsonObject, field: string): number | null {
  const value = own(state, field);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
