// The shape of what players are told of their queue (see answers.ts).

import * as z from 'zod';
import type * as types from '../../packages/js/src/types';
import { count, exactly } from './exactly';

export function queueSchemas() {
  const counts = {
    playersSearching: count(),
    lobbiesInQueue: count(),
    avgWaitSeconds: z.number().min(0),
  };
  const estimate = z
    .object({
      p50: z.number().describe('Seconds within which half of like parties had a match.'),
      p90: z.number().nullable().describe('Nine of ten; null where too many waited for longer.'),
      of: count().describe('Parties of as many players, also those that gave up or still wait.'),
    })
    .nullable()
    .describe('How long like parties waited of late; null where too few had a match yet.');
  const figures = z.object({
    ...counts,
    wait: z
      .object({
        inReach: count().describe('Other lobbies that all rules let through.'),
        compared: count(),
        because: z.string().nullable().describe('Without this most others would fit, in words.'),
        opensInSeconds: z.number().nullable().describe('Until more come into reach.'),
        estimate,
      })
      .exactOptional()
      .describe('Why the lobby still waits, where that is known.'),
  });
  const QueueStats = exactly<types.QueueStats>()(figures);
  const QueueStatsEvent = exactly<types.QueueStatsEvent>()(
    figures.extend({
      modes: z
        .array(figures.extend({ mode: z.string() }))
        .exactOptional()
        .describe('Of a search of several modes: each that is searched now, the first one first.'),
    }),
  );
  const ModeOutlook = exactly<types.ModeOutlook>()(
    z.object({ mode: z.string(), ...counts, estimate }),
  );
  const Modes = z.object({ modes: z.array(ModeOutlook) });
  return { QueueStats, QueueStatsEvent, Modes };
}
