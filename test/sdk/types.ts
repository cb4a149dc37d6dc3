// The types that the hosted service's SDK parses into. One wrong value makes the whole answer or
// event unreadable to it. docs/internals/sdk.md shows these tables; a test compares the two.

type FieldType =
  | 'text'
  | 'text or null'
  | 'integer'
  | 'integer or null'
  | 'number'
  | 'boolean'
  | 'object'
  | 'object or null'
  | 'list';

export type Fields = Readonly<Record<string, FieldType>>;

export const LOBBY = {
  id: 'text',
  code: 'text',
  name: 'text',
  config: 'text',
  status: 'text',
  host: 'text',
  maxPlayers: 'integer',
  currentPlayers: 'integer',
  region: 'text',
  isPrivate: 'boolean',
  allowLateJoin: 'boolean',
  settings: 'object',
  players: 'list',
  server: 'object or null',
  matchmaking: 'object or null',
  matchId: 'text or null',
  createdAt: 'text',
  updatedAt: 'text',
} as const satisfies Fields;

export const PLAYER = {
  id: 'text',
  state: 'object or null',
  isHost: 'boolean',
} as const satisfies Fields;

export const SERVER = {
  instance_id: 'text',
  name: 'text',
  status: 'text',
  region: 'text',
  network_ports: 'list',
  startup_args: 'text or null',
  service_type: 'text',
  compute_size: 'text',
  version_tag: 'text or null',
  version: 'integer or null',
  started_at: 'text or null',
  stopped_at: 'text or null',
  auto_restart: 'boolean',
  custom_data: 'object',
  ttl: 'integer or null',
  is_pool_server: 'boolean',
  pool_claimed_at: 'text or null',
  match_id: 'text or null',
  created_at: 'text',
  updated_at: 'text',
} as const satisfies Fields;

export const PORT = {
  name: 'text',
  host: 'text',
  external_port: 'integer',
  internal_port: 'integer',
  protocol: 'text',
  tls_enabled: 'boolean',
} as const satisfies Fields;

export const MATCHMAKING = { mode: 'text', startedAt: 'text' } as const satisfies Fields;

export const CONFIRMATION = { deadline: 'text', confirmed: 'boolean' } as const satisfies Fields;

export const QUEUE_STATS = {
  playersSearching: 'integer',
  lobbiesInQueue: 'integer',
  avgWaitSeconds: 'number',
} as const satisfies Fields;

export const PAGE = {
  lobbies: 'list',
  total: 'integer',
  limit: 'integer',
  offset: 'integer',
  hasMore: 'boolean',
} as const satisfies Fields;

type Json = Readonly<Record<string, unknown>>;

function isOf(type: FieldType, value: unknown): boolean {
  switch (type) {
    case 'text':
      return typeof value === 'string';
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'list':
      return Array.isArray(value);
    case 'text or null':
      return value === null || isOf('text', value);
    case 'integer or null':
      return value === null || isOf('integer', value);
    default:
      return value === null || isOf('object', value);
  }
}

function wrong(what: string, value: unknown, fields: Fields): readonly string[] {
  const given = (value ?? {}) as Json;
  return Object.entries(fields)
    .filter(([field, type]) => !isOf(type, given[field]))
    .map(([field, type]) => `${what}.${field}: ${JSON.stringify(given[field])} is no ${type}`);
}

function each(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What of a server block the SDK could not read; empty when it reads all of it. */
export function unreadableServer(server: unknown): readonly string[] {
  const ports = each((server as Json)['network_ports']);
  return [
    ...wrong('server', server, SERVER),
    ...ports.flatMap((port) => wrong('server.network_ports[]', port, PORT)),
  ];
}

function unreadableMatchmaking(matchmaking: Json): readonly string[] {
  const { queueStats, confirmation } = matchmaking;
  return [
    ...wrong('matchmaking', matchmaking, MATCHMAKING),
    ...(queueStats === undefined ? [] : wrong('queueStats', queueStats, QUEUE_STATS)),
    ...(confirmation === undefined ? [] : wrong('confirmation', confirmation, CONFIRMATION)),
  ];
}

/** What of a lobby the SDK could not read. */
export function unreadableLobby(lobby: unknown): readonly string[] {
  const { players, server, matchmaking } = lobby as Json;
  return [
    ...wrong('lobby', lobby, LOBBY),
    ...each(players).flatMap((player) => wrong('players[]', player, PLAYER)),
    ...(server === null ? [] : unreadableServer(server)),
    ...(matchmaking === null ? [] : unreadableMatchmaking(matchmaking as Json)),
  ];
}

/** What of a list of lobbies the SDK could not read: one bad lobby spoils the whole page. */
export function unreadablePage(page: unknown): readonly string[] {
  return [
    ...wrong('page', page, PAGE),
    ...each((page as Json)['lobbies']).flatMap(unreadableLobby),
  ];
}

export function unreadableStats(stats: unknown): readonly string[] {
  return wrong('queueStats', stats, QUEUE_STATS);
}
