// Small shapes that configs are read with, and how a wrong one is told: a path as its author would
// write it (`rules[1].field`) and one sentence. Strict in values, silent about unknown keys.

import * as z from 'zod';
import { isObject } from './json';
import { REGION } from './limits';
import type { Result } from './result';
import { ok, refuse } from './result';

export interface Issue {
  /** From the body's top; empty for the body itself. */
  readonly path: string;
  readonly message: string;
}

/** Reads a body by a schema: what it says, or everything that is wrong with it. */
export function parseWith<T>(schema: z.ZodType<T>, body: unknown): Result<T, readonly Issue[]> {
  const parsed = schema.safeParse(body);
  return parsed.success
    ? ok(parsed.data)
    : refuse(parsed.error.issues.map(({ path, message }) => ({ path: pathText(path), message })));
}

function pathText(path: readonly PropertyKey[]): string {
  let told = '';
  for (const step of path) {
    told += typeof step === 'number' ? `[${step}]` : `${told === '' ? '' : '.'}${String(step)}`;
  }
  return told;
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
  return z
    .string('must be a string')
    .regex(REGION, 'must be 1 to 32 lower-case letters, digits and hyphens');
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

export interface RecordShape<T> {
  readonly value: z.ZodType<T>;
  readonly max: number;
  /** What is wrong with a key, or null. */
  readonly key: (key: string) => string | null;
}

/** For who describes schemas: what the values of a `recordOf` are, by the schema of its input. */
export const RECORD_VALUES = new WeakMap<z.core.$ZodType, z.ZodType>();

/** An object used as a map: unlike the library's own, no key is dropped unsaid. */
export function recordOf<T>({ value, max, key }: RecordShape<T>): z.ZodType<Record<string, T>> {
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
      } else {
        for (const issue of parsed.error.issues) {
          complain(issue.message, [name, ...issue.path]);
        }
      }
    }
    return Object.fromEntries(read);
  });
}
