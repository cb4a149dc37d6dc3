// Quick joins at their arbiter, the Directory. Whatever comes at once, dies or comes late: nobody founds a lobby while
// another one that fits has a place, or will have one in a moment.

import { beforeEach, describe, expect, it } from 'vitest';
import type { LobbyId, MemberId, PlayerId } from '../../../../src/common/ids';
import { ok } from '../../../../src/common/result';
import { filterOf, type Sought } from '../../../../src/lobby/search';
import { refusal, type RefusalCode, type Reply } from '../../../../src/lobby/refusals';
import { NO_STATS, viewForBrowsing, viewOf, type LobbyView } from '../../../../src/lobby/view';
import type { QuickJoin } from '../../../../src/objects/contracts/directory';
import type { CreateInput, JoinInput } from '../../../../src/objects/contracts/lobby';
import type { Peers } from '../../../../src/objects/contracts/peers';
import { DirectoryActor } from '../../../../src/objects/directory/actor';
import { lobbyOf, T0 } from '../../../support/lobbies';
import { fakePorts, type FakePorts } from '../../../fleet/ports';

const MAX = 3;

/** What happens to the next call of that kind to a lobby, before it does anything. */
type Fate = 'lost' | 'hangs' | RefusalCode;

/** Lobbies as a Directory sees them. They tell it nothing by themselves. */
class Town {
  readonly lobbies = new Map<string, LobbyView>();
  readonly fates = new Map<string, Fate[]>();
  /** Lobbies wait for these before they are saved, with their code in hand. */
  readonly gates = new Map<string, Promise<void>>();
  /** How long it takes until a player hears that a lobby is not there. */
  readonly answers = new Map<string, Promise<void>>();
  readonly joins: string[] = [];
  fake!: FakePorts;
  directory!: DirectoryActor;
  /** The codes that were refused. */
  readonly refused: string[] = [];
  #drawn = 0;

  constructor() {
    this.restart();
  }

