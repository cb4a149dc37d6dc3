// How long a short match waits, written from "How long a short match waits" in docs/internals/design.md. It keeps every
// arrival, and counts anew whenever it is asked.

import type { Mode } from '../../../src/match/rules/mode';
import type { Ticket } from '../../../src/match/ticket/ticket';
import { regionsAt } from './oracle-regions';
import { fewestPlayers, loosest } from './oracle-sizes';

export interface Arrival {
  /** Epoch ms. */
  readonly at: number;
  readonly players: number;
}

export interface Patience {
  /** When the match became possible, epoch ms. */
  readonly since: number;
  /** All lobbies that could be in it. */
  readonly arrivals: readonly Arrival[];
  /** A step has come: nothing is waited for. */
  readonly isOver: boolean;
  /** When it is looked at again, epoch ms. */
  readonly due: number;
}

/** What a mode says of the wait. */
export interface Terms {
  /** The most that a match waits for others, ms. */
  readonly longest: number;
  /** Players of a full match, and of the smallest by the mode's own minima. */
  readonly full: number;
  readonly fewest: number;
}

export function termsOf(mode: Mode, full: number): Terms {
  return {
    longest: Math.min(10_000, 250 * mode.timeout),
    full,
    fewest: fewestPlayers(mode),
  };
}

/** Whether a match of the mode may ever have less than all its places, bots apart. */
export function startsShort(mode: Mode, full: number): boolean {
  return fewestPlayers(loosest(mode)) < full;
}

/** Players that lack in a full match. */
function lacking({ arrivals }: Pick<Patience, 'arrivals'>, { full }: Terms): number {
  return Math.max(0, full - sum(arrivals));
}

function sum(arrivals: readonly Arrival[]): number {
  return arrivals.reduce((total, { players }) => total + players, 0);
}

function lastOf(arrivals: readonly Arrival[]): number {
  return Math.max(...arrivals.map(({ at }) => at));
}

/** The last arrivals of which each came less than a second after the one before. */
function burstOf(arrivals: readonly Arrival[]): readonly Arrival[] {
  const byTime = arrivals.toSorted((a, b) => a.at - b.at);
  const begins = byTime.findLastIndex((each, index) => {
    const before = byTime[index - 1];
    return before === undefined || each.at - before.at >= 1_000;
  });
  return byTime.slice(begins);
}

/** How long after the last arrival the burst is over, ms. 0: it is none, or brings the missing players too late. */
function burstMs(patience: Pick<Patience, 'arrivals'>, terms: Terms): number {
  const burst = burstOf(patience.arrivals);
  const lack = lacking(patience, terms);
  const took = lastOf(burst) - Math.min(...burst.map(({ at }) => at));
  if (lack === 0 || burst.length < 3 || (lack * took) / sum(burst) > terms.longest) {
    return 0;
  }
  const gap = took / (burst.length - 1);
  return Math.min(75 * gap, lack < terms.fewest ? 2_000 : 1_000);
}

/** `perMs`: how many players come in a ms. Epoch ms. */
export function endOf(
  patience: Pick<Patience, 'arrivals' | 'since'>,
  perMs: number,
  terms: Terms,
): number {
  const { since, arrivals } = patience;
  const { longest } = terms;
  const last = lastOf(arrivals);
  const lack = lacking(patience, terms);
  const comes = lack === 0 ? 0 : lack / perMs;
  const forecast = comes > longest ? since : last + 2 * comes;
  const burst = last + burstMs(patience, terms);
  const awaited = Math.ceil(Math.min(Math.max(forecast, burst), since + longest) - ROUNDING);
  // Who comes when nobody lacks is waited for no longer.
  const quiet = lack === 0 ? since : Math.min(Math.max(last, since), since + longest);
  return Math.max(awaited, quiet + 75);
}

/** Two ways to add up a rate may differ by this, in ms. */
const ROUNDING = 1e-6;

/** Whether the burst may still bring those who lack. */
export function isInBurst(patience: Pick<Patience, 'arrivals'>, at: number, terms: Terms): boolean {
  return lastOf(patience.arrivals) + burstMs(patience, terms) > at;
}

interface Come {
  readonly at: number;
  readonly ticket: Ticket;
  /** That it accepted; null for any. */
  readonly regions: readonly string[] | null;
}

/** All who have ever come. */
export class Arrivals {
  readonly #mode: Mode;
  readonly #all: Come[] = [];

  constructor(mode: Mode) {
    this.#mode = mode;
  }

  came(ticket: Ticket, at: number): void {
    this.#all.push({ at, ticket, regions: regionsAt(this.#mode, ticket, at) });
  }

  /** Players a ms who have lately come and could have played with the ticket. */
  rate(ticket: Ticket, at: number): number {
    const mine = regionsAt(this.#mode, ticket, at);
    const weighed = this.#all.map(({ at: came, ticket: other, regions }) => {
      const players = other.members.length * Math.exp(Math.min(0, came - at) / 30_000);
      return { weight: players * this.#share(ticket, other), regions };
    });
    const total = (isMet: (regions: Come['regions']) => boolean): number =>
      weighed.reduce((all, { weight, regions }) => all + (isMet(regions) ? weight : 0), 0);
    const rates = (mine ?? []).map((region) =>
      total((regions) => regions === null || regions.includes(region)),
    );
    const open = total((regions) => mine === null || regions === null);
    return Math.max(open, ...rates) / 30_000;
  }

  /** The part of the other that counts, from 0 to 1. */
  #share(ticket: Ticket, other: Ticket): number {
    for (const rule of this.#mode.rules) {
      if (rule.type === 'equals') {
        const [mine, its] = [ticket, other].map(({ state }) => JSON.stringify(state[rule.field]));
        if (mine !== its) {
          return 0;
        }
      }
    }
    const first = this.#mode.rules.find((rule) => rule.type === 'difference');
    if (first === undefined || first.maxDifference === 0) {
      return 1;
    }
    const [mine, its] = [ticket, other].map(({ state }) => state[first.field]);
    if (typeof mine !== 'number' || typeof its !== 'number') {
      return 0;
    }
    // The intervals below and above that of the ticket count by what of them is in its reach.
    const own = mine / first.maxDifference;
    const away = Math.floor(its / first.maxDifference) - Math.floor(own);
    const above = own - Math.floor(own);
    return away === 0 ? 1 : away === 1 ? above : away === -1 ? 1 - above : 0;
  }
}
