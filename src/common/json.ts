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

/** Size in bytes of the UTF-8 text of a JSON value. */
export function jsonBytes(value: Json): number {
  return utf8ToBytes(JSON.stringify(value)).length;
}

/**
 * Shallow merge: keys of the update replace keys of the base, null removes a key, all other keys stay.
 * A merge never sees inherited keys, and `__proto__` is a key like any other.
 * spec: Player, state rules 1 and 2; decisions 13 and 14.
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
  return JSON.stringify(value, inOrder);
}

function inOrder(_key: string, value: unknown): unknown {
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;
}
