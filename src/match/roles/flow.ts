// Who can take which role, kept while parties are seated one after another. Free players may go to
// any team, so they count against the places of a role as a whole; members of a seated party count
// against the places of their team too. Holds always after a `yes`: all who must play have a place,
// and every place is taken. A change moves as few players as it can, along augmenting paths.

import type { Answer } from '../sets/steps';
import type { Places, RoleBook, Wish } from './wishes';

export class RoleFlow {
  /** Edges looked at so far, in the unit of a step. */
  cost = 0;
  readonly #classes: number;
  readonly #roles: number;
  readonly #accepted: readonly (readonly number[])[];
  readonly #accepting: readonly (readonly number[])[];
  readonly #places: Places;
  /** All that changes lies in one array, so that one copy is a point to come back to. */
  readonly #all: Int16Array;
  /** By class and role: free players; by class and place: seated ones. */
  readonly #free: Int16Array;
  readonly #bound: Int16Array;
  /** By role and by place: how many are taken. */
  readonly #taken: Int16Array;
  readonly #takenPlace: Int16Array;
  /** Of the free players of each class: how many have a role, must have one, and are there. */
  readonly #placed: Int16Array;
  readonly #must: Int16Array;
  readonly #total: Int16Array;
  /** What the path being looked for has visited. */
  readonly #seenRole: Int32Array;
  readonly #seenPlace: Int32Array;
  readonly #seenGroup: Int32Array;
  #path = 0;

