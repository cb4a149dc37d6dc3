// A rule of each type for the simulation and the random tests, with states of players most of whom can meet most others.

import type { JsonObject } from '../../src/common/json';
import type { Rule } from '../../src/match/rules/registry';

interface SampleOf<R> {
  readonly rule: R;
  readonly states: readonly JsonObject[];
}

const BY_TYPE: { readonly [Type in Rule['type']]: SampleOf<Extract<Rule, { type: Type }>> } = {
  difference: {
    rule: { type: 'difference', field: 'mmr', maxDifference: 60, widenTo: 120, uncertainty: false },
    states: [{ mmr: 1_000 }, { mmr: 1_050 }, { mmr: 1_130 }],
  },
  equals: {
    rule: { type: 'equals', field: 'build' },
    states: [{ build: 'default' }, { build: 'default' }, { build: 'default' }, { build: 'beta' }],
  },
  not_equals: {
    rule: { type: 'not_equals', field: 'clan' },
    states: [{ clan: 'north' }, { clan: 'south' }, {}],
  },
  region: {
    rule: { type: 'region', minOverlap: 1 },
    states: [
      {},
      { regions: [] },
      { regions: ['us-east'] },
      { regions: ['eu-west', 'us-east'] },
      { regions: ['eu-west'] },
    ],
  },
  expression: {
    rule: {
      type: 'expression',
      cel: 'a.state.mmr - b.state.mmr < 120 || a.waitSeconds > 5',
    },
    states: [{ mmr: 1_000 }, { mmr: 1_050 }, { mmr: 1_130 }],
  },
  balance: {
    rule: { type: 'balance', field: 'mmr', maxDifference: 30, widenTo: 90 },
    states: [{ mmr: 1_000 }, { mmr: 1_050 }, {}],
  },
  latency: {
    rule: { type: 'latency', field: 'ping', maxMs: 60, widenTo: 140 },
    states: [
      { ping: { 'eu-west': 20, 'us-east': 90 } },
      { ping: { 'eu-west': 100, 'us-east': 30 } },
      { ping: { 'us-east': 50, asia: 250 } },
      { regions: ['us-east', 'asia'] },
      { regions: [] },
    ],
  },
  avoid: {
    rule: { type: 'avoid', field: 'avoid', afterSeconds: 25 },
    states: [{}, { avoid: ['p1', 'p3'] }, { avoid: [] }],
  },
};

export const RULE_SAMPLES: readonly SampleOf<Rule>[] = Object.values(BY_TYPE);