  restart(): void {
    const peers = { lobby: (id: LobbyId) => this.#lobby(id) } as unknown as Peers;
    const saved = this.fake?.saved;
    const document = { revision: 1, configs: {}, builds: {} };
    this.fake = fakePorts({ name: 'dev', document, peers, ...(saved && { saved }) });
    const random = (): number => (this.#drawn = (this.#drawn + 0.137) % 1);
    const name = ['dev', 'arena'];
    this.directory = new DirectoryActor({ ...this.fake.ports, random, name });
  }

  async #befalls(id: LobbyId, what: string): Promise<Reply<LobbyView> | null> {
    const fate = this.fates.get(`${what} ${id}`)?.shift();
    if (fate === 'lost') {
      throw new Error(`${id} died`);
    }
    if (fate === 'hangs') {
      return new Promise(() => {});
    }
    return fate === undefined ? null : refusal(fate);
  }

  #lobby(id: LobbyId) {
    return {
      create: async (input: CreateInput): Promise<Reply<LobbyView>> =>
        (await this.#befalls(id, 'create')) ?? this.founds(id, input),
      join: async ({ player }: JoinInput): Promise<Reply<LobbyView>> => {
        this.joins.push(`${player} ${id}`);
        const befallen = await this.#befalls(id, 'join');
        if (befallen !== null) {
          return befallen;
        }
        await this.gates.get(id);
        const was = this.lobbies.get(id);
        if (was === undefined) {
          await this.answers.get(`${player} ${id}`);
          return refusal('LOBBY_NOT_FOUND');
        }
        if (was.players.some((each) => each.id === player)) {
          return ok(was);
        }
        return was.currentPlayers < was.maxPlayers
          ? ok(this.#save(id, was, [...was.players.map((each) => each.id), player]))
          : refusal('LOBBY_FULL');
      },
    };
  }

  #save(id: LobbyId, was: LobbyView, players: readonly string[]): LobbyView {
    const view = {
      ...was,
      players: players.map((player) => ({ id: player, state: null, isHost: false })),
      currentPlayers: players.length,
      revision: was.revision + 1,
    };
    this.lobbies.set(id, view);
    return view;
  }

  async founds(id: LobbyId, input: Partial<CreateInput> = {}): Promise<Reply<LobbyView>> {
    const { player = id, region = 'us-east', maxPlayers = MAX, settings = {} } = input;
    const created = this.lobbies.size;
    const lobby = {
      ...lobbyOf(player),
      id,
      code: '',
      region,
      maxPlayers,
      settings,
      createdAt: T0 + created,
    };
    const view = viewOf(lobby, { customProperties: {}, queueStats: NO_STATS });
    const founding = { lobbyId: id, by: `by-${id}` as MemberId };
    const code = await this.directory.allocate(
      { ...founding, isQuick: input.isQuick, key: input.key },
      null,
      { lobbyId: id, revision: view.revision, view: viewForBrowsing(view) },
    );
    if (!code.ok) {
      this.refused.push(id);
      return code;
    }
    const late = await this.#befalls(id, 'save');
    if (late !== null) {
      return late;
    }
    await this.gates.get(id);
    this.lobbies.set(id, view);
    return ok(view);
  }

  async shows(id: string, ...players: string[]): Promise<void> {
    const was = this.lobbies.get(id);
    if (was !== undefined) {
      const view = this.#save(id as LobbyId, was, players);
      void this.directory.put({ lobbyId: id as LobbyId, revision: view.revision, view });
      await this.fake.pass(100);
    }
  }

  wanted(player: string, more: Partial<Sought> = {}, region = 'us-east'): QuickJoin {
    const sought = { region: null, status: null, places: 1, where: [], browseBy: ['map'], ...more };
    const create = {
      project: 'dev',
      config: 'arena',
      id: `of-${player}` as LobbyId,
      name: player,
      region,
      maxPlayers: MAX,
      isPrivate: false,
      allowLateJoin: true,
      forceFresh: false,
      player: player as PlayerId,
      state: null,
      settings: Object.fromEntries(
        sought.where.flatMap((each) => ('text' in each ? [[each.key, each.text]] : [])),
      ),
    };
    return { sought, create };
  }

  async join(...asked: Parameters<Town['wanted']>): Promise<string> {
    const reply = await this.directory.quickJoin(this.wanted(...asked));
    return reply.ok ? reply.value.id : reply.refusal.code;
  }

  async joinByKey(player: string, key = 'den'): Promise<string> {
    const { create } = this.wanted(player);
    const reply = await this.directory.joinByKey({ key, create });
    return reply.ok ? reply.value.id : reply.refusal.code;
  }

  /** In the order in which they come, all at once. */
  all(...players: readonly string[]): Promise<readonly string[]> {
    return Promise.all(players.map((player) => this.join(player)));
  }

  get rooms(): readonly string[] {
    return [...this.lobbies.values()].map(
      ({ id, players }) => `${id}: ${players.map((each) => each.id).join(' ')}`,
    );
  }
}

function map(text: string): Pick<Sought, 'where'> {
  const filter = filterOf('map', text);
  return { where: filter.ok ? [filter.value] : [] };
}

let town: Town;
beforeEach(() => (town = new Town()));

async function thereAre(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    await town.founds(id as LobbyId);
  }
}

