// The first row of a lobby comes with the request for its code, before there is a lobby: it shows at
// once, and goes again where the founding broke off.

import { expect, it } from 'vitest';
import type { LobbyId, MemberId } from '../../../../src/common/ids';
import { NO_STATS, viewOf, type LobbyView } from '../../../../src/lobby/view';
import type { DirectoryRow } from '../../../../src/objects/contracts/directory';
import { DirectoryActor } from '../../../../src/objects/directory/actor';
import type { Peers } from '../../../../src/objects/contracts/peers';
import { fakePorts } from '../../../fleet/ports';
import { lobbyOf } from '../../../support/lobbies';

const EVERYTHING = { region: null, status: null, limit: 10, offset: 0 };
const lobbyId = 'den' as LobbyId;
const founding = { lobbyId, by: 'm-1' as MemberId };

function viewAt(revision: number): LobbyView {
  const lobby = { ...lobbyOf('ann'), id: lobbyId, code: '', revision };
  return viewOf(lobby, { customProperties: {}, queueStats: NO_STATS });
}

function rowAt(revision: number): DirectoryRow {
  return { lobbyId, revision, view: viewAt(revision) };
}

/** A directory, `lobby` of which is what there is of that lobby when it is asked. */
async function trial(lobby: LobbyView | null, saved?: Map<string, unknown>) {
  let asked = 0;
  let commits = 0;
  const adminRead = async (): Promise<LobbyView | null> => {
    asked += 1;
    return lobby;
  };
  const document = { revision: 0, configs: {}, builds: {} };
  const peers = { lobby: () => ({ adminRead }) } as unknown as Partial<Peers>;
  const fake = fakePorts({ name: 'dev', document, peers, ...(saved && { saved }) });
  const atomically = <T>(run: () => T): T => {
    commits += 1;
    return run();
  };
  const store = { ...fake.ports.store, atomically };
  const directory = new DirectoryActor({ ...fake.ports, store, name: ['dev', 'arena'] });
  // From when it has been awake for so long, it knows what it has let go of.
  await fake.pass(90_000);
  return {
    directory,
    saved: fake.saved,
    asked: () => asked,
    commits: () => commits,
    later: async (ms: number): Promise<void> => {
      await fake.pass(ms);
      const rung = directory.alarm();
      await fake.pass(1_000);
      await rung;
    },
    shown: async (): Promise<readonly (readonly [string, number])[]> => {
      const { lobbies } = await directory.browse(EVERYTHING);
      return lobbies.map(({ code, revision }) => [code, revision] as const);
    },
  };
}

it('shows under its code at once, saved with it', async () => {
  const { directory, shown, commits } = await trial(null);
  const code = await directory.allocate(founding, null, rowAt(1));
  expect(code.ok && (await shown())).toEqual([[code.ok && code.value, 1]]);
  expect(commits()).toBe(1);
});

it('goes with its code where the lobby was not founded, also when the directory restarts', async () => {
  const first = await trial(null);
  await first.directory.allocate(founding, null, rowAt(1));
  const again = await trial(null, first.saved);
  expect(await again.shown()).toHaveLength(1);
  for (const { later, shown, asked, saved } of [first, again]) {
    await later(61_000);
    expect([asked(), await shown(), saved.size]).toEqual([1, [], 0]);
  }
});

it('stays where the lobby is there, which is asked once', async () => {
  const { directory, later, shown, asked } = await trial(viewAt(1));
  await directory.allocate(founding, null, rowAt(1));
  await later(61_000);
  await later(61_000);
  expect([asked(), (await shown()).length]).toEqual([1, 1]);
});

it('needs no question once the lobby has sent another, nor undoes that when it comes again', async () => {
  const { directory, later, shown, asked } = await trial(null);
  await directory.allocate(founding, null, rowAt(1));
  void directory.put(rowAt(2));
  await directory.allocate(founding, null, rowAt(1));
  await later(61_000);
  expect(asked()).toBe(0);
  expect((await shown()).map(([, revision]) => revision)).toEqual([2]);
});
