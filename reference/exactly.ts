// Helpers of the schemas of answers.

import * as z from 'zod';
import { isObject, type JsonObject } from '../src/common/json';

/** The keys of each member of a union apart; as a function, a type that only those same keys fit. */
type KeysOfEach<T> = T extends unknown ? (key: keyof T) => keyof T : never;
/** What tells the members of a union apart: a literal is one of its scalars. */
type Scalars<T> = T extends unknown
  ? { [K in keyof T as NonNullable<T[K]> extends string | number | boolean ? K : never]: T[K] }
  : never;
type Same<A, B> = [KeysOfEach<A>, KeysOfEach<B>, Scalars<A>] extends [
  KeysOfEach<B>,
  KeysOfEach<A>,
  Scalars<B>,
]
  ? unknown
  : never;

/** Refuses a schema that says more or less than the type it describes, or than any member of a union. */
export function exactly<T>() {
  return <S extends z.ZodType<T>>(schema: S & Same<T, z.output<S>>): z.ZodType<T> => schema;
}

export const instant = (): z.ZodType<string> => z.iso.datetime({ precision: 3 });
export const count = (): z.ZodType<number> => z.int().min(0);
export const freeForm = (): z.ZodType<JsonObject> => z.custom<JsonObject>(isObject);
