// Small schemas for reading configs. An issue has a path as the config's author would write it (`rules[1].field`) and one
// sentence. Unknown fields are ignored, `unknownFields` lists them, and a closed object refuses them (decision 49).

import * as z from 'zod';
import { isObject, jsonBytes, type JsonObject } from './json';
import { REGION, REGION_FORM } from './limits';
import { type Result, ok, refuse } from './result';
import { similar } from './similar';

export interface Issue {
  /** From the top of the body. Empty for the body itself. */
  readonly path: string;
  readonly message: string;
}

/** A probable mistake, which is saved anyway. */
export interface Warning extends Issue {
  /** The name that was probably meant, or null if none is similar. */
  readonly didYouMean: string | null;
}

/** A longer list would make the answer larger and dearer than its request. */
const MOST_ISSUES = 20;

/** Reads a body with a schema. Returns the value, or the first issues and how many more there are. */
export function parseWith<T>(schema: z.ZodType<T>, body: unknown): Result<T, readonly Issue[]> {
  const parsed = schema.safeParse(body);
  if (parsed.success) {
    return ok(parsed.data);
  }
  const all = parsed.error.issues.flatMap(
    (its): { at: PropertyKey[]; issue: typeof its | null }[] =>
      its.code === 'unrecognized_keys'
        ? its.keys.map((key) => ({ at: [...its.path, key], issue: null }))
        : [{ at: its.path, issue: its }],
  );
  const first = all.slice(0, MOST_ISSUES).map(({ at, issue }) => ({ path: pathText(at), issue }));
  const refused = new Set(first.flatMap(({ path, issue }) => (issue === null ? [path] : [])));
  const meant = new Map(
    eachUnknown(schema, body, [])
      .filter(({ path }) => refused.has(path))
      .take(refused.size)
      .map(({ path, didYouMean }) => [path, didYouMean] as const),
  );
  const issues = first.map(({ path, issue }) => {
    const name = meant.get(path);
    const unknown = `is unknown${name ? `; did you mean ${name}?` : ''}`;
    return { path, message: issue === null ? unknown : messageOf(issue, body) };
  });
  const more = all.length - issues.length;
  return refuse(more === 0 ? issues : [...issues, { path: '', message: `and ${more} more` }]);
}

/** The issue's message. If the field is missing, the message says so, because "must be a string" is not enough. */
function messageOf({ path, message }: z.core.$ZodIssue, body: unknown): string {
  const at = path.reduce<unknown>(
    (value, step) => (isObject(value) || Array.isArray(value) ? Reflect.get(value, step) : null),
    body,
  );
  return at === undefined && message.startsWith('must ') ? `is missing: it ${message}` : message;
}

/** The fields of a valid body that the schema does not know, at any depth but not in free-form parts (decision 49). */
export function unknownFields(schema: z.core.$ZodType, body: unknown): readonly Warning[] {
  return [...eachUnknown(schema, body, [])];
}

function* eachUnknown(
  schema: z.core.$ZodType,
  body: unknown,
  path: readonly PropertyKey[],
): Generator<Warning, void, undefined> {
  const { inner, def } = innermost(schema);
  switch (def.type) {
    case 'union': {
      const meant = def.options.find((option) => z.safeParse(option, body).success);
      return meant === undefined ? undefined : yield* eachUnknown(meant, body, path);
    }
    case 'array':
      for (const [index, each] of Array.isArray(body) ? body.entries() : []) {
        yield* eachUnknown(def.element, each, [...path, index]);
      }
      return undefined;
    case 'object': {
      const known = Object.keys(def.shape);
      for (const [key, value] of entriesOf(body)) {
        const field = known.includes(key) ? def.shape[key] : undefined;
        if (field === undefined) {
          // A field of the same object is meant, or one a level below: `command` for `launch.command`.
          const below = Object.entries(def.shape).find(([, each]) => {
            const { def: within } = innermost(each);
            return within.type === 'object' && Object.hasOwn(within.shape, key);
          });
          const meant = similar(key, known) ?? (below === undefined ? null : `${below[0]}.${key}`);
          yield warning([...path, key], 'is unknown and has no effect', meant);
        } else {
          yield* eachUnknown(field, value, [...path, key]);
        }
      }
      return undefined;
    }
    default: {
      const values = RECORD_VALUES.get(inner);
      for (const [key, value] of entriesOf(body)) {
        yield* values === undefined ? [] : eachUnknown(values, value, [...path, key]);
      }
      return undefined;
    }
  }
}

/** The schema and its parts, without what says that a value may be missing and what is done with the value. */
function innermost(schema: z.core.$ZodType): {
  readonly inner: z.core.$ZodType;
  readonly def: z.core.$ZodTypes['_zod']['def'];
} {
  // oxlint-disable-next-line no-underscore-dangle -- the library's public name for what a schema is made of
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
      return innermost(def.innerType);
    case 'pipe':
      return innermost(def.in);
    default:
      return { inner: schema, def };
  }
}

function entriesOf(body: unknown): readonly [string, unknown][] {
  return isObject(body) ? Object.entries(body) : [];
}

export function warning(
  path: readonly PropertyKey[],
  message: string,
  didYouMean: string | null = null,
): Warning {
  return { path: pathText(path), message, didYouMean };
}

type ObjectShape = z.core.$ZodLooseShape;

/** An object that drops unknown fields. */
export function object<const S extends ObjectShape>(shape: S): ReturnType<typeof z.object<S>> {
  return z.object(shape, 'must be an object');
}

