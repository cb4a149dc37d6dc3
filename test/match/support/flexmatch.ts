// Plays the modes of docs/from-flexmatch.md and docs/recipes.md, as they stand there, in virtual time: the pool is called
// when it asks to be.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { LobbyId, PlayerId, TicketId } from '../../../src/common/ids';
import type { JsonObject } from '../../../src/common/json';
import { must } from '../../../src/common/result';
import { parseConfig } from '../../../src/lobby/config';
import type { PoolOutcome } from '../../../src/match/pool';
import type { Mode } from '../../../src/match/rules/mode';
import { ticketOf } from '../../../src/match/ticket/aggregate';
import type { Ticket } from '../../../src/match/ticket/ticket';
import { makePool } from '../../../src/match/waiting/make-pool';
import { modesIn } from '../../support/modes-of-page';

const page = fileURLToPath(new URL('../../../docs/from-flexmatch.md', import.meta.url).href);
const MODES = modesIn(readFileSync(page, 'utf8'));

/** The mode of that name, read as a config with it is. */
export function modeOf(name: string, over: object = {}): Mode {
  return modeFrom({ matchmaking: { modes: { [name]: { ...MODES[name], ...over } } } }, name);
}

/** The mode of that name in a config, or its first. */
export function modeFrom(config: object, name?: string): Mode {
  const read = parseConfig('game', config);
  const modes = read.ok ? read.value.matchmaking.modes : {};
  return must(name === undefined ? Object.values(modes)[0] : modes[name], `the mode ${name}`);
}

/** A lobby of these players, who come at that instant. */
export interface Came {
  readonly name: string;
  readonly at: number;
  readonly players: readonly JsonObject[];
}

/** One player each, by default a millisecond after each other. */
export function singles(
  players: Readonly<Record<string, JsonObject>>,
  from = 0,
  every = 1,
): readonly Came[] {
  return Object.entries(players).map(([name, state], at) => ({
    name,
    at: from + at * every,
    players: [state],
  }));
}

/** So many players alike, `name-0` and on. */
export function alike(count: number, name: string, state: JsonObject): Record<string, JsonObject> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}-${at}`, state]));
}

export interface Played {
  readonly at: number;
  readonly region: string;
  readonly bots?: true;
  /** The names of the lobbies in each team. */
  readonly teams: readonly (readonly string[])[];
}

function ticketFor(mode: Mode, { name, at, players }: Came): Ticket {
  const lobby = {
    id: name as TicketId,
    lobbyId: `lobby of ${name}` as LobbyId,
    startedAt: at,
    players: players.map((state, index) => ({
      id: `${name}.${index}` as PlayerId,
      state,
      isHost: index === 0,
    })),
    region: 'us-east',
    settings: {},
  };
  const ticket = ticketOf(lobby, mode);
  if (!ticket.ok) {
    throw new Error(ticket.refusal.detail);
  }
  return ticket.value;
}

/** The matches that form of them until then, in ms. */
export function played(mode: Mode, lobbies: readonly Came[], until = 0): readonly Played[] {
  const pool = makePool(mode);
  const matches: Played[] = [];
  const note = (now: number, out: PoolOutcome): void => {
    for (const { tickets, teams, region, bots } of out.matches) {
      pool.commit(tickets);
      const its = teams.map((team) => team.tickets);
      matches.push({ at: now, region, teams: its, ...(bots && { bots }) });
    }
  };
  let now = 0;
  const goOn = (to: number): void => {
    for (let due = pool.nextAt(); due !== null && due <= to; due = pool.nextAt()) {
      now = Math.max(now, due);
      note(now, pool.advance(now));
    }
    now = Math.max(now, to);
  };
  for (const came of lobbies.toSorted((one, other) => one.at - other.at)) {
    goOn(came.at);
    note(now, pool.enter(ticketFor(mode, came), now));
  }
  goOn(until);
  return matches;
}

export const sizes = ({ teams }: Played): readonly number[] => teams.map(({ length }) => length);

/** How far apart the means of the teams' players are. */
export function spread({ teams }: Played, valueOf: (lobby: string) => number): number {
  const means = teams.map(
    (team) => team.reduce((sum, each) => sum + valueOf(each), 0) / team.length,
  );
  return Math.max(...means) - Math.min(...means);
}

/** One player for each value, `name-0` and on. */
export function varied(
  values: readonly number[],
  name: string,
  stateOf: (value: number) => JsonObject,
) {
  return Object.fromEntries(values.map((value, at) => [`${name}-${at}`, stateOf(value)]));
}

/** So many whole numbers from there on, over and over. */
export function cycle(count: number, from: number, length: number): readonly number[] {
  return Array.from({ length: count }, (_, at) => from + (at % length));
}

/** In order: teams have none. */
export function rising(numbers: readonly number[]): readonly number[] {
  return numbers.toSorted((one, other) => one - other);
}
