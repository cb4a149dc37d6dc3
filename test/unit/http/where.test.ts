import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retrying } from '../../../src/http/wire/answer';
import { browsed, forgetBrowsed } from '../../../src/http/isolate/browse-cache';
import {
  forgetLobby,
  inLobby,
  rememberedLobby,
  rememberLobby,
  type ConfigPlayer,
} from '../../../src/http/isolate/where';
import type { LobbyId, PlayerId } from '../../../src/common/ids';
import { defaultConfig } from '../../../src/lobby/config';
import { refusal, type Reply } from '../../../src/lobby/refusals';
import { Lru } from '../../../src/common/lru';
import type { Peers } from '../../../src/objects/contracts/peers';
import type { ProjectDocument } from '../../../src/objects/contracts/project';
import { Alone } from '../../support/alone';
import { configOf, projectDocument, rememberProject } from '../../../src/objects/caches/project';

const A = 'a' as LobbyId;
const B = 'b' as LobbyId;
let players = 0;

/** A caller whose seat says `seated`, and the lobbies that were asked. */
function callerAt(seated: LobbyId | null): { caller: ConfigPlayer; seats: () => number } {
  let seats = 0;
  players += 1;
  const seat = {
    where: async (): Promise<LobbyId | null> => {
      seats += 1;
      return seated;
    },
  };
  const peers = {
    seat: () => seat,
    lobby: () => ({ movedTo: async () => null }),
  } as unknown as Peers;
  const player = `p${players}` as PlayerId;
  return { caller: { peers, project: 'dev', config: 'c', player }, seats: () => seats };
}

/** Answers as lobby `home` would, which alone knows the player. */
function knownIn(home: LobbyId | null): (id: LobbyId) => Promise<Reply<LobbyId>> {
  return async (id) => (id === home ? { ok: true, value: id } : refusal('LOBBY_NOT_FOUND'));
}

describe('finding the caller', () => {
  // shows: S11
  it('asks the seat once, then the remembered lobby', async () => {
    const { caller, seats } = callerAt(A);
    expect(await inLobby(caller, knownIn(A))).toEqual({ ok: true, value: A });
    expect(await inLobby(caller, knownIn(A))).toEqual({ ok: true, value: A });
    expect(seats()).toBe(1);
  });

  it('follows the seat when the hint is stale', async () => {
    const { caller } = callerAt(B);
    rememberLobby(caller, A);
    expect(await inLobby(caller, knownIn(B))).toEqual({ ok: true, value: B });
    expect(rememberedLobby(caller)).toBe(B);
  });

  it('answers LOBBY_NOT_FOUND when nobody knows the caller, and remembers nothing', async () => {
    for (const seated of [null, A]) {
      const { caller } = callerAt(seated);
      rememberLobby(caller, A);
      expect(await inLobby(caller, knownIn(null))).toMatchObject({
        ok: false,
        refusal: { code: 'LOBBY_NOT_FOUND' },
      });
      expect(rememberedLobby(caller)).toBeNull();
    }
  });

  it('passes every other refusal on, and keeps the hint', async () => {
    const { caller, seats } = callerAt(B);
    rememberLobby(caller, A);
    const reply = await inLobby(caller, async () => refusal('PLAYER_NOT_FOUND'));
    expect(reply).toMatchObject({ refusal: { code: 'PLAYER_NOT_FOUND' } });
    expect([rememberedLobby(caller), seats()]).toEqual([A, 0]);
    forgetLobby(caller);
    expect(rememberedLobby(caller)).toBeNull();
  });
});

describe('asking again', () => {
  const failing = (
    times: number,
    flags: object,
  ): { ask: () => Promise<number>; asked: () => number } => {
    let asked = 0;
    return {
      asked: () => asked,
      ask: async () => {
        asked += 1;
        if (asked <= times) {
          throw Object.assign(new Error('moved'), flags);
        }
        return asked;
      },
    };
  };

  it('helps when the platform says so, three times at most', async () => {
    const twice = failing(2, { retryable: true });
    expect(await retrying(twice.ask)).toBe(3);
    const always = failing(9, { retryable: true });
    await expect(retrying(always.ask)).rejects.toThrow('moved');
    expect(always.asked()).toBe(3);
  });

  it.each([{}, { retryable: true, overloaded: true }])('is not done for %j', async (flags) => {
    const once = failing(1, flags);
    await expect(retrying(once.ask)).rejects.toThrow('moved');
    expect(once.asked()).toBe(1);
  });
});

