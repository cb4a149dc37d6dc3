// A lobby that was just founded sets no alarm, because the Directory asks it a minute later. Most lobbies have changed by
// then, and the alarm of that change would have replaced it.

import { expect, it } from 'vitest';
import { Alone } from '../../../support/alone';

it('a new lobby sets its alarm when the Directory asks it, once', async () => {
  const alone = new Alone();
  await alone.found('ann');
  expect(alone.alarmAt).toBeNull();
  alone.restart();
  await alone.actor.adminRead('alone', 'arena');
  const { alarmAt } = alone;
  expect(alarmAt).not.toBeNull();
  await alone.pass((alarmAt ?? 0) - alone.now);
  expect(alone.saved.has('lobby')).toBe(false);
});

it('a new lobby sets it at once for what is due before the Directory asks', async () => {
  const alone = new Alone({ timeout: 60 });
  await alone.found('ann');
  expect((alone.alarmAt ?? Infinity) - alone.now).toBeLessThanOrEqual(60_000);
});

it('a lobby that has changed sets it at once', async () => {
  const alone = new Alone();
  await alone.found('ann');
  await alone.join('ben');
  expect(alone.alarmAt).not.toBeNull();
});

it('a lobby that the Directory asks pushes the row that died with it', async () => {
  const alone = new Alone();
  await alone.found('ann');
  await alone.join('ben');
  alone.restart();
  // It does not know any more whether it has pushed its row, and the change is long ago.
  await alone.pass(120_000);
  alone.restart();
  alone.rows.length = 0;
  await alone.actor.adminRead('alone', 'arena');
  await alone.pass(1_000);
  expect(alone.rows.map(({ revision }) => revision)).toEqual([2]);
});
