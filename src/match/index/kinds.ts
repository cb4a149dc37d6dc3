// What many tickets have in common, each numbered once: the place (regions in order of preference),
// the class (shape of the party, regions as a set, which sides it may take), the partition (values
// that must be the same). Holds always: tickets of one class and partition differ for matching only
// in their columns and their age.

import { Interned } from './interned';
import { type Plan, tagOf } from './plan';
import { stateField } from '../rules/rules';
import { type Ticket, valueKey } from '../ticket/ticket';
import { versionOf } from '../ticket/version';

export interface Place {
  /** The lobby's own region. */
  readonly region: string;
  /** Empty is open to any. */
  readonly list: readonly string[];
  /** Number of the list without its order. */
  readonly set: number;
}

/** A set of regions: the first 31 by bit, the others by number. `null` numbers: open to any. */
export interface Regions {
  readonly numbers: readonly number[] | null;
  readonly bits: number;
  readonly beyond: ReadonlySet<number> | null;
}

export interface TicketClass {
  readonly shape: number;
  readonly players: number;
  readonly regions: Regions;
  readonly canAnchor: boolean;
  readonly canJoin: boolean;
}

export interface Kinds {
  readonly place: number;
  readonly ticketClass: number;
  readonly partition: number;
}

const BITS = 31;
/** Shapes are fewer than a quarter of this. */
const KINDS_OF_A_SET = 2 ** 26;
const OPEN: Regions = { numbers: null, bits: 0, beyond: null };

export class KindTable {
  readonly #plan: Plan;
  /** Fields without which no rule on numbers passes. */
  readonly #numeric: readonly string[];
  readonly #places = new Interned<Place>();
  /** Lists without their order. */
  readonly #sets = new Interned<true>();
  /** By number: a key of text would have to be made and hashed for every ticket. */
  readonly #classes = new Interned<TicketClass, number>();
  readonly #partitions = new Interned<{ readonly version: string | null }>();
  readonly #regions = new Interned<string>();
  #loneCount = 0;

  constructor(plan: Plan) {
    this.#plan = plan;
    this.#numeric = [...plan.differences, ...plan.bands].map(
      ({ column }) => plan.columns[column] ?? '',
    );
  }

  /** Numbers what the ticket is; each call is undone by one `release`. */
  acquire(ticket: Ticket, shape: number): Kinds {
    const { acceptableRegions: list, region } = ticket;
    const isOwn = list.length === 1 && list[0] === region;
    const place = this.#places.acquire(isOwn ? region : `${region}\n${list.join('\n')}`, () => ({
      region,
      list: [...list],
      set: this.#sets.acquire([...list].sort().join('\n'), () => true),
    }));
    const canAnchor = this.#plan.asAnchor.every((part) => part.passesEver(ticket, ticket));
    const canJoin = this.#plan.asCandidate.every((part) => part.passesEver(ticket, ticket));
    const sides = (canAnchor ? 1 : 0) + (canJoin ? 2 : 0);
    const ticketClass = this.#classes.acquire(
      this.#places.get(place).set * KINDS_OF_A_SET + shape * 4 + sides,
      () => ({
        shape,
        players: ticket.members.length,
        regions: this.#regionsOf(list),
        canAnchor,
        canJoin,
      }),
    );
    return { place, ticketClass, partition: this.#acquirePartition(ticket) };
  }

  /** True when that was the last ticket of its class. */
  release({ place, ticketClass, partition }: Kinds): boolean {
    const lastOfPlace = this.#places.release(place);
    if (lastOfPlace !== null) {
      this.#sets.release(lastOfPlace.set);
    }
    this.#partitions.release(partition);
    const last = this.#classes.release(ticketClass);
    last?.regions.numbers?.forEach((region) => this.#regions.release(region));
    return last !== null;
  }

  place(id: number): Place {
    return this.#places.get(id);
  }

  classAt(id: number): TicketClass {
    return this.#classes.get(id);
  }

  /** The build that all tickets of the partition ask for (spec: Rule semantics 9). */
  version(partition: number): string | null {
    return this.#partitions.get(partition).version;
  }

  /** The number of a region if any class names it. */
  regionNumber(name: string): number | undefined {
    return this.#regions.find(name);
  }

  /** The part of the region rule and of rule 7 that two classes settle between them. */
  areRelated(anchor: TicketClass, candidate: TicketClass): boolean {
    return sharedCount(anchor.regions, candidate.regions) >= Math.max(1, this.#plan.minOverlap);
  }

  /** The region rule alone: what counts towards a game that already has its region. */
  areOverlapping(anchor: TicketClass, candidate: TicketClass): boolean {
    return sharedCount(anchor.regions, candidate.regions) >= this.#plan.minOverlap;
  }

  #acquirePartition(ticket: Ticket): number {
    const { same, different, versionField } = this.#plan;
    let key = '';
    let isLone = false;
    for (const { attribute, required } of same) {
      const value = tagOf(ticket, attribute);
      isLone ||= required && value === undefined;
      const part = value === undefined ? '?' : valueKey(value);
      // With its length, a value cannot pass for two.
      key += `${part.length} ${part} `;
    }
    isLone ||= different.some((tag) => tag.required && tagOf(ticket, tag.attribute) === undefined);
    for (const field of this.#numeric) {
      isLone ||= typeof stateField(ticket, field) !== 'number';
    }
    if (isLone) {
      // It matches nobody, so nobody should have to look at it.
      key = `lone ${this.#loneCount}`;
      this.#loneCount += 1;
    }
    return this.#partitions.acquire(key, () => {
      return { version: versionOf(ticket, versionField) };
    });
  }

  #regionsOf(list: readonly string[]): Regions {
    if (list.length === 0) {
      return OPEN;
    }
    const numbers = [...new Set(list)].map((name) => this.#regions.acquire(name, () => name));
    const beyond = numbers.filter((region) => region >= BITS);
    return {
      numbers,
      bits: numbers.reduce((bits, region) => (region < BITS ? bits | (1 << region) : bits), 0),
      beyond: beyond.length === 0 ? null : new Set(beyond),
    };
  }
}

export function acceptsRegion(regions: Regions, region: number): boolean {
  return (
    regions.numbers === null ||
    (region < BITS ? ((regions.bits >>> region) & 1) === 1 : (regions.beyond?.has(region) ?? false))
  );
}

/** Infinity when either is open. */
function sharedCount(a: Regions, b: Regions): number {
  if (a.numbers === null || b.numbers === null) {
    return Infinity;
  }
  let shared = 0;
  for (let bits = a.bits & b.bits; bits !== 0; bits &= bits - 1) {
    shared += 1;
  }
  for (const region of a.beyond ?? []) {
    shared += b.beyond?.has(region) ? 1 : 0;
  }
  return shared;
}
