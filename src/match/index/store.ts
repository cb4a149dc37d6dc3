// The tickets of a pool: a slot each, from enter until it is forgotten. A waiting slot is linked
// into the order of the queue and into its bucket; a reserved one keeps its place in the order of
// arrival, to be linked again should its claim be refused.

import type { TicketId } from '../../ids';
import { Ages, NONE } from './ages';
import { grownFloats } from './arrays';
import { Buckets } from './buckets';
import { Columns } from './columns';
import { IdTable } from './ids';
import { KindTable, type Kinds, type Place, type TicketClass } from './kinds';
import type { Plan } from './plan';
import { CLASS, INTS, KEY, PARTITION, PLACE, STATE } from './rows';
import type { Solver } from '../sets/solver';
import type { Steps } from '../sets/steps';
import { Window } from './window';
import type { PartyMember, Ticket } from '../ticket/ticket';

/** Slots that hold a game's anchor for backfill are out of the queue's sight altogether. */
export type SlotState = 'free' | 'waiting' | 'reserved' | 'apart';

const STATES: readonly SlotState[] = ['free', 'waiting', 'reserved', 'apart'];
/** Keys stay far below the precision of a double, so that neighbours are neighbours. */
const FARTHEST_KEY = 2 ** 30;
/** A bucket is a little wider than its rule, so that rounding never hides a neighbour. */
const SLACK = 1 + 1e-6;
/** Large matches have finer buckets: what lies just out of reach would be counted in too often. */
const LARGE_MATCH = 64;

export class TicketStore {
  readonly ages = new Ages();
  readonly buckets = new Buckets(this.ages);
  /** For whoever looks around at the moment: it holds until the next one looks elsewhere. */
  readonly window = new Window(this.buckets);
  readonly columns: Columns;
  /** What is left to the call under way, for all that works on the store. */
  readonly steps: Steps = { left: Infinity };
  readonly kinds: KindTable;
  /** Buckets to each side in which all tickets in reach lie, before any widening. */
  readonly #grain: number;
  readonly #plan: Plan;
  readonly #solver: Solver;
  readonly #keepsMembers: boolean;

  readonly #ids: (TicketId | undefined)[] = [];
  readonly #slots = new IdTable(this.#ids);
  readonly #members: (readonly PartyMember[] | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #rows = this.ages.rows;
  /** Only where matches may start short: nobody else asks. */
  #enteredAt = new Float64Array(0);
  #used = 0;
  /** Who began to wait then, or before, is past its timeout. */
  #overFrom = -Infinity;

  #players = 0;
  #tickets = 0;
  /** Starts are summed from the first one on: sums of whole epochs would lose milliseconds. */
  #epoch = 0;
  #startSum = 0;

  constructor(plan: Plan, solver: Solver, keepsMembers: boolean) {
    this.#plan = plan;
    this.#solver = solver;
    this.#keepsMembers = keepsMembers;
    this.columns = new Columns(plan, this.ages, this.steps);
    this.kinds = new KindTable(plan);
    this.#grain = solver.players >= LARGE_MATCH ? 8 : 1;
  }

  slotOf(id: TicketId): number | undefined {
    const slot = this.#slots.get(id);
    return slot === NONE ? undefined : slot;
  }

  idOf(slot: number): TicketId {
    const id = this.#ids[slot];
    if (id === undefined) {
      throw new Error(`slot ${slot} is free`);
    }
    return id;
  }

  membersOf(slot: number): readonly PartyMember[] {
    return this.#members[slot] ?? [];
  }