describe('a quick join', () => {
  it('goes into the fullest lobby, the older of two, and fills it before the next', async () => {
    await thereAre('a', 'b', 'c');
    await town.shows('c', 'c', 'd');
    expect(await town.all('p1', 'p2', 'p3', 'p4', 'p5', 'p6')).toEqual([
      'c',
      'a',
      'a',
      'b',
      'b',
      'of-p6',
    ]);
    // What a lobby answers is known before its row comes, so nobody asks one that is full.
    expect(await town.join('p7')).toBe('of-p6');
    expect(town.joins).toHaveLength(6);
  });

  it('goes into a lobby of its own region first', async () => {
    await thereAre('a', 'b');
    await town.shows('a', 'a', 'x');
    await town.founds('far' as LobbyId, { region: 'eu' });
    expect(await town.join('p1', {}, 'eu')).toBe('far');
    expect(await town.join('p2', {}, 'asia')).toBe('a');
  });

  it('founds one lobby that all others wait for, and the next once its places are taken', async () => {
    await town.all('p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7');
    expect(town.rooms).toEqual(['of-p1: p1 p2 p3', 'of-p4: p4 p5 p6', 'of-p7: p7']);
  });

  it('waits for a lobby that somebody else wants otherwise, if it fits', async () => {
    await Promise.all([
      town.join('p1', map('dust')),
      town.join('p2'),
      town.join('p3', map('ice')),
      town.join('p4', map('ice')),
    ]);
    expect(town.rooms).toEqual(['of-p1: p1 p2', 'of-p3: p3 p4']);
  });

  it('counts whoever is on the way once, also when the row shows them already', async () => {
    await thereAre('a');
    const gate = Promise.withResolvers<void>();
    town.gates.set('a', gate.promise);
    const one = town.join('p1');
    await town.shows('a', 'a', 'p1');
    const two = town.join('p2');
    const three = town.join('p3');
    gate.resolve();
    expect(await Promise.all([one, two, three])).toEqual(['a', 'a', 'of-p3']);
  });

  it('wants as many places as are free and not taken by others on the way', async () => {
    await thereAre('a');
    expect(await Promise.all([town.join('p1'), town.join('p2', { places: 2 })])).toEqual([
      'a',
      'of-p2',
    ]);
    town.fates.set('join a', ['ALREADY_IN_LOBBY']);
    expect(await town.join('p3')).toBe('ALREADY_IN_LOBBY');
    // Its place is free again.
    expect(await town.join('p4')).toBe('a');
    expect(await town.join('p5')).toBe('of-p2');
  });

  it('tries the next if one is full, closed or gone, and asks none twice that has not changed', async () => {
    await thereAre('a', 'b', 'c', 'd');
    town.fates.set('join a', ['LOBBY_FULL']);
    town.fates.set('join b', ['LOBBY_NOT_ACCEPTING']);
    town.lobbies.delete('c');
    expect(await town.join('p1')).toBe('d');
    expect(town.joins).toEqual(['p1 a', 'p1 b', 'p1 c', 'p1 d']);
    const none = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'];
    await thereAre(...none);
    none.forEach((id) => town.lobbies.delete(id));
    expect(await town.join('p2')).toBe('OVERLOADED');
    expect(town.joins).toHaveLength(12);
  });
});

describe('when something dies', () => {
  it('asks a lobby that died once more, and leaves no place taken by whom it could not ask', async () => {
    await thereAre('a');
    town.fates.set('join a', ['lost']);
    expect(await town.join('p1')).toBe('a');
    town.fates.set('join a', ['lost', 'lost']);
    await expect(town.join('p2')).rejects.toThrow('a died');
    expect(await town.join('p3')).toBe('a');
  });

  it('founds again a lobby that died between its code and its save, while others wait for it', async () => {
    town.fates.set('save of-p1', ['lost']);
    await town.all('p1', 'p2');
    expect(town.rooms).toEqual(['of-p1: p1 p2']);
  });

  it('gives no code to a lobby that nobody waits for any more, and none waits for ever', async () => {
    town.fates.set('create of-p1', ['hangs']);
    const all = Promise.allSettled([town.join('p1'), town.join('p2'), town.join('p3')]);
    await town.fake.pass(3_100);
    await all;
    expect(town.rooms).toEqual(['of-p2: p2 p3']);
    await town.founds('of-p1' as LobbyId, { isQuick: true });
    expect([town.refused, town.rooms]).toEqual([['of-p1'], ['of-p2: p2 p3']]);
  });

  it('counts a lobby that has its code and is not saved when the others stop waiting', async () => {
    const gate = Promise.withResolvers<void>();
    town.gates.set('of-p1', gate.promise);
    const first = town.join('p1').catch(() => 'late');
    const second = town.join('p2');
    await town.fake.pass(3_100);
    expect(await first).toBe('late');
    gate.resolve();
    expect([await second, town.rooms]).toEqual(['of-p1', ['of-p1: p1 p2']]);
  });

  it('founds none that a Directory before a crash began, unless its code was saved', async () => {
    const gate = Promise.withResolvers<void>();
    town.gates.set('of-p1', gate.promise);
    town.fates.set('create of-p0', ['hangs']);
    void town.join('p1').catch(() => {});
    void town.join('p0', map('ice')).catch(() => {});
    await town.fake.pass(100);
    town.restart();
    await town.founds('of-p0' as LobbyId, { isQuick: true });
    expect(town.refused).toEqual(['of-p0']);
    const second = town.join('p2');
    gate.resolve();
    expect([await second, town.rooms]).toEqual(['of-p1', ['of-p1: p1 p2']]);
  });

  it('does not found a second one because the first was missing before it was founded again', async () => {
    // The lobby of p1 has a code, and died: p1 founds it again while p2 hears that it is not there.
    town.fates.set('save of-p1', ['lost', 'lost']);
    await expect(town.join('p1')).rejects.toThrow('of-p1 died');
    const heard = Promise.withResolvers<void>();
    town.answers.set('p2 of-p1', heard.promise);
    const second = town.join('p2');
    expect(await town.join('p1')).toBe('of-p1');
    heard.resolve();
    expect([await second, town.rooms]).toEqual(['of-p1', ['of-p1: p1 p2']]);
  });
});