  /** Players are grouped in classes of those who accept the same. */
  constructor(book: RoleBook, classes: readonly Wish[]) {
    this.#classes = classes.length;
    this.#roles = book.roles.length;
    this.#accepted = classes.map(({ accepts }) =>
      [...book.roles.keys()].filter((role) => accepts[role]),
    );
    this.#accepting = book.roles.map((_, role) =>
      [...classes.keys()].filter((each) => classes[each]?.accepts[role]),
    );
    this.#places = book.places;
    const [roles, places, count] = [book.roles.length, book.places.room.length, classes.length];
    let at = 0;
    const parts = [count * roles, count * places, roles, places, count, count, count];
    this.#all = new Int16Array(parts.reduce((sum, length) => sum + length, 0));
    const part = (): Int16Array => this.#all.subarray(at, (at += parts.shift() ?? 0));
    this.#free = part();
    this.#bound = part();
    this.#taken = part();
    this.#takenPlace = part();
    this.#placed = part();
    this.#must = part();
    this.#total = part();
    this.#seenRole = new Int32Array(roles);
    this.#seenPlace = new Int32Array(places);
    this.#seenGroup = new Int32Array(classes.length * (book.demand.length + 1));
  }

  /** More free players, so many of whom must play. */
  add(group: number, must: number, may: number): void {
    this.#must[group] = (this.#must[group] ?? 0) + must;
    this.#total[group] = (this.#total[group] ?? 0) + must + may;
  }

  /** So many who could be left out must play. */
  promote(group: number, count: number): void {
    this.#must[group] = (this.#must[group] ?? 0) + count;
  }

  /** Fewer free players, so many of whom had to play. */
  remove(group: number, must: number, may: number): void {
    this.#must[group] = (this.#must[group] ?? 0) - must;
    this.#total[group] = (this.#total[group] ?? 0) - must - may;
    for (const role of this.#accepted[group] ?? []) {
      const pair = group * this.#roles + role;
      const excess = (this.#placed[group] ?? 0) - (this.#total[group] ?? 0);
      const gone = Math.min(this.#free[pair] ?? 0, excess);
      if (gone > 0) {
        this.#free[pair] = (this.#free[pair] ?? 0) - gone;
        this.#placed[group] = (this.#placed[group] ?? 0) - gone;
        this.#taken[role] = (this.#taken[role] ?? 0) - gone;
      }
    }
  }

  /** Gives a player a place on the team for good; false when there is none. */
  bind(group: number, team: number): boolean {
    this.#path += 1;
    return this.#move(team, group);
  }

  /** Takes one player of the class from the team; false when none is seated there. */
  unbind(group: number, team: number): boolean {
    for (const place of this.#places.ofTeam[team] ?? []) {
      const pair = group * this.#places.room.length + place;
      if ((this.#bound[pair] ?? 0) > 0) {
        const role = this.#places.role[place] ?? 0;
        this.#bound[pair] = (this.#bound[pair] ?? 0) - 1;
        this.#takenPlace[place] = (this.#takenPlace[place] ?? 0) - 1;
        this.#taken[role] = (this.#taken[role] ?? 0) - 1;
        return true;
      }
    }
    return false;
  }

  /** Places all who must play and fills every place; `open` after so many steps: it can go on. */
  settle(most = Infinity): Answer {
    const end = this.cost + most;
    for (let group = 0; group < this.#classes; group += 1) {
      while ((this.#placed[group] ?? 0) < (this.#must[group] ?? 0)) {
        this.#path += 1;
        const isSpent = this.cost > end;
        if (isSpent || !this.#place(group)) {
          return isSpent ? 'open' : 'no';
        }
        this.#placed[group] = (this.#placed[group] ?? 0) + 1;
      }
    }
    for (let role = 0; role < this.#roles; role += 1) {
      while ((this.#taken[role] ?? 0) < (this.#places.demand[role] ?? 0)) {
        this.#path += 1;
        const isSpent = this.cost > end;
        if (isSpent || !this.#cover(role)) {
          return isSpent ? 'open' : 'no';
        }
        this.#taken[role] = (this.#taken[role] ?? 0) + 1;
      }
    }
    return 'yes';
  }

  /** Free players of the class who have a role. */
  placed(group: number): number {
    return this.#placed[group] ?? 0;
  }

  save(): Int16Array {
    this.cost += 1 + (this.#all.length >> 7);
    return this.#all.slice();
  }

  restore(saved: Int16Array): void {
    this.#all.set(saved);
  }

  /** A role for one free player of the class. */
  #place(group: number): boolean {
    this.#seenGroup[group] = this.#path;
    for (const role of this.#accepted[group] ?? []) {
      if (this.#seenRole[role] !== this.#path && this.#makeRoom(role)) {
        const pair = group * this.#roles + role;
        this.#free[pair] = (this.#free[pair] ?? 0) + 1;
        return true;
      }
    }
    return false;
  }

  /** Room for one more in the role, over all teams. */
  #makeRoom(role: number): boolean {
    this.#seenRole[role] = this.#path;
    this.cost += 1 + (this.#classes >> 3);
    if ((this.#taken[role] ?? 0) < (this.#places.demand[role] ?? 0)) {
      this.#taken[role] = (this.#taken[role] ?? 0) + 1;
      return true;
    }
    if (this.#dropOptional(role)) {
      return true;
    }
    for (const group of this.#accepting[role] ?? []) {
      const pair = group * this.#roles + role;
      if (
        (this.#free[pair] ?? 0) > 0 &&
        this.#seenGroup[group] !== this.#path &&
        this.#place(group)
      ) {
        this.#free[pair] = (this.#free[pair] ?? 0) - 1;
        return true;
      }
    }
    for (const place of this.#places.ofRole[role] ?? []) {
      if (this.#moveAway(place)) {
        this.#takenPlace[place] = (this.#takenPlace[place] ?? 0) - 1;
        return true;
      }
    }
    return false;
  }

  /** Leaves out a free player in the role who need not play. */
  #dropOptional(role: number): boolean {
    for (const group of this.#accepting[role] ?? []) {
      const pair = group * this.#roles + role;
      if (
        (this.#free[pair] ?? 0) > 0 &&
        (this.#placed[group] ?? 0) > Math.max(0, this.#must[group] ?? 0)
      ) {
        this.#free[pair] = (this.#free[pair] ?? 0) - 1;
        this.#placed[group] = (this.#placed[group] ?? 0) - 1;
        return true;
      }
    }
    return false;
  }

  /** One of those seated on the place finds another on the same team. */
  #moveAway(place: number): boolean {
    if (this.#takenPlace[place] === 0) {
      return false;
    }
    const team = this.#places.team[place] ?? 0;
    const places = this.#places.room.length;
    this.cost += 1 + (this.#classes >> 4);
    for (const group of this.#accepting[this.#places.role[place] ?? 0] ?? []) {
      const pair = group * places + place;
      if (
        (this.#bound[pair] ?? 0) > 0 &&
        this.#seenGroup[(team + 1) * this.#classes + group] !== this.#path &&
        this.#move(team, group)
      ) {
        this.#bound[pair] = (this.#bound[pair] ?? 0) - 1;
        return true;
      }
    }
    return false;
  }

  /** A place on the team for one player of the class. */
  #move(team: number, group: number): boolean {
    this.#seenGroup[(team + 1) * this.#classes + group] = this.#path;
    for (const role of this.#accepted[group] ?? []) {
      for (const place of this.#places.ofTeam[team] ?? []) {
        if (this.#places.role[place] === role && this.#makeRoomAt(place, role)) {
          const pair = group * this.#places.room.length + place;
          this.#bound[pair] = (this.#bound[pair] ?? 0) + 1;
          return true;
        }
      }
    }
    return false;
  }

  #makeRoomAt(place: number, role: number): boolean {
    if (this.#seenPlace[place] === this.#path) {
      return false;
    }
    this.#seenPlace[place] = this.#path;
    if (
      (this.#takenPlace[place] ?? 0) < (this.#places.room[place] ?? 0) &&
      this.#seenRole[role] !== this.#path &&
      this.#makeRoom(role)
    ) {
      this.#takenPlace[place] = (this.#takenPlace[place] ?? 0) + 1;
      return true;
    }
    return this.#moveAway(place);
  }

  /** One player more for the role, from those without a place or by way of other roles. */
  #cover(role: number): boolean {
    this.#seenRole[role] = this.#path;
    const accepting = this.#accepting[role] ?? [];
    this.cost += 1 + (this.#classes >> 3);
    for (const group of accepting) {
      if ((this.#placed[group] ?? 0) < (this.#total[group] ?? 0)) {
        const pair = group * this.#roles + role;
        this.#free[pair] = (this.#free[pair] ?? 0) + 1;
        this.#placed[group] = (this.#placed[group] ?? 0) + 1;
        return true;
      }
    }
    if (this.#coverByMoving(role)) {
      return true;
    }
    for (const place of this.#places.ofRole[role] ?? []) {
      if (
        (this.#takenPlace[place] ?? 0) < (this.#places.room[place] ?? 0) &&
        this.#seenPlace[place] !== this.#path &&
        this.#coverAt(place)
      ) {
        this.#takenPlace[place] = (this.#takenPlace[place] ?? 0) + 1;
        return true;
      }
    }
    return false;
  }

  /** A free player comes from another role, in which another takes its place. */
  #coverByMoving(role: number): boolean {
    for (const group of this.#accepting[role] ?? []) {
      if ((this.#placed[group] ?? 0) === 0) {
        continue;
      }
      for (const from of this.#accepted[group] ?? []) {
        const pair = group * this.#roles + from;
        if (
          (this.#free[pair] ?? 0) > 0 &&
          this.#seenRole[from] !== this.#path &&
          this.#cover(from)
        ) {
          this.#free[pair] = (this.#free[pair] ?? 0) - 1;
          const taken = group * this.#roles + role;
          this.#free[taken] = (this.#free[taken] ?? 0) + 1;
          return true;
        }
      }
    }
    return false;
  }

  /** Somebody seated elsewhere on the team comes to the place, and leaves one to be covered. */
  #coverAt(place: number): boolean {
    this.#seenPlace[place] = this.#path;
    const places = this.#places.room.length;
    this.cost += 1;
    for (const from of this.#places.ofTeam[this.#places.team[place] ?? 0] ?? []) {
      if ((this.#takenPlace[from] ?? 0) === 0 || this.#seenPlace[from] === this.#path) {
        continue;
      }
      for (const group of this.#accepting[this.#places.role[place] ?? 0] ?? []) {
        const pair = group * places + from;
        if ((this.#bound[pair] ?? 0) > 0 && this.#coverLeft(from)) {
          this.#bound[pair] = (this.#bound[pair] ?? 0) - 1;
          const taken = group * places + place;
          this.#bound[taken] = (this.#bound[taken] ?? 0) + 1;
          return true;
        }
      }
    }
    return false;
  }

  /** Makes good for one who leaves the place: from the team, or in its role on any team. */
  #coverLeft(place: number): boolean {
    if (this.#seenPlace[place] !== this.#path && this.#coverAt(place)) {
      return true;
    }
    const role = this.#places.role[place] ?? 0;
    if (this.#seenRole[role] !== this.#path && this.#cover(role)) {
      this.#takenPlace[place] = (this.#takenPlace[place] ?? 0) - 1;
      return true;
    }
    return false;
  }
}