describe('the browse cache', () => {
  const query = { region: null, status: null, limit: 50, offset: 0 };
  const ask = { project: 'dev', config: 'browse', query, isHidden: false };

  // shows: D20b
  it('asks twice a second and page, and again after a change', async () => {
    let loads = 0;
    const load = async (): Promise<number> => (loads += 1);
    expect(await browsed(ask, 0, load)).toBe('1');
    expect(await browsed(ask, 399, load)).toBe('1');
    expect(await browsed({ ...ask, query: { ...query, offset: 1 } }, 499, load)).toBe('2');
    expect(await browsed({ ...ask, config: 'other' }, 499, load)).toBe('3');
    expect(await browsed(ask, 500, load)).toBe('4');
    forgetBrowsed('dev', 'browse');
    expect(await browsed(ask, 501, load)).toBe('5');
  });

  it('shows within a second what became of a new lobby, to whoever asks all the time', async () => {
    const alone = new Alone();
    await alone.found('ann');
    const load = async (): Promise<number> => alone.rows.at(-1)?.revision ?? 1;
    const look = (): Promise<string> => browsed({ ...ask, config: 'new' }, alone.now, load);
    await look();
    await alone.pass(50);
    const from = alone.now;
    await alone.actor.execute({ type: 'patch_state', player: 'ann' as PlayerId, state: {} });
    while ((await look()) !== '2' && alone.now - from < 3_000) {
      await alone.pass(10);
    }
    expect(alone.now - from).toBeLessThanOrEqual(1_000);
  });
});

describe('the project cache', () => {
  const document = (revision: number): ProjectDocument => ({
    revision,
    configs: {
      ranked: { ...defaultConfig('ranked'), id: 'id-1', timeout: 7 },
      off: { ...defaultConfig('off'), id: 'id-2', timeout: 9, enabled: false },
    },
    builds: {},
  });

  function project(answers: readonly Promise<ProjectDocument>[]): {
    peers: Peers;
    asked: () => number;
  } {
    let asked = 0;
    const rpc = { document: () => answers[Math.min(asked++, answers.length - 1)] };
    return { peers: { project: () => rpc } as unknown as Peers, asked: () => asked };
  }

  it('keeps a document for less than three seconds', async () => {
    const { peers, asked } = project([Promise.resolve(document(1)), Promise.resolve(document(2))]);
    expect((await projectDocument(peers, 'p1', 10_000)).revision).toBe(1);
    expect((await projectDocument(peers, 'p1', 12_499)).revision).toBe(1);
    expect(asked()).toBe(1);
    expect((await projectDocument(peers, 'p1', 13_000)).revision).toBe(2);
  });

  it('is read once for a caller that takes an older one, and for one that does not', async () => {
    const { peers, asked } = project([Promise.resolve(document(1)), Promise.resolve(document(2))]);
    const old = { maxAgeMs: 20_000, refreshAfterMs: 15_000 };
    await projectDocument(peers, 'p4', 0);
    expect((await projectDocument(peers, 'p4', 14_999, old)).revision).toBe(1);
    expect((await projectDocument(peers, 'p4', 14_999)).revision).toBe(2);
    expect((await projectDocument(peers, 'p4', 29_998, old)).revision).toBe(2);
    expect(asked()).toBe(2);
  });

  it('is refreshed by one caller, while the others take what there is, and wait for it once that is too old', async () => {
    const held = Promise.withResolvers<ProjectDocument>();
    const { peers, asked } = project([Promise.resolve(document(1)), held.promise]);
    await projectDocument(peers, 'p3', 0);
    const refreshing = projectDocument(peers, 'p3', 2_600);
    expect((await projectDocument(peers, 'p3', 2_999)).revision).toBe(1);
    expect(asked()).toBe(2);
    const tooOld = projectDocument(peers, 'p3', 3_000);
    expect(asked()).toBe(2);
    held.resolve(document(2));
    expect([(await refreshing).revision, (await tooOld).revision]).toEqual([2, 2]);
  });

  it('never lets an answer under way undo what was saved meanwhile', async () => {
    const held = Promise.withResolvers<ProjectDocument>();
    const { peers } = project([held.promise]);
    const reading = projectDocument(peers, 'p2', 0);
    rememberProject('p2', document(5), 0);
    held.resolve(document(4));
    expect((await reading).revision).toBe(5);
    expect((await projectDocument(peers, 'p2', 1)).revision).toBe(5);
  });

  // shows: D1b
  it('finds configs by name or id; a disabled one reads as the defaults', () => {
    const found = (name: string): readonly unknown[] => {
      const { name: own, timeout, id } = configOf(document(1), name);
      return [own, timeout, id];
    };
    expect(found('ranked')).toEqual(['ranked', 7, 'id-1']);
    expect(found('id-1')).toEqual(['ranked', 7, 'id-1']);
    expect(found('id-2')).toEqual(['off', 300, '']);
    expect(found('constructor')).toEqual(['constructor', 300, '']);
  });
});

describe('the bounded map', () => {
  it('lets the least recently used go', () => {
    const map = new Lru<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([1, undefined, 3]);
  });

  it('forgets the one least lately used, whatever was asked, set and deleted before', () => {
    const act = fc.tuple(
      fc.constantFrom('get', 'set', 'delete'),
      fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), (acts) => {
        const map = new Lru<string>(3);
        let lately: readonly string[] = [];
        for (const [what, key] of acts) {
          const others = lately.filter((each) => each !== key);
          if (what === 'get') {
            expect(map.get(key)).toBe(lately.includes(key) ? key : undefined);
            lately = lately.includes(key) ? [...others, key] : lately;
          } else if (what === 'set') {
            map.set(key, key);
            lately = [...others, key].slice(-3);
          } else {
            map.delete(key);
            lately = others;
          }
        }
      }),
    );
  });
});
