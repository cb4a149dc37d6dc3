// The shape of everything the service answers and sends, for the API description. Held to the
// types the service itself works with: a field added there and not here does not compile.
// No part of the Worker: requests are answered without them.

import * as z from 'zod';
import type * as adminTypes from '../../packages/js/src/admin-types';
import type * as types from '../../packages/js/src/types';
import { configSchemas, warningsShape } from './answers-configs';
import { HOSTED, HOST_REASON } from './hosting-answers';
import { launchShape } from './launch-answers';
import { identitySchemas } from './identity-answers';
import { ratingSchemas } from './rating-answers';
import { STATUSES } from '../../src/lobby/lobby';
import { REFUSALS, type RefusalCode } from '../../src/lobby/refusals';
import { gameRosterShape, lastResultShape, votedResultShape } from './result-answers';
import { historySchemas } from './answers-history';
import { peerSchemas } from './answers-peers';
import { queueSchemas } from './answers-queue';
import { count, exactly, freeForm, instant } from './exactly';

/** Why a lobby is back from matchmaking, as its players are told (decision 25). */
export const RETURN_REASONS = [
  'timeout',
  'unmatchable',
  'cancelled',
  'player_left',
  'away',
  'declined',
  'confirm_timeout',
  'launch_failed',
  'config_changed',
  'server_crashed',
] as const;

function serverSchemas() {
  const Port = exactly<types.Port>()(
    z.object({
      name: z.string(),
      host: z.string().describe('Connect to this host, on external_port.'),
      external_port: z.int(),
      internal_port: z.int(),
      protocol: z.string().describe('udp or tcp.'),
      tls_enabled: z.boolean(),
      path: z
        .string()
        .exactOptional()
        .describe('Behind a proxy: wss://host:external_port, then this.'),
    }),
  );
  const Regions = z.object({
    regions: z.array(
      exactly<types.RegionEcho>()(
        z.object({
          region: z.string(),
          http: z.string().nullable().describe('Answers every GET with nothing.'),
          udp: z.string().nullable().describe('host:port; sends back what comes, up to 64 bytes.'),
        }),
      ),
    ),
  });
  const block = z.object({
    instance_id: z.string(),
    name: z.string(),
    status: z.enum(['launching', 'running', 'stopped']),
    region: z.string(),
    network_ports: z.array(Port).describe('Empty until the ports are known.'),
    startup_args: z.string().nullable(),
    service_type: z.enum(['match_based', 'persistent_world', 'player_hosted']),
    compute_size: z.string().nullable(),
    version_tag: z.string().nullable().describe('Name of its build.'),
    version: z.int().nullable().describe('Version of its build: how often it had been saved.'),
    started_at: instant().nullable(),
    stopped_at: instant().nullable(),
    auto_restart: z.boolean(),
    custom_data: freeForm().describe(
      'What the game server is told; of a match, `{}` to strangers.',
    ),
    ttl: z.int().nullable().describe('Seconds it may run; null without a limit of its own.'),
    is_pool_server: z.boolean().describe('Whether it was warm: started before a match needed it.'),
    pool_claimed_at: instant().nullable().describe('When a match took it; null of others.'),
    match_id: z.string().nullable().describe('The match it was launched for.'),
    created_at: instant(),
    updated_at: instant(),
    ticket: z
      .string()
      .exactOptional()
      .describe('In the own view of a player of the game: what its server knows the player by.'),
    ...HOSTED,
  });
  const Server = exactly<types.Server>()(block);
  const ServerRecord = exactly<adminTypes.ServerRecord>()(
    block.extend({
      exit_code: z.int().nullable().describe('Exit code of the last run; 128 + n after signal n.'),
      signal: z.string().nullable().describe('The signal that ended it, such as SIGSEGV.'),
      output: z.string().nullable().describe('Its last 4 KiB of output; null in lists.'),
      detail: z
        .string()
        .nullable()
        .describe(
          'Why it failed, what is amiss while it lives, or who ended it; null if nothing is.',
        ),
      asked: z.literal(true).exactOptional().describe('It was told to end, or its time was over.'),
      host_reason: HOST_REASON,
    }),
  );
  const ServerRead = z.union([ServerRecord, Server]);
  const ServerLogs = exactly<adminTypes.ServerLogs>()(
    z.object({
      logs: z.array(
        z.object({
          timestamp: instant().describe('When the line was seen.'),
          message: z.string(),
          level: z.literal('info').describe('Always info: lines have no level.'),
          instance: z.string().describe('The run; changes with each restart.'),
          region: z.string(),
        }),
      ),
      instance_id: z.string(),
      machine_id: z.string().describe('Name of the fleet.'),
      next_token: z.null(),
    }),
  );
  const ServerPage = exactly<adminTypes.ServerPage>()(
    z.object({
      servers: z.array(ServerRecord),
      total: count(),
      limit: count(),
      offset: count(),
      has_more: z.boolean(),
    }),
  );
  return { Port, Regions, Server, ServerRecord, ServerRead, ServerLogs, ServerPage };
}

