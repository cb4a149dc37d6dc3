// What the pool knows of a ticket, from the time it enters until it is forgotten, and what many have in common besides their
// partition, their class: the shape of the party, the regions it accepts, and whether it can be anchor or candidate. Within
// a class only age decides which ticket is taken. A refreshed ticket gets a new entry.

import { Lru } from '../../common/lru';
import type { Shape, Solver } from '../teams/solver';
import type { StateValue, Ticket } from '../ticket/ticket';
import type { Attribute } from '../expression/conjuncts';
import type { Mode } from '../rules/mode';
import { typeOf } from '../rules/registry';
import { type Target, targetOf } from '../rules/target';
import { type Band, type Key, PAIRWISE, type PairRule, stateField } from '../rules/rule-type';

/** Tickets that came one soon after the other. */
export interface Burst {
  /** When the first of them came. */
  readonly from: number;
  readonly tickets: number;
  readonly players: number;
}

/** Of an anchor that could start short and waits for more players. */
export interface Patience {
  /** When its set first became possible. */
  readonly since: number;
  /** Players missing to a full match: counted whenever the anchor is looked at, lowered by each eligible arrival. */
  missing: number;
  /** When the last eligible ticket arrived. */
  lastArrivalAt: number;
  burst: Burst;
  /** A step has just lowered the minima far enough: the match starts now (docs/internals/design.md A20). */
  readonly isOver: boolean;
  /** When to look again. The match starts then, unless there is a reason to wait longer. */
  due: number;
}

export interface Entry {
  readonly ticket: Ticket;
  /** The order of arrival, for tickets whose wait began at the same instant. */
  readonly number: number;
  readonly ticketClass: TicketClass;
  /** Only tickets with equal partitions can match. Null if the ticket matches nobody. */
  readonly partition: string | null;
  /** The number that decides the cell. 0 if nothing does. */
  readonly value: number;
  /** When it accepts more regions, epoch ms; Infinity for never. */
  readonly growsAt: number;
  state: 'waiting' | 'reserved' | 'gone';
  /** When a rule next widens to another ticket or running match, epoch ms; null for never. */
  opensAt: number | null;
  /** When a set that would not do will do, epoch ms: it is even enough, or who avoid each other may meet. Null: not known. */
  evenAt: number | null;
  /** Set while the ticket could anchor a short match. */
  patience: Patience | null;
  /** When it came, and how many players per ms had been arriving. Only in modes that start short matches. */
  came: { readonly at: number; readonly rate: number } | null;
}

/** The order of the queue (docs/internals/design.md A1): longest wait first, then order of arrival. */
export function byAge(one: Entry, other: Entry): number {
  return one.ticket.startedAt - other.ticket.startedAt || one.number - other.number;
}

export function isWaiting({ state }: Entry): boolean {
  return state === 'waiting';
}

/** Names of regions that are looked up for one look. */
const NAMES_PER_LOOK = 2;
/** Classes that are remembered so that tickets can share them. */
const REMEMBERED = 10_000;

/** Null is open to any region. */
export type Regions = ReadonlySet<string> | null;

/** `region`: null for a match in which nobody names a region. */
export function accepts(regions: Regions, region: string | null): boolean {
  return regions === null || (region !== null && regions.has(region));
}

export interface TicketClass {
  /** Equal for equal classes, even if they are two objects. */
  readonly key: string;
  readonly shape: Shape;
  readonly players: number;
  readonly regions: Regions;
  /** Equal for equal sets of regions. */
  readonly regionKey: string;
  readonly canAnchor: boolean;
  readonly canJoin: boolean;
}

export class Classes {
  readonly #plan: Plan;
  readonly #solver: Solver;
  readonly #known = new Lru<TicketClass>(REMEMBERED);

  constructor(plan: Plan, solver: Solver) {
    this.#plan = plan;
    this.#solver = solver;
  }

