// The schemas of all bodies and queries. Unknown fields are dropped (decision 2). Free-form values are kept as
// they are, within their limits (decision 5).

import * as z from 'zod';
import type { JsonObject } from '../common/json';
import { isObject } from '../common/json';
import {
  BROWSE_LIMIT_DEFAULT,
  BROWSE_LIMIT_MAX,
  DEFAULT_MAX_PLAYERS,
  DEFAULT_REGION,
  MAX_ATTRIBUTES_AT_ONCE,
  MAX_ATTRIBUTES_BYTES,
  MAX_NAME_LENGTH,
  MAX_PLAYER_TOKEN_LENGTH,
  MAX_PLAYERS,
  MAX_SETTINGS_BYTES,
  MAX_STATE_BYTES,
  MAX_BUILDS,
} from '../common/limits';
import { closedSchema, trustedKeys } from '../lobby/config';
import { STATUSES } from '../lobby/lobby';
import { isPlayerId } from './access';
import { outsideUrl } from './identity/jwks';
import { environment, portList } from '../fleet/build';
import { lastBytes, MAX_DETAIL, MAX_OUTPUT_BYTES, MAX_SIGNAL } from '../fleet/output';
import {
  closed,
  flag,
  freeForm,
  listOf,
  nameProblem,
  oneOf,
  region,
  text,
  wholeNumber,
} from '../common/shape';
import { sinceOrNull, timeOrNull } from '../common/times';

const MAX_CODE_LENGTH = 128;
const MAX_TOKEN_NAME_LENGTH = 64;
const MAX_CLAIM_LENGTH = 256;
const SERVER_TTL_SECONDS = { min: 60, max: 86_400 };

/** The id of a player in a body or a query (decision 4). */
export const playerId = z.string('must be a string').refine(isPlayerId, 'must be a player id');

const settings = freeForm(MAX_SETTINGS_BYTES);
const state = freeForm(MAX_STATE_BYTES);

const name = text(MAX_NAME_LENGTH);
const maxPlayers = wholeNumber(1, MAX_PLAYERS);

/** spec: Create lobby body. */
export const CreateBody = z.object({
  name,
  /** The config may say otherwise. */
  maxPlayers: maxPlayers.optional().meta({ default: DEFAULT_MAX_PLAYERS }),
  region: region().default(DEFAULT_REGION),
  isPrivate: flag().default(false),
  allowLateJoin: flag().default(true),
  settings: settings.default({}),
  state: state.nullable().default(null),
  forceFresh: flag().default(false),
});

const word = z
  .string('must be a string')
  .trim()
  .max(MAX_CODE_LENGTH, `must be at most ${MAX_CODE_LENGTH} characters long`);

/**
 * spec: Join body; decision 12: exactly one of `code` (or `inviteCode`) and `lobbyId`. Empty text counts as
 * absent, because some clients send every field they know.
 */
export const JoinBody = z
  .object({
    code: word.default(''),
    inviteCode: word.default(''),
    lobbyId: word.default(''),
    state: state.nullable().default(null),
  })
  .transform((body, context) => {
    const codes = new Set([body.code, body.inviteCode].filter((code) => code !== ''));
    const [code] = codes;
    if (codes.size + (body.lobbyId === '' ? 0 : 1) !== 1) {
      const message = 'needs either code or lobbyId, and not both';
      context.issues.push({ code: 'custom', input: body, message });
      return z.NEVER;
    }
    // A code as a player typed it, or the id of a lobby.
    const target =
      code === undefined
        ? { by: 'id' as const, lobbyId: body.lobbyId }
        : { by: 'code' as const, code };
    return { target, state: body.state };
  });

export const StateBody = z.object({ state });

/** spec: PATCH /me/settings; decision 14. An empty patch changes nothing. */
export const SettingsBody = z.object({
  name: name.optional(),
  maxPlayers: maxPlayers.optional(),
  isPrivate: flag().optional(),
  allowLateJoin: flag().optional(),
  region: region().optional(),
  settings: settings.optional(),
});

export const EnterBody = z.object({ mode: text(MAX_TOKEN_NAME_LENGTH) });

/** Any JSON object. A validator of its own reads it and reports its issues. */
export const AnyObject = z.custom<JsonObject>(isObject, 'must be an object');

