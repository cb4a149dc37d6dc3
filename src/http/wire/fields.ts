// Fields that the bodies and queries of several rooms have. Each body is beside its handler. Unknown fields are dropped
// (decision 2). Free-form values are kept as they are, within their limits (decision 5).

import * as z from 'zod';
import { type JsonObject, isObject } from '../../common/json';
import {
  BROWSE_LIMIT_DEFAULT,
  BROWSE_LIMIT_MAX,
  MAX_ATTRIBUTES_BYTES,
  MAX_NAME_LENGTH,
  MAX_PLAYERS,
  MAX_SETTINGS_BYTES,
  MAX_STATE_BYTES,
} from '../../common/limits';
import { isPlayerId } from '../../common/ids';
import { freeForm, nameProblem, text, wholeNumber } from '../../common/shape';
import { ruledBy } from '../../lobby/playground';

export const MAX_TOKEN_NAME_LENGTH = 64;

/** The id of a player in a body or a query (decision 4). */
export const anyPlayer = z.string('must be a string').refine(isPlayerId, 'must be a player id');

export const freeSettings = freeForm(MAX_SETTINGS_BYTES);
export const freeState = freeForm(MAX_STATE_BYTES);

export const lobbyName = text(MAX_NAME_LENGTH);
export const lobbySize = wholeNumber(1, MAX_PLAYERS);

/** Any JSON object. A validator of its own reads it and reports its issues. */
export const AnyObject = z.custom<JsonObject>(isObject, 'must be an object');

/** What a backend says of a player. In a PATCH, null removes a key. */
export const freeAttributes = freeForm(MAX_ATTRIBUTES_BYTES);

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

export const pageParams = {
  limit: queryNumber(1, BROWSE_LIMIT_MAX, BROWSE_LIMIT_DEFAULT),
  offset: queryNumber(0, Number.MAX_SAFE_INTEGER, 0),
};

export const writtenFlag = z
  .enum(['true', 'false'], 'must be true or false')
  .default('false')
  .transform((value) => value === 'true');

/** The name of a config, a playground or a mode. */
export const configName = z
  .string()
  .refine((given) => nameProblem(ruledBy(given)) === null, 'must be a config or mode name');
export const anyConfig = configName.nullable().default(null);
export const anyText = z.string().nullable().default(null);
