// The result of a match in answers, as schemas.

import * as z from 'zod';
import type { LastResult, Result } from '../client/src/result-types';
import { exactly, freeForm, instant } from './exactly';

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

/** What a lobby shows of the last result. */
export function lastResultShape() {
  const schema = z.object({ matchId: z.string(), at: instant(), teams: teamResults() });
  return exactly<LastResult>()(schema);
}

/** What the journal keeps of it. */
export function resultShape() {
  const schema = z.object({ at: instant(), teams: teamResults(), data: freeForm().nullish() });
  return exactly<Result & { readonly at: string }>()(schema);
}
