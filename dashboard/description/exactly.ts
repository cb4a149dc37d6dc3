// Helpers of the schemas of answers.

import * as z from 'zod';
import { isObject, type JsonObject } from '../../src/common/json';

/**
 * What is inside of a type, at every depth: the keys of each object, of each member of a union apart, and what can be
 * null. The keys are a function, because only a type with those same keys fits it.
 */
type Inside<T> = T extends undefined
  ? never
  : T extends readonly (infer Each)[]
    ? { readonly each: Inside<Each> }
    : T extends object
      ? InsideObject<T>
      : T extends null
        ? 'null'
        : 'value';
type InsideObject<T> = JsonObject extends T
  ? 'free-form'
  : string extends keyof T
    ? { readonly each: Inside<T[keyof T]> }
    : {
        readonly keys: (key: keyof T) => keyof T;
        readonly of: { readonly [K in keyof T]-?: Inside<T[K]> };
      };
/** What tells the members of a union apart: a literal is one of its scalars. */
type Scalars<T> = T extends unknown
  ? { [K in keyof T as NonNullable<T[K]> extends string | number | boolean ? K : never]: T[K] }
  : never;
type Same<A, B> = [Inside<A>, Inside<B>, Scalars<A>] extends [Inside<B>, Inside<A>, Scalars<B>]
  ? unknown
  : never;

/** Refuses a schema that says more or less than the type it describes, or than any member of a union. */
export function exactly<T>() {
  return <S extends z.ZodType<T>>(schema: S & Same<T, z.output<S>>): z.ZodType<T> => schema;
}

export const instant = (): z.ZodType<string> => z.iso.datetime({ precision: 3 });
export const count = (): z.ZodType<number> => z.int().min(0);
export const freeForm = (): z.ZodType<JsonObject> => z.custom<JsonObject>(isObject);
