// The parameters of the API description: of paths, headers and queries.

import type { Route } from '../../src/http/wire/call';
import type { Described } from './described';
import type { JsonSchema, Parameter, Reference } from './document';
import { INSTANCE_ID, LOBBY_ID, TOKEN_SECRET } from './examples';
import { jsonSchema } from './json-schema';

const PATH_PARAMETERS: Readonly<Record<string, readonly [example: string, description: string]>> = {
  config: ['arena', 'Name or id of a config; if unsaved, with defaults.'],
  playerId: ['bob', 'The player to kick.'],
  id: [LOBBY_ID, 'Id of the lobby.'],
  name: ['arena', 'Its name.'],
  provider: [
    'steam',
    'steam, epic, unity, firebase, supabase, nakama, playfab, discord or anonymous.',
  ],
  revision: ['1', 'Which revision, as the history tells it.'],
};

/** Of paths that do not begin with `/lobbies`. */
const IDS: Readonly<Record<string, readonly [example: string, description: string]>> = {
  servers: [INSTANCE_ID, 'instance_id of the server.'],
  players: ['ann', 'The player: 1 to 128 printable characters, and not `.` or `..`.'],
  bans: ['ann', 'The player.'],
  projects: [TOKEN_SECRET.id, 'Id of the secret or key.'],
  matches: [LOBBY_ID, 'Id of the match: `matchId` of its lobbies.'],
};

const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  region: 'Only lobbies of this region.',
  config: 'Only what concerns this config.',
  playerId: 'Only bans of this player.',
  by: 'Only of this key: `operator:` and its name or fingerprint.',
  kind: 'Only this kind, such as `kicked`.',
  on: 'Only what was done to this config, build, player, lobby, match or server.',
  mode: 'Only matches of this mode.',
  outcome: 'Only matches with this outcome.',
  build: 'Only matches on this build.',
  since: 'Only matches that formed at this time or later.',
  until: 'Only what is older than this time, such as `next`.',
  status: 'Only lobbies in this status.',
  offset: 'How many to skip.',
  places: 'Only lobbies with so many free places.',
  sort: '`players`: the fullest first.',
  cursor: 'Goes on after the answer with this `cursor`.',
  name: 'Only what has this name.',
  start_time: 'Only lines since then: an RFC 3339 time, or a time ago such as `-1h`.',
  around:
    'The player in the middle of the page. One without a rating: the place that a new player would have.',
  season: 'A season that is over.',
  after: 'Only players behind this id.',
};

function pathParameter(name: string, path: string): Parameter {
  const [example, description] = PATH_PARAMETERS[name] ?? [name, ''];
  const common = { name, in: 'path', required: true, schema: { type: 'string' } } as const;
  const [, of = ''] = path.split('/');
  if (name === 'id' && of !== 'lobbies') {
    const [meant = '', shown = ''] = IDS[of] ?? [];
    return { ...common, description: shown, example: meant };
  }
  const isBuild = name === 'name' && path.startsWith('/builds');
  return { ...common, description, example: isBuild ? 'v2' : example };
}

function header(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: { type: 'string' } };
}

function limitOf({ default: fallback }: JsonSchema): string {
  return `How many at most${typeof fallback === 'number' ? `; ${fallback} unless given` : ''}.`;
}

/** Those that many routes have. Each stands once in the description. */
export const SHARED_PARAMETERS: Readonly<Record<string, Parameter>> = {
  config: pathParameter('config', '/lobbies'),
  'x-player-id': {
    ...header('x-player-id', 'The player. Optional with a player token.'),
    example: 'ann',
  },
  'x-player-token': header('x-player-token', 'Or `authorization: Bearer`.'),
};

function shared(name: string): Reference {
  return { $ref: `#/components/parameters/${name}` };
}

/** The parameters of a route, as the description lists them. */
export function parametersOf(
  route: Route,
  described: Described,
): readonly (Parameter | Reference)[] {
  const { path, caller, schemas, isStream } = route;
  const found: (Parameter | Reference)[] = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) =>
    name in SHARED_PARAMETERS ? shared(name) : pathParameter(name, path),
  );
  if (caller === 'player') {
    found.push(shared('x-player-id'), shared('x-player-token'));
  }
  if (isStream) {
    const schema = { type: 'string' };
    const description = 'Instead of the header.';
    found.push(
      { name: 'x-player-id', in: 'query', description, schema },
      { name: 'x-player-token', in: 'query', description, schema },
      header('last-event-id', 'The last `id` that the client saw.'),
      {
        name: 'changes',
        in: 'query',
        description: 'With `1`, `lobby_changed` instead of whole lobbies.',
        schema: { type: 'string', enum: ['1'] },
      },
      {
        name: 'lobby',
        in: 'query',
        description: 'With `changes`: the id of the lobby that `last-event-id` is of.',
        schema,
      },
    );
  }
  if (described.revision === 'checks') {
    found.push(header('if-match', 'Save only if the revision (`ETag`) is still this one.'));
  }
  if (described.mayBeShort === true) {
    found.push(header('prefer', 'With `return=minimal`, the answer is `{revision}` alone.'));
  }
  const asked = schemas.query ?? described.query?.();
  const query = asked === undefined ? {} : jsonSchema(asked, 'input');
  const properties = (query['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  for (const [name, schema] of Object.entries(properties)) {
    const told = schema['description'] ?? QUERY_PARAMETERS[name] ?? '';
    const description = name === 'limit' ? limitOf(schema) : told;
    found.push({ name, in: 'query', description, schema });
  }
  return found;
}
