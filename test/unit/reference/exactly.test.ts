// `exactly` works when the types are checked: `npm run typecheck` fails where one of these is no error.

import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { exactly, type Differences } from '../../../dashboard/description/exactly';

type Shape =
  | { readonly type: 'circle'; readonly radius: number }
  | { readonly type: 'dot' }
  | { readonly type: 'nothing' };

const circle = z.object({ type: z.literal('circle'), radius: z.number() });
const dot = z.object({ type: z.literal('dot') });
const nothing = z.object({ type: z.literal('nothing') });

describe('exactly', () => {
  it('takes the schema of the very type', () => {
    const schema = exactly<Shape>()(z.discriminatedUnion('type', [circle, dot, nothing]));
    expect(schema.parse({ type: 'circle', radius: 2 })).toEqual({ type: 'circle', radius: 2 });
  });

  it('refuses a schema that says more or less, of one member of a union or inside', () => {
    const more = z.object({ type: z.literal('dot'), size: z.number() });
    const less = z.object({ type: z.literal('circle') });
    const given = [
      // @ts-expect-error -- a field that the type does not have
      exactly<Shape>()(z.discriminatedUnion('type', [circle, more, nothing])),
      // @ts-expect-error -- a field of the type is missing
      exactly<Shape>()(z.discriminatedUnion('type', [less, dot, nothing])),
      // @ts-expect-error -- a member is missing, whose fields another one has too
      exactly<Shape>()(z.discriminatedUnion('type', [circle, dot])),
      // @ts-expect-error -- a field that the type does not have, without a union
      exactly<{ readonly a: string }>()(z.object({ a: z.string(), b: z.string() })),
      // @ts-expect-error -- an optional field inside is missing
      exactly<{ readonly a: readonly { b?: string }[] }>()(z.object({ a: z.array(z.object({})) })),
      // @ts-expect-error -- a field inside that the type does not have
      exactly<{ a: { b: string } }>()(z.object({ a: z.object({ b: z.string(), c: z.string() }) })),
      // @ts-expect-error -- what can be null inside never is
      exactly<{ a: { b: string | null } }>()(z.object({ a: z.object({ b: z.string() }) })),
    ];
    expect(given).toHaveLength(7);
  });

  it('names what differs, also inside of fields, lists and members of a union', () => {
    type Lobby = { a: string; b?: number; c: { d: string | null }[] };
    // Each of these is a mistake of types if it is not among the texts of the compiler.
    const named: [
      Differences<Lobby, { a: string; c: { d: string | null }[] }>,
      Differences<Lobby, { a: string; b?: number; c: { d: string | null; e: 1 }[] }>,
      Differences<Lobby, { a: string; b?: number; c: { d: string }[] }>,
      Differences<Lobby, { a: string; b: number; c: { d: string | null }[] }>,
      Differences<Shape, { type: 'circle' } | { type: 'dot' } | { type: 'nothing' }>,
      Differences<Lobby, Lobby>[],
    ] = [
      'the schema lacks b',
      'the type lacks c.e',
      'one of both says that c.d can be null',
      'one of both says b?',
      'the schema lacks radius',
      [],
    ];
    // @ts-expect-error -- and no other field is named
    const other: Differences<Lobby, { a: string; c: { d: string | null }[] }> =
      'the schema lacks a';
    expect([...named, other]).toHaveLength(7);
  });
});
