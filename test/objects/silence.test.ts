// Decision 57 where objects live alone and where one holds all: nobody could be heard before the process was there.

import { afterEach, expect, it, vi } from 'vitest';
import { actorAt } from '../support/actors';
import { ask, createLobby, freshConfig, joinLobby, mine, saveConfig } from '../http/support';

afterEach(() => {
  vi.useRealTimers();
});

it('silence counts from when the process has been there, though the object was asleep for longer', async () => {
  // The first request comes now.
  const config = freshConfig();
  await saveConfig(config, { heartbeat: true, heartbeatTimeout: 30 });
  const upSince = Date.now();
  const at = (seconds: number): void => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(upSince + seconds * 1_000);
  };
  // A lobby of an earlier process.
  at(-40);
  const lobby = await createLobby(config, 'ann', { maxPlayers: 4 });
  await joinLobby(config, 'bob', lobby.code);
  const actor = actorAt('lobby', lobby.id);
  // Its alarm fires two seconds late.
  for (const seconds of [-8, 10, 28]) {
    at(seconds);
    await actor.evict();
    await actor.ring();
  }
  expect((await mine(config, 'ann')).players.map(({ id }) => id)).toEqual(['ann', 'bob']);
  // It stayed awake since, so this alarm is not late.
  at(32);
  await actor.ring();
  expect((await mine(config, 'ann')).players.map(({ id }) => id)).toEqual(['ann']);
  expect((await ask(`GET lobbies/${config}/me`, { player: 'bob' })).status).toBe(404);
});
