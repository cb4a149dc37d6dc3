// What every rule type promises, whichever they are: all of this runs for a type that is added.

import { describe, expect, it } from 'vitest';
import { preview, PreviewBody } from '../../src/match/explain/preview';
import { explain } from '../../src/match/explain/explain';
import { seenBy } from '../../src/match/explain/seen';
import { RULE_TYPES } from '../../src/match/rules/registry';
import { compileRules } from '../../src/match/rules/rules';
import { parseMode } from '../../src/match/rules/schema';
import { ticketOf } from '../../src/match/ticket/aggregate';
import type { Ticket } from '../../src/match/ticket/ticket';
import type { LobbyId, PlayerId, TicketId } from '../../src/common/ids';
import type { JsonObject } from '../../src/common/json';
import { must } from '../../src/common/result';
import type { Mode } from '../../src/match/rules/mode';
import { RULE_FORMS } from '../../dashboard/rule-forms';
import { RULE_SAMPLES } from '../../proof/sim/rule-samples';
import { mode } from './support/make';

const NOW = 1_000_000;

function ticketWith(of: Mode, id: string, state: JsonObject, waitMs: number): Ticket {
  const lobby = {
    id: id as TicketId,
    lobbyId: id as LobbyId,
    startedAt: NOW - waitMs,
    players: [{ id: id as PlayerId, state, isHost: true }],
    region: 'us-east',
    settings: {},
  };
  const made = ticketOf(lobby, of);
  if (!made.ok) {
    throw new Error(made.refusal.detail);
  }
  return made.value;
}

describe.each(RULE_TYPES)('the rule type $type', (type) => {
  const { rule, states } = must(
    RULE_SAMPLES.find((sample) => sample.rule.type === type.type),
    'its sample',
  );
  const one = mode({ rules: [rule] });
  const tickets = states.flatMap((state, at) => [
    ticketWith(one, `p${at}`, state, 0),
    ticketWith(one, `p${at} old`, state, 20_000),
  ]);
  const pairs = tickets.flatMap((anchor) => tickets.map((candidate) => ({ anchor, candidate })));
  const rules = compileRules(one);

  it('reads its own sample, and nothing but what its form has', () => {
    expect(parseMode({ rules: [rule] })).toMatchObject({ ok: true, value: { rules: [rule] } });
    const { fields } = must(RULE_FORMS.get(type.type), 'its form');
    const { type: _, ...own } = rule;
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(own)));
    expect(Object.keys(type.schema.shape)).toEqual(expect.arrayContaining(Object.keys(fields)));
    const fresh = Object.fromEntries(
      Object.entries(fields)
        .filter(([, each]) => each.fresh !== null)
        .map(([name, each]) => [name, each.fresh]),
    );
    const read = parseMode({ rules: [{ type: type.type, ...fresh }] });
    // A new rule lacks a name or a text at most.
    expect(read.ok ? [] : read.refusal.filter(({ message }) => !message.includes('empty'))).toEqual(
      type.type === 'expression' ? expect.anything() : [],
    );
  });

  it('lets most of its samples meet, and not all', () => {
    const passing = pairs.filter(({ anchor, candidate }) => rules.passes(anchor, candidate, NOW));
    expect(passing.length).toBeGreaterThan(pairs.length / 4);
    expect(passing.length).toBeLessThan(pairs.length);
  });

  it('opens when it says, and stays open', () => {
    for (const { anchor, candidate } of rules.pollsTime ? [] : pairs) {
      const at = rules.opensAt(anchor, candidate);
      const elder = Math.min(anchor.startedAt, candidate.startedAt);
      const both = Math.max(anchor.startedAt, candidate.startedAt);
      for (let now = both; now < elder + one.timeout * 1000; now += 500) {
        expect([now, rules.passes(anchor, candidate, now)]).toEqual([
          now,
          at !== null && now >= at,
        ]);
      }
    }
  });

  it('tells the index nothing but what holds for all that it lets pass', () => {
    const tells = type.tells?.(rule, one) ?? { isAll: false };
    for (const { anchor, candidate } of pairs) {
      const keep = (tells.keys ?? []).every(({ attribute }) => {
        const [a, b] = [anchor, candidate].map((each) =>
          attribute.of === 'region' ? each.region : each.state[attribute.field],
        );
        return JSON.stringify(a) === JSON.stringify(b);
      });
      const near = (tells.bands ?? []).every(({ field, max, reach }) => {
        const [a, b] = [anchor.state[field], candidate.state[field]];
        return (
          typeof a === 'number' &&
          typeof b === 'number' &&
          Math.abs(a - b) <= Math.max(max, reach?.at(one.timeout * 1000) ?? 0)
        );
      });
      const sided =
        (tells.asAnchor ?? []).every((part) => part.passesEver(anchor, anchor)) &&
        (tells.asCandidate ?? []).every((part) => part.passesEver(candidate, candidate));
      expect(rules.passes(anchor, candidate, NOW) && !(keep && near && sided)).toBe(false);
    }
  });

  it('has words for everybody who asks', () => {
    const told = pairs.map(({ anchor, candidate }) => {
      const { obstacles, rules: verdicts } = explain(one, anchor, [candidate], NOW);
      return [
        ...seenBy(one, [anchor]).map((seen) => seen.rule),
        ...verdicts.map((verdict) => verdict.rule),
        ...obstacles,
      ];
    });
    const seen = states.flatMap((a) =>
      states.flatMap((b) => {
        const body = PreviewBody.parse({ mode: {}, a: { state: a }, b: { state: b } });
        const { rules: verdicts } = preview(one, body, NOW);
        expect(verdicts).toMatchObject([{ type: type.type }]);
        return verdicts.map(({ because }) => because);
      }),
    );
    const texts = [...told.flat(), ...seen];
    expect(texts.filter((text) => text === '' || text.includes('undefined'))).toEqual([]);
  });
});