describe('a join by a key', () => {
  it('leads all to the one lobby of the key, before it is saved and after a restart', async () => {
    expect(await Promise.all(['p1', 'p2'].map((player) => town.joinByKey(player)))).toEqual([
      'of-p1',
      'of-p1',
    ]);
    await town.fake.pass(100);
    town.restart();
    expect([await town.joinByKey('p3'), await town.joinByKey('p4', 'other')]).toEqual([
      'of-p1',
      'of-p4',
    ]);
    expect(await town.joinByKey('p5')).toBe('LOBBY_FULL');
    expect(town.rooms).toEqual(['of-p1: p1 p2 p3', 'of-p4: p4']);
  });

  it('founds one lobby for all who hear at once that the first is over, whatever the clock says', async () => {
    await town.joinByKey('p1');
    town.lobbies.delete('of-p1');
    town.fake.stall(-60_000);
    const all = await Promise.all(['p2', 'p3', 'p4'].map((player) => town.joinByKey(player)));
    expect(new Set(all)).toEqual(new Set(['of-p2']));
    // The first one's row is there still, after a restart too.
    await town.fake.pass(100);
    town.restart();
    expect(await town.joinByKey('p2')).toBe('of-p2');
    void town.directory.remove({ lobbyId: 'of-p1' as LobbyId, by: 'by-of-p1' as MemberId });
    expect(await town.joinByKey('p3')).toBe('of-p2');
    void town.directory.remove({ lobbyId: 'of-p2' as LobbyId, by: 'by-of-p2' as MemberId });
    expect(await town.joinByKey('p6')).toBe('of-p6');
  });

  it('does not found a second one because the first was missing before it was founded again', async () => {
    town.fates.set('save of-p1', ['lost', 'lost']);
    await expect(town.joinByKey('p1')).rejects.toThrow('of-p1 died');
    const heard = Promise.withResolvers<void>();
    town.answers.set('p2 of-p1', heard.promise);
    const second = town.joinByKey('p2');
    expect(await town.joinByKey('p1')).toBe('of-p1');
    heard.resolve();
    expect([await second, town.rooms]).toEqual(['of-p1', ['of-p1: p1 p2']]);
  });

  it('leads to the newest lobby of the key, though an earlier one is still asked about', async () => {
    await town.joinByKey('p1');
    town.lobbies.delete('of-p1');
    await town.joinByKey('p2');
    await town.fake.pass(100);
    // Two foundings of the first one: its row stays until it has been asked.
    void town.directory.remove({ lobbyId: 'of-p1' as LobbyId, by: 'another' as MemberId });
    await town.fake.pass(100);
    expect(await town.joinByKey('p3')).toBe('of-p2');
    town.restart();
    expect(await town.joinByKey('p4')).toBe('of-p2');
  });

  it('is no way for quick joins into a lobby that may be private', async () => {
    const gate = Promise.withResolvers<void>();
    town.gates.set('of-p1', gate.promise);
    const keyed = town.joinByKey('p1');
    const quick = town.join('p2');
    gate.resolve();
    expect([await keyed, await quick]).toEqual(['of-p1', 'of-p2']);
  });
});
