// The shape of ladders in answers.

import * as z from 'zod';
import { count } from './exactly';

export function ratingSchemas() {
  const Ladder = z.object({
    season: z.int(),
    total: count(),
    limit: z.int(),
    offset: count(),
    has_more: z.boolean(),
    players: z.array(
      z.object({
        place: z.int(),
        player: z.string(),
        rating: z.int(),
        uncertainty: z.int(),
        games: count(),
      }),
    ),
  });
  const ImportedRatings = z.object({ changed: count() });
  const RatingSeason = z.object({
    season: z.int(),
    isEnding: z.boolean().describe('Whether the one before is still being archived.'),
  });
  return { Ladder, ImportedRatings, RatingSeason };
}
