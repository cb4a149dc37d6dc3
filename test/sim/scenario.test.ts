// What the simulation asks for is what the service reads: a field by another name would be ignored, and prove
// nothing.

import { describe, expect, it } from 'vitest';
import { configInput, parseConfig } from '../../src/lobby/config';
import type { LobbyId, PlayerId, TicketId } from '../../src/common/ids';
import { RULE_TYPES } from '../../src/match/rules/registry';
import { ticketOf } from '../../src/match/ticket/aggregate';
import { unknownFields } from '../../src/common/shape';
import { Random } from '../../proof/sim/random';
import { RULE_SAMPLES } from '../../proof/sim/rule-samples';
import { scenarioOf } from '../../proof/sim/scenario';

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed + 1);
const modesOf = (seed: number) => Object.values(scenarioOf(seed).config.matchmaking.modes);

describe('the scenarios of the simulation', () => {
  it('save configs that the schema takes as they are', () => {
    for (const seed of SEEDS) {
      const { name, ...body } = scenarioOf(seed).config;
      expect(unknownFields(configInput, body)).toEqual([]);
      const read = parseConfig(name, body);
      expect(read.ok ? [] : read.refusal).toEqual([]);
      expect(read).toMatchObject({ value: scenarioOf(seed).config });
    }
  });

  it('play every rule type', () => {
    const played = new Set(
      SEEDS.flatMap(modesOf).flatMap(({ rules }) => rules.map(({ type }) => type)),
    );
    expect([...played].sort()).toEqual(RULE_TYPES.map(({ type }) => type).sort());
  });

  it('have players say only what a rule or the ticket reads', () => {
    const read = new Set(['role', 'regions']);
    for (const { rule } of RULE_SAMPLES) {
      Object.values(rule).forEach((value) => read.add(String(value)));
    }
    for (const seed of SEEDS) {
      const said = Object.keys(scenarioOf(seed).stateOf(new Random(seed, 1)));
      expect(said.filter((field) => !read.has(field) && !isInExpression(field))).toEqual([]);
    }
  });

  it('queue with no list of regions, an empty one, one region and several', () => {
    const counts = new Set<number | 'own'>();
    for (const seed of SEEDS) {
      const { stateOf } = scenarioOf(seed);
      const state = stateOf(new Random(seed, 1));
      const lobby = {
        id: 't' as TicketId,
        lobbyId: 'l' as LobbyId,
        startedAt: 0,
        players: [{ id: 'p' as PlayerId, state, isHost: true }],
        region: 'us-east',
        settings: {},
      };
      const made = modesOf(seed).map((mode) => ticketOf(lobby, mode))[0];
      if (made?.ok === true) {
        counts.add('regions' in state ? made.value.acceptableRegions.length : 'own');
      }
    }
    expect(counts).toEqual(new Set([0, 1, 2, 'own']));
  });
});

function isInExpression(field: string): boolean {
  return RULE_SAMPLES.some(({ rule }) => 'cel' in rule && rule.cel.includes(`state.${field}`));
}
