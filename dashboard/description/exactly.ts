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
type IsSame<A, B> = [Inside<A>, Inside<B>, Scalars<A>] extends [Inside<B>, Inside<A>, Scalars<B>]
  ? true
  : false;

/** The keys of all members of a union, and what stands there in those that have it. */
type Keys<T> = T extends unknown ? Extract<keyof T, string> : never;
type At<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
/** The members of a union that are objects: lists by what they hold, and the rest as they are. */
type Objects<T> = T extends readonly (infer Each)[] ? Objects<Each> : T extends object ? T : never;
type Has<T, Part> = [Extract<T, Part>] extends [never] ? false : true;

/**
 * Where a schema differs from the type it describes, as texts: the answer to "why is it refused?". Not asked about what
 * `IsSame` takes. `Said` is what the schema says, and `In` begins the names with the fields around.
 */
export type Differences<T, Said, In extends string = ''> =
  | `the schema lacks ${In}${Exclude<Keys<Objects<T>>, Keys<Objects<Said>>>}`
  | `the type lacks ${In}${Exclude<Keys<Objects<Said>>, Keys<Objects<T>>>}`
  | {
      [K in Keys<Objects<T>> & Keys<Objects<Said>>]: AtField<
        At<Objects<T>, K>,
        At<Objects<Said>, K>,
        `${In}${K}`
      >;
    }[Keys<Objects<T>> & Keys<Objects<Said>>];
type AtField<T, Said, Name extends string> =
  | (Has<T, null> extends Has<Said, null> ? never : `one of both says that ${Name} can be null`)
  | (Has<T, undefined> extends Has<Said, undefined> ? never : `one of both says ${Name}?`)
  | (IsSame<T, Said> extends true ? never : Differences<T, Said, `${Name}.`>);
/** Nothing fits it, and the message of the compiler shows it. */
type Refused<Why> = {
  readonly refused: [Why] extends [never] ? 'a member of a union, or its literals, differ' : Why;
};

/** Refuses a schema that says more or less than the type it describes, or than any member of a union, and says which field. */
export function exactly<T>() {
  return <S extends z.ZodType<T>>(
    schema: S &
      (IsSame<T, z.output<S>> extends true ? unknown : Refused<Differences<T, z.output<S>>>),
  ): z.ZodType<T> => schema;
}

export const instant = (): z.ZodType<string> => z.iso.datetime({ precision: 3 });
export const count = (): z.ZodType<number> => z.int().min(0);
export const freeForm = (): z.ZodType<JsonObject> => z.custom<JsonObject>(isObject);
