// Teams chosen whole: every way to fill a team is found, and then ways are looked for that share no party.
// Where each player names one role and parties are large, this exact cover is what neither seating
// party by party nor swapping finds. It gives up where there are too many ways, and is exact else.
// Holds always: between two steps the search may stop and go on later.

import type { Answer } from '../sets/steps';
import { Chance } from './chance';
import type { Unit } from './crowd';
import { seatedIn, Ways } from './ways';
import type { RoleBook } from './wishes';

const MOST_WAYS = 4000;
/** Ways that have not all been found by then are too many. */
const MOST_STEPS = 60_000;
const REMEMBERED = 50_000;
const FIRST_PATIENCE = 50;
const PATIENCE_GROWTH = 1.5;

interface Way {
  /** Number of what such teams want. */
  readonly kind: number;
  readonly units: readonly number[];
}

interface Level {
  readonly key: string;
  /** Ways that shared no party with those taken before. */
  readonly live: readonly Way[];
  readonly options: readonly Way[];
  at: number;
  taken: Way | null;
}

export class Covers {
  /** `open` with `hasGivenUp`: it will never know. */
  answer: Answer = 'open';
  hasGivenUp = false;
  readonly #units: readonly Unit[];
  /** Of each unit: roles, and by how many members each is accepted. */
  readonly #accepted: readonly (readonly (readonly [role: number, count: number])[])[];
  /** Numbers of teams that want the same. */
  readonly #kinds: (readonly number[])[] = [];
  readonly #demands: (readonly number[])[] = [];
  readonly #pending: Ways[] = [];
  readonly #ways: Way[] = [];
  #waySteps = 0;
  #levels: Level[] = [];
  #isNew = true;
  readonly #left: number[];
  readonly #must: number[];
  /** Teams to be filled, by kind. */
  readonly #open: number[];
  readonly #failed = new Set<string>();
  readonly #chance = new Chance(4);
  #failures = 0;
  #patience = FIRST_PATIENCE;
  #restarts = 0;

