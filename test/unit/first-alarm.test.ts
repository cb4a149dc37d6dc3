// A lobby that was just founded sets no alarm, because the Directory asks it a minute later. Most lobbies have changed by
// then, and the alarm of that change would have replaced it.

import { expect, it } from 'vitest';
import { Alone } from '../support/alone';

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
