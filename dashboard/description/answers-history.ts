// The shape of what the journal answers, and of where a player is.

import * as z from 'zod';
import type * as admin from '../../packages/js/src/admin-types';
import type { Ban } from '../../packages/js/src/identity-types';
import type * as journal from '../../packages/js/src/journal-types';
import type * as types from '../../packages/js/src/types';
import { OUTCOMES } from '../../src/http/operators/journal';
import { STATUSES } from '../../src/lobby/lobby';
import { DEEDS } from '../../src/objects/contracts/audit';
import { count, exactly, freeForm, instant } from './exactly';
import { resultShape, talliedShape } from './result-answers';

export function historySchemas(
  config: z.ZodType<admin.LobbyConfig>,
  build: z.ZodType<admin.Build>,
  ban: z.ZodType<Ban>,
) {
  const Happening = exactly<journal.Happening>()(
    z.object({
      at: instant(),
      kind: z.string().describe('What happened: `entered`, `kicked`, `launched`.'),
      by: z
        .string()
        .nullable()
        .describe(
          '`player:` and an id, or `operator:` and the name or fingerprint of a server key.',
        ),
      lobbyId: z.string().nullable(),
      playerId: z.string().nullable(),
      matchId: z.string().nullable(),
      reason: z.string().nullable().describe('The reason as a code.'),
      detail: z.string().nullable().describe('The reason as text.'),
    }),
  );
  const outcome = z.enum(OUTCOMES);
  const MatchSummary = exactly<journal.MatchSummary>()(
    z.object({
      id: z.uuid(),
      config: z.string(),
      mode: z.string(),
      outcome,
      reason: z.string().nullable(),
      formedAt: instant(),
      endedAt: instant().nullable(),
      players: count(),
      short: z.boolean().describe('Whether it started short.'),
      region: z.string().nullable(),
      made_by: z
        .enum(['key', 'rematch'])
        .exactOptional()
        .describe('Who made it. Absent: matchmaking.'),
      ref: z.string().exactOptional().describe('What its maker calls it.'),
      build: z.string().nullable(),
      waitedSeconds: z.number().describe('The longest wait of its lobbies.'),
      playedSeconds: z.int().nullable().describe('Null unless it ran and has ended.'),
      result: z
        .object({
          rank: z.int(),
          score: z.number().nullable(),
          abandoned: z.boolean(),
          outcome: z.enum(['won', 'drawn', 'lost']),
          rating: z.object({ before: z.number(), rating: z.number() }).exactOptional(),
        })
        .exactOptional()
        .describe('Of one player.'),
    }),
  );
  const Match = exactly<journal.Match>()(
    z.object({
      id: z.string(),
      config: z.string(),
      mode: z.string(),
      outcome,
      reason: z.string().nullable().describe('Why it ended or failed.'),
      detail: z.string().nullable(),
      build: z.string().nullable(),
      formedAt: instant(),
      runningAt: instant().nullable(),
      endedAt: instant().nullable(),
      teams: z.array(
        z.object({
          name: z.string().nullable(),
          lobbies: z.array(
            z.object({
              lobbyId: z.string(),
              waitedSeconds: z.number(),
              players: z
                .array(
                  z.object({
                    id: z.string(),
                    role: z.string().nullable(),
                    stays: z
                      .array(
                        z.object({
                          team: z.int(),
                          lobbyId: z.string(),
                          role: z.string().nullable(),
                        }),
                      )
                      .exactOptional()
                      .describe('Every stay in the match, oldest first. Absent: there was one.'),
                  }),
                )
                .describe(
                  'Whoever was in the match, each once: where they first took a place, or else where they first came in.',
                ),
            }),
          ),
        }),
      ),
      rules: z
        .array(
          z.object({
            rule: z.string(),
            values: z.array(z.union([z.string(), z.number(), z.null()])),
          }),
        )
        .describe('The values that each rule compared, longest wait first.'),
      quality: z
        .object({
          win: z.array(z.number()).exactOptional(),
          gap: z.number().exactOptional(),
          ping: z.object({ worst: z.number(), mean: z.number() }).exactOptional(),
          waits: z.object({ p50: z.number(), max: z.number() }),
        })
        .exactOptional()
        .describe(
          "As it formed: each team's chance by the mode's ladder, how far apart the teams' means are, what the players measured to the region in ms, and the lobbies' waits in seconds.",
        ),
      bots: z
        .array(z.object({ team: z.int(), role: z.string().exactOptional(), count: z.int() }))
        .exactOptional()
        .describe('The places that bots had when it began. Absent without bots.'),
      made_by: z
        .enum(['host', 'key', 'rematch'])
        .exactOptional()
        .describe('Who made it. Absent: matchmaking.'),
      ref: z.string().exactOptional().describe('What its maker calls it.'),
      server: z
        .object({
          id: z.string(),
          status: z.string(),
          exitCode: z.int().nullable(),
          signal: z.string().nullable(),
          detail: z.string().nullable(),
        })
        .nullable(),
      history: z.array(Happening).describe('Oldest first.'),
      result: resultShape().exactOptional().describe('Absent until one is reported.'),
      links: z
        .array(
          z.object({
            from: z.string(),
            to: z.string(),
            isRelayed: z.boolean().describe('By a TURN server.'),
            ms: z.int().describe('The round trip.'),
          }),
        )
        .exactOptional()
        .describe('How players are connected, as they say.'),
      votes: talliedShape().exactOptional().describe('What players said of the result.'),
      rating: z
        .object({
          field: z.string(),
          changes: z.array(
            z.object({
              id: z.string(),
              rating: z.int(),
              uncertainty: z.int(),
              before: z.int(),
            }),
          ),
        })
        .exactOptional()
        .describe('What the result did to ratings. Absent until then.'),
    }),
  );
  const PlayerSeen = exactly<journal.PlayerSeen>()(
    z.object({
      id: z.string(),
      places: z.array(
        z.object({
          config: z.string(),
          lobbyId: z.string(),
          lobbyStatus: z.string(),
          streaming: z.boolean().describe('Whether the player has an open stream.'),
          as: z.literal('spectator').exactOptional().describe('The player only watches.'),
        }),
      ),
      matches: z.array(MatchSummary).describe('The latest matches, newest first.'),
      attributes: freeForm(),
      bans: z.array(ban),
    }),
  );
  const ConfigRevision = exactly<admin.ConfigRevision>()(
    z.object({
      revision: z.int(),
      savedAt: instant(),
      key: z.string().nullable().describe('Name or fingerprint of the key that saved it.'),
      config: config.nullable().describe('Null if this revision deleted the config.'),
    }),
  );
  const BuildRevision = exactly<admin.BuildRevision>()(
    z.object({
      revision: z.int(),
      savedAt: instant(),
      key: z.string().nullable().describe('Name or fingerprint of the key that saved it.'),
      build: build.nullable().describe('Null if this revision deleted the build.'),
    }),
  );
  const Matches = z.object({
    items: z.array(MatchSummary).describe('Newest first.'),
    next: instant().nullable().describe('The `until` that goes on. Null: there are no more.'),
  });
  const History = z.object({ items: z.array(Happening).describe('Oldest first.') });
  const ConfigHistory = z.object({ items: z.array(ConfigRevision).describe('Newest first.') });
  const AuditPage = exactly<journal.AuditPage>()(
    z.object({
      items: z
        .array(
          z.object({
            at: instant(),
            kind: z.enum(DEEDS),
            by: z.string().describe('`operator:` and the name or fingerprint of a server key.'),
            on: z.string().nullable().describe('What was changed. Null: the project.'),
            detail: z.string().nullable().describe('The outcome as text.'),
          }),
        )
        .describe('Newest first.'),
      next: instant().nullable().describe('The `until` that goes on. Null: there are no more.'),
    }),
  );
  const BuildHistory = z.object({ items: z.array(BuildRevision).describe('Newest first.') });
  const views = {
    Happening,
    MatchSummary,
    Match,
    PlayerSeen,
    ConfigRevision,
    BuildRevision,
    BuildHistory,
    AuditPage,
  };
  const Whereabouts = exactly<types.Whereabouts>()(
    z.object({
      player: z.string(),
      lobbies: z.array(
        z.object({
          id: z.uuid(),
          config: z.string(),
          status: z.enum(STATUSES),
          mode: z.string().nullable().describe('That it searches, or that its match is of.'),
          invite_url: z.string().exactOptional(),
          as: z.literal('spectator').exactOptional().describe('The player only watches.'),
        }),
      ),
      kept: z
        .array(
          z.object({
            id: z.uuid(),
            config: z.string(),
            mode: z.string().nullable(),
            code: z.string(),
            until: z.string().nullable(),
          }),
        )
        .exactOptional(),
    }),
  );
  return { ...views, Matches, History, ConfigHistory, Whereabouts };
}
