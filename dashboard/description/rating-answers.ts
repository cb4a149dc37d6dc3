// The shape of ladders in answers.

import * as z from 'zod';
import type * as ratings from '../../packages/js/src/rating-types';
import { count, exactly } from './exactly';

export function ratingSchemas() {
  const Ladder = exactly<ratings.Ladder>()(
    z.object({
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
    }),
  );
  const ImportedRatings = z.object({ changed: count() });
  const RatingSeason = exactly<ratings.RatingSeason>()(
    z.object({
      season: z.int(),
      isEnding: z.boolean().describe('Whether the one before is still being archived.'),
    }),
  );
  return { Ladder, ImportedRatings, RatingSeason };
}
