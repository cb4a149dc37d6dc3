// A lobby that was deleted and still owes somebody its end is not founded again, by whomever. Who was joining it
// meanwhile is refused, and keeps no seat.

import { expect, it } from 'vitest';
import type { PlayerId } from '../../src/common/ids';
import { Alone } from '../support/alone';

const NO_JOURNAL = { keepMs: 0 };

it('a late create does not bring back a lobby that owes its end, also after a restart', async () => {
  const alone = new Alone();
  await alone.found('ann');
  alone.isDirectorySilent = true;
  await alone.actor.execute({ type: 'leave', player: 'ann' as PlayerId });
  await expect(alone.found('ann')).rejects.toThrow('LOBBY_NOT_FOUND');
  alone.restart();
  await expect(alone.found('ann')).rejects.toThrow('LOBBY_NOT_FOUND');
  alone.isDirectorySilent = false;
  await alone.pass(60_000);
  expect([...alone.saved.keys()].toSorted()).toEqual(['history-end', 'home']);
  await expect(alone.found('ann')).rejects.toThrow('LOBBY_NOT_FOUND');
  await alone.pass(24 * 3_600_000);
  expect([...alone.saved.keys()]).toEqual([]);
  alone.restart();
  await alone.found('ann');
});

it('a lobby that is deleted remembers what it owes until that is paid', async () => {
  const alone = new Alone({}, undefined, NO_JOURNAL);
  await alone.found('ann');
  alone.isDirectorySilent = true;
  await alone.actor.execute({ type: 'leave', player: 'ann' as PlayerId });
  expect([...alone.saved.keys()].some((key) => key.startsWith('debts'))).toBe(true);
  alone.isDirectorySilent = false;
  await alone.pass(60_000);
  expect([...alone.saved.keys()]).toEqual([]);
});

it('a player whose lobby was deleted while it got its seat has no seat', async () => {
  const alone = new Alone();
  await alone.found('ann');
  const { promise, resolve } = Promise.withResolvers<void>();
  alone.seated = promise;
  const joining = alone.join('ben');
  await alone.actor.execute({ type: 'leave', player: 'ann' as PlayerId });
  resolve();
  expect(await joining).toMatchObject({ ok: false, refusal: { code: 'LOBBY_NOT_FOUND' } });
  await alone.pass(1_000);
  expect([...alone.seats]).toEqual([]);
});

it('a lobby saves nothing else of the request that founded it', async () => {
  const alone = new Alone();
  await alone.found('ann', { forceFresh: true, isSdk: true, claim: { mmr: 1 } });
  const head = alone.saved.get('lobby') as object;
  expect(head).toMatchObject({ name: 'Den', host: 'ann' });
  for (const field of ['player', 'state', 'forceFresh', 'isSdk', 'claim']) {
    expect(head).not.toHaveProperty(field);
  }
});
