import { assert, constantFrom, json as anyJson, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonProblem, objectProblem } from '../../../dashboard/json-problem.ts';

describe('what is wrong with JSON', () => {
  it.each([
    ['{"a": 1,}', 'Line 1, column 9: expected another entry after the comma, not }'],
    ['{"a": 1 "b": 2}', 'Line 1, column 9: expected a comma or }'],
    ['{\n  a: 1\n}', 'Line 2, column 3: expected a name in double quotes'],
    ['{\n  "a" 1\n}', 'Line 2, column 7: expected a colon after the name'],
    ['[1, 2', 'Line 1, column 6: expected a comma or ]'],
    [
      '{"a": "b}',
      'Line 1, column 7: this text has no closing quote, or holds what must be escaped',
    ],
    ['{} x', 'Line 1, column 4: expected nothing more after the value'],
    ['', /^Line 1, column 1: expected a value/],
    ['{"a": 01}', /^Line 1, column 7: expected a value/],
    ["{'a': 1}", 'Line 1, column 2: expected a name in double quotes'],
  ])('%j', (text, told) => {
    expect(jsonProblem(text)).toMatch(told);
  });

  it('is nothing where it is JSON, and something wherever the platform finds it wrong', () => {
    assert(
      property(
        anyJson(),
        nat(),
        constantFrom('', ',', '"', '}', '{', ']', '1', '\\'),
        (json, at, put) => {
          expect(jsonProblem(json)).toBeNull();
          const place = at % (json.length + 1);
          const spoilt = json.slice(0, place) + put + json.slice(place + 1);
          const isJson = ((): boolean => {
            try {
              JSON.parse(spoilt);
              return true;
            } catch {
              return false;
            }
          })();
          expect(jsonProblem(spoilt) === null, spoilt).toBe(isJson);
        },
      ),
      { numRuns: 2_000, seed: 15 },
    );
  });

  it('says that an object is wanted', () => {
    expect(objectProblem('[1]')).toBe('This must be an object, in { and }');
    expect(objectProblem('{}')).toBeNull();
  });
});