function lobbySchemas(Server: z.ZodType<types.Server>) {
  const mode = z.string().describe('Empty after a start by the host.');
  const detail = z
    .string()
    .exactOptional()
    .describe(
      "With `unmatchable` after a change of the party's own: why it no longer fits the mode.",
    );
  const retryAfter = z.int().min(1).exactOptional().describe('Seconds, with `launch_failed`.');
  const ended = { mode, reason: z.enum(RETURN_REASONS), detail, retryAfter };
  const Player = exactly<types.Player>()(
    z.object({
      id: z.string().describe('The value sent in x-player-id.'),
      state: freeForm().nullable().describe('Free-form; null until set.'),
      isHost: z.boolean().describe('True for exactly one player.'),
    }),
  );
  const { QueueStats, QueueStatsEvent, Modes, TicketChanges } = queueSchemas();
  const Matchmaking = exactly<types.Matchmaking>()(
    z.object({
      mode: z.string(),
      startedAt: instant(),
      queueStats: QueueStats.exactOptional().describe('While in_queue.'),
      modes: z
        .array(
          z.object({
            mode: z.string(),
            since: instant().describe('Still ahead: the mode is searched from then on.'),
            queueStats: QueueStats.exactOptional().describe('In the answer to GET /me.'),
          }),
        )
        .exactOptional()
        .describe(
          'While in_queue, of a search that was begun with `modes`: those that are searched.',
        ),
      confirmation: z
        .object({
          deadline: instant(),
          confirmed: z.boolean().describe('Whether this lobby has accepted.'),
          accepted: z.int().exactOptional().describe('Players who accepted, if the mode shows it.'),
          needed: z.int().exactOptional(),
          acceptedBy: z
            .array(z.string())
            .exactOptional()
            .describe('Players in the lobby who have accepted, if the mode asks each player.'),
          refill: z
            .object({ players: z.int(), until: instant() })
            .exactOptional()
            .describe('How many players are looked for in place of those who said no.'),
        })
        .exactOptional()
        .describe('While match_found.'),
      waiting_for_server: z
        .object({ position: z.int().min(1), since: instant() })
        .exactOptional()
        .describe("While matched, if no server has room: the match's place in line."),
    }),
  );
  const Lobby = exactly<types.Lobby>()(
    z.object({
      id: z.uuid(),
      code: z.string().describe('Invite code; private lobbies have one too.'),
      name: z.string(),
      config: z.string(),
      status: z.enum(STATUSES),
      host: z.string().describe('Player id of the host.'),
      maxPlayers: z.int().min(1).max(100),
      currentPlayers: count(),
      region: z.string(),
      isPrivate: z.boolean(),
      allowLateJoin: z.boolean(),
      settings: freeForm(),
      players: z.array(Player).describe('Longest present first.'),
      server: Server.nullable().describe('Null without a game server.'),
      matchmaking: Matchmaking.nullable().describe('While in_queue, match_found or matched.'),
      matchId: z.string().nullable().describe('Shared by all lobbies of one match.'),
      returned: z
        .object({ ...ended, at: instant() })
        .exactOptional()
        .describe('Only while waiting: why the last search or start brought no game.'),
      rematch: z
        .object({ yes: z.int(), needed: z.int(), until: instant() })
        .exactOptional()
        .describe(
          'Only while waiting after a match of which a rematch was asked for: how many lobbies said yes.',
        ),
      lastResult: lastResultShape()
        .exactOptional()
        .describe('Of the last match that was reported.'),
      invite_url: z
        .string()
        .exactOptional()
        .describe('A page that brings a friend in; where the config has `invite`.'),
      customProperties: freeForm().describe("The config's."),
      revision: z.int().min(1).describe('One more with every visible change.'),
      createdAt: instant(),
      updatedAt: instant().describe('Rises with every visible change.'),
      currentSpectators: z.int().min(1).exactOptional().describe('How many watch, if anybody.'),
      spectators: z
        .array(z.object({ id: z.string() }))
        .exactOptional()
        .describe('Who watches, longest present first. Not in lists.'),
      as: z.literal('spectator').exactOptional().describe('The caller watches the lobby.'),
    }),
  );
  const LobbyPage = exactly<types.LobbyPage>()(
    z.object({
      lobbies: z.array(Lobby).describe('Without private lobbies.'),
      total: count(),
      limit: count(),
      offset: count(),
      hasMore: z.boolean(),
      cursor: z.string().exactOptional().describe('Goes on after this page.'),
    }),
  );
  const LobbyDeleted = z.object({
    status: z.literal('lobby_deleted'),
    id: z.uuid().exactOptional().describe('Present if the server key deleted it.'),
  });
  const LobbyLeft = z.union([Lobby, LobbyDeleted]);
  const LobbyGone = z.object({ id: z.uuid() });
  const MatchmakingEnded = z.object({ id: z.uuid(), ...ended });
  const Connected = Lobby.nullable().describe('Null if the player is not in a lobby.');
  const lobbies = {
    Player,
    QueueStats,
    QueueStatsEvent,
    Modes,
    TicketChanges,
    Matchmaking,
    Lobby,
    LobbyPage,
    LobbyDeleted,
    GameRoster: gameRosterShape(),
    LobbyLeft,
  };
  const VotedResult = votedResultShape();
  return { ...lobbies, ...peerSchemas(), VotedResult, LobbyGone, MatchmakingEnded, Connected };
}

