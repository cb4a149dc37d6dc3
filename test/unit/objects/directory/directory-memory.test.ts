// Players choose how large a lobby's view is, and how many there are: a Directory shows all of them,
// and keeps little of the large ones in memory.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { LobbyId } from '../../../../src/common/ids';
import type { JsonObject } from '../../../../src/common/json';
import { NO_STATS, viewOf } from '../../../../src/lobby/view';
import type { DirectoryRow } from '../../../../src/objects/contracts/directory';
import { DirectoryActor } from '../../../../src/objects/directory/actor';
import type { Store } from '../../../../src/objects/kit/ports';
import { fakePorts } from '../../../fleet/ports';
import { lobbyOf } from '../../../support/lobbies';

const COUNT = 60;
const BYTES = 400_000;
const EVERYTHING = { region: null, status: null, limit: 100, offset: 0 };

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

function idOf(index: number): LobbyId {
  return `lobby-${String(index).padStart(4, '0')}` as LobbyId;
}

/** A row as storage would read it: anew each time. */
function rowOf(index: number): DirectoryRow {
  const settings: JsonObject = { text: `${index} `.padEnd(BYTES, 'x') };
  const lobby = { ...lobbyOf('ann'), id: idOf(index), settings };
  const view = viewOf(lobby, { customProperties: {}, queueStats: NO_STATS });
  return JSON.parse(JSON.stringify({ lobbyId: lobby.id, revision: 1, view })) as DirectoryRow;
}

/** So many rows, none of them in memory. */
function storeOf(store: Store): Store {
  const keys = Array.from({ length: COUNT }, (_, index) => `row:${idOf(index)}`);
  const row = (key: string): unknown => rowOf(keys.indexOf(key));
  return {
    ...store,
    get: <T>(key: string) => (keys.includes(key) ? (row(key) as T) : store.get<T>(key)),
    *list<T>(prefix: string): Iterable<readonly [string, T]> {
      for (const key of keys.filter((each) => each.startsWith(prefix))) {
        yield [key, row(key) as T];
      }
    },
  };
}

it('a directory of large lobbies shows them whole and keeps little of them', async () => {
  const { ports } = fakePorts({
    name: 'large',
    document: { revision: 0, configs: {}, builds: {} },
  });
  const before = heap();
  const directory = new DirectoryActor({ ...ports, store: storeOf(ports.store) });
  const kept = heap() - before;
  console.log(`${COUNT} lobbies of ${BYTES} bytes: ${Math.round(kept / 1024)} KiB in memory`);
  expect(kept).toBeLessThan((COUNT * BYTES) / 10);
  expect((await directory.census()).byStatus).toEqual({ waiting: COUNT });
  const seen: (string | undefined)[] = [];
  for (let more = true; more;) {
    const page = await directory.browse({ ...EVERYTHING, offset: seen.length });
    expect(page.total).toBe(COUNT);
    for (const { id, settings } of page.lobbies) {
      expect(JSON.stringify(settings).length).toBeGreaterThan(BYTES);
      seen.push(id);
    }
    more = page.hasMore;
  }
  expect(new Set(seen).size).toBe(COUNT);
});

it('a large lobby is shown as it was told last, saved or not', async () => {
  const document = { revision: 0, configs: {}, builds: {} };
  const { ports } = fakePorts({ name: 'large', document });
  const directory = new DirectoryActor(ports);
  const { lobbyId, view } = rowOf(7);
  await directory.allocate({ lobbyId, by: 'm' as never }, null);
  const told = [1, 2].map((revision) =>
    directory.put({ lobbyId, revision, view: view && { ...view, revision } }),
  );
  const [lobby] = (await directory.browse(EVERYTHING)).lobbies;
  expect([lobby?.revision, lobby?.settings]).toEqual([2, view?.settings]);
  void told;
});
