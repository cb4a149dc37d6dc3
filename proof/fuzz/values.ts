// Values: valid ones for a schema, and invalid ones.

import type { Random } from '../torture/random.ts';
import type { Schema } from './description.ts';

const NAMES = ['arena', 'ranked', 'den', 'constructor', '__proto__', 'a b', '..', '%', 'é'];
const WORDS = ['', 'x', 'ann', 'us-east', 'duel', 'true', '0', 'null', '🎲', '\u0000', 'a\r\nb: c'];

/** Values that programs often handle wrongly. */
const HOSTILE: readonly ((random: Random) => unknown)[] = [
  () => null,
  () => '',
  () => 'x'.repeat(70_000),
  () => '\ud800',
  () => '\r\nset-cookie: a=b',
  () => '__proto__',
  () => JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {}}}'),
  () => -1,
  () => 0.1,
  () => 2 ** 53,
  () => 1e308,
  () => [],
  () => ({}),
  () => true,
  () => nested(300),
  () => Array.from({ length: 2_000 }, (_, index) => index),
  () => Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index])),
  () => '((((((((((a+)+)+)+)+)+)+)+)+)+)+$',
  () => 'a.state.mmr + b.state.mmr > ctx.nothing && size([1,2]) == 2',
  (random) =>
    Array.from({ length: 40 }, () => String.fromCodePoint(random.whole(1, 0xd7ff))).join(''),
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) {
    value = level % 2 === 0 ? [value] : { a: value };
  }
  return value;
}

export function hostile(random: Random): unknown {
  return pick(random, HOSTILE)(random);
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const found = list[random.whole(0, list.length - 1)];
  if (found === undefined) {
    throw new Error('nothing to pick from');
  }
  return found;
}

/** Mostly a valid value. `depth`: how many levels may still be nested. */
export function valueOf(
  random: Random,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  depth = 4,
): unknown {
  if (random.chance(0.04)) {
    return hostile(random);
  }
  if (schema.$ref !== undefined) {
    const named = schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {};
    return depth === 0 ? null : valueOf(random, named, schemas, depth - 1);
  }
  if (schema.const !== undefined) {
    return schema.const;
  }
  if (schema.enum !== undefined) {
    return pick(random, schema.enum);
  }
  const either = schema.anyOf ?? schema.oneOf;
  if (either !== undefined) {
    return valueOf(random, pick(random, either), schemas, depth);
  }
  const type =
    typeof schema.type === 'string' ? schema.type : pick(random, schema.type ?? ['null']);
  const { minimum = -3, maximum = 120 } = schema;
  switch (type) {
    case 'string':
      return random.chance(0.5) ? pick(random, NAMES) : pick(random, WORDS);
    case 'integer':
      return random.whole(Math.max(-10, minimum - 1), Math.min(maximum + 1, 1_000));
    case 'number':
      return random.between(minimum, Math.min(maximum, 1_000));
    case 'boolean':
      return random.chance(0.5);
    case 'array': {
      const count = depth === 0 ? 0 : random.whole(0, 3);
      return Array.from({ length: count }, () =>
        valueOf(random, schema.items ?? {}, schemas, depth - 1),
      );
    }
    case 'object':
      return objectOf(random, schema, schemas, depth);
    default:
      return null;
  }
}

function objectOf(
  random: Random,
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  depth: number,
): unknown {
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const isWanted = schema.required?.includes(name) === true ? 0.97 : 0.4;
    if (depth > 0 && random.chance(isWanted)) {
      entries.push([name, valueOf(random, inner, schemas, depth - 1)]);
    }
  }
  const { additionalProperties: rest } = schema;
  const isFree = schema.properties === undefined || typeof rest === 'object';
  for (let left = isFree && depth > 0 ? random.whole(0, 3) : 0; left > 0; left -= 1) {
    const inner = typeof rest === 'object' ? rest : { type: ['string', 'integer', 'boolean'] };
    entries.push([
      pick(random, [...NAMES, 'mmr', 'role']),
      valueOf(random, inner, schemas, depth - 1),
    ]);
  }
  return Object.fromEntries(entries);
}

/** The same text, mutated in some place. */
export function spoilt(random: Random, text: string): string {
  const at = random.whole(0, Math.max(0, text.length - 1));
  const length = random.whole(1, 8);
  return pick<() => string>(random, [
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(at + length),
    () => text.slice(0, at) + text.slice(at, at + length).repeat(3) + text.slice(at + length),
    () =>
      text.slice(0, at) +
      pick(random, ['"', '{', ']', ',', '\\', '\u0000', '1e999', '\ufeff', '//']) +
      text.slice(at),
    () => text.replace('{', '{"a":1,"a":2,'),
    () => text.replaceAll('"', "'"),
    () => `\ufeff${text}`,
    () => '['.repeat(20_000),
  ])();
}
