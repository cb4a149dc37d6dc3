// Muster's own pool as a policy: the code that a queue runs, driven by the instants that it names.

import { Pacing } from '../../../src/match/journal/pacing';
import type { PoolOutcome } from '../../../src/match/pool';
import type { Mode } from '../../../src/match/rules/mode';
import type { Ticket } from '../../../src/match/ticket/ticket';
import { makePool } from '../../../src/match/waiting/make-pool';
import { mode, ticket } from '../../../test/match/support/make';
import type { Party, Shape } from './population';
import type { Policy } from './rivals';
import type { Game } from './score';

export interface MusterPolicy extends Policy {
  /** Of the last play: the longest call into the pool, ms of this machine. */
  longestMs: number;
}

/** `over`: what the mode says besides its size. */
export function muster(name: string, over: Partial<Mode>): MusterPolicy {
  const policy: MusterPolicy = {
    name: `Muster, ${name}`,
    longestMs: 0,
    play: (parties, shape) => {
      policy.longestMs = 0;
      return played(modeOf(shape, over), parties, (ms) => {
        policy.longestMs = Math.max(policy.longestMs, ms);
      });
    },
  };
  return policy;
}

function modeOf({ teams, size }: Shape, over: Partial<Mode>): Mode {
  return mode({ teams, playersPerTeam: size, minPlayersPerTeam: size, ...over });
}

function played(of: Mode, parties: readonly Party[], took: (ms: number) => void): readonly Game[] {
  const pool = makePool(of);
  const pacing = new Pacing(() => of);
  const byId = new Map<string, Party>();
  const games: Game[] = [];
  const settle = (call: () => PoolOutcome, now: number): void => {
    const began = performance.now();
    const { matches } = call();
    took(performance.now() - began);
    for (const { tickets, teams } of matches) {
      pool.commit(tickets);
      tickets.forEach((id) => pacing.waited(now - (byId.get(id)?.at ?? now)));
      games.push({
        at: now,
        teams: teams.map((team) => team.tickets.flatMap((id) => byId.get(id) ?? [])),
      });
    }
  };
  let now = 0;
  for (const party of parties) {
    for (let due = pool.nextAt(); due !== null && due <= party.at; due = pool.nextAt()) {
      now = Math.max(now, due);
      settle(() => pool.advance(now), now);
    }
    now = party.at;
    const fresh = ticketOf(party);
    const paced = pacing.paced(fresh, now);
    pacing.arrived(fresh, now);
    byId.set(fresh.id, party);
    settle(() => pool.enter(paced, now), now);
  }
  return games;
}

function ticketOf({ id, at, ratings, mean }: Party): Ticket {
  return ticket(`t${id}`, { at, size: ratings.length, state: { mmr: mean } });
}
