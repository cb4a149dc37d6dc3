// The API description (OpenAPI 3.2), made of the very table and schemas that serve requests; only
// prose and examples are added. Made with the site, and no part of the Worker (reference.ts).

import { version as VERSION } from '../../package.json';
import { REFUSALS, type RefusalCode } from '../../src/lobby/refusals';
import { type Described, TAGS } from './described';
import { FOR_BACKENDS } from './described-for-backends';
import { HISTORY } from './described-history';
import { RATINGS } from './described-ratings';
import { RESULTS } from './described-results';
import { FOR_OPERATORS } from './described-for-operators';
import { FOR_PLAYERS } from './described-for-players';
import type {
  Answered,
  Example,
  JsonSchema,
  Media,
  OpenApi,
  Operation,
  PathItem,
  Reference,
} from './document';
import { LOBBY } from './examples';
import { EVENT, STREAM_EXAMPLE } from './event-list';
import { answersAsJsonSchemas, jsonSchema } from './json-schema';
import type { Method, Route } from '../../src/http/wire/call';
import { METRICS } from '../../src/http/operators/metrics';
import { HEALTH, ROUTES, WELL_KNOWN } from '../../src/http/serve/routes';
import { parametersOf, SHARED_PARAMETERS } from './parameters';
import { BUILD_ROWS, CONFIG_ROWS, MODE_ROWS, withRows } from './told-rows';

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const LINES_TYPE = 'application/x-ndjson';

const SECURITY_SCHEMES = {
  ClientKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description: 'A project key for games.',
  },
  ServerKey: {
    type: 'apiKey',
    in: 'header',
    name: 'api-key',
    description:
      'A project key for trusted backends. It allows everything. A viewer key may be used instead, and only reads.',
  },
  PlayerToken: {
    type: 'http',
    scheme: 'bearer',
    description:
      'Proves who the player is, in projects with `playerAuth: token`. Needed in addition to a key. Can be sent as `x-player-token`.',
  },
  KeyInQuery: {
    type: 'apiKey',
    in: 'query',
    name: 'api-key',
    description: 'Either key, on the event stream only.',
  },
  MetricsKey: {
    type: 'http',
    scheme: 'bearer',
    description: 'The key in `METRICS_KEY`, or the server or a viewer key, for `/metrics` only.',
  },
  InstanceToken: {
    type: 'http',
    scheme: 'bearer',
    description: 'Token of one server, which it gets at launch.',
  },
};

const INTRODUCTION =
  "Lobbies, matchmaking and game servers. Bodies are JSON objects. Unknown fields are ignored (a save of a config or build names them in `warnings`; beside security settings they are a 400), and a top-level field that is null counts as missing. A POST needs no body if it would be empty. A POST with `X-HTTP-Method-Override` is the PATCH, PUT or DELETE that it names. Every error has the same body, and its `code` says what went wrong. Muster trusts `x-player-id` (1 to 128 printable characters in UTF-8, or `utf-8''` and their percent-encoding, as in RFC 8187), unless the project requires player tokens.";

