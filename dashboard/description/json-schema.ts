// From the schemas that read requests, and those of the answers, to JSON Schema.

import * as z from 'zod';
import { isObject } from '../../src/common/json';
import { RECORD_VALUES } from '../../src/common/shape';
import { answerSchemas } from './answers';
import type { JsonSchema } from './document';

type Made = z.core.JSONSchema.BaseSchema;

/** Keywords of a schema that stands alone: inside a document they say nothing. */
const STANDALONE = new Set(['$schema', '$id', '~standard']);

function inside(made: Made): JsonSchema {
  return Object.fromEntries(Object.entries(made).filter(([keyword]) => !STANDALONE.has(keyword)));
}

/** One schema: what may be sent (`input`), or what is answered (`output`). */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const made = inside(z.toJSONSchema(schema, settings(io)));
  return io === 'input' ? withoutNulls(made) : made;
}

function settings(io: 'input' | 'output'): z.core.ToJSONSchemaParams {
  return {
    io,
    // Our only custom schemas are free-form objects.
    unrepresentable: ({ zodSchema }) =>
      zodSchema instanceof z.ZodCustom ? { type: 'object' } : 'any',
    override: ({ zodSchema, jsonSchema: made }) => {
      const values = RECORD_VALUES.get(zodSchema);
      if (values !== undefined) {
        made.type = 'object';
        made.additionalProperties = jsonSchema(values, io) as Made;
      } else if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) {
        // Fields may come to be added to what is answered, and unknown ones sent are ignored, unless
        // the object is closed.
        delete made.additionalProperties;
      }
      if (made.type === 'integer' || made.format !== undefined) {
        // A whole number of a query is read from text; a format says more than its pattern.
        delete made.pattern;
      }
      if (made.maximum === Number.MAX_SAFE_INTEGER) {
        delete made.maximum;
        if (made.minimum === Number.MIN_SAFE_INTEGER) {
          delete made.minimum;
        }
      }
    },
  };
}

/** Every answer by its name; they refer to each other by what `uri` says. */
export function answersAsJsonSchemas(
  uri: (name: string) => string,
): Readonly<Record<string, JsonSchema>> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(answerSchemas())) {
    registry.add(schema, { id });
  }
  const { schemas } = z.toJSONSchema(registry, { ...settings('output'), uri });
  return Object.fromEntries(Object.entries(schemas).map(([id, made]) => [id, inside(made)]));
}

/**
 * Where a null may be sent it reads as absent: that is said once for all, and each field is told
 * without it, and without the defaults that only stand for absence.
 */
function withoutNulls(schema: JsonSchema): JsonSchema {
  const { anyOf, default: fallback, ...rest } = schema;
  const some = listed(anyOf).filter((one) => one.type !== 'null');
  const [only] = some;
  const whole = anyOf === undefined ? rest : { ...rest, anyOf: some };
  const single = some.length === 1 ? { ...rest, ...only } : whole;
  const isAbsence = fallback === undefined || fallback === null || fallback === '';
  const kept: JsonSchema = isAbsence ? single : { ...single, default: fallback };
  return Object.fromEntries(
    Object.entries(kept).map(([keyword, value]) => [keyword, withoutNullsIn(keyword, value)]),
  );
}

function oneOrAll(types: readonly unknown[]): unknown {
  return types.length === 1 ? types[0] : types;
}

function listed(value: unknown): readonly JsonSchema[] {
  return Array.isArray(value) ? (value as readonly JsonSchema[]) : [];
}

function withoutNullsIn(keyword: string, value: unknown): unknown {
  switch (keyword) {
    case 'type':
      return Array.isArray(value) ? oneOrAll(value.filter((type) => type !== 'null')) : value;
    case 'properties':
      return Object.fromEntries(
        Object.entries(value as Readonly<Record<string, JsonSchema>>).map(([name, schema]) => [
          name,
          withoutNulls(schema),
        ]),
      );
    case 'items':
    case 'additionalProperties':
      return isObject(value) ? withoutNulls(value) : value;
    case 'anyOf':
    case 'oneOf':
      return listed(value).map(withoutNulls);
    default:
      return value;
  }
}
