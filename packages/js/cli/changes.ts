// What differs between a config in a file and the same config on the service, field by field.

import { isObject } from '../../../src/common/json';
import { parseConfig } from '../../../src/lobby/config';

export interface Change {
  readonly path: readonly (string | number)[];
  /** In the file, with the defaults of what it leaves out; undefined where there is nothing. */
  readonly here: unknown;
  /** On the service. */
  readonly there: unknown;
}

/**
 * What differs. Both sides are compared with every default filled in: a file that leaves out a
 * field says the same as one that gives its default. `there` is null where the service has no such
 * config. Fields that only a newer service knows are not compared.
 */
export function changesOf(name: string, here: unknown, there: unknown): readonly Change[] {
  return between([], whole(name, here), there === null ? {} : whole(name, there));
}

/** Without id and revision; as it is when this release cannot read it. */
function whole(name: string, content: unknown): unknown {
  const { id: _id, revision: _revision, ...rest } = isObject(content) ? content : {};
  const parsed = parseConfig(name, rest);
  const { name: _name, ...config } = parsed.ok ? parsed.value : { ...rest, name };
  return config;
}

function between(
  path: readonly (string | number)[],
  here: unknown,
  there: unknown,
): readonly Change[] {
  if (isObject(here) && isObject(there)) {
    const keys = [...new Set([...Object.keys(here), ...Object.keys(there)])];
    return keys.flatMap((key) => between([...path, key], own(here, key), own(there, key)));
  }
  if (Array.isArray(here) && Array.isArray(there) && here.length === there.length) {
    return here.flatMap((each, index) => between([...path, index], each, there[index]));
  }
  return JSON.stringify(here) === JSON.stringify(there) ? [] : [{ path, here, there }];
}

function own(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}
