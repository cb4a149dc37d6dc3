// Every way to fill one team: which parties, whoever else plays. Where parties are large and roles many
// there are few, however many parties wait. Holds always: between two steps it may stop and go on later.

import type { Unit } from './crowd';

/** A unit on a team, its members in these roles. */
interface Seated {
  readonly unit: number;
  /** Roles taken and by how many, one after the other. */
  readonly takes: readonly (readonly [role: number, count: number])[];
}

interface Level {
  readonly role: number;
  readonly options: readonly number[];
  at: number;
  taken: Seated | null;
}

/** Parties that can be seated in more ways than that, all together, are not looked at. */
const MOST_SEATED = 600;

/** The ways in which parties of each unit can take roles; null when there are too many. */
export function seatedIn(units: readonly Unit[], roles: number): readonly Seated[] | null {
  const all: Seated[] = [];
  for (const [unit, { wishes }] of units.entries()) {
    let counts = new Map<string, readonly number[]>([['', Array.from({ length: roles }, () => 0)]]);
    for (const { accepts } of wishes) {
      const next = new Map<string, readonly number[]>();
      for (const before of counts.values()) {
        for (let role = 0; role < roles; role += 1) {
          if (accepts[role] === true) {
            const after = before.with(role, (before[role] ?? 0) + 1);
            next.set(after.join(), after);
          }
        }
      }
      counts = next;
      if (all.length + counts.size > MOST_SEATED) {
        return null;
      }
    }
    for (const each of counts.values()) {
      const takes = each.flatMap((count, role) => (count > 0 ? [[role, count] as const] : []));
      all.push({ unit, takes });
    }
  }
  return all;
}

export class Ways {
  /** Units of each way, some more than once, in the order of their numbers. */
  readonly found: (readonly number[])[] = [];
  isDone = false;
  readonly #room: number[];
  readonly #left: number[];
  readonly #seated: readonly Seated[];
  readonly #levels: Level[] = [];
  readonly #keys = new Set<string>();

  /** `counts`: how many there are of each unit. */
  constructor(demand: readonly number[], seated: readonly Seated[], counts: readonly number[]) {
    this.#room = [...demand];
    this.#left = [...counts];
    this.#seated = seated;
    this.#descend(null);
  }

  /** One step, unless all are found; what it cost. */
  step(): number {
    const level = this.#levels.at(-1);
    if (level === undefined) {
      this.isDone = true;
      return 1;
    }
    this.#give(level.taken, 1);
    const option = level.options[level.at];
    level.at += 1;
    level.taken = option === undefined ? null : (this.#seated[option] ?? null);
    if (level.taken === null) {
      this.#levels.pop();
      return 1;
    }
    this.#give(level.taken, -1);
    if (this.#room.every((room) => room === 0)) {
      this.#note();
      return 4;
    }
    this.#descend(level);
    return 2 + (this.#seated.length >> 3);
  }

  #note(): void {
    const units = this.#levels.flatMap(({ taken }) => taken?.unit ?? []).sort((a, b) => a - b);
    const key = units.join();
    if (!this.#keys.has(key)) {
      this.#keys.add(key);
      this.found.push(units);
    }
  }

  /** A role is filled up before the next, its parties in one order: each way is come upon once. */
  #descend(above: Level | null): void {
    const counts = this.#room.map(() => 0);
    const fitting: number[] = [];
    for (const [at, each] of this.#seated.entries()) {
      if (this.#fits(each)) {
        fitting.push(at);
        for (const [role] of each.takes) {
          counts[role] = (counts[role] ?? 0) + 1;
        }
      }
    }
    const isSame = above !== null && (this.#room[above.role] ?? 0) > 0;
    const open = [...this.#room.keys()].filter((role) => (this.#room[role] ?? 0) > 0);
    const role = isSame
      ? above.role
      : open.reduce(
          (best, each) => ((counts[each] ?? 0) < (counts[best] ?? 0) ? each : best),
          open[0] ?? 0,
        );
    if (open.some((each) => counts[each] === 0)) {
      return;
    }
    const from = isSame ? (above.options[above.at - 1] ?? 0) : 0;
    const options = fitting.filter(
      (at) => at >= from && this.#seated[at]?.takes.some(([each]) => each === role) === true,
    );
    this.#levels.push({ role, options, at: 0, taken: null });
  }

  #fits({ unit, takes }: Seated): boolean {
    return (
      (this.#left[unit] ?? 0) > 0 &&
      takes.every(([role, count]) => count <= (this.#room[role] ?? 0))
    );
  }

  #give(seated: Seated | null, sign: 1 | -1): void {
    if (seated !== null) {
      this.#left[seated.unit] = (this.#left[seated.unit] ?? 0) + sign;
      for (const [role, count] of seated.takes) {
        this.#room[role] = (this.#room[role] ?? 0) + sign * count;
      }
    }
  }
}
