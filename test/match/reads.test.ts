// Programs that get the fields of tickets by name say what the same expression says of whole tickets.

import { describe, expect, it } from 'vitest';
import { celProgram, parseCel } from '../../src/match/expression/cel';
import { compileExpression } from '../../src/match/expression/expression';
import { print, printProgram } from '../../src/match/expression/printer';
import { scopeOf } from '../../src/match/expression/scope';
import type { StateValue, Ticket } from '../../src/match/ticket/ticket';
import { mode, ticket } from './support/make';

const NOW = 30_000;
const MODE = mode({ timeout: 90 });

function all(): readonly Ticket[] {
  const states: readonly Readonly<Record<string, StateValue>>[] = [
    {},
    { m: 1, s: 'a.state.m' },
    { m: 2.5, constructor: 'own', s: 'x' },
    { m: [1, 'x'], toString: true, s: '' },
  ];
  return states.map((state, at) =>
    ticket(`t${at}`, { state, at: at * 5_000, size: 1 + at, regions: at === 1 ? [] : ['eu'] }),
  );
}

describe.each([
  'a.state.m + b.state.m < 4',
  'a.state.m == b.state.m || a.region != b.region',
  'a.id != b.id && a.partySize > 1 && b.waitSeconds >= 25.0',
  'a.state.s == "a.state.m" && has(b.state.m)',
  'has(a.state.m) && !has(b.state.nothing)',
  '"constructor" in a.state && a.state.constructor == "own" && a.state["m"] > 1',
  'a.state.toString == b.state.toString || size(a.state) == 0',
  'a.acceptableRegions == b.acceptableRegions && "eu" in a.acceptableRegions',
  'a.state.s.matches("^a") || a.state.s.size() == 1',
  'ctx.timeout == 90 && (a.state.m > 1 ? b.state.m > 1 : true)',
])('%s', (cel) => {
  const parsed = parseCel(cel);
  const tree = parsed.ok ? parsed.value : expect.fail(parsed.refusal);

  it('reads no whole ticket', () => {
    const reads = new Map();
    const program = printProgram(tree, reads).replaceAll(/"[^"]*"/g, '');
    expect(program).not.toMatch(/\b[ab]\./);
    expect([...reads.keys()].every((name) => program.includes(name))).toBe(true);
    expect(reads.size).toBeGreaterThan(0);
  });

  it('is the same for each pair, whoever was asked before', () => {
    const rule = compileExpression(cel, MODE);
    const whole = celProgram(print(tree).replace('.matches(', '.matchesPattern('));
    const said = all().flatMap((a) =>
      all().map((b) => {
        let value: unknown = 'error';
        try {
          value = whole(scopeOf(a, b, NOW, MODE));
        } catch {
          // An error is not true.
        }
        expect(rule.passes(a, b, NOW)).toBe(value === true);
        return value === true;
      }),
    );
    expect(new Set(said).size).toBe(2);
  });
});
