import { expect, it } from 'vitest';

import { DEFAULT_REGION } from '../../src/common/limits';
import { hintFor, REGIONS } from '../../src/objects/placement/regions';

it.each([
  [DEFAULT_REGION, 'enam'],
  ['us-west', 'wnam'],
  ['EU-West-2', 'weur'],
  ['eu-west1', 'weur'],
  ['us-east-1a', 'enam'],
  ['asia-southeast1', 'apac-se'],
  ['au-east', 'oc'],
  ['moon', null],
  ['', null],
])('a region %s begins at %s', (region, hint) => {
  expect(hintFor(region)).toBe(hint);
});

it('every name we know has a place', () => {
  expect(REGIONS.length).toBeGreaterThan(30);
  expect(REGIONS.filter((region) => hintFor(region) === null)).toEqual([]);
});