  constructor(book: RoleBook, units: readonly Unit[]) {
    this.#units = units;
    this.#left = units.map(({ must, may }) => must + may);
    this.#must = units.map(({ must }) => must);
    this.#accepted = units.map(({ wishes }) =>
      [...book.roles.keys()]
        .map((role) => [role, wishes.filter(({ accepts }) => accepts[role]).length] as const)
        .filter(([, count]) => count > 0),
    );
    const seated = seatedIn(units, book.roles.length);
    this.hasGivenUp = seated === null;
    const kinds = new Map<string, number[]>();
    for (const [team, demand] of book.demand.entries()) {
      const alike = kinds.get(demand.join()) ?? [];
      alike.push(team);
      kinds.set(demand.join(), alike);
    }
    for (const teams of kinds.values()) {
      const demand = book.demand[teams[0] ?? 0] ?? [];
      this.#kinds.push(teams);
      this.#demands.push(demand);
      this.#pending.push(new Ways(demand, seated ?? [], this.#left));
    }
    this.#open = this.#kinds.map((teams) => teams.length);
  }

  /** Of an answer of yes: the units of each team. */
  get teams(): readonly (readonly number[])[] {
    const free = this.#kinds.map((teams) => [...teams]);
    const teams: (readonly number[])[] = [];
    for (const { taken } of this.#levels) {
      const team = taken === null ? undefined : free[taken.kind]?.pop();
      if (team !== undefined) {
        teams[team] = taken?.units ?? [];
      }
    }
    return teams;
  }

  /** One step; what it cost. */
  step(): number {
    const [ways] = this.#pending;
    if (ways === undefined || this.hasGivenUp) {
      return this.hasGivenUp ? 1 : this.#advance();
    }
    const cost = ways.step();
    this.#waySteps += cost;
    if (ways.isDone) {
      const kind = this.#kinds.length - this.#pending.length;
      this.#ways.push(...ways.found.map((units) => ({ kind, units })));
      this.#pending.shift();
    }
    this.hasGivenUp =
      this.#ways.length + ways.found.length > MOST_WAYS || this.#waySteps > MOST_STEPS;
    return cost;
  }

  #advance(): number {
    if (this.#isNew) {
      this.#isNew = false;
      return this.#enter();
    }
    const level = this.#levels.at(-1);
    if (level === undefined) {
      this.answer = 'no';
      return 1;
    }
    this.#give(level.taken, 1);
    level.taken = null;
    if (this.#failures > this.#patience) {
      return this.#restart();
    }
    const option = level.options[level.at];
    level.at += 1;
    if (option === undefined) {
      this.#remember(level.key);
      this.#levels.pop();
      return 1;
    }
    level.taken = option;
    this.#give(option, -1);
    this.#isNew = true;
    return 2;
  }

  /** A choice of ways not looked at yet. */
  #enter(): number {
    if (this.#open.every((count) => count === 0) && this.#must.every((count) => count <= 0)) {
      this.answer = 'yes';
      return 1;
    }
    // The same parties may have filled other teams.
    const key = `${this.#left.join()} ${this.#open.join()}`;
    const before = this.#levels.at(-1)?.live ?? this.#ways;
    const cost = 2 + (this.#left.length >> 2) + (before.length >> 1);
    if (this.#failed.has(key)) {
      return 2 + (this.#left.length >> 2);
    }
    const live = before.filter((way) => this.#isLive(way));
    const options = this.#choose(live);
    if (options === null) {
      this.#remember(key);
      return cost;
    }
    this.#levels.push({ key, live, options, at: 0, taken: null });
    return cost;
  }

  #isLive({ kind, units }: Way): boolean {
    if ((this.#open[kind] ?? 0) === 0) {
      return false;
    }
    let count = 0;
    for (const [at, unit] of units.entries()) {
      count = units[at - 1] === unit ? count + 1 : 1;
      if (count > (this.#left[unit] ?? 0)) {
        return false;
      }
    }
    return true;
  }

  /** Ways for the party, or else the teams, with the fewest; null when some have none. */
  #choose(live: readonly Way[]): readonly Way[] | null {
    const needed = this.#needed();
    if (needed === null) {
      return null;
    }
    const holding = this.#left.map(() => 0);
    const byKind = this.#kinds.map(() => 0);
    for (const { kind, units } of live) {
      byKind[kind] = (byKind[kind] ?? 0) + 1;
      for (const [at, unit] of units.entries()) {
        holding[unit] = (holding[unit] ?? 0) + (units[at - 1] === unit ? 0 : 1);
      }
    }
    let best = Infinity;
    let pivot = -1;
    for (const [unit, isNeeded] of needed.entries()) {
      const score = (holding[unit] ?? 0) + (this.#restarts === 0 ? 0 : this.#chance.unit() * 2);
      if (isNeeded && score < best) {
        best = score;
        pivot = unit;
      }
    }
    let kind = -1;
    for (const [each, count] of byKind.entries()) {
      if ((this.#open[each] ?? 0) > 0 && count < best && (pivot < 0 || count === 0)) {
        best = count;
        kind = each;
      }
    }
    if (best === 0) {
      return null;
    }
    const options = live.filter(({ kind: each, units }) =>
      kind >= 0 ? each === kind : units.includes(pivot),
    );
    // The rarest parties first: who is in many ways finds another.
    const worth = new Map(
      options.map((way) => {
        const rarity = way.units.reduce((sum, unit) => sum + (holding[unit] ?? 0), 0);
        return [way, rarity * (this.#restarts === 0 ? 1 : 0.5 + this.#chance.unit())];
      }),
    );
    return options.sort((a, b) => (worth.get(a) ?? 0) - (worth.get(b) ?? 0));
  }

  /** Units of which another has to play; null when there are too few for a role. */
  #needed(): readonly boolean[] | null {
    const supply = (this.#demands[0] ?? []).map(() => 0);
    for (const [unit, accepted] of this.#accepted.entries()) {
      for (const [role, count] of accepted) {
        supply[role] = (supply[role] ?? 0) + count * (this.#left[unit] ?? 0);
      }
    }
    const spare = supply.map(
      (count, role) =>
        count -
        this.#demands.reduce(
          (sum, demand, kind) => sum + (demand[role] ?? 0) * (this.#open[kind] ?? 0),
          0,
        ),
    );
    if (spare.some((count) => count < 0)) {
      return null;
    }
    // Whoever accepts a role of which there is none to spare has to play it.
    return this.#units.map(
      (_, unit) =>
        (this.#left[unit] ?? 0) > 0 &&
        ((this.#must[unit] ?? 0) > 0 ||
          this.#accepted[unit]?.some(([role, count]) => (spare[role] ?? 0) < count) === true),
    );
  }

  #give(way: Way | null, sign: 1 | -1): void {
    if (way !== null) {
      this.#open[way.kind] = (this.#open[way.kind] ?? 0) + sign;
      for (const unit of way.units) {
        this.#left[unit] = (this.#left[unit] ?? 0) + sign;
        this.#must[unit] = (this.#must[unit] ?? 0) + sign;
      }
    }
  }

  #remember(key: string): void {
    this.#failures += 1;
    if (this.#failed.size < REMEMBERED) {
      this.#failed.add(key);
    }
  }

  /** Back to the start, in another order. What has failed is remembered: nothing is searched twice. */
  #restart(): number {
    for (const { taken } of this.#levels) {
      this.#give(taken, 1);
    }
    this.#levels = [];
    this.#isNew = true;
    this.#failures = 0;
    this.#patience *= PATIENCE_GROWTH;
    this.#restarts += 1;
    return 1;
  }
}