/** It refuses unknown fields: a misspelled security setting would keep its default, and a result is reported once. */
export function closed<const S extends ObjectShape>(
  shape: S,
): ReturnType<typeof z.strictObject<S>> {
  return z.strictObject(shape, 'must be an object');
}

export function pathText(path: readonly PropertyKey[]): string {
  let whole = '';
  for (const step of path) {
    whole += typeof step === 'number' ? `[${step}]` : `${whole === '' ? '' : '.'}${String(step)}`;
  }
  return whole;
}

export function wholeNumber(min: number, max: number): z.ZodType<number> {
  return z
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`);
}

export function text(max: number): z.ZodType<string> {
  return z
    .string('must be a string')
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters long`);
}

/** decision 43. */
export function region(): z.ZodType<string> {
  return z.string('must be a string').regex(REGION, REGION_FORM);
}

export function flag(): z.ZodType<boolean> {
  return z.boolean('must be true or false');
}

export function oneOf<const T extends string>(values: readonly T[]): z.ZodType<T> {
  return z.enum(values, `must be one of ${values.join(', ')}`);
}

export function listOf<T>(each: z.ZodType<T>, max: number): z.ZodType<T[]> {
  return z.array(each, 'must be a list').max(max, `must have at most ${max} entries`);
}

/** Names of configs, modes and builds (decision 1). */
export function nameProblem(name: string): string | null {
  if (!/^[A-Za-z0-9_. -]{1,64}$/.test(name)) {
    return 'a name has 1 to 64 letters, digits, spaces, or any of _ - .';
  }
  return name === '__proto__' ? 'this name is reserved' : null;
}

/** Such a name of at most `max` characters. */
export function named(max: number): z.ZodType<string> {
  return text(max).check(({ value, issues }) => {
    const message = nameProblem(value);
    if (message !== null) {
      issues.push({ code: 'custom', input: value, message });
    }
  });
}

/** The value, or the fallback if the field is left out or null. */
export function or<T, const F>(schema: z.ZodType<T>, fallback: F): z.ZodType<T | F> {
  return schema.nullish().transform((value) => value ?? fallback);
}

/** From here on a number is more likely a measure than an id, and JSON writes it with an exponent. */
const MEASURES_FROM = 1e21;

/** Integers of which a parser may have dropped digits: two ids that differ may have become one. */
function* roundedIn(
  value: unknown,
  path: readonly PropertyKey[],
): Generator<[PropertyKey[], number]> {
  if (typeof value === 'number') {
    const isExact = !Number.isInteger(value) || Number.isSafeInteger(value);
    if (!isExact && Math.abs(value) < MEASURES_FROM) {
      yield [[...path], value];
    }
    return;
  }
  for (const [key, each] of Array.isArray(value) ? value.entries() : entriesOf(value)) {
    yield* roundedIn(each, [...path, key]);
  }
}

/** A free-form object of at most `maxBytes`, without integers beyond 2^53. It was parsed, so all values are JSON. */
export function freeForm(maxBytes: number): z.ZodType<JsonObject> {
  return z
    .custom<JsonObject>(isObject, 'must be an object')
    .refine((value) => jsonBytes(value) <= maxBytes, {
      error: `must be at most ${maxBytes} bytes of JSON`,
      abort: true,
    })
    .check(({ value, issues }) => {
      for (const [path, number] of roundedIn(value, [])) {
        const message = `${number} is beyond 2^53, where numbers lose their last digits: send it as a string`;
        issues.push({ code: 'custom', input: value, path, message });
      }
    });
}

/** Reports each entry that repeats an earlier one, at the field `at` of the entry. */
export function unrepeated<T>(at: string, of: (entry: T) => string) {
  return ({ value, issues }: z.core.ParsePayload<T[]>): void => {
    const names = value.map(of);
    for (const [index, each] of names.entries()) {
      if (names.indexOf(each) !== index) {
        const message = 'is listed twice';
        issues.push({ code: 'custom', input: value, path: [index, at], message });
      }
    }
  };
}

/** The value schema of each `mapOf`, by the schema of its input. For code that describes schemas. */
export const RECORD_VALUES = new WeakMap<z.core.$ZodType, z.ZodType>();

/** An object used as a map. Unlike the library's record, it drops no key silently. `key`: a key's problem, or null. */
export function mapOf<T>(
  value: z.ZodType<T>,
  max: number,
  key: (key: string) => string | null,
): z.ZodType<Record<string, T>> {
  const anything = z.unknown();
  RECORD_VALUES.set(anything, value);
  return anything.transform((input, context) => {
    const complain = (message: string, path: PropertyKey[] = []): void => {
      context.addIssue({ code: 'custom', message, path });
    };
    if (!isObject(input)) {
      complain('must be an object');
      return z.NEVER;
    }
    const entries = Object.entries(input);
    if (entries.length > max) {
      complain(`must have at most ${max} entries`);
    }
    const read: [string, T][] = [];
    for (const [name, raw] of entries) {
      const problem = key(name);
      if (problem !== null) {
        complain(problem, [name]);
        continue;
      }
      const parsed = value.safeParse(raw);
      if (parsed.success) {
        read.push([name, parsed.data]);
      }
      parsed.error?.issues.forEach(({ message, path }) => complain(message, [name, ...path]));
    }
    return Object.fromEntries(read);
  });
}
