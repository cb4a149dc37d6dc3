// One small world that all examples of the API description tell of: the players ann and bob, the
// config `arena` with its mode `duel`, and the server they play on.

import type { ServerBlock } from '../../src/fleet/port';
import type { Build } from '../../src/fleet/build';
import { defaultConfig, type LobbyConfig } from '../../src/lobby/config';
import type { LobbyView, QueueStats } from '../../src/lobby/view';
import type { Mode } from '../../src/match/rules/mode';

export const LOBBY_ID = '6f1c2f0e-58c1-4c3c-9a51-0d7f6f5a2b10';
export const INSTANCE_ID = '0b9d3f54-7a0f-4f0e-8f58-2f3c5f4d9c21';
const MATCH_ID = 'd2c9a3be-4f5e-4a57-8a57-93a1e1f0c7aa';

export const LOBBY: LobbyView = {
  id: LOBBY_ID,
  code: 'MEOW-7K2QXD',
  name: "Ann's den",
  config: 'arena',
  status: 'waiting',
  host: 'ann',
  maxPlayers: 4,
  currentPlayers: 2,
  region: 'us-east',
  isPrivate: false,
  allowLateJoin: true,
  settings: { map: 'dunes' },
  players: [
    { id: 'ann', state: { skill: 1200, ready: true }, isHost: true },
    { id: 'bob', state: null, isHost: false },
  ],
  server: null,
  matchmaking: null,
  matchId: null,
  customProperties: {},
  revision: 3,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:12.345Z',
};

export const STATS: QueueStats = { playersSearching: 12, lobbiesInQueue: 7, avgWaitSeconds: 4.2 };

export const QUEUED: LobbyView = {
  ...LOBBY,
  status: 'in_queue',
  matchmaking: { mode: 'duel', startedAt: '2026-11-21T09:01:00.000Z', queueStats: STATS },
  revision: 4,
  updatedAt: '2026-11-21T09:01:00.000Z',
};

export const FOUND: LobbyView = {
  ...QUEUED,
  status: 'match_found',
  matchmaking: {
    mode: 'duel',
    startedAt: '2026-11-21T09:01:00.000Z',
    confirmation: { deadline: '2026-11-21T09:01:32.000Z', confirmed: true },
  },
  matchId: MATCH_ID,
  revision: 6,
  updatedAt: '2026-11-21T09:01:05.000Z',
};

export const SERVER: ServerBlock = {
  instance_id: INSTANCE_ID,
  name: 'arena-duel',
  status: 'launching',
  region: 'us-east',
  network_ports: [],
  startup_args: null,
  service_type: 'match_based',
  compute_size: 'small',
  version_tag: 'default',
  version: 1,
  started_at: null,
  stopped_at: null,
  auto_restart: false,
  custom_data: { map: 'dunes' },
  ttl: null,
  is_pool_server: false,
  pool_claimed_at: null,
  match_id: MATCH_ID,
  created_at: '2026-11-21T09:01:06.000Z',
  updated_at: '2026-11-21T09:01:06.000Z',
};

export const RUNNING: ServerBlock = {
  ...SERVER,
  status: 'running',
  network_ports: [
    {
      name: 'game_udp',
      host: 'play.example.com',
      external_port: 30_001,
      internal_port: 7777,
      protocol: 'udp',
      tls_enabled: false,
    },
  ],
  started_at: '2026-11-21T09:01:09.000Z',
  updated_at: '2026-11-21T09:01:09.000Z',
};

/** What the server key reads besides: of one that has not ended. */
export const ENDING = { exit_code: null, signal: null, output: null, detail: null };

export const LAUNCHING: LobbyView = {
  ...LOBBY,
  status: 'in_game',
  server: { ...SERVER, match_id: null },
  revision: 5,
  updatedAt: '2026-11-21T09:01:06.000Z',
};

const DUEL: Mode = {
  teams: 2,
  playersPerTeam: 1,
  minPlayersPerTeam: 1,
  minTeams: 2,
  timeout: 60,
  maxPartySize: 1,
  allowBackfill: false,
  rules: [{ type: 'difference', field: 'skill', maxDifference: 100 }],
  matchConfirmation: { enabled: true, timeoutSeconds: 30 },
  teamComposition: null,
  excludedFromQueue: [],
  useVersionFromState: null,
  onDecline: 'return',
  explainsWait: true,
  lateJoin: true,
};

export const CONFIG: LobbyConfig = {
  ...defaultConfig('arena'),
  id: '3f6d0c0a-9a3e-4a0c-8f0d-7a4a0a6b5e11',
  matchmaking: { modes: { duel: DUEL } },
  revision: 1,
};

/** What is sent to save `CONFIG`: only what is no default. */
export const CONFIG_INPUT = {
  matchmaking: {
    modes: {
      duel: {
        rules: [{ type: 'difference', field: 'skill', maxDifference: 100 }],
        matchConfirmation: { enabled: true, timeoutSeconds: 30 },
      },
    },
  },
};

export const BUILD: Build = {
  name: 'v2',
  version: 3,
  label: '2.0.1',
  status: 'ready',
  launch: { image: 'registry.example.com/game:2.0.1' },
  ports: [{ name: 'game_udp', internal_port: 7777, protocol: 'udp' }],
};

export const HOOK = {
  url: 'https://api.example.com/muster',
  secret: 'bm9ib2R5IGVsc2Uga25vd3MgdGhpcyBzZWNyZXQgdGV4dA',
};

export const TOKEN_SECRET = {
  id: '6b1f0c52-7c1e-4f5e-9d0a-3a8f5c2e7b11',
  secret: 'dGhpcyBpcyBvbmx5IGFuIGV4YW1wbGUgb2YgYSBzZWNyZXQ',
  createdAt: '2026-11-21T09:00:00.000Z',
};

export const KEYS = [
  { id: '5e884898', kind: 'client', name: null, createdAt: null, isYours: false },
  { id: '2c26b46b', kind: 'server', name: 'backend', createdAt: null, isYours: true },
  {
    id: 'fcde2b2e',
    kind: 'viewer',
    name: 'anna',
    createdAt: '2026-11-21T09:00:00.000Z',
    isYours: false,
  },
];

const SEAT_KEY = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' };

export const SEAT_KEYS = {
  keys: [
    {
      ...SEAT_KEY,
      x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      kid: '2d9f3b1c-52f5-4a0b-8a52-0f4f8f2e9a01',
    },
    {
      ...SEAT_KEY,
      x: 'PUAXw-hDiVqStwqnTRt-vJyYLM8uxJaMwM1V8Sr0Zgw',
      kid: '93c1a7de-0d4b-4d37-b6a6-6c2f1e1f9b02',
    },
  ],
};

/** What a project's settings say besides its configs, before anybody changes it. */
export const PLAYER_SETTINGS = {
  playerAuth: 'trust',
  publicPlayerIds: true,
  playerTokens: { issuer: null, audience: null, jwksUrl: null },
  tokenSecrets: [],
  logins: [],
  hooks: null,
};
