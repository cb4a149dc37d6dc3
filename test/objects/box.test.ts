// What the one object of a box promises of the actors in it, beyond what the actors' own tests show
// when they run in it (PLACEMENT=box): faults stay with their actor, alarms come, memory is let go.

import { abortAllDurableObjects, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LobbyId, MemberId, PlayerId } from '../../src/common/ids';
import type { DirectoryRpc } from '../../src/objects/contracts/directory';
import type { LobbyRpc } from '../../src/objects/contracts/lobby';
import type { SeatRpc } from '../../src/objects/contracts/seat';
import { peersThrough, type Peers } from '../../src/objects/contracts/peers';
import { beneath } from '../support/actors';
import { failNextTransaction } from '../support/peers';
import { must } from '../../src/common/result';
import { storeFor } from '../../src/objects/kit/rows';
import type { Store } from '../../src/objects/kit/ports';
import { storeOf } from '../../src/objects/placement/platform';
import type { Box } from '../../src/objects/placement/box/box';
import { stubs } from '../../src/objects/placement/at';
import { failure } from '../../src/http/wire/problem';
import { isRetryable } from '../../src/http/wire/answer';
import { eventually } from '../support/eventually';

interface UnderTest {
  readonly stub: DurableObjectStub;
  readonly box: Box;
  readonly peers: Peers;
}

let boxes = 0;

function freshBox(): UnderTest {
  boxes += 1;
  const { BOX_UNDER_TEST } = env as unknown as { BOX_UNDER_TEST: DurableObjectNamespace };
  const name = `box-${boxes}`;
  // A stub that has failed stays broken.
  const stub = (): DurableObjectStub => BOX_UNDER_TEST.getByName(name);
  const box = (): Box => stub() as unknown as Box;
  return {
    get stub() {
      return stub();
    },
    get box() {
      return box();
    },
    peers: peersThrough(stubs((...call) => box().call(...call))),
  };
}

const project = 'dev';
const config = 'arena';
const directoryOf = ({ peers }: UnderTest): DirectoryRpc => peers.directory(project, config);
const seatOf = ({ peers }: UnderTest, player: string): SeatRpc =>
  peers.seat(project, config, player as PlayerId);
const lobbyOf = ({ peers }: UnderTest, id: string): LobbyRpc => peers.lobby(id as LobbyId);

function create(under: UnderTest, id: string, player: string): ReturnType<LobbyRpc['create']> {
  return lobbyOf(under, id).create({
    id: id as LobbyId,
    project,
    config,
    player: player as PlayerId,
    name: id,
    maxPlayers: 4,
    region: 'us-east',
    isPrivate: false,
    allowLateJoin: true,
    settings: { map: 'x' },
    state: null,
    forceFresh: false,
  });
}

/** The rows of an actor in the box, as the actor sees them. */
const stored = <T>({ stub }: UnderTest, of: string, use: (store: Store) => T): Promise<T> =>
  runInDurableObject(stub, (_, { storage }) =>
    use(storeFor(must(of.split('|')[0], 'a kind'), beneath(storeOf(storage), `${of}>`))),
  );

const rowsOf = (under: UnderTest, of: string, prefix = ''): Promise<number> =>
  stored(under, of, (store) => [...store.list(prefix)].length);

const armed = ({ stub }: UnderTest): Promise<readonly { actor: string; at: number }[]> =>
  runInDurableObject(stub, (_, { storage }) =>
    storage.sql
      .exec<{ actor: string; at: number }>('SELECT actor, at FROM alarms ORDER BY at')
      .toArray(),
  );

afterEach(() => {
  vi.useRealTimers();
});

/** A minute after a lobby was founded the Directory asks it, and it sets its alarm. */
async function askedByDirectory(under: UnderTest, id: string): Promise<void> {
  expect(await lobbyOf(under, id).adminRead(project, config)).not.toBeNull();
}

describe('actors in one object', () => {
  it('call each other: a lobby is founded, its seat and code taken, its row shown', async () => {
    const under = freshBox();
    expect((await create(under, 'den', 'ann')).ok).toBe(true);
    expect(await seatOf(under, 'ann').where('ann' as PlayerId)).toBe('den');
    await eventually('the row is shown', async () => {
      const query = { region: null, status: null, limit: 10, offset: 0 };
      return (await directoryOf(under).browse(query)).total === 1;
    });
    // Each has rows of its own in the one database.
    expect(await rowsOf(under, 'lobby|den')).toBeGreaterThan(1);
    expect(await rowsOf(under, 'directory|dev/arena')).toBeGreaterThan(0);
  });

  it('come back from their rows when the object is made anew', async () => {
    const under = freshBox();
    await create(under, 'den', 'ann');
    await abortAllDurableObjects();
    const read = await lobbyOf(under, 'den').read('ann' as PlayerId);
    expect(read).toMatchObject({
      ok: true,
      value: { lobby: { host: 'ann', settings: { map: 'x' } } },
    });
  });

  it('leave their history alone behind when they are over, and an alarm that clears it', async () => {
    const under = freshBox();
    await create(under, 'den', 'ann');
    await askedByDirectory(under, 'den');
    expect((await armed(under)).map(({ actor }) => actor)).toContain('lobby|den');
    await lobbyOf(under, 'den').adminDelete(project, config);
    // Debts that are paid go with the next save, and there is none before all of it is forgotten.
    await eventually('the lobby is forgotten', async () => {
      const kept = ['history', 'home', 'debts:'].map((key) => rowsOf(under, 'lobby|den', key));
      const sum = (await Promise.all(kept)).reduce((all, each) => all + each, 0);
      return (await rowsOf(under, 'lobby|den')) === sum;
    });
    await eventually('its history has a day', async () => {
      const of = (await armed(under)).filter(({ actor }) => actor === 'lobby|den');
      return of.map(({ at }) => Math.round((at - Date.now()) / 3_600_000)).join() === '24';
    });
  });
});

