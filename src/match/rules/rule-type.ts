// What a rule type consists of. One file here and one line in registry.ts make the config schema, the pool, the
// explanations and the API description. The dashboard's form and the sample of the random tests are typed by that list,
// so a type without them does not compile. docs/internals/contributing.md shows how to add one. At the end is what
// several types share.

import type * as z from 'zod';
import type { Mode } from '../../../packages/js/src/admin-types';
import { text } from '../../common/shape';
import type { Attribute } from '../expression/conjuncts';
import type { StepBudget } from '../expression/meter';
import { stateField, type StateValue, type Ticket } from '../ticket/ticket';
import type { Reach } from './reach';

/** What a rule reads of its mode. An expression sees the whole mode as `ctx`. */
export interface Terms {
  /** Longest wait in the queue, in seconds. */
  readonly timeout: number;
  /** In seconds too. */
  readonly targetWait?: number;
  readonly teams?: number;
  /** Team → role → count. Absent or null: all teams are alike. */
  readonly teamComposition?: Mode['teamComposition'];
}

export interface RuleType<R extends { readonly type: string }> {
  readonly type: R['type'];
  /** The fields with their bounds. A rule's TypeScript type is what this schema reads. */
  readonly schema: z.ZodObject<{ type: z.ZodLiteral<R['type']> }> & z.ZodType<R>;
  readonly compile: (rule: R, mode: Terms) => PairRule;
  /** For a rule about whole sets: how uneven the teams of a match may be. A mode has at most one such rule. */
  readonly evenness?: (rule: R, mode: Terms) => Evenness;
  /** For a rule about regions: which of them a lobby accepts. The pool asks this, and no pair. A mode has at most one such rule. */
  readonly accepted?: (rule: R, mode: Terms) => Accepted;
  /** For rules that keep lobbies apart: how long both wait until they may meet, ms. A mode has at most one of them. */
  readonly apartMs?: (rule: R, mode: Terms) => number;
  /** What it lets the index know. A type that says nothing is asked about every pair, which is always right. */
  readonly tells?: (rule: R, mode: Terms) => Tells;
  readonly words: Words<R>;
}

/** A rule of one mode, compiled: may this candidate join this anchor's match? */
export interface PairRule {
  readonly passes: (anchor: Ticket, candidate: Ticket, now: number, budget?: StepBudget) => boolean;
  /** The part that time never changes. */
  readonly passesEver: (anchor: Ticket, candidate: Ticket, budget?: StepBudget) => boolean;
  /** The first whole ms at which it passes, and then goes on passing; null: never. Absent: the rule does not widen. */
  readonly opensAt?: (anchor: Ticket, candidate: Ticket) => number | null;
  /** True if it may change with time and cannot say when, so that it must be polled. */
  readonly readsTime: boolean;
  /** Set for a rule that costs a hundred times what another does. It is asked last. */
  readonly overruns?: () => number;
}

export function timeFree(passes: (anchor: Ticket, candidate: Ticket) => boolean): PairRule {
  return { passes, passesEver: passes, readsTime: false };
}

/** How uneven the teams of a match may be (docs/internals/design.md A18). */
export interface Evenness {
  /** How uneven they may be after the anchor's wait. */
  readonly reach: Reach;
  /** What teams are made even by: the mean of the party. */
  readonly valueOf: (ticket: Ticket) => number;
  /** How uneven these teams are, all of the mode in its order; 0 if they are even, or only one has players. */
  readonly gapOf: (teams: readonly (readonly Ticket[])[]) => number;
  /** That gap of so many teams as people say it. */
  readonly told: (gap: number, teams: number) => string;
}

/** The regions that a lobby accepts. They become more as it waits, and never fewer. */
export interface Accepted {
  /** Those by `now`, epoch ms; null for any, and empty for none yet. */
  readonly by: (ticket: Ticket, now: number) => readonly string[] | null;
  /** When after `now` they become more, epoch ms; Infinity for never. */
  readonly growsAt: (ticket: Ticket, now: number) => number;
}

/** What the index may rely on for every pair that the rule lets pass. */
export interface Tells {
  /** The two have the same value. */
  readonly keys?: readonly Key[];
  /** Their numbers are close. */
  readonly bands?: readonly Band[];
  /** They share so many regions, unless one of them is open to any. */
  readonly minOverlap?: number;
  /** The anchor must pass these by itself: they are asked about a pair of the anchor and itself. */
  readonly asAnchor?: readonly PairRule[];
  /** The candidate must pass these by itself. */
  readonly asCandidate?: readonly PairRule[];
  /** True if every pair with the same keys, close enough, that shares enough regions passes: no pair is asked. */
  readonly isAll: boolean;
}

/** Nothing known: the rule is asked about every pair. */
export const PAIRWISE: Tells = { isAll: false };

export interface Key {
  readonly attribute: Attribute;
  /** True if a ticket without the value matches nobody. Otherwise a missing value is a value like any other. */
  readonly required: boolean;
}

/** Both tickets have the field as a number, and the two numbers are at most `max` apart, before any widening. */
export interface Band {
  readonly field: string;
  /** Infinity if only one side is bounded. */
  readonly max: number;
  /** How it widens from there with the longer wait; null if it does not. */
  readonly reach: Reach | null;
}

export interface Words<R> {
  /** The rule as people say it. */
  readonly short: (rule: R) => string;
  /** What it read of a ticket; null if nothing. */
  readonly seen: (rule: R, ticket: Ticket) => StateValue | null;
  /** True if the ticket has nothing that the rule could compare. */
  readonly lacks: (rule: R, ticket: Ticket) => boolean;
  /** The value without which a ticket cannot match anybody. Absent if it can. */
  readonly needs?: (rule: R) => string;
  /** How far apart the two are, and how far apart they may be now. Null if they cannot be compared. */
  readonly distance?: (rule: R, pair: PairAt) => { gap: number; limit: number } | null;
}

export interface PairAt {
  readonly anchor: Ticket;
  readonly candidate: Ticket;
  readonly mode: Terms;
  /** Epoch ms. */
  readonly now: number;
}

export const MAX_FIELD_LENGTH = 64;

export const field = text(MAX_FIELD_LENGTH);

/** For a rule that compares a field which any value fits. */
export const anyValue: Pick<Words<{ readonly field: string }>, 'seen' | 'lacks'> = {
  seen: (rule, ticket) => stateField(ticket, rule.field) ?? null,
  lacks: (rule, ticket) => stateField(ticket, rule.field) === undefined,
};

export { stateField } from '../ticket/ticket';