  /** `list`: the regions that it accepts by now; null for any. Null if no team can ever hold the party. */
  of(ticket: Ticket, list: readonly string[] | null): TicketClass | null {
    const shape = this.#solver.shapeOf(ticket);
    if (shape === null) {
      return null;
    }
    // Whoever accepts no region yet meets nobody.
    const isIn = list?.length !== 0;
    const canAnchor = isIn && this.#plan.asAnchor.every((part) => part.passesEver(ticket, ticket));
    const canJoin = isIn && this.#plan.asCandidate.every((part) => part.passesEver(ticket, ticket));
    const regionKey = regionKeyOf(list);
    // The shape comes with its length, so it cannot pass for a region.
    const key = `${shape.length},${shape} ${canAnchor} ${canJoin} ${regionKey}`;
    return this.#known.getOr(key, () => {
      const regions = list === null ? null : new Set(list);
      const { length: players } = ticket.members;
      return { key, shape, players, regions, regionKey, canAnchor, canJoin };
    });
  }

  /** What it costs to ask `mayJoin`, in looks (`Queue.look`): players choose how many names there are. */
  static looksOf({ regions }: TicketClass): number {
    return 1 + (regions?.size ?? 0) / NAMES_PER_LOOK;
  }

  /** Whether each passes alone, and both share a region, or as many as the rule asks for (spec: Rule semantics 7). */
  mayJoin(anchor: TicketClass, candidate: TicketClass): boolean {
    const { regions } = anchor;
    if (!anchor.canAnchor || !candidate.canJoin) {
      return false;
    }
    if (regions === null || candidate.regions === null) {
      return true;
    }
    if (anchor.regionKey === candidate.regionKey) {
      return regions.size >= this.#plan.minOverlap;
    }
    let missing = Math.max(1, this.#plan.minOverlap);
    for (const region of regions) {
      if (candidate.regions.has(region)) {
        missing -= 1;
        if (missing <= 0) {
          return true;
        }
      }
    }
    return false;
  }
}

/** No region has such a name as the key of those who accept none yet. */
function regionKeyOf(list: readonly string[] | null): string {
  if (list === null || list.length === 1) {
    return list?.[0] ?? '';
  }
  return list.length === 0 ? '\n' : [...new Set(list)].sort().join('\n');
}

/** What the rules tell the index: who need not be asked. About every other pair the rules decide (rules.ts). */
export interface Plan {
  readonly mode: Mode;
  readonly timeoutMs: number;
  /** What decides the partition: two tickets that match have the same value of each. */
  readonly same: readonly Key[];
  /** State fields in which a ticket must have a number to match anybody. */
  readonly numeric: readonly string[];
  /** The number that decides the cell. */
  readonly measure: Band | null;
  /** How many regions two lists must share, unless one is open; 0 without such a rule. */
  readonly minOverlap: number;
  readonly asAnchor: readonly PairRule[];
  readonly asCandidate: readonly PairRule[];
  readonly target: Target | null;
  /** True if two tickets of one partition and of related classes pass whenever the measure lets them. */
  readonly isMeasureAll: boolean;
}

export function planOf(mode: Mode): Plan {
  const hints = mode.rules.map((rule) => typeOf(rule).tells?.(rule, mode) ?? PAIRWISE);
  const target = targetOf(mode);
  const bands = hints.flatMap((tells) => tells.bands ?? []);
  return {
    mode,
    timeoutMs: mode.timeout * 1000,
    same: hints.flatMap(({ keys }) => keys ?? []),
    numeric: bands.map(({ field }) => field),
    measure:
      bands.find(({ reach }) => reach !== null) ?? bands.find(({ max }) => max < Infinity) ?? null,
    minOverlap: Math.max(0, ...hints.map((tells) => tells.minOverlap ?? 0)),
    asAnchor: hints.flatMap((tells) => tells.asAnchor ?? []),
    asCandidate: hints.flatMap((tells) => tells.asCandidate ?? []),
    target,
    isMeasureAll: target === null && bands.length <= 1 && hints.every(({ isAll }) => isAll),
  };
}

/** The value of a key; undefined if the ticket has none. */
export function attributeOf(ticket: Ticket, attribute: Attribute): StateValue | undefined {
  return attribute.of === 'region' ? ticket.region : stateField(ticket, attribute.field);
}