/** The rules for player tokens. They are replaced as a whole: a rule that is left out becomes null. */
const tokenRules = closed({
  issuer: text(MAX_CLAIM_LENGTH).nullable().default(null),
  audience: text(MAX_CLAIM_LENGTH).nullable().default(null),
  jwksUrl: outsideUrl.nullable().default(null),
}).superRefine(({ issuer, audience, jwksUrl }, { issues }) => {
  // An identity provider signs tokens for other services with the same keys.
  if (jwksUrl !== null && issuer === null && audience === null) {
    const message = 'issuer or audience must be given with jwksUrl';
    issues.push({ code: 'custom', input: jwksUrl, path: [], message });
  }
});

/** What a backend says of a player. In a PATCH, null removes a key. */
const attributes = freeForm(MAX_ATTRIBUTES_BYTES);
export const AttributesBody = closed({ attributes });

/** `replace`: the records are replaced. Else the attributes are merged into them. */
export const AttributesAtOnceBody = closed({
  players: listOf(closed({ id: playerId, attributes }), MAX_ATTRIBUTES_AT_ONCE),
  replace: flag().default(false),
});

/**
 * `lobby_configs` is a list of configs with their names. Settings that are not given do not change. The other
 * fields of an answer are ignored.
 */
export const ProjectSettingsBody = closed({
  lobby_configs: z.array(AnyObject, 'must be a list of configs').default([]),
  playerAuth: oneOf(['trust', 'token']).optional(),
  publicPlayerIds: flag().optional(),
  playerTokens: tokenRules.optional(),
  trusted: trustedKeys.optional(),
  /** False: open. Null would count as absent. */
  closed: z.union([z.literal(false), closedSchema]).optional(),
  tokenSecrets: z.unknown().optional(),
  logins: z.unknown().optional(),
  hooks: z.unknown().optional(),
  revision: z.unknown().optional(),
  warnings: z.unknown().optional(),
});

export const TOKEN_TTL_SECONDS = { min: 60, max: 86_400, usual: 3_600 };

/** `ttl`: seconds for which the token is valid. `attributes`: a claim of the token (decision 46). */
export const TokenBody = closed({
  attributes: attributes.optional(),
  ttl: wholeNumber(TOKEN_TTL_SECONDS.min, TOKEN_TTL_SECONDS.max).default(TOKEN_TTL_SECONDS.usual),
});

/** What the platform gave the player: a token, a ticket or a code. */
export const LoginBody = closed({ token: text(MAX_PLAYER_TOKEN_LENGTH) });

/** A shorter secret could be guessed from any token that it signed. */
const SECRET_LENGTH = { min: 32, max: 512 };
const secret = z
  .string('must be a string')
  .min(SECRET_LENGTH.min, `must be at least ${SECRET_LENGTH.min} characters long`)
  .max(SECRET_LENGTH.max, `must be at most ${SECRET_LENGTH.max} characters long`);

/** The backend's own secret. Absent: a secret is made. */
export const TokenSecretBody = closed({ secret: secret.nullish() });

/** Where the backend hears of matches, and what signs what it hears. */
export const HookBody = closed({ url: outsideUrl, secret });

/** How the program of a server is run. */
const program = {
  /** The expected version of the build. Muster only keeps the current version of each build. */
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER).nullish(),
  startup_args: z.string('must be a string').max(4096).nullish(),
  environment_variables: environment.nullish(),
  port_configs: portList.nullish(),
};

/** decision 35. Empty text counts as absent, because some clients send every field they know. */
export const StartServerBody = z.object({
  name: name.default('server'),
  region: region().default(DEFAULT_REGION),
  compute_size: text(MAX_TOKEN_NAME_LENGTH).default('small'),
  version_tag: text(MAX_TOKEN_NAME_LENGTH).default('default'),
  custom_data: settings.default({}),
  ttl: wholeNumber(SERVER_TTL_SECONDS.min, SERVER_TTL_SECONDS.max).nullable().default(null),
  match_id: text(MAX_TOKEN_NAME_LENGTH).nullable().default(null),
  ...program,
  auto_restart: flag().default(false),
});

