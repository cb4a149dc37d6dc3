// Many at once, on real objects: capacity, exclusivity and codes never break (spec: Concurrency).

import { describe, expect, it } from 'vitest';
import type { LobbyId, MemberId, PlayerId } from '../../src/common/ids';
import { plainLobby } from '../../proof/sim/scenario';
import { peersUnderTest } from '../support/peers';
import type { CreateInput } from '../../src/objects/contracts/lobby';
import type { Founding } from '../../src/objects/contracts/directory';

const peers = peersUnderTest();
const PROJECT = 'dev';

function founding(): Founding {
  return { lobbyId: crypto.randomUUID() as LobbyId, by: crypto.randomUUID() as MemberId };
}

function input(config: string, player: string, patch: Partial<CreateInput> = {}): CreateInput {
  const where = {
    id: crypto.randomUUID() as LobbyId,
    project: PROJECT,
    player: player as PlayerId,
  };
  return { ...plainLobby(where), config, maxPlayers: 100, ...patch };
}

function codes(replies: readonly { ok: boolean; refusal?: { code: string } }[]): string[] {
  return replies.map((reply) => (reply.ok ? 'ok' : (reply.refusal?.code ?? '')));
}

function count(all: readonly string[], one: string): number {
  return all.filter((each) => each === one).length;
}

describe('1,000 joins at once on a lobby of 100', () => {
  // shows: S165
  it('let exactly 100 in, the others get a clean refusal', async () => {
    const created = input('crowd', 'host');
    const lobby = peers.lobby(created.id);
    await lobby.create(created);
    const joins = Array.from({ length: 1_000 }, (_, index) =>
      lobby.join({
        project: PROJECT,
        config: 'crowd',
        player: `guest-${index}` as PlayerId,
        state: null,
      }),
    );
    const answers = codes(await Promise.all(joins));
    expect(count(answers, 'ok')).toBe(99);
    expect(count(answers, 'LOBBY_FULL')).toBe(901);
    const view = await lobby.adminRead(PROJECT, 'crowd');
    expect(view?.currentPlayers).toBe(100);
    expect(new Set(view?.players.map(({ id }) => id)).size).toBe(100);
  });
});

/** What one player may hear who creates two lobbies at once. */
const EACH_ONE = [
  'ALREADY_IN_LOBBY ok',
  'OVERLOADED ok',
  'ALREADY_IN_LOBBY OVERLOADED',
  'OVERLOADED OVERLOADED',
];

describe('500 players each creating two lobbies at once', () => {
  // shows: S158, S247
  it('get exactly one each', async () => {
    const bothOf = async (player: string): Promise<readonly string[]> => {
      const both = [input('twice', player), input('twice', player)];
      return codes(await Promise.all(both.map((each) => peers.lobby(each.id).create(each))));
    };
    let without = Array.from({ length: 500 }, (_, index) => `p-${index}`);
    // A directory that is behind on a slow machine asks whoever founds a lobby to come again.
    while (without.length > 0) {
      const pairs = await Promise.all(without.map(bothOf));
      for (const pair of pairs) {
        expect(EACH_ONE).toContain(pair.toSorted().join(' '));
      }
      without = without.filter((_, index) => !pairs[index]?.includes('ok'));
    }
  });
});

describe('joining two lobbies at once', () => {
  // shows: S247
  it('succeeds in exactly one', async () => {
    const [one, two] = [input('either', 'host-1'), input('either', 'host-2')];
    await Promise.all([one, two].map((each) => peers.lobby(each.id).create(each)));
    for (let round = 0; round < 50; round += 1) {
      const player = `wanderer-${round}` as PlayerId;
      const where = { project: PROJECT, config: 'either', player, state: null };
      const both = await Promise.all([one, two].map(({ id }) => peers.lobby(id).join(where)));
      expect(codes(both).toSorted()).toEqual(['ALREADY_IN_LOBBY', 'ok']);
    }
  });

  it('is idempotent: the same player joining one lobby ten times at once is in it once', async () => {
    const created = input('idem', 'host');
    await peers.lobby(created.id).create(created);
    const where = { project: PROJECT, config: 'idem', player: 'ann' as PlayerId, state: null };
    const all = await Promise.all(
      Array.from({ length: 10 }, () => peers.lobby(created.id).join(where)),
    );
    expect(count(codes(all), 'ok')).toBe(10);
    expect((await peers.lobby(created.id).adminRead(PROJECT, 'idem'))?.currentPlayers).toBe(2);
  });
});

describe('a space of 100 codes', () => {
  // shows: D11b, D11e
  it('gives 200 lobbies no code twice: 100 live, the others a clear 503', async () => {
    const directory = peers.directory(PROJECT, 'tiny');
    const config = { type: 'numeric', length: 2, prefix: 'T' } as const;
    const replies = await Promise.all(
      Array.from({ length: 200 }, () => directory.allocate(founding(), config)),
    );
    const given = replies.flatMap((reply) => (reply.ok ? [reply.value] : []));
    expect(given).toHaveLength(100);
    expect(new Set(given).size).toBe(100);
    expect(count(codes(replies), 'CODES_EXHAUSTED')).toBe(100);
  });
});

describe('forceFresh', () => {
  // shows: S161
  it('replaces a lobby the caller hosts, and never one where it is a guest', async () => {
    const first = input('fresh', 'ann');
    await peers.lobby(first.id).create(first);
    const second = input('fresh', 'ann', { forceFresh: true });
    expect((await peers.lobby(second.id).create(second)).ok).toBe(true);
    expect(await peers.lobby(first.id).adminRead(PROJECT, 'fresh')).toBeNull();
    const guest = { project: PROJECT, config: 'fresh', player: 'bob' as PlayerId, state: null };
    await peers.lobby(second.id).join(guest);
    const third = input('fresh', 'bob', { forceFresh: true });
    expect(codes([await peers.lobby(third.id).create(third)])).toEqual(['ALREADY_IN_LOBBY']);
  });
});
