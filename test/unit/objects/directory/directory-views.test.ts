// What browsing shows of lobbies that change together is one row, and the newest view of each survives a restart.

import { expect, it } from 'vitest';
import type { LobbyId, MemberId } from '../../../../src/common/ids';
import { NO_STATS, viewOf } from '../../../../src/lobby/view';
import { DirectoryActor } from '../../../../src/objects/directory/actor';
import type { DirectoryRow } from '../../../../src/objects/contracts/directory';
import type { Store } from '../../../../src/objects/kit/ports';
import { fakePorts } from '../../../fleet/ports';
import { lobbyOf } from '../../../support/lobbies';

const EVERYTHING = { region: null, status: null, limit: 1_000, offset: 0 };
const MEMBER = 'member' as MemberId;
/** More than the log has pages. */
const MANY = 1_100;

function rowOf(name: string, revision: number, text = ''): DirectoryRow {
  const lobby = { ...lobbyOf('ann'), id: name as LobbyId, revision, settings: { text } };
  const view = viewOf(lobby, { customProperties: {}, queueStats: NO_STATS });
  return { lobbyId: lobby.id, revision, view };
}

/** A Directory whose storage outlives it, and counts what is written. */
function stage() {
  const fake = fakePorts({ name: 'many', document: { revision: 0, configs: {}, builds: {} } });
  const written: string[] = [];
  const store: Store = {
    ...fake.ports.store,
    put: (key, value) => {
      written.push(key);
      fake.ports.store.put(key, value);
    },
  };
  let drawn = 1;
  const random = (): number => {
    drawn = (drawn * 16_807) % 2_147_483_647;
    return drawn / 2_147_483_647;
  };
  const ports = { ...fake.ports, store, random };
  let directory = new DirectoryActor(ports);
  return {
    written,
    found: async (...names: string[]): Promise<void> => {
      for (const name of names) {
        const founding = { lobbyId: name as LobbyId, by: MEMBER };
        expect((await directory.allocate(founding, null, rowOf(name, 1))).ok).toBe(true);
      }
      written.length = 0;
    },
    put: async (...rows: DirectoryRow[]): Promise<void> => {
      const saved = Promise.all(rows.map((row) => directory.put(row)));
      await fake.pass(60);
      await saved;
    },
    remove: async (name: string): Promise<void> => {
      const removed = directory.remove({ lobbyId: name as LobbyId, by: MEMBER });
      await fake.pass(60);
      await removed;
    },
    restart: (): void => void (directory = new DirectoryActor(ports)),
    /** The revision that browsing shows of each. */
    shown: async (): Promise<Record<string, number>> => {
      const { lobbies } = await directory.browse(EVERYTHING);
      return Object.fromEntries(lobbies.map(({ id, revision }) => [id, revision]));
    },
    textOf: async (name: string): Promise<unknown> => {
      const { lobbies } = await directory.browse(EVERYTHING);
      return lobbies.find(({ id }) => id === name)?.settings['text'];
    },
  };
}

it('a hundred lobbies that change within a moment cost one row', async () => {
  const { found, put, restart, shown, written } = stage();
  const names = Array.from({ length: 100 }, (_, index) => `lobby-${index}`);
  await found(...names);
  await put(...names.map((name) => rowOf(name, 2)));
  await put(...names.map((name) => rowOf(name, 3)));
  expect(written).toHaveLength(2);
  const newest = Object.fromEntries(names.map((name) => [name, 3]));
  expect(await shown()).toEqual(newest);
  restart();
  expect(await shown()).toEqual(newest);
});

it('the newest view of a lobby outlives all later changes of others, with no row of its own', async () => {
  const { found, put, restart, shown, written } = stage();
  await found('calm', 'brisk', 'busy');
  await put(rowOf('calm', 2), rowOf('brisk', 2));
  await put(rowOf('brisk', 3));
  for (let revision = 2; revision <= MANY; revision += 1) {
    await put(rowOf('busy', revision));
    if (revision % 300 === 0) {
      restart();
    }
  }
  expect(written).toHaveLength(MANY + 1);
  restart();
  expect(await shown()).toEqual({ calm: 2, brisk: 3, busy: MANY });
});

it('a lobby that is gone stays gone, and a later one of its id shows nothing of it', async () => {
  const { found, put, remove, restart, shown } = stage();
  await found('ann', 'ben');
  await put(rowOf('ann', 7), rowOf('ben', 7));
  await remove('ann');
  restart();
  expect(await shown()).toEqual({ ben: 7 });
  await found('ann');
  restart();
  expect(await shown()).toEqual({ ann: 1, ben: 7 });
});

it('a large view has a row of its own, and its size may change', async () => {
  const { found, put, restart, shown, textOf } = stage();
  const large = 'x'.repeat(20_000);
  await found('ann');
  for (const [revision, text] of [
    [2, 'small'],
    [3, large],
    [4, 'smaller'],
    [5, large],
  ] as const) {
    await put(rowOf('ann', revision, text));
    expect(await textOf('ann')).toBe(text);
    restart();
    expect(await shown()).toEqual({ ann: revision });
    expect(await textOf('ann')).toBe(text);
  }
});
