// Helpers of the schemas of answers.

import * as z from 'zod';
import { isObject, type JsonObject } from '../src/json';

type SameKeys<A, B> = [keyof A, keyof B] extends [keyof B, keyof A] ? unknown : never;

/** Refuses a schema that says more or less than the type it describes. */
export function exactly<T>() {
  return <S extends z.ZodType<T>>(schema: S & SameKeys<T, z.output<S>>): z.ZodType<T> => schema;
}

export const instant = (): z.ZodType<string> => z.iso.datetime({ precision: 3 });
export const count = (): z.ZodType<number> => z.int().min(0);
export const freeForm = (): z.ZodType<JsonObject> => z.custom<JsonObject>(isObject);
