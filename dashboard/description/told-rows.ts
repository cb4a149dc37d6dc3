// The fields that operators set, in the API description: as the table of fields tells them.

import { isObject } from '../../src/common/json';
import { BUILD_FIELDS } from '../field-table/build';
import { CONFIG_FIELDS } from '../field-table/config';
import { MODE_FIELDS } from '../field-table/mode';
import { again, rowsOf, told, type Rows } from '../field-table/row';
import type { JsonSchema } from './document';

/** `*` in a path is each entry of a list or a map. */
function below(outer: string, rows: Rows): Rows {
  return Object.fromEntries(
    Object.entries(rows).map(([path, row]) => [`${outer}.${path}`, row] as const),
  );
}

const AGAIN = { matchmakingRules: again('Another name for `rules`') };

export const MODE_ROWS = rowsOf(MODE_FIELDS);
export const CONFIG_ROWS = rowsOf(CONFIG_FIELDS);
export const BUILD_ROWS = rowsOf(BUILD_FIELDS);
/** A config as it is sent. */
export const WHOLE_CONFIG = {
  ...CONFIG_ROWS,
  ...below('matchmaking.modes.*', { ...MODE_ROWS, ...AGAIN }),
};
/** Configs among other things: the fields are told where one is saved. */
export const SEVERAL_CONFIGS = below('lobby_configs.*.matchmaking.modes.*', AGAIN);

/** The schema with the words of each row at its path, and, of what may be sent, its default. */
export function withRows(schema: JsonSchema, rows: Rows, io: 'input' | 'output'): JsonSchema {
  let made = schema;
  for (const [path, row] of Object.entries(rows)) {
    const isSaid = io === 'input' && row.default !== undefined;
    const words = { description: told(row), ...(isSaid ? { default: row.default } : {}) };
    made = changed(made, path.split('.'), (field) => {
      return row.kind === 'again'
        ? { type: field.type ?? 'array', ...words }
        : { ...field, ...words };
    });
  }
  return made;
}

/** The schema with the field at the path changed. A schema without such a field stays as it is. */
function changed(
  schema: JsonSchema,
  path: readonly string[],
  change: (field: JsonSchema) => JsonSchema,
): JsonSchema {
  const [step, ...rest] = path;
  if (step === undefined) {
    return change(schema);
  }
  if (Array.isArray(schema['anyOf'])) {
    const members = schema['anyOf'] as readonly JsonSchema[];
    return { ...schema, anyOf: members.map((each) => changed(each, path, change)) };
  }
  if (step === '*') {
    const within = isObject(schema['items']) ? 'items' : 'additionalProperties';
    return { ...schema, [within]: changed(schema[within] as JsonSchema, rest, change) };
  }
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>;
  const field = properties[step];
  return field === undefined
    ? schema
    : { ...schema, properties: { ...properties, [step]: changed(field, rest, change) } };
}