function buildSchemas() {
  const Build = exactly<adminTypes.Build>()(
    z.object({
      name: z.string(),
      version: z.int().describe('One more with every save of this name.'),
      label: z.string().nullable(),
      status: z.enum(['ready', 'not_ready']),
      launch: launchShape(),
      ports: z.array(
        z.object({
          name: z.string(),
          internal_port: z
            .int()
            .exactOptional()
            .describe('The port inside of a container; absent: the number that players see.'),
          protocol: z.enum(['udp', 'tcp']),
          tls: z.literal('proxy').exactOptional(),
          offset: z.int().exactOptional().describe('Its distance from the first port.'),
          fixed: z
            .int()
            .exactOptional()
            .describe('Its number on every machine, where one server runs at a time.'),
        }),
      ),
      failing: z
        .literal(true)
        .exactOptional()
        .describe('Its last three launches failed. Muster keeps launching it.'),
      failingSince: z.string().exactOptional().describe('When the first of these failed.'),
      failure: z
        .string()
        .exactOptional()
        .describe('Why its last launch failed; absent once one has run.'),
    }),
  );
  const BuildSaved = Build.and(z.object(warningsShape()));
  const BuildRead = Build.and(z.object(warningsShape()).partial());
  const Builds = exactly<adminTypes.BuildPage>()(
    z.object({
      builds: z.array(Build),
      total: count(),
      limit: count(),
      offset: count(),
      has_more: z.boolean(),
    }),
  );
  const BuildDeleted = z.object({ status: z.literal('build_deleted'), name: z.string() });
  return { Build, BuildRead, BuildSaved, Builds, BuildDeleted };
}

/** Every answer and event by the name it has in the description. A new set at each call. */
export function answerSchemas() {
  const servers = serverSchemas();
  const codes = Object.keys(REFUSALS) as RefusalCode[];
  const ErrorBody = z.object({
    error: z.string().describe('Short message.'),
    detail: z.string().describe('What exactly was wrong; names the field.'),
    status: z.int().describe('The HTTP status.'),
    code: z.enum(codes).describe('For programs: its meaning never changes.'),
    issues: z
      .array(
        z.object({
          path: z.string().describe('From the top of the body: `rules[1].field`.'),
          message: z.string(),
        }),
      )
      .optional()
      .describe(
        'With `VALIDATION_ERROR`, `MATCH_NOT_MADE` and `LOBBY_NOT_MOVED`: what is wrong, and where.',
      ),
    until: z.string().nullable().optional().describe('With `BANNED`: when it ends.'),
    instance_id: z.string().optional().describe('With `LAUNCH_FAILED`, for a server key.'),
    requestId: z.string().optional().describe('As in the header `x-request-id`.'),
  });
  const Ok = z.object({ status: z.literal('ok') });
  const lobbies = lobbySchemas(servers.Server);
  const configs = { ...configSchemas(), ...buildSchemas(), ...identitySchemas() };
  const ladders = ratingSchemas();
  const history = historySchemas(configs.LobbyConfig, configs.Build, configs.Ban);
  return { ...lobbies, ...servers, ...configs, ...history, ...ladders, Ok, ErrorBody };
}

export type AnswerName = keyof ReturnType<typeof answerSchemas>;
