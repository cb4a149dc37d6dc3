// Reads a lobby config as an administrator sends it. It is strict, and each issue says where it is (decision 33).
// Nothing is saved here, so a body with an issue changes nothing. Unknown fields are ignored, and
// `unknownFields` finds them with the same schema.

import * as z from 'zod';
import { isObject, type Json, jsonBytes, type JsonObject } from '../common/json';
import {
  DEFAULT_LOBBY_TIMEOUT_SECONDS,
  MAX_INVITE_SUFFIX,
  MAX_MODES,
  MAX_SETTINGS_BYTES,
  MAX_TRUSTED,
  MAX_TRUSTED_LENGTH,
} from '../common/limits';
import { modeSchema } from '../match/rules/schema';
import {
  flag,
  type Issue,
  listOf,
  nameProblem,
  oneOf,
  parseWith,
  recordOf,
  text,
  timeOrNull,
  wholeNumber,
} from '../common/shape';
import { type Result, refuse } from '../common/result';
import {
  DEFAULT_HEARTBEAT_TIMEOUT_SECONDS,
  DEFAULT_QUEUE_PRESENCE_SECONDS,
  DEFAULT_SERVER_SIZE,
  type LobbyConfig,
} from './config';

const MAX_TIMEOUT_SECONDS = 24 * 60 * 60;
const MAX_PREFIX_LENGTH = 32;
const MAX_SIZE_NAME = 64;
const MAX_CLOSED_MESSAGE = 200;

const buildName = text(64).check((context) => {
  const message = nameProblem(context.value);
  if (message !== null) {
    context.issues.push({ code: 'custom', input: context.value, message });
  }
});

const inviteCodeConfig = z.object(
  {
    type: oneOf(['numeric', 'alphanumeric', 'alphabetic']),
    length: wholeNumber(1, MAX_INVITE_SUFFIX),
    prefix: z
      .string('must be a string')
      .max(MAX_PREFIX_LENGTH, `must be at most ${MAX_PREFIX_LENGTH} characters long`)
      .regex(/^[!-~]*$/, 'must have only printable characters, and no spaces')
      .nullish()
      .transform((prefix) => (prefix === undefined || prefix === '' ? null : prefix)),
  },
  'must be an object',
);

const customProperties: z.ZodType<JsonObject> = z
  .custom<JsonObject>(isObject, 'must be an object')
  .refine(
    (value: Json) => jsonBytes(value) <= MAX_SETTINGS_BYTES,
    `must be at most ${MAX_SETTINGS_BYTES} bytes as JSON`,
  );

/** Names of state keys that only the backend can write (decision 46). */
export const trustedKeys = listOf(text(MAX_TRUSTED_LENGTH), MAX_TRUSTED);

/** decision 51. */
export const closedSchema = z.object(
  {
    message: text(MAX_CLOSED_MESSAGE),
    until: timeOrNull(),
  },
  'must be an object',
);

/** Fields that a read answers. A body may repeat them, because people edit an answer and send it back. */
const answered = {
  name: z.unknown().optional(),
  id: z.unknown().optional(),
  revision: z.unknown().optional(),
  warnings: z.unknown().optional(),
};

/** The fields of a config as they are sent, before names are compared and defaults are filled in. */
export const configInput = z.object(
  {
    ...answered,
    enabled: flag().nullish(),
    timeout: wholeNumber(1, MAX_TIMEOUT_SECONDS).nullish(),
    serverSettings: z
      .object(
        { serverSize: text(MAX_SIZE_NAME).nullish(), gameBuild: buildName.nullish() },
        'must be an object',
      )
      .nullish(),
    matchmaking: z
      .object(
        { modes: recordOf({ value: modeSchema, max: MAX_MODES, key: nameProblem }).nullish() },
        'must be an object',
      )
      .nullish(),
    hostLeaveBehavior: oneOf(['promote', 'delete']).nullish(),
    inviteCodeConfig: inviteCodeConfig.nullish(),
    heartbeat: flag().nullish(),
    heartbeatTimeout: wholeNumber(1, MAX_TIMEOUT_SECONDS).nullish(),
    queuePresenceSeconds: wholeNumber(0, MAX_TIMEOUT_SECONDS).nullish(),
    trusted: trustedKeys.nullish(),
    closed: closedSchema.nullish(),
    customProperties: customProperties.nullish(),
  },
  'must be an object',
);

/**
 * The config that the body describes, with every default filled in; or every issue, with paths from the top
 * of the body. A body may repeat the config's own `name` and `id`, as a read answers them, but not those of
 * another config. Null counts as a missing key.
 */
export function parseConfig(
  name: string,
  body: unknown,
  existing?: Pick<LobbyConfig, 'id' | 'revision'>,
): Result<Omit<LobbyConfig, 'id' | 'revision'>, readonly Issue[]> {
  const message = nameProblem(name);
  if (message !== null) {
    return refuse([{ path: 'name', message }]);
  }
  const schema = configInput.transform((input, context) => {
    if ((input.name ?? name) !== name) {
      context.addIssue({
        code: 'custom',
        path: ['name'],
        message: `must be ${name}, as in the path`,
      });
    }
    if (existing !== undefined && (input.id ?? existing.id) !== existing.id) {
      context.addIssue({ code: 'custom', path: ['id'], message: 'is the id of another config' });
    }
    return completed(name, input);
  });
  return parseWith(schema, body);
}

function completed(
  name: string,
  input: z.infer<typeof configInput>,
): Omit<LobbyConfig, 'id' | 'revision'> {
  return {
    name,
    enabled: input.enabled ?? true,
    timeout: input.timeout ?? DEFAULT_LOBBY_TIMEOUT_SECONDS,
    serverSettings: {
      serverSize: input.serverSettings?.serverSize ?? DEFAULT_SERVER_SIZE,
      gameBuild: input.serverSettings?.gameBuild ?? null,
    },
    matchmaking: { modes: input.matchmaking?.modes ?? {} },
    hostLeaveBehavior: input.hostLeaveBehavior ?? 'promote',
    inviteCodeConfig: input.inviteCodeConfig ?? null,
    heartbeat: input.heartbeat ?? false,
    heartbeatTimeout: input.heartbeatTimeout ?? DEFAULT_HEARTBEAT_TIMEOUT_SECONDS,
    queuePresenceSeconds: input.queuePresenceSeconds ?? DEFAULT_QUEUE_PRESENCE_SECONDS,
    ...(input.closed ? { closed: input.closed } : {}),
    ...((input.trusted ?? []).length === 0 ? {} : { trusted: input.trusted ?? [] }),
    customProperties: input.customProperties ?? {},
  };
}
