// The result of a match in answers, as schemas.

import * as z from 'zod';
import type { GameRoster, Seated } from '../../packages/js/src/journal-types';
import type {
  LastResult,
  Result,
  ResultTally,
  VotedResult,
} from '../../packages/js/src/result-types';
import { count, exactly, freeForm, instant } from './exactly';

function teamResults() {
  const player = z.object({
    id: z.string(),
    score: z.number().optional(),
    abandoned: z.boolean().optional().describe('The player left before the end.'),
  });
  return z.array(
    z.object({
      team: z.int().describe('Index in the teams of the match.'),
      rank: z.int().optional().describe('1 is the best.'),
      score: z.number().optional().describe('The highest is the best.'),
      players: z.array(player).optional(),
    }),
  );
}

/** What a game is told of the places in its match. */
export function gameRosterShape() {
  const seated = exactly<Seated>()(
    z.object({
      id: z.string(),
      lobby: z.string().describe('The lobby that the player came in with.'),
      team: z.int().describe('Index in the teams of the match.'),
      role: z.string().nullable(),
      state: freeForm().nullable().describe('As the player came in. Null: not known.'),
      status: z
        .enum(['here', 'away', 'left', 'kicked'])
        .describe('`away`: the player dropped out, and the place is kept.'),
      until: instant().nullable().exactOptional().describe('While `away`: until when.'),
      revision: z.int().describe("The roster's revision when this last changed."),
    }),
  );
  return exactly<GameRoster>()(
    z.object({
      match: z.string(),
      revision: z.int().describe('Rises with every change.'),
      open: z.array(z.object({ team: z.int(), places: z.int() })).describe('The open places.'),
      players: z.array(seated).describe('Those whose place has changed after `after`.'),
    }),
  );
}

/** What a lobby shows of the last result. */
export function lastResultShape() {
  const schema = z.object({ matchId: z.string(), at: instant(), teams: teamResults() });
  return exactly<LastResult>()(schema);
}

/** How players' votes on a result stand. */
export function talliedShape() {
  return exactly<ResultTally>()(z.object(tally()));
}

export function votedResultShape() {
  const { players, voted, same } = tally();
  const told = {
    players: players.exactOptional(),
    voted: voted.exactOptional(),
    same: same.exactOptional(),
  };
  return exactly<VotedResult>()(
    z.object({ isTaken: z.boolean().describe('The match has a result.'), ...told }),
  );
}

function tally() {
  return {
    players: count().describe('How many players have a vote.'),
    voted: count(),
    same: count().describe('How many of them say the same.'),
  };
}

/** What the journal keeps of it. */
export function resultShape() {
  const schema = z.object({ at: instant(), teams: teamResults(), data: freeForm().nullish() });
  return exactly<Result & { readonly at: string }>()(schema);
}
