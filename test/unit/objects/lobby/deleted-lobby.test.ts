// What is left of a deleted lobby until its history is forgotten.

import { expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import { Alone } from '../../../support/alone';

it('a deleted lobby owes nobody anything once all have heard of its end, so it pays nobody twice', async () => {
  const alone = new Alone();
  await alone.found('ann');
  await alone.actor.execute({ type: 'leave', player: 'ann' as PlayerId });
  await alone.pass(1_000);
  expect([...alone.saved.keys()].toSorted()).toEqual(['history-end', 'home']);
  await alone.pass((alone.alarmAt ?? 0) - alone.now);
  expect(alone.saved.size).toBe(0);
});
