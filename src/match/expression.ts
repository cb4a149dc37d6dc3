// Rules of type `expression` (spec: Rule semantics 5; matching.md A13): a is the anchor, b the
// candidate, evaluated once. An error, a value that is no boolean, or a spent budget fails the rule;
// nothing of a ticket ever leaves an evaluation but true or false.

import { celProgram, parseCel } from './cel';
import type { Conjunct } from './conjuncts';
import { conjunctNodes, conjunctOf } from './conjuncts';
import { withinBudget } from './meter';
import type { Mode } from './mode';
import { printProgram } from './printer';
import type { Result } from '../result';
import { ok, refuse } from '../result';
import { scopeOf } from './scope';
import type { Ticket } from './ticket';

export interface CompiledExpression {
  /** All conjuncts at `now` (epoch ms). */
  passes(anchor: Ticket, candidate: Ticket, now: number): boolean;
  /** The conjuncts that do not read waitSeconds. */
  passesEver(anchor: Ticket, candidate: Ticket): boolean;
  readonly readsTime: boolean;
}

interface Part {
  readonly conjunct: Conjunct;
  readonly program: (scope: Record<string, unknown>) => unknown;
}

/** Checks an expression as a config is saved: its conjuncts, or one line that says what is wrong. */
export function parseExpression(cel: string): Result<readonly Conjunct[], string> {
  const parts = partsOf(cel);
  return parts.ok ? ok(parts.value.map((part) => part.conjunct)) : parts;
}

/**
 * The conjuncts of an expression, for an index to answer those it can (see `Conjunct`).
 * Empty for a text that does not parse: such a rule never passes.
 */
export function conjunctsOf(cel: string): readonly Conjunct[] {
  const parsed = parseExpression(cel);
  return parsed.ok ? parsed.value : [];
}

/**
 * Compiles an expression once. Saved configs have been through `parseExpression`; should a text
 * not parse all the same, its rule never passes, and the queue goes on.
 */
export function compileExpression(cel: string, mode: Mode): CompiledExpression {
  const parsed = partsOf(cel);
  if (!parsed.ok) {
    return { passes: () => false, passesEver: () => false, readsTime: false };
  }
  const parts = parsed.value;
  const timeless = parts.filter((part) => !part.conjunct.readsTime);
  const allTrue = (some: readonly Part[], a: Ticket, b: Ticket, now: number): boolean => {
    const scope = scopeOf(a, b, now, mode);
    return some.every((part) => isTrue(part.program, scope));
  };
  return {
    passes: (anchor, candidate, now) => allTrue(parts, anchor, candidate, now),
    passesEver: (anchor, candidate) =>
      timeless.length === 0 || allTrue(timeless, anchor, candidate, anchor.startedAt),
    readsTime: timeless.length < parts.length,
  };
}

function partsOf(cel: string): Result<readonly Part[], string> {
  const parsed = parseCel(cel);
  if (!parsed.ok) {
    return parsed;
  }
  try {
    return ok(
      conjunctNodes(parsed.value).map((node) => ({
        conjunct: conjunctOf(node),
        program: celProgram(printProgram(node)),
      })),
    );
  } catch {
    return refuse('is nested too deep');
  }
}

function isTrue(program: Part['program'], scope: Record<string, unknown>): boolean {
  try {
    return withinBudget(() => program(scope)) === true;
  } catch {
    return false;
  }
}