/** The changes that a restart makes. Everything else stays. */
export const RestartServerBody = z.object({
  name: name.nullish(),
  compute_size: text(MAX_TOKEN_NAME_LENGTH).nullish(),
  version_tag: text(MAX_TOKEN_NAME_LENGTH).nullish(),
  custom_data: settings.nullish(),
  ttl: wholeNumber(SERVER_TTL_SECONDS.min, SERVER_TTL_SECONDS.max).nullish(),
  match_id: text(MAX_TOKEN_NAME_LENGTH).nullish(),
  ...program,
  auto_restart: flag().nullish(),
});

export const UpdateServerBody = z.object({ custom_data: settings });

const portNumber = wholeNumber(1, 65_535);

const port = z.object(
  {
    name: text(MAX_TOKEN_NAME_LENGTH),
    host: text(255),
    external_port: portNumber,
    internal_port: portNumber,
    protocol: oneOf(['udp', 'tcp']),
    tls_enabled: flag().default(false),
  },
  'must be an object',
);

/** The report of a fleet or game server about its instance (decision 35). */
export const StatusBody = z.object({
  status: oneOf(['launching', 'running', 'stopped']),
  network_ports: listOf(port, 10).optional(),
  exit_code: z.int('must be a whole number').nullish(),
  signal: z.string('must be a string').max(MAX_SIGNAL).nullish(),
  detail: z.string('must be a string').max(MAX_DETAIL).nullish(),
  /** Only the end of the output is kept. */
  output: z
    .string('must be a string')
    .transform((value) => lastBytes(value, MAX_OUTPUT_BYTES))
    .nullish(),
});

/** A whole number in a query. */
export function queryNumber(min: number, max: number, fallback: number): z.ZodType<number> {
  const range = max === Number.MAX_SAFE_INTEGER ? `${min} or more` : `${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number, ${range}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be ${range}`)
    .default(fallback)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

/** A page of a list. */
export const page = {
  limit: queryNumber(1, BROWSE_LIMIT_MAX, BROWSE_LIMIT_DEFAULT),
  offset: queryNumber(0, Number.MAX_SAFE_INTEGER, 0),
};

const writtenFlag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((value) => value === 'true');

export const MeParams = z.object({ orNull: writtenFlag });

/** spec: Browse. An invalid limit, offset or status is a 400 (decision 20). */
export const BrowseParams = z.object({
  region: region().nullable().default(null),
  status: oneOf(STATUSES).nullable().default(null),
  ...page,
});

/** The last lines. `start_time`: only lines that were printed since. */
export const LogsParams = z.object({
  start_time: sinceOrNull(),
  limit: queryNumber(1, 1_000, 200),
});

const configName = z
  .string()
  .refine((given) => nameProblem(given) === null, 'must be the name of a config or mode');
const anyConfig = configName.nullable().default(null);
export const anyText = z.string().nullable().default(null);

export const OUTCOMES = ['confirming', 'launching', 'running', 'ended', 'failed'] as const;

export const MatchesParams = z.object({
  config: anyConfig,
  mode: anyConfig,
  outcome: oneOf(OUTCOMES).nullable().default(null),
  build: anyText,
  region: anyText,
  since: timeOrNull(),
  until: timeOrNull(),
  limit: page.limit,
});

const MAX_TREND_HOURS = 48;

export const TrendsParams = z.object({
  config: anyConfig,
  mode: anyConfig,
  hours: queryNumber(1, MAX_TREND_HOURS, MAX_TREND_HOURS),
});

export const JournalParams = z.object({ config: configName, mode: configName });

/** Builds, all of them by default. `name`: only the build of that name. */
export const BuildsParams = z.object({
  name: anyText,
  limit: queryNumber(1, MAX_BUILDS, MAX_BUILDS).describe('How many at most; all unless given.'),
  offset: page.offset,
});

/** Running servers, and others if the query asks for them. */
export const ServersParams = z.object({
  include_launching: writtenFlag,
  include_stopped: writtenFlag,
  ...page,
});

export const BansParams = z.object({ playerId: anyText, ...page });
export const LiftParams = z.object({ config: anyText });

/** Without a config: in all of them. */
export const BanBody = z.object({
  config: configName.nullish(),
  until: closedSchema.shape.until,
  reason: text(200).nullish(),
});