  stateOf(slot: number): SlotState {
    return STATES[this.#rows.ints[slot * INTS + STATE] ?? 0] ?? 'free';
  }

  isWaiting(slot: number): boolean {
    return this.#rows.ints[slot * INTS + STATE] === 1;
  }

  classOf(slot: number): TicketClass {
    return this.kinds.classAt(this.#rows.ints[slot * INTS + CLASS] ?? 0);
  }

  classIdOf(slot: number): number {
    return this.#rows.ints[slot * INTS + CLASS] ?? 0;
  }

  placeOf(slot: number): Place {
    return this.kinds.place(this.#rows.ints[slot * INTS + PLACE] ?? 0);
  }

  partitionOf(slot: number): number {
    return this.#rows.ints[slot * INTS + PARTITION] ?? 0;
  }

  enteredAt(slot: number): number {
    return this.#enteredAt[slot] ?? 0;
  }

  timeoutOf(slot: number): number {
    const { timeoutMs } = this.#plan;
    return timeoutMs > 0 ? this.ages.startedAt(slot) + timeoutMs : Infinity;
  }

  /** Tickets whose timeout lies at that instant or before take part in nothing (A15). */
  endAt(instant: number): void {
    const { timeoutMs } = this.#plan;
    this.#overFrom = timeoutMs > 0 ? instant - timeoutMs : -Infinity;
  }

  isOver(slot: number): boolean {
    return this.ages.startedAt(slot) <= this.#overFrom;
  }

  /** A mode without a timeout keeps its tickets (docs/internals/design.md A4). */
  isOverdue(slot: number, now: number): boolean {
    return this.timeoutOf(slot) <= now;
  }

  /** Waiting and reserved, for the statistics; `meanStart` in epoch ms. */
  get totals(): { readonly tickets: number; readonly players: number; readonly meanStart: number } {
    const meanStart = this.#epoch + this.#startSum / Math.max(1, this.#tickets);
    return { tickets: this.#tickets, players: this.#players, meanStart };
  }

  /** Takes a ticket in, not yet linked; null when no team can ever hold it. */
  add(ticket: Ticket, now: number, state: 'reserved' | 'apart'): number | null {
    const shape = this.#solver.acquire(ticket);
    if (shape === null) {
      return null;
    }
    const slot = this.#free.pop() ?? this.#used++;
    this.ages.arrive(slot, ticket.startedAt);
    if (this.#solver.fewest < this.#solver.players) {
      if (slot >= this.#enteredAt.length) {
        this.#enteredAt = grownFloats(this.#enteredAt, slot + 1);
      }
      this.#enteredAt[slot] = now;
    }
    this.#rows.ints[slot * INTS + STATE] = STATES.indexOf(state);
    this.#describe(slot, ticket, this.kinds.acquire(ticket, shape));
    this.#ids[slot] = ticket.id;
    if (state === 'reserved') {
      this.#slots.add(ticket.id, slot);
      this.#count(slot, 1);
    }
    return slot;
  }

  /** Replaces what is known of an unlinked slot, its age apart; false when no team can hold it. */
  replace(slot: number, ticket: Ticket): boolean {
    const shape = this.#solver.acquire(ticket);
    if (shape === null) {
      return false;
    }
    this.#count(slot, -1);
    const kinds = this.kinds.acquire(ticket, shape);
    this.#forgetKinds(slot);
    this.columns.erase(slot);
    this.#describe(slot, { ...ticket, startedAt: this.ages.startedAt(slot) }, kinds);
    this.#count(slot, 1);
    return true;
  }

  /** Puts a reserved slot into the queue, in its place. */
  link(slot: number): void {
    const ticketClass = this.#rows.ints[slot * INTS + CLASS] ?? 0;
    const { bucketing } = this.#plan;
    const value = bucketing === null ? 0 : this.columns.number(slot, bucketing.column);
    const partition = this.partitionOf(slot);
    const bucket = this.buckets.insert(slot, partition, this.keyOf(slot), ticketClass);
    this.buckets.weigh(bucket, this.kinds.classAt(ticketClass).players, value);
    this.ages.link(slot);
    this.#rows.ints[slot * INTS + STATE] = 1;
  }

  /** Takes a waiting slot out of the queue: it is reserved now. */
  unlink(slot: number): void {
    this.buckets.remove(slot, this.classOf(slot).players);
    this.ages.unlink(slot);
    this.#rows.ints[slot * INTS + STATE] = 2;
  }

  /** Forgets an unlinked slot. */
  forget(slot: number): void {
    if (this.stateOf(slot) === 'reserved') {
      this.#count(slot, -1);
      this.#slots.delete(this.idOf(slot));
    }
    this.#forgetKinds(slot);
    this.columns.erase(slot);
    this.#ids[slot] = undefined;
    if (this.#keepsMembers) {
      this.#members[slot] = undefined;
    }
    this.#rows.ints[slot * INTS + STATE] = 0;
    this.#free.push(slot);
  }

  /** The bucket key of the slot within its partition. */
  keyOf(slot: number): number {
    return this.#rows.ints[slot * INTS + KEY] ?? 0;
  }

  #keyFor(slot: number): number {
    const { bucketing } = this.#plan;
    if (bucketing === null) {
      return 0;
    }
    const value = this.columns.number(slot, bucketing.column);
    if (bucketing.max === 0) {
      // Only equal values meet, and these have the same whole part.
      return Math.trunc(value) | 0;
    }
    const key = Math.floor(value / this.bucketWidth);
    return Math.max(-FARTHEST_KEY, Math.min(FARTHEST_KEY, key)) | 0;
  }

  /** Values of one bucket lie less than this apart; 0 where a bucket holds equal values or all. */
  get bucketWidth(): number {
    return ((this.#plan.bucketing?.max ?? 0) / this.#grain) * SLACK;
  }

  /** Values of the outermost buckets may lie anywhere beyond. */
  isOutermost(key: number): boolean {
    return Math.abs(key) >= FARTHEST_KEY;
  }

  /** Buckets to each side that a pair with so long a wait (ms) can reach. */
  radius(longestWaitMs: number): number {
    const { bucketing, timeoutMs } = this.#plan;
    if (bucketing === null || bucketing.max === 0) {
      return 0;
    }
    const factor = bucketing.widens && timeoutMs > 0 ? 1 + longestWaitMs / timeoutMs : 1;
    return Math.ceil(this.#grain * factor);
  }

  #describe(slot: number, ticket: Ticket, kinds: Kinds): void {
    this.#rows.ints[slot * INTS + CLASS] = kinds.ticketClass;
    this.#rows.ints[slot * INTS + PLACE] = kinds.place;
    this.#rows.ints[slot * INTS + PARTITION] = kinds.partition;
    this.columns.write(slot, ticket);
    this.#rows.ints[slot * INTS + KEY] = this.#keyFor(slot);
    if (this.#keepsMembers) {
      this.#members[slot] = ticket.members;
    }
  }

  #forgetKinds(slot: number): void {
    const { shape } = this.classOf(slot);
    this.kinds.release({
      place: this.#rows.ints[slot * INTS + PLACE] ?? 0,
      ticketClass: this.#rows.ints[slot * INTS + CLASS] ?? 0,
      partition: this.partitionOf(slot),
    });
    this.#solver.release(shape);
  }

  #count(slot: number, sign: 1 | -1): void {
    if (this.#tickets === 0) {
      this.#epoch = this.ages.startedAt(slot);
    }
    this.#tickets += sign;
    this.#players += sign * this.classOf(slot).players;
    this.#startSum += sign * (this.ages.startedAt(slot) - this.#epoch);
  }
}
