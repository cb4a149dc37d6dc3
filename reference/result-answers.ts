// The result of a match in answers, as schemas.

import * as z from 'zod';
import type { LastResult, Result } from '../client/src/result-types';
import { freeForm, instant } from './exactly';

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
export function lastResultShape(): z.ZodType<LastResult> {
  return z.object({ matchId: z.string(), at: instant(), teams: teamResults() });
}

/** What the journal keeps of it. */
export function resultShape(): z.ZodType<Result & { readonly at: string }> {
  return z.object({ at: instant(), teams: teamResults(), data: freeForm().nullish() });
}
