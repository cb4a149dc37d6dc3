// The changes between two saved configs: each value that differs, by its path. Pure.

import { isObject, type Json } from '../src/common/json';

export interface Difference {
  readonly path: string;
  /** Undefined: it did not exist. */
  readonly before: Json | undefined;
  /** Undefined: it was removed. */
  readonly after: Json | undefined;
}

/** Fields that every save changes. */
const OWN: ReadonlySet<string> = new Set(['id', 'revision', 'version']);

function entries(value: Json | undefined): ReadonlyMap<string, Json> | null {
  return isObject(value) ? new Map(Object.entries(value as Record<string, Json>)) : null;
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function compare(path: string, before: Json | undefined, after: Json | undefined): Difference[] {
  const [old, now] = [entries(before), entries(after)];
  if (old !== null && now !== null) {
    const names = [...new Set([...old.keys(), ...now.keys()])];
    return names.flatMap((name) => compare(below(path, name), old.get(name), now.get(name)));
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    const [was, is] = [before as readonly Json[], after as readonly Json[]];
    const indexes = Array.from({ length: Math.max(was.length, is.length) }, (_, index) => index);
    return indexes.flatMap((index) => compare(`${path}[${index}]`, was[index], is[index]));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

/** In the order of the fields; a part that came or went as a whole is one difference. */
export function configDiff(
  before: Readonly<Record<string, unknown>> | null,
  after: Readonly<Record<string, unknown>> | null,
): readonly Difference[] {
  const all = compare('', (before ?? {}) as Json, (after ?? {}) as Json);
  return all.filter(({ path }) => !OWN.has(path));
}