describe('a fault', () => {
  it('of rows that cannot be read harms that actor alone', async () => {
    const under = freshBox();
    await create(under, 'den', 'ann');
    await create(under, 'hut', 'bob');
    await stored(under, 'lobby|den', (store) => store.delete('player:ann'));
    await under.box.letGo('lobby', 'den');
    await runInDurableObject(under.stub, async (object) => {
      const read = (object as Box).call('lobby', 'den', 'read', ['ann']);
      await expect(read).rejects.toThrow('the row of a player');
    });
    expect((await lobbyOf(under, 'hut').read('bob' as PlayerId)).ok).toBe(true);
  });

  it('of a handler is tried again, and other alarms come meanwhile', async () => {
    const under = freshBox();
    await create(under, 'den', 'ann');
    await create(under, 'hut', 'bob');
    await askedByDirectory(under, 'den');
    await askedByDirectory(under, 'hut');
    const kept = await stored(under, 'lobby|den', (store) => store.get('player:ann'));
    await stored(under, 'lobby|den', (store) => store.delete('player:ann'));
    await runInDurableObject(under.stub, (_, { storage }) => {
      storage.sql.exec("UPDATE alarms SET at = 1 WHERE actor LIKE 'lobby|%'");
    });
    const before = Date.now();
    await abortAllDurableObjects();
    const times = async (): Promise<Map<string, number>> =>
      new Map((await armed(under)).map(({ actor, at }) => [actor, at]));
    await eventually(
      'the other has run',
      async () => ((await times()).get('lobby|hut') ?? 0) > before + 60_000,
    );
    expect((await times()).get('lobby|den')).toBe(1);
    await stored(under, 'lobby|den', (store) => store.put('player:ann', kept));
    await eventually(
      'it has run',
      async () => ((await times()).get('lobby|den') ?? 0) > before + 60_000,
    );
  });
});

describe('alarms of an earlier version', () => {
  it('are taken over, and the table of before goes', async () => {
    const under = freshBox();
    await create(under, 'den', 'ann');
    const far = Date.now() + 3_600_000;
    await runInDurableObject(under.stub, (_, { storage }) => {
      storage.sql.exec('DROP TABLE alarms');
      const columns = 'actor TEXT PRIMARY KEY, at INTEGER NOT NULL';
      storage.sql.exec(`CREATE TABLE alarms (${columns}) WITHOUT ROWID`);
      storage.sql.exec('CREATE INDEX alarms_by_time ON alarms (at)');
      storage.sql.exec('INSERT INTO alarms VALUES (?, ?), (?, ?)', 'a|1', far, 'b|2', far + 1);
    });
    await abortAllDurableObjects();
    expect((await lobbyOf(under, 'den').read('ann' as PlayerId)).ok).toBe(true);
    const ours = (await armed(under)).filter(({ at }) => at === far || at === far + 1);
    expect(ours.map(({ actor }) => actor)).toEqual(['a|1', 'b|2']);
    const names = await runInDurableObject(under.stub, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_schema WHERE name LIKE 'alarms%'").toArray(),
    );
    expect(names).toEqual([{ name: 'alarms' }]);
  });
});

describe('an actor that ends', () => {
  it('tells who waits for it in a way that the Worker takes for passing', async () => {
    const under = freshBox();
    const founding = { lobbyId: 'den' as LobbyId, by: 'member-1' as MemberId };
    await directoryOf(under).allocate(founding, null);
    await failNextTransaction(under.stub, 'the transaction failed');
    const other = { lobbyId: 'hut' as LobbyId, by: 'member-2' as MemberId };
    const [told] = await Promise.allSettled([directoryOf(under).allocate(other, null)]);
    const error: unknown = told.status === 'rejected' ? told.reason : null;
    expect(String(error)).toContain('gone');
    const request = new Request('https://muster.test/v3/lobbies/arena', { method: 'POST' });
    expect(failure(error, request).status).toBe(503);
    expect(isRetryable(error)).toBe(true);
  });
});

describe('memory', () => {
  it('of actors without anything under way is given back, and a lobby with a stream stays', async () => {
    const under = freshBox();
    await create(under, 'den', 'ann');
    await create(under, 'hut', 'bob');
    await runInDurableObject(under.stub, async (object) => {
      const stream = await (object as Box).call('lobby', 'hut', 'events', ['bob', null]);
      expect(stream).toMatchObject({ ok: true });
    });
    expect(await under.box.residents()).toBeGreaterThan(2);
    await eventually(
      'all but the lobby with a stream are let go',
      async () => (await under.box.residents()) === 1,
    );
    expect((await lobbyOf(under, 'den').read('ann' as PlayerId)).ok).toBe(true);
  });
});
