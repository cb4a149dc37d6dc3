// Can these tickets make a match? Asked of counts by shape: a shape is all that teams care about in
// a party, its size or the roles of its members. The two kinds of mode answer in their own way. An
// answer follows from the counts alone: what else happens in the pool asks other questions.

import type { Counters } from '../waiting/counters';
import { type Counts, type Goal, Packing } from './packing';
import type { Mode } from '../rules/mode';
import type { Answer, Steps } from './steps';
import type { Ticket } from '../ticket/ticket';

export interface Solver {
  /** Players of a full match. */
  readonly players: number;
  /** Fewest players of any match. */
  readonly fewest: number;
  /** The shape of a party, one use more; null when no team can ever hold it. */
  acquire(ticket: Ticket): number | null;
  release(shape: number): void;
  /** All shapes in use are below this: the length of a `Counts`. */
  readonly shapes: number;
  /** Beyond this many of a shape, more of it change nothing. */
  cap(shape: number): number;
  /** All of `must` with some of `may` make a full match. An open question is kept for next time. */
  full(must: Counts, may: Counts, steps: Steps): Answer;
  /** The same for any match the mode lets start. */
  short(must: Counts, may: Counts, steps: Steps): Answer;
}

export function symmetricSolver(mode: Mode, counters: Counters): Solver {
  const { teams, playersPerTeam, minTeams, minPlayersPerTeam } = mode;
  const packing = new Packing(teams, playersPerTeam, counters);
  const full: Goal = { least: playersPerTeam, teams };
  const short: Goal = { least: minPlayersPerTeam, teams: minTeams };
  return {
    players: packing.players,
    fewest: minTeams * minPlayersPerTeam,
    shapes: playersPerTeam + 1,
    acquire: ({ members }) =>
      members.length > 0 && members.length <= playersPerTeam ? members.length : null,
    release: () => undefined,
    cap: (shape) => packing.cap(shape),
    full: (must, may, steps) => packing.feasible(must, may, { goal: full, steps }),
    short: (must, may, steps) => packing.feasible(must, may, { goal: short, steps }),
  };
}
