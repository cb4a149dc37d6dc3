// Random sequences of all commands on real objects, against a small independent model: each answer,
// and every lobby after it. Once more with objects thrown out of memory at random points.
// VITE_MODEL_SEQUENCES and VITE_MODEL_SEED: how many sequences, and drawn from what.

import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { saveConfig } from '../http/support';
import { NEVER, NEVER_PARTY, PAIR, type Rules } from './lobby-model';
import type { Step } from './model-choice';
import { Run } from './model-run';

const RULES: Readonly<Record<string, Rules>> = {
  'model-open': { hostLeaves: 'promote', confirms: false },
  'model-strict': { hostLeaves: 'delete', confirms: true },
};
const SEQUENCES = Number(process.env['VITE_MODEL_SEQUENCES'] ?? 0);
const SEED = Number(process.env['VITE_MODEL_SEED'] ?? 20_260_101);
const LIMIT_MS = 120_000 + SEQUENCES * 15_000;

const kind = (weight: number, name: Step['kind']) => ({
  weight,
  arbitrary: fc.constant(name),
});

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    kind(10, 'create'),
    kind(12, 'join'),
    kind(3, 'read'),
    kind(4, 'patch'),
    kind(4, 'leave'),
    kind(4, 'settings'),
    kind(3, 'kick'),
    kind(2, 'start'),
    kind(7, 'end_match'),
    kind(16, 'queue'),
    kind(3, 'cancel'),
    kind(10, 'confirm'),
    kind(6, 'decline'),
    kind(2, 'heartbeat'),
    kind(1, 'admin_read'),
    kind(2, 'admin_delete'),
  ),
  config: fc.constantFrom(...Object.keys(RULES)),
  who: fc.nat(4),
  whom: fc.nat(99),
  dice: fc.nat(999),
});

beforeAll(async () => {
  for (const [name, { hostLeaves, confirms }] of Object.entries(RULES)) {
    const matchConfirmation = { enabled: confirms, timeoutSeconds: 600 };
    await saveConfig(name, {
      timeout: 80_000,
      hostLeaveBehavior: hostLeaves,
      // Ten codes for five players: soon every code has been another lobby's before.
      inviteCodeConfig: confirms ? null : { type: 'numeric', length: 1, prefix: 'R' },
      matchmaking: {
        modes: {
          [PAIR]: { timeout: 3_600, matchConfirmation },
          [NEVER]: { playersPerTeam: 50, maxPartySize: NEVER_PARTY, timeout: 3_600 },
        },
      },
    });
  }
});

async function runAll(sequences: number, forgetting: number): Promise<ReadonlyMap<string, number>> {
  const counts = { sequences: 0, steps: 0, refused: 0, evictions: 0 };
  const seen = new Map<string, number>();
  const sequence = fc.array(step, { minLength: 40, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const run = new Run(RULES, { forgetting, seed: SEED + counts.sequences });
      await run.all(steps);
      counts.sequences += 1;
      counts.steps += steps.length;
      counts.refused += run.refused;
      counts.evictions += run.evictions;
      for (const outcome of run.outcomes) {
        seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      }
    }),
    { seed: SEED, numRuns: sequences, endOnFailure: true },
  );
  const { steps, refused, evictions } = counts;
  console.log(
    `seed ${SEED}: ${counts.sequences} sequences, ${steps} steps (${refused} refused), ` +
      `${evictions} evictions, none failing; ${seen.size} different outcomes`,
  );
  expect(counts.sequences).toBe(sequences);
  return seen;
}

const REACHED = [
  'create ok',
  'create ALREADY_IN_LOBBY',
  'join ok',
  'join LOBBY_FULL',
  'join LOBBY_NOT_ACCEPTING',
  'leave ok',
  'kick ok',
  'queue ok',
  'confirm ok',
  'decline ok',
  'start ok',
  'end_match ok',
  'admin_delete ok',
];

describe('random sequences of all commands', () => {
  // shows: S24, S27, S34, S35, S40, S104, S125, S174, S189, S247, D10a, D11b, D15d
  it(
    'do to real objects what they do to the model',
    async () => {
      const seen = await runAll(SEQUENCES === 0 ? 10 : SEQUENCES, 0);
      // A run that never gets anywhere would prove nothing.
      expect([...seen.keys()]).toEqual(expect.arrayContaining(REACHED));
    },
    LIMIT_MS,
  );

  it(
    'do the same with objects thrown out of memory at random points',
    async () => {
      const seen = await runAll(SEQUENCES === 0 ? 5 : SEQUENCES, 0.25);
      expect(seen.get('confirm ok')).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
