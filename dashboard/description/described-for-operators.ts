// What the API description says of the endpoints of operators and fleets: servers, configs, builds.

import * as z from 'zod';
import { buildInput } from '../../src/fleet/build';
import { configInput } from '../../src/lobby/config';
import type { DescribedBy } from './described';
import * as sample from './examples';
import { BUILD_ROWS, SEVERAL_CONFIGS, WHOLE_CONFIG } from './told-rows';
import { ProjectSettingsBody } from '../../src/http/operators/configs';

export const FOR_OPERATORS: DescribedBy = {
  'GET /servers/:id': {
    id: 'getServer',
    tag: 'Servers',
    summary: 'Read a server',
    text: 'With the server key, the answer also says how it ended.',
    answer: 'ServerRead',
    answers: sample.RUNNING,
    errors: ['SERVER_NOT_FOUND'],
  },
  'GET /servers/:id/logs': {
    id: 'readServerLogs',
    tag: 'Servers',
    summary: "Read a server's last output",
    text: 'Lines of its current or last run, oldest first, from the last 256 KiB. Not available for servers on Agones.',
    answer: 'ServerLogs',
    answers: {
      logs: [
        {
          timestamp: '2026-11-21T09:00:04.000Z',
          message: 'listening on 20000/udp',
          level: 'info',
          instance: sample.RUNNING.instance_id,
          region: 'eu-west',
        },
      ],
      instance_id: sample.RUNNING.instance_id,
      machine_id: 'box',
      next_token: null,
    },
    errors: ['SERVER_NOT_FOUND', 'LOGS_NOT_AVAILABLE', 'UNAVAILABLE'],
    samples: {
      all: { summary: 'The last 200 lines' },
      some: {
        summary: 'The last ten since a time',
        query: { limit: 10, start_time: '2026-11-21T09:00:00Z' },
      },
    },
  },
  'GET /servers': {
    id: 'listServers',
    tag: 'Servers',
    summary: "List the project's servers",
    text: 'Newest first. Lists running servers, and others if you ask for them. Stopped servers are kept for an hour. If there are more than 2,000, only the newest are listed, and each can be read for at least ten minutes.',
    answer: 'ServerPage',
    answers: {
      servers: [{ ...sample.RUNNING, ...sample.ENDING, output: null }],
      total: 1,
      limit: 50,
      offset: 0,
      has_more: false,
    },
    samples: {
      all: { summary: 'The first page' },
      page: { summary: 'Another one', query: { limit: 10, offset: 10 } },
      launching: { summary: 'Launching ones too', query: { include_launching: 'true' } },
    },
  },
  'POST /servers/start': {
    id: 'startServer',
    tag: 'Servers',
    summary: 'Start a server without a lobby',
    text: 'It runs until it exits, its `ttl` is over, or you stop it.',
    answer: 'Server',
    answers: { ...sample.SERVER, match_id: null },
    errors: ['BUILD_NOT_FOUND', 'LAUNCH_FAILED', 'SERVERS_EXHAUSTED'],
    samples: {
      least: { summary: 'The build `default`', value: {} },
      full: {
        summary: 'Every field',
        value: {
          name: 'tournament-final',
          region: 'eu-west',
          compute_size: 'small',
          version_tag: 'default',
          custom_data: { map: 'dunes' },
          ttl: 3600,
          auto_restart: true,
          version: 1,
          match_id: 'final-2026',
          startup_args: '-map dunes -rounds 3',
          environment_variables: { LOG_LEVEL: 'info' },
          port_configs: [{ name: 'game_udp', internal_port: 7777, protocol: 'udp' }],
        },
      },
    },
  },
  'POST /servers/:id/update': {
    id: 'updateServer',
    tag: 'Servers',
    summary: "Replace a server's custom_data",
    answer: 'Server',
    answers: sample.RUNNING,
    errors: ['SERVER_NOT_FOUND'],
    samples: { data: { summary: 'New data', value: { custom_data: { map: 'dunes', round: 2 } } } },
  },
  'POST /servers/:id/restart': {
    id: 'restartServer',
    tag: 'Servers',
    summary: 'Restart a running server',
    text: 'Ends the process and launches it again, with the same id and new ports. It is `launching` until it runs. Fields that the body leaves out stay.',
    answer: 'Server',
    answers: sample.SERVER,
    errors: ['SERVER_NOT_FOUND', 'BUILD_NOT_FOUND', 'INVALID_STATE'],
    samples: {
      time: { summary: 'With a time to live', value: { ttl: 3600 } },
      args: { summary: 'With other arguments', value: { startup_args: '-map dunes' } },
    },
  },
  'DELETE /servers/:id': {
    id: 'stopServer',
    tag: 'Servers',
    summary: 'Stop a server',
    text: 'Answers with the stopped server. Its lobbies go back to `waiting`.',
    answer: 'ServerRecord',
    answers: {
      ...sample.RUNNING,
      ...sample.ENDING,
      status: 'stopped',
      stopped_at: '2026-11-21T09:30:00.000Z',
    },
    errors: ['SERVER_NOT_FOUND'],
  },
  'POST /servers/:id/status': {
    id: 'reportServerStatus',
    tag: 'Servers',
    summary: "Report a server's status (fleet or game server)",
    text: 'Needs no key. The bearer token is the one that the instance got at launch. With `wait`, a warm server that has no match yet is answered as soon as it has one, or after so many seconds.',
    answer: 'Server',
    answers: sample.RUNNING,
    errors: ['UNAUTHORIZED', 'SERVER_NOT_FOUND', 'NOT_HOST_ANY_MORE'],
    samples: {
      running: {
        summary: 'It is running',
        value: { status: 'running', network_ports: sample.RUNNING.network_ports },
      },
      stopped: {
        summary: 'It has ended',
        value: { status: 'stopped', exit_code: 139, signal: 'SIGSEGV', output: 'map not found\n' },
      },
    },
  },

  'GET /projects/settings': {
    id: 'getProjectSettings',
    tag: 'Configs',
    summary: 'Read the project with all its lobby configs',
    answer: 'ProjectSettings',
    answers: { lobby_configs: [sample.CONFIG], ...sample.PLAYER_SETTINGS, revision: 1 },
    revision: 'answers',
  },
  'POST /projects/settings': {
    id: 'updateProjectSettings',
    tag: 'Configs',
    summary: 'Save several lobby configs and settings of the project',
    text: 'Replaces each config and setting in the body, and leaves the others. Saves all of them or none. An unknown field beside the settings is a 400; one in a config is saved and named in `warnings`.',
    answer: 'ProjectSettingsSaved',
    answers: {
      lobby_configs: [sample.CONFIG],
      ...sample.PLAYER_SETTINGS,
      revision: 2,
      warnings: [],
    },
    errors: ['PRECONDITION_FAILED'],
    rows: SEVERAL_CONFIGS,
    body: () =>
      ProjectSettingsBody.extend({
        lobby_configs: z.array(configInput.extend({ name: z.string() })).optional(),
      }),
    samples: {
      one: {
        summary: 'One config',
        value: { lobby_configs: [{ name: 'arena', ...sample.CONFIG_INPUT }] },
      },
      players: {
        summary: 'Settings of players',
        value: {
          playerAuth: 'trust',
          publicPlayerIds: true,
          playerTokens: {
            issuer: 'https://id.example.com',
            audience: 'my-game',
            jwksUrl: 'https://id.example.com/.well-known/jwks.json',
          },
        },
      },
    },
    revision: 'checks',
  },
  'GET /lobby-configs': {
    id: 'listLobbyConfigs',
    tag: 'Configs',
    summary: 'List the lobby configs',
    answer: 'Configs',
    answers: { lobby_configs: [sample.CONFIG] },
    revision: 'answers',
  },
  'GET /lobby-configs/:name': {
    id: 'getLobbyConfig',
    tag: 'Configs',
    summary: 'Read a lobby config',
    answer: 'LobbyConfig',
    answers: sample.CONFIG,
    errors: ['CONFIG_NOT_FOUND'],
    revision: 'answers',
  },
  'PUT /lobby-configs/:name': {
    id: 'saveLobbyConfig',
    tag: 'Configs',
    summary: 'Save a lobby config',
    text: 'Replaces the whole config. Missing fields take their defaults. If a field is wrong, the detail of the 400 names it (`matchmaking.modes.ranked.rules[1].field`), and nothing is saved. `warnings` name unknown fields, which have no effect, and a `gameBuild` that does not exist. Queued lobbies continue under the new rules.',
    answer: 'LobbyConfigSaved',
    answers: { ...sample.CONFIG, warnings: [] },
    errors: ['PRECONDITION_FAILED'],
    body: () => configInput,
    rows: WHOLE_CONFIG,
    samples: {
      defaults: { summary: 'All defaults, no matchmaking', value: {} },
      duel: { summary: 'One mode with a rule', value: sample.CONFIG_INPUT },
      teams: {
        summary: 'Roles, regions, an expression, versions',
        value: {
          timeout: 600,
          serverSettings: { serverSize: 'small', gameBuild: 'default' },
          hostLeaveBehavior: 'promote',
          inviteCodeConfig: { type: 'alphanumeric', length: 6, prefix: 'G-' },
          heartbeat: true,
          heartbeatTimeout: 45,
          customProperties: { season: 3 },
          matchmaking: {
            modes: {
              hunt: {
                timeout: 120,
                teamComposition: { hunters: { hunter: 4 }, prey: { prey: 1 } },
                excludedFromQueue: ['spectator'],
                useVersionFromState: 'version',
                rules: [
                  { type: 'equals', field: 'version' },
                  { type: 'region', minOverlap: 1 },
                  { type: 'expression', cel: 'a.partySize + b.partySize <= 5' },
                ],
              },
            },
          },
        },
      },
    },
    revision: 'checks',
  },
  'DELETE /lobby-configs/:name': {
    id: 'deleteLobbyConfig',
    tag: 'Configs',
    summary: 'Delete a lobby config',
    text: 'Its lobbies continue with the defaults. Queued lobbies are sent back.',
    answer: 'ConfigDeleted',
    answers: { status: 'config_deleted', name: 'arena' },
    errors: ['CONFIG_NOT_FOUND', 'PRECONDITION_FAILED'],
    revision: 'checks',
  },
  'GET /builds': {
    id: 'listBuilds',
    tag: 'Builds',
    summary: 'List the builds',
    text: 'The build `default` always exists.',
    answer: 'Builds',
    answers: { builds: [sample.BUILD], total: 1, limit: 200, offset: 0, has_more: false },
  },
  'GET /builds/:name': {
    id: 'getBuild',
    tag: 'Builds',
    summary: 'Get a build',
    text: 'Its name is its id. With `check=true`, `warnings` say why fleets could not launch it now, such as an image that is being fetched.',
    answer: 'BuildRead',
    answers: sample.BUILD,
    errors: ['BUILD_NOT_FOUND'],
  },
  'PUT /builds/:name': {
    id: 'saveBuild',
    tag: 'Builds',
    summary: 'Save a build',
    text: 'Raises its version by one. `warnings` name unknown fields, and say why a fleet could not launch it, such as a missing program. It is saved anyway.',
    answer: 'BuildSaved',
    answers: { ...sample.BUILD, warnings: [] },
    body: () => buildInput,
    rows: BUILD_ROWS,
    samples: {
      image: {
        summary: 'A container image',
        value: {
          label: '2.0.1',
          launch: { image: 'registry.example.com/game:2.0.1', memory: 512, cpus: 1 },
          ports: [
            { name: 'game_udp', internal_port: 7777, protocol: 'udp' },
            { name: 'voice', internal_port: 7778, protocol: 'tcp' },
          ],
        },
      },
      process: {
        summary: 'A local process that is not ready',
        value: {
          label: '2.1.0',
          status: 'not_ready',
          launch: { command: './game', args: ['--port', '7777'], env: { LOG_LEVEL: 'info' } },
        },
      },
    },
  },
  'DELETE /builds/:name': {
    id: 'deleteBuild',
    tag: 'Builds',
    summary: 'Delete a build',
    text: 'Matches that need it then fail, and their lobbies go back to `waiting`. If you delete `default`, it is the sample server again.',
    answer: 'BuildDeleted',
    answers: { status: 'build_deleted', name: 'v2' },
    errors: ['BUILD_NOT_FOUND'],
  },
  'GET /metrics': {
    id: 'getMetrics',
    tag: 'Service',
    summary: 'Read counts and gauges for Prometheus',
    text: 'Needs the server key, or the key in `METRICS_KEY`, as `api-key` or bearer token. A server key of one project among several sees only what belongs to that project.',
    answer: 'Ok',
    answers:
      '# TYPE muster_matches_formed_total counter\nmuster_matches_formed_total{project="dev",config="arena",mode="duel"} 3\n',
    plain: { type: 'text/plain', description: 'Prometheus text' },
    errors: ['UNAUTHORIZED', 'FORBIDDEN'],
  },
  'GET /health': {
    id: 'getHealth',
    tag: 'Service',
    summary: 'Check that the service is up',
    answer: 'Ok',
    answers: { status: 'ok' },
  },
};
