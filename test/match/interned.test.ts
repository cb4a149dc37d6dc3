import { expect, it } from 'vitest';
import { Interned } from '../../src/match/roles/interned';

it('an interned value gives its number back with its last use, and the number is used again', () => {
  const values = new Interned<string>();
  const a = values.acquire('a', () => 'A');
  const b = values.acquire('b', () => 'B');
  expect(values.acquire('a', () => 'never made')).toBe(a);
  expect(values.release(a)).toBeNull();
  expect(values.find('a')).toBe(a);
  expect(values.release(a)).toBe('A');
  expect(values.find('a')).toBeUndefined();
  expect(() => values.get(a)).toThrow(/numbered/);
  expect(values.acquire('c', () => 'C')).toBe(a);
  expect(values.get(b)).toBe('B');
  expect(values.limit).toBe(2);
});
