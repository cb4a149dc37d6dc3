// Who is asked about: parties that are alike counted together, players in classes of those who accept
// the same.

import type { RoleBook, Wish } from './wishes';

/** Parties that are alike, or single players. */
export interface Unit {
  readonly wishes: readonly Wish[];
  /** How many must play, and how many others may. */
  readonly must: number;
  readonly may: number;
}

export interface Party {
  readonly unit: number;
  /** Class of each member. */
  readonly members: readonly number[];
  /** How hard the roles are to fill that its members can take: the hardest counts. */
  readonly scarcity: number;
  must: number;
  may: number;
}

export interface Crowd {
  readonly classes: readonly Wish[];
  /** Of two and more, largest first. */
  readonly parties: readonly Party[];
  readonly singles: readonly Party[];
}

export function crowdOf(book: RoleBook, units: readonly Unit[]): Crowd {
  const numbers = new Map<string, number>();
  const classes: Wish[] = [];
  for (const wish of units.flatMap(({ wishes }) => wishes)) {
    if (!numbers.has(wish.key)) {
      numbers.set(wish.key, classes.length);
      classes.push(wish);
    }
  }
  const scarcity = scarcities(book, units);
  const all = units.map(({ wishes, must, may }, unit) => ({
    unit,
    members: wishes.map(({ key }) => numbers.get(key) ?? 0),
    scarcity: Math.max(
      ...wishes.map(({ accepts }) => Math.min(...scarcity.filter((_, role) => accepts[role]))),
    ),
    must,
    may,
  }));
  return {
    classes,
    parties: all
      .filter(({ members }) => members.length > 1)
      .sort((a, b) => b.members.length - a.members.length),
    singles: all.filter(({ members }) => members.length === 1),
  };
}

/** Of each role: places by those who accept it. */
function scarcities(book: RoleBook, units: readonly Unit[]): readonly number[] {
  return book.roles.map((_, role) => {
    const players = units.reduce(
      (sum, { wishes, must, may }) =>
        sum + (must + may) * wishes.filter(({ accepts }) => accepts[role]).length,
      0,
    );
    return (book.places.demand[role] ?? 0) / Math.max(1, players);
  });
}
