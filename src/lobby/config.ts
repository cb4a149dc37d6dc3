// A lobby config, read strictly, with every default filled in (spec: Lobby config). Each issue says where it is
// (decision 33), and a body with an issue changes nothing. Unknown fields are ignored, and `unknownFields` finds them.

import * as z from 'zod';
import type { LobbyConfig as SavedConfig } from '../../packages/js/src/admin-types';
import type { JsonObject } from '../common/json';
import {
  MAX_BROWSE_KEYS,
  MAX_INVITE_SUFFIX,
  MAX_MODES,
  MAX_PLAYERS,
  MAX_SETTINGS_BYTES,
  MAX_SPECTATOR_DELAY_SECONDS,
  MAX_SPECTATORS,
  MAX_TRUSTED,
  MAX_TRUSTED_LENGTH,
} from '../common/limits';
import { own } from '../common/named';
import { type Result, refuse } from '../common/result';
import {
  flag,
  freeForm,
  type Issue,
  listOf,
  nameProblem,
  named,
  object,
  oneOf,
  or,
  parseWith,
  mapOf,
  text,
  wholeNumber,
} from '../common/shape';
import { timeOrNull } from '../common/times';
import type { Mode } from '../match/rules/mode';
import { modeSchema } from '../match/rules/schema';
import {
  DEFAULT_HEARTBEAT_TIMEOUT_SECONDS,
  DEFAULT_HOST_LEAVES,
  DEFAULT_LOBBY_TIMEOUT_SECONDS,
  DEFAULT_QUEUE_PRESENCE_SECONDS,
  DEFAULT_SERVER_SIZE,
  DEFAULT_SPECTATOR_DELAY_SECONDS,
  DEFAULT_SPECTATORS,
} from './defaults';
import { inviteSchema } from './invite';

const MAX_TIMEOUT_SECONDS = 24 * 60 * 60;
const MAX_PREFIX_LENGTH = 32;
const MAX_SIZE_NAME = 64;
const MAX_CLOSED_MESSAGE = 200;

const MAX_GRACE_SECONDS = 300;

const inviteCodeConfig = object({
  type: oneOf(['numeric', 'alphanumeric', 'alphabetic']),
  /** Characters of the suffix, without the prefix. */
  length: wholeNumber(1, MAX_INVITE_SUFFIX),
  prefix: z
    .string('must be a string')
    .max(MAX_PREFIX_LENGTH, `must be at most ${MAX_PREFIX_LENGTH} characters long`)
    .regex(/^[!-~]*$/, 'must have only printable characters, and no spaces')
    .nullish()
    .transform((prefix) => prefix || null),
});

/** Names of state keys that only the backend can write (decision 46). */
export const trustedKeys = listOf(text(MAX_TRUSTED_LENGTH), MAX_TRUSTED);

/** Nobody can create a lobby, start a game or search; what is under way goes on (decision 51). */
export const closedSchema = object({
  message: text(MAX_CLOSED_MESSAGE),
  /** ISO 8601. It is open from then on. Null: closed until somebody opens it. */
  until: timeOrNull(),
});

const spectatorPlaces = object({
  /** Of one lobby, besides its players. */
  max: or(wholeNumber(1, MAX_SPECTATORS), DEFAULT_SPECTATORS),
  /** So much later do spectators hear of what they watch. */
  delaySeconds: or(wholeNumber(0, MAX_SPECTATOR_DELAY_SECONDS), DEFAULT_SPECTATOR_DELAY_SECONDS),
});

const serverSettingsInput = object({
  serverSize: or(text(MAX_SIZE_NAME), DEFAULT_SERVER_SIZE),
  /** The build that is used if no player state selects one. Null is the build `default`. */
  gameBuild: or(named(64), null),
  /** `players`: one of them hosts the game, and nothing is launched (record 0069). */
  hosting: or(oneOf(['players']), undefined),
  /** Seconds without a stream after which another player hosts. */
  hostGraceSeconds: or(wholeNumber(1, MAX_GRACE_SECONDS), undefined),
  /** `majority`: what the host says of the result is one vote of all players (record 0075). */
  results: or(oneOf(['majority']), undefined),
  /** The player who hosts may open and free places, and put players out (decision 71). */
  hostSteers: or(flag(), undefined),
  /** A game that a host starts has a match. Absent: if `results` or `hostSteers` needs one. */
  matchOnStart: or(flag(), undefined),
});
type ServerSettings = SavedConfig['serverSettings'];

/** Whether a game that a host starts has a match (decision 81): what needs one implies it. */
export function startsMatch({ matchOnStart, results, hostSteers }: ServerSettings): boolean {
  return matchOnStart ?? (results !== undefined || hostSteers === true);
}

type Matchmaking = SavedConfig['matchmaking'];

