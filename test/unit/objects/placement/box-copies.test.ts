// What one actor of a box hands to another is the other's own.

import { assert, jsonValue, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { copied } from '../../../../src/objects/placement/box/ground';

describe('a copy between actors', () => {
  it('equals what a serialised copy would, keys like __proto__ included, and shares nothing', () => {
    const shares = (a: unknown, b: unknown): boolean =>
      typeof a === 'object' &&
      a !== null &&
      (a === b ||
        Reflect.ownKeys(a).some((key) =>
          shares(Reflect.get(a, key), Reflect.get(b as object, key)),
        ));
    assert(
      property(jsonValue(), (value) => {
        const copy = copied(value);
        expect(copy).toStrictEqual(structuredClone(value));
        expect(shares(value, copy)).toBe(false);
      }),
      { seed: 1 },
    );
    const odd: unknown = JSON.parse('{"__proto__": {"a": [1]}, "constructor": null}');
    expect(copied(odd)).toStrictEqual(structuredClone(odd));
    expect(copied([undefined, { a: undefined }])).toStrictEqual([undefined, { a: undefined }]);
  });

  it('is refused for what could not cross', () => {
    expect(() => copied({ call: () => 1 })).toThrow();
    expect(() => copied([(): number => 1])).toThrow();
  });

  it('of what is no plain data is made by the platform', () => {
    const copy = copied({ at: new Date(5), all: new Map([['a', [1]]]) });
    expect(copy).toStrictEqual({ at: new Date(5), all: new Map([['a', [1]]]) });
  });
});
