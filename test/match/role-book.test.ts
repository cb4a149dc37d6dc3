import { expect, it } from 'vitest';
import { RoleBook } from '../../src/match/teams/role-book';

it('a mode with thirty roles, saved by an older release, counts no sets of them', () => {
  const roles = Array.from({ length: 30 }, (_, at) => [`role${at}`, 1] as const);
  const book = new RoleBook({ team: Object.fromEntries(roles) });
  expect([book.players, book.places, book.empty.size]).toEqual([30, [], 0]);
});