/** The fields of a config as they are sent. Null counts as a missing key. */
export const configInput = object({
  // A body may repeat what a read answers, because people edit an answer and send it back.
  name: z.unknown().optional(),
  id: z.unknown().optional(),
  revision: z.unknown().optional(),
  warnings: z.unknown().optional(),
  /** Matchmaking and starts treat a disabled config as if it did not exist (decision 22). */
  enabled: or(flag(), true),
  /** Seconds without activity after which a waiting lobby is deleted. */
  timeout: or(wholeNumber(1, MAX_TIMEOUT_SECONDS), DEFAULT_LOBBY_TIMEOUT_SECONDS),
  serverSettings: or<ServerSettings, ServerSettings>(serverSettingsInput, {
    serverSize: DEFAULT_SERVER_SIZE,
    gameBuild: null,
  }),
  matchmaking: or<Matchmaking, Matchmaking>(
    object({ modes: or(mapOf(modeSchema, MAX_MODES, nameProblem), {}) }),
    { modes: {} },
  ),
  /** The places of a lobby that asks for none, and the most that one may ask for. Absent: the usual ones. */
  maxPlayers: or(wholeNumber(1, MAX_PLAYERS), undefined),
  /** The players without whom a host cannot start a game. */
  minPlayers: or(wholeNumber(1, MAX_PLAYERS), undefined),
  /** Who may watch a lobby (record 0108). Absent: nobody. */
  spectators: or(spectatorPlaces, undefined),
  hostLeaveBehavior: or(oneOf(['promote', 'delete']), DEFAULT_HOST_LEAVES),
  /** Null: codes have the default form (decision 11). */
  inviteCodeConfig: or<InviteCodeConfig, null>(inviteCodeConfig, null),
  invite: or(inviteSchema, undefined),
  /** Webhooks hear when a public lobby has room. */
  lobbyBell: or(flag(), undefined),
  /** Players must send heartbeats or keep a stream open. */
  heartbeat: or(flag(), false),
  /** Seconds after which a silent player is removed. */
  heartbeatTimeout: or(wholeNumber(1, MAX_TIMEOUT_SECONDS), DEFAULT_HEARTBEAT_TIMEOUT_SECONDS),
  /** Seconds after which an absent party that had streams leaves the queue (decision 50). 0: never. */
  queuePresenceSeconds: or(wholeNumber(0, MAX_TIMEOUT_SECONDS), DEFAULT_QUEUE_PRESENCE_SECONDS),
  closed: or(closedSchema, undefined),
  trusted: trustedKeys.nullish().transform((keys) => (keys?.length ? keys : undefined)),
  /** Settings of a lobby by which players find it. */
  browseBy: or(listOf(text(MAX_TRUSTED_LENGTH), MAX_BROWSE_KEYS), undefined),
  /** Shown in the lobby, never read. */
  customProperties: or<JsonObject, JsonObject>(freeForm(MAX_SETTINGS_BYTES), {}),
});

/** The fields of an answer that are no fields of a config. */
const ANSWERED = ['name', 'id', 'revision', 'warnings'] as const;

type Sent = z.infer<typeof configInput>;
type Absent =
  | 'closed'
  | 'trusted'
  | 'browseBy'
  | 'maxPlayers'
  | 'minPlayers'
  | 'spectators'
  | 'invite'
  | 'lobbyBell';
export type InviteCodeConfig = Readonly<z.infer<typeof inviteCodeConfig>>;
export type SpectatorPlaces = Readonly<z.infer<typeof spectatorPlaces>>;
export type Closed = Readonly<z.infer<typeof closedSchema>>;

/** A config as it is read, before the project gives it an id and a revision. */
export type ConfigFields = Readonly<Omit<Sent, (typeof ANSWERED)[number] | Absent>> & {
  readonly [Field in Absent]?: Readonly<NonNullable<Sent[Field]>>;
} & {
  /** Used as `{config}` in paths. */
  readonly name: string;
};

/** It is pure data that is saved and crosses RPC. */
export interface LobbyConfig extends ConfigFields {
  readonly id: string;
  /** +1 with every save. */
  readonly revision: number;
}

function fieldsOf(name: string, sent: Sent): ConfigFields {
  const fields = Object.entries(sent).filter(
    ([field, value]) => !ANSWERED.some((each) => each === field) && value !== undefined,
  );
  return Object.fromEntries([['name', name], ...fields]) as unknown as ConfigFields;
}

/** The config with every default, or all issues with paths from the top. A body may repeat this config's name and id. */
export function parseConfig(
  name: string,
  body: unknown,
  existing?: Pick<LobbyConfig, 'id' | 'revision'>,
): Result<ConfigFields, readonly Issue[]> {
  const message = nameProblem(name);
  if (message !== null) {
    return refuse([{ path: 'name', message }]);
  }
  const schema = configInput.transform((input, { issues }) => {
    const say = (field: keyof typeof input, why: string): void => {
      issues.push({ code: 'custom', input, path: [field], message: why });
    };
    if ((input.name ?? name) !== name) {
      say('name', `must be ${name}, as in the path`);
    }
    if (existing !== undefined && (input.id ?? existing.id) !== existing.id) {
      say('id', "is another config's id");
    }
    const { hostGraceSeconds = 0 } = input.serverSettings;
    if (input.heartbeat && hostGraceSeconds >= input.heartbeatTimeout) {
      say('serverSettings', 'hostGraceSeconds must be less than heartbeatTimeout');
    }
    if ((input.minPlayers ?? 0) > (input.maxPlayers ?? MAX_PLAYERS)) {
      say('minPlayers', 'must not be more than maxPlayers');
    }
    if (input.invite !== undefined && /[\\/]/.test(input.inviteCodeConfig?.prefix ?? '')) {
      say('invite', 'needs codes without a slash: change the prefix in inviteCodeConfig');
    }
    return fieldsOf(name, input);
  });
  return parseWith(schema, body);
}

const DEFAULTS = configInput.parse({});

/** The config of a name that nobody has saved. Everything but matchmaking works (spec: Lobby config, defaults). */
export function defaultConfig(name: string): LobbyConfig {
  return { id: '', ...fieldsOf(name, DEFAULTS), revision: 0 };
}

/** The saved mode of that name, or null. A name such as `constructor` finds nothing that was not saved. */
export function modeOf(config: LobbyConfig, name: string): Mode | null {
  return own(config.matchmaking.modes, name) ?? null;
}
