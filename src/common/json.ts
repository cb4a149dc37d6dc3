// JSON values, as the service stores and sends them.

import { utf8ToBytes } from '@noble/hashes/utils.js';
import { own } from './named';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function jsonBytes(value: Json): number {
  return utf8ToBytes(JSON.stringify(value)).length;
}

/**
 * Shallow merge: keys of the update replace keys of the base, and null removes a key (spec: Player, state rules 1 and 2;
 * decisions 13 and 14). A merge never sees inherited keys, and `__proto__` is a key like any other.
 */
export function mergeJson(base: JsonObject | null, update: JsonObject): JsonObject {
  const merged = Object.entries({ ...base, ...update });
  return Object.fromEntries(merged.filter(([key]) => own(update, key) !== null));
}

/** Whether two JSON values are the same, in whatever order their keys stand. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return sortedJson(one) === sortedJson(other);
}

export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
