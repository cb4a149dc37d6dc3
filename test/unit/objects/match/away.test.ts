// Who still has to accept a match when the service comes back: nobody could while it was away (decision 57).

import { expect, it } from 'vitest';
import type { LobbyId } from '../../../../src/common/ids';
import { accepted } from '../../../../src/objects/match/refill';
import { answerable, dueAt, duly } from '../../../../src/objects/match/room';
import { confirmed, type Match } from '../../../../src/objects/match/state';
import { mode } from '../../../match/support/make';
import { formedOf, party } from '../../../support/running-match';

const SECONDS = 1_000;

function forming(timeoutSeconds: number): Match {
  const rules = mode({ playersPerTeam: 1, matchConfirmation: { enabled: true, timeoutSeconds } });
  const teams = ['a', 'b'].map((name) => ({
    name: null,
    tickets: [`ticket of ${name}`],
    roles: null,
  }));
  return formedOf({ rules, parties: [party('a', 'ann'), party('b', 'ben')], teams });
}

it('has ten seconds from then on, or what the mode gives', () => {
  const match = confirmed(forming(15), 'a' as LobbyId);
  const back = 20 * SECONDS;
  const later = answerable(match, back);
  expect([dueAt(match), dueAt(later)]).toEqual([15 * SECONDS, 30 * SECONDS]);
  expect(accepted(match, 'b' as LobbyId, undefined, back + 1)).toBeNull();
  expect(accepted(later, 'b' as LobbyId, undefined, back + 1)).not.toBeNull();
  // Who waits for it is told the new time.
  expect(later.participants.map(({ step }) => step)).toEqual(
    match.participants.map(({ step }) => step + 1),
  );
  expect(dueAt(answerable(forming(5), back))).toBe(25 * SECONDS);
});

it('has no more where there was time left, and once only', () => {
  const match = forming(30);
  expect(answerable(match, 15 * SECONDS)).toBe(match);
  expect(answerable(match, undefined)).toBe(match);
  const later = answerable(match, 25 * SECONDS);
  expect(answerable(later, 25 * SECONDS)).toBe(later);
  expect(duly(later, 34 * SECONDS).phase).toBe('confirming');
  expect(duly(later, 35 * SECONDS)).toMatchObject({ phase: 'over', reason: 'confirm_timeout' });
});
