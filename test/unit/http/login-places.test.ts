import { expect, it } from 'vitest';
import { LIMIT_MS } from '../../../src/http/identity/outside';
import { LoginPlaces } from '../../../src/http/login/login';

/** How many places that provider gets until it is refused. */
function taken(places: LoginPlaces, project: string, provider: string, now = 0): number {
  let count = 0;
  while (places.take(project, provider, now) !== null) {
    count += 1;
  }
  return count;
}

it('one provider leaves places to the others, and one project to the others', () => {
  const places = new LoginPlaces();
  expect(taken(places, 'one', 'steam')).toBe(64);
  expect(taken(places, 'one', 'epic')).toBeGreaterThan(16);
  for (const provider of ['unity', 'firebase', 'supabase', 'nakama', 'playfab', 'discord']) {
    taken(places, 'one', provider);
  }
  expect(taken(places, 'two', 'steam')).toBeGreaterThan(16);
  expect(taken(places, 'three', 'steam')).toBeGreaterThan(8);
});

it('a place is free again when it is given back, or after the longest time that a login waits', () => {
  const places = new LoginPlaces();
  const back = places.take('one', 'steam', 0);
  expect(taken(places, 'one', 'steam')).toBe(63);
  back?.();
  back?.();
  expect(taken(places, 'one', 'steam')).toBe(1);
  expect(taken(places, 'one', 'steam', 2 * LIMIT_MS - 1)).toBe(0);
  expect(taken(places, 'one', 'steam', 2 * LIMIT_MS)).toBe(64);
});
