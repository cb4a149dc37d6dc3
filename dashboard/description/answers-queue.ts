// The shape of what players are told of their queue (see answers.ts).

import * as z from 'zod';
import type * as types from '../../packages/js/src/types';
import type * as journal from '../../packages/js/src/journal-types';
import { count, exactly, freeForm, instant } from './exactly';

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
  const TicketChanges = exactly<journal.TicketChanges>()(
    z.object({
      tickets: z.array(
        z.object({
          id: z.string(),
          lobbyId: z.string(),
          since: instant().describe('Since when it waits.'),
          players: z
            .array(z.object({ id: z.string(), roles: z.array(z.string()) }))
            .describe('Those who take a place. No role: any.'),
          state: freeForm().describe('Means of numbers, and what all of them share.'),
          region: z.string(),
          regions: z.array(z.string()).describe('That all accept. Empty: any.'),
        }),
      ),
      gone: z.array(z.string()).describe('Tickets that went.'),
      next: z.string().describe('The `after` of the next request.'),
      whole: z.boolean().describe('Forget what you know: this is the first page of all tickets.'),
    }),
  );
  return { QueueStats, QueueStatsEvent, Modes, TicketChanges };
}