function refTo(kind: string, name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

/** What every route of its kind can be refused with, then what this one adds. */
function codesOf(route: Route, described: Described): readonly RefusalCode[] {
  const { caller, method, path, schemas } = route;
  // What a POST brings is read, also where nothing is wanted of it.
  const reads = (schemas.body ?? described.body) !== undefined || method === 'POST';
  const isPlayers = caller === 'player';
  const checks = path.includes(':') || isPlayers || reads || schemas.query !== undefined;
  const general: readonly (RefusalCode | false)[] = [
    checks && 'VALIDATION_ERROR',
    caller !== 'open' && 'UNAUTHORIZED',
    isPlayers && 'PLAYER_TOKEN_MISSING',
    isPlayers && 'PLAYER_TOKEN_INVALID',
    isPlayers && 'PLAYER_TOKEN_EXPIRED',
    // Every route of a key refuses some pages of other origins.
    caller !== 'open' && caller !== 'gameServer' && 'FORBIDDEN',
    'RATE_LIMITED',
    'PAYLOAD_TOO_LARGE',
    reads && 'REQUEST_TIMEOUT',
    'INTERNAL',
    method !== 'GET' && 'STORAGE_FULL',
    'OVERLOADED',
    'UNAVAILABLE',
  ];
  return [...general.filter((code) => code !== false), ...(described.errors ?? [])];
}

type Shared = Record<string, Answered>;

/** The refusals of one route by status. Equal answers are told once, in `shared`, by short names. */
function refusals(codes: readonly RefusalCode[], shared: Shared): Record<string, Reference> {
  const answers: Record<string, Reference> = {};
  for (const status of new Set(codes.map((code) => REFUSALS[code].status))) {
    const named = codes.filter((code) => REFUSALS[code].status === status).toSorted();
    const description = named.map((code) => `\`${code}\``).join(', ');
    const known = Object.entries(shared).find(([, told]) => told.description === description);
    const name = known?.[0] ?? `${status}.${Object.keys(shared).length}`;
    shared[name] ??= {
      description,
      ...(status === 503 ? { headers: RETRY_AFTER } : {}),
      ...(status === 429 ? { headers: { ...RETRY_AFTER, ...RATE } } : {}),
      content: {
        [JSON_TYPE]: {
          schema: refTo('schemas', 'ErrorBody'),
          examples: Object.fromEntries(named.map((code) => [code, refTo('examples', code)])),
        },
      },
    };
    answers[status] = refTo('responses', name);
  }
  return answers;
}

const RETRY_AFTER = {
  'retry-after': { description: 'Seconds to wait, if known.', schema: { type: 'integer' } },
};

const RATE = {
  'x-ratelimit-limit': {
    description: 'How many are allowed at once.',
    schema: { type: 'integer' },
  },
  'x-ratelimit-remaining': { description: 'How many are left.', schema: { type: 'integer' } },
  'x-ratelimit-reset': {
    description: 'Seconds until all of them are available again.',
    schema: { type: 'integer' },
  },
};

const ETAG = {
  etag: { description: 'The revision, for `If-Match`.', schema: { type: 'string' } },
};

function refusalExamples(): Record<string, Example> {
  return Object.fromEntries(
    Object.entries(REFUSALS).map(([code, { status, message }]) => [
      code,
      { summary: message, value: { error: message, detail: message, status, code } },
    ]),
  );
}

function success(route: Route, described: Described): Answered {
  const { answer, answers, revision, plain } = described;
  if (plain !== undefined) {
    const examples = { found: { summary: described.summary, value: answers } };
    const content = { [plain.type]: { schema: { type: 'string' }, examples } };
    return { description: plain.description, content };
  }
  if (route.isStream) {
    const examples = { found: { summary: 'From connecting to a match', value: STREAM_EXAMPLE } };
    const schema = { type: 'string', description: 'Blocks of `event`, `id` and `data` lines.' };
    const media = { schema, itemSchema: refTo('schemas', 'StreamEvent'), examples };
    return { description: 'The stream', content: { [STREAM_TYPE]: media } };
  }
  return {
    description: answer,
    ...(revision === undefined ? {} : { headers: ETAG }),
    content: {
      [JSON_TYPE]: {
        schema: refTo('schemas', answer),
        examples: {
          // Fifteen endpoints answer the lobby.
          [answer]:
            answers === LOBBY
              ? refTo('examples', 'Lobby')
              : { summary: described.summary, value: answers },
        },
      },
    },
  };
}

function examplesOf({ samples = {} }: Described): Record<string, Example> {
  const withValue = Object.entries(samples).filter(([, sample]) => sample.value !== undefined);
  return Object.fromEntries(
    withValue.map(([name, { summary, value }]) => [name, { summary, value }]),
  );
}

const SECURITY = {
  open: [],
  anyone: [{ ClientKey: [] }, { ServerKey: [] }],
  player: [
    { ClientKey: [] },
    { ServerKey: [] },
    { ClientKey: [], PlayerToken: [] },
    { ServerKey: [], PlayerToken: [] },
  ],
  server: [{ ServerKey: [] }],
  gameServer: [{ InstanceToken: [] }],
  game: [{ InstanceToken: [] }, { ServerKey: [] }],
} as const;

function operation(route: Route, described: Described, shared: Shared): Operation {
  const { id, tag, summary, text, body: own } = described;
  const body = own?.() ?? route.schemas.body;
  const isLines = route.schemas.isLines === true;
  const security: Record<string, readonly string[]>[] = [...SECURITY[route.caller]];
  if (route.isStream) {
    security.push({ KeyInQuery: [] });
  }
  if (route === METRICS) {
    security.push({ ServerKey: [] }, { MetricsKey: [] });
  }
  const parameters = parametersOf(route, described);
  const media: Media | null =
    body === undefined
      ? null
      : {
          schema: isLines
            ? { type: 'string' }
            : withRows(jsonSchema(body, 'input'), described.rows ?? {}, 'input'),
          examples: examplesOf(described),
        };
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(text === undefined ? {} : { description: text }),
    security,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(media === null
      ? {}
      : {
          requestBody: { required: true, content: { [isLines ? LINES_TYPE : JSON_TYPE]: media } },
        }),
    responses: {
      [described.status ?? 200]: success(route, described),
      ...(described.orOk && { 200: success(route, described) }),
      ...(route.isStream ? { 101: { description: 'A WebSocket with the same events' } } : {}),
      ...refusals(codesOf(route, described), shared),
    },
  };
}

function describedBy(route: Route): Described {
  const line = `${route.method} ${route.path}`;
  const described =
    FOR_PLAYERS[line] ??
    FOR_OPERATORS[line] ??
    FOR_BACKENDS[line] ??
    HISTORY[line] ??
    RESULTS[line] ??
    RATINGS[line];
  if (described === undefined) {
    throw new Error(`${line} is not described`);
  }
  return described;
}

const TOLD = { Mode: MODE_ROWS, LobbyConfig: CONFIG_ROWS, Build: BUILD_ROWS };

function toldSchemas(): Readonly<Record<string, JsonSchema>> {
  const made = answersAsJsonSchemas((id) => refTo('schemas', id).$ref);
  const told = Object.entries(TOLD).map(
    ([name, rows]) => [name, withRows(made[name] ?? {}, rows, 'output')] as const,
  );
  return { ...made, ...Object.fromEntries(told) };
}

/** The whole description; throws when a route is not described. */
export function openApi(): OpenApi {
  const responses: Shared = {};
  const paths: Record<string, PathItem> = {};
  for (const route of [...ROUTES, HEALTH, METRICS, WELL_KNOWN]) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const method = route.method.toLowerCase() as Lowercase<Method>;
    const described = operation(route, describedBy(route), responses);
    paths[path] = {
      ...(ROUTES.includes(route) ? {} : { servers: [{ url: '/' }] }),
      ...paths[path],
      [method]: described,
    };
  }
  return {
    openapi: '3.2.0',
    info: {
      title: 'Muster',
      version: VERSION,
      description: INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      { url: '/v3', description: 'This service' },
      { url: '/api/v3', description: 'The same under its other prefix' },
    ],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: { ...toldSchemas(), StreamEvent: EVENT },
      parameters: SHARED_PARAMETERS,
      examples: { ...refusalExamples(), Lobby: { summary: 'A lobby', value: LOBBY } },
      responses,
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}
