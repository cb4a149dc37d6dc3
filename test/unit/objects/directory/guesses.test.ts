// Somebody guesses invite codes: 1,283 in four seconds, as fast as a box answers. Whose right codes still count?

import { describe, expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import { Guesses } from '../../../../src/objects/directory/guesses';
import type { Guess } from '../../../../src/objects/contracts/directory';
import { quotasOf } from '../../../../src/common/quotas';

/** The defaults, but that nothing refills: what is left does not hang on when it is asked. */
const LIMITS = Object.fromEntries(
  Object.entries(quotasOf({}).rates.wrongCodes).map(([scope, limit]) => [
    scope,
    { most: limit.most, perMs: 1e12 },
  ]),
);

function guess(player: string, given: Partial<Guess> = {}): Guess {
  return { code: 'WRONG', player: player as PlayerId, address: null, limits: LIMITS, ...given };
}

/** Of so many wrong codes, how many were looked up. */
function guessed(guesses: Guesses, by: (at: number) => Guess): number {
  let looked = 0;
  for (let at = 0; at < 1_283; at += 1) {
    const now = (at * 4_000) / 1_283;
    if (guesses.refusal(by(at), now) === null) {
      looked += 1;
      guesses.wrong(by(at), now);
    }
  }
  return looked;
}

const closed = (guesses: Guesses, by: Guess): boolean => guesses.refusal(by, 4_001) !== null;

describe('after 1,283 guesses in four seconds', () => {
  it('of one known address, the codes are open to all other addresses', () => {
    const guesses = new Guesses();
    const address = '203.0.113.1';
    expect(guessed(guesses, (at) => guess(`eve-${at}`, { address }))).toBeLessThan(130);
    expect(closed(guesses, guess('ann', { address }))).toBe(true);
    expect(closed(guesses, guess('ann', { address: '203.0.113.2' }))).toBe(false);
  });

  it('of many known addresses, they are open to addresses that have guessed nothing', () => {
    const guesses = new Guesses();
    guessed(guesses, (at) => guess(`eve-${at}`, { address: `198.51.${at % 100}.1` }));
    expect(closed(guesses, guess('ann', { address: '203.0.113.2' }))).toBe(false);
  });

  it('of invented players of unknown addresses, they are closed, but to players who prove who they are', () => {
    const guesses = new Guesses();
    expect(guessed(guesses, (at) => guess(`eve-${at}`))).toBeLessThan(1_283);
    expect(closed(guesses, guess('ann'))).toBe(true);
    expect(closed(guesses, guess('ann', { isProven: true }))).toBe(false);
  });

  it('of one player who proves to be that, they are closed to this one', () => {
    const guesses = new Guesses();
    expect(guessed(guesses, () => guess('eve', { isProven: true }))).toBeLessThan(25);
    expect(closed(guesses, guess('eve', { isProven: true }))).toBe(true);
    expect(closed(guesses, guess('ann'))).toBe(false);
  });
});
