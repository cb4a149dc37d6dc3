// Streams that ask for changes (decision 75): what they are told leads, byte for byte, to what `GET /me` shows.

import { describe, expect, it } from 'vitest';
import { Random } from '../../../../proof/sim/random';
import { Alone, eventsOf } from '../../../support/alone';
import { player } from '../../../support/lobbies';
import type { Lobby } from '../../../../src/lobby/lobby';
import type { LobbyView } from '../../../../src/lobby/view';
import { shownTo, type Client } from './told-client';
import { ToldLobby } from './told-lobby';

/** 100,000 were run once. */
const SEQUENCES = Number(process.env['CHANGE_SEQUENCES'] ?? 1_500);
const STEPS = 60;

function differing(told: ToldLobby): string | null {
  const { lobby } = told;
  for (const client of told.clients.values()) {
    if (lobby !== null && client.isOpen && told.isIn(client.who)) {
      const wanted = JSON.stringify(shownTo(lobby, told.view(lobby), client.who));
      if (JSON.stringify(client.known) !== wanted) {
        return `${client.who} has\n${JSON.stringify(client.known)}\nand not\n${wanted}`;
      }
    }
  }
  return null;
}

/** Runs a sequence. Each stream's events are counted by name. */
async function sequence(seed: number, counts: Map<string, number>): Promise<void> {
  const random = new Random(seed, 66);
  const told = new ToldLobby(random);
  told.listen('ann', true);
  told.listen('ben', random.chance(0.7));
  for (let step = 0; step < STEPS; step += 1) {
    told.step();
    if (random.chance(0.3)) {
      // A turn ends.
      await Promise.resolve();
      if (random.chance(0.3)) {
        told.pass(1_000);
        await Promise.resolve();
        const wrong = differing(told);
        if (wrong !== null) {
          throw new Error(`seed ${seed}, step ${step}: ${wrong}`);
        }
      }
    }
  }
  for (const { events } of told.clients.values()) {
    for (const { event, kind } of events) {
      const name = `${event} ${kind}`.trim();
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
}

describe('a stream that asks for changes', () => {
  it(`shows each player what GET /me shows, in ${SEQUENCES} sequences`, async () => {
    const counts = new Map<string, number>();
    for (let seed = 1; seed <= SEQUENCES; seed += 1) {
      await sequence(seed, counts);
    }
    const rare = ['seated', 'kept', 'late', 'resumed'].map((kind) => `lobby_changed ${kind}`);
    for (const name of ['connected', 'lobby_updated', 'lobby_changed', ...rare]) {
      expect(counts.get(name), name).toBeGreaterThan(SEQUENCES / 50);
    }
  }, 6_000_000);

  it('shows a new ticket with the first change after five minutes', async () => {
    const told = new ToldLobby(new Random(1, 66));
    const ann = told.listen('ann', true);
    told.command({ type: 'start', player: player('ann') });
    told.report('running');
    const eventsOf = (): unknown => ann?.events.splice(0).map(({ event, kind }) => [event, kind]);
    eventsOf();
    const patch = async (ms: number): Promise<void> => {
      told.pass(ms);
      told.command({ type: 'patch_state', player: player('ben'), state: { n: told.now } });
      await Promise.resolve();
    };
    await patch(299_000);
    await patch(2_000);
    await patch(1_000);
    const [change, whole] = [
      ['lobby_changed', 'kept'],
      ['lobby_updated', 'seated'],
    ];
    expect(eventsOf()).toEqual([change, whole, change]);
  });

  it('shows the whole lobby where that is shorter', async () => {
    const told = new ToldLobby(new Random(1, 66), ['ann', 'ben', 'cat', 'dan', 'eve']);
    const [ann, ben] = [told.listen('ann', true), told.listen('ben', true)];
    // A burst of joins and of players who leave makes more operations than a lobby of one has bytes.
    for (const who of ['ben', 'cat', 'dan', 'eve']) {
      told.command({ type: 'patch_state', player: player(who), state: { a: 1, b: 2, c: 3, d: 4 } });
    }
    for (const who of ['ben', 'cat', 'dan', 'eve']) {
      told.command({ type: 'leave', player: player(who) });
    }
    const keys = Array.from({ length: 60 }, (_, at) => [`key-${at}`, at]);
    const [few, none] = [
      Object.fromEntries(keys),
      Object.fromEntries(keys.map(([key]) => [key, null])),
    ];
    await Promise.resolve();
    told.command({ type: 'patch_state', player: player('ann'), state: few });
    await Promise.resolve();
    told.command({ type: 'patch_state', player: player('ann'), state: none });
    await Promise.resolve();
    expect(ben?.isOpen).toBe(false);
    expect(ann?.events.map(({ event }) => event)).toEqual([
      'connected',
      'lobby_changed',
      'lobby_changed',
      'lobby_updated',
    ]);
  });
});

describe('a client that says what it has seen', () => {
  const RING = 32;
  const counts = new Map<string, number>();

  function saying(random: Random, { id, revision }: Lobby) {
    const ends = [RING - 1, RING, RING + 1, 0, 1, -1, random.below(40), -random.below(9)];
    const said = [revision - (ends[random.below(ends.length)] ?? 0), 0, 10 ** 15 - 1];
    const claimed = Math.max(0, said[random.chance(0.9) ? 0 : 1 + random.below(2)] ?? 0);
    const lobbies = [null, '', 'another', id.toUpperCase(), `${id} `];
    const of = random.chance(0.8) ? id : (lobbies[random.below(lobbies.length)] ?? null);
    return { claimed, of, changes: random.chance(0.8) };
  }

  /** Whatever it says, it is sent the whole lobby, or changes that lead from what it said to the lobby. */
  async function claims(seed: number): Promise<void> {
    const random = new Random(seed, 67);
    const told = new ToldLobby(random);
    const views = new Map<number, LobbyView>();
    told.listen('ann', true);
    const few = random.below(RING);
    for (let step = 0; step < 70 && told.lobby !== null; step += 1) {
      if (step < few) {
        told.command({ type: 'patch_state', player: player('ann'), state: { n: step } });
      } else {
        told.step();
      }
      await Promise.resolve();
      told.clients.forEach((each) => {
        each.views.forEach((view, at) => views.set(at, view));
        each.views.clear();
      });
      const { lobby } = told;
      if (lobby === null || step < few || random.chance(0.4)) {
        continue;
      }
      const { id, revision } = lobby;
      const { claimed, of, changes } = saying(random, lobby);
      const known = changes ? (views.get(claimed) ?? null) : null;
      const who = random.chance(0.7) ? 'ann' : 'ben';
      const client = told.claim(who, { changes, revision: claimed, lobby: of, known });
      if (client === null) {
        continue;
      }
      const about = `seed ${seed}, step ${step}: ${claimed} of ${revision}, of ${of}`;
      const names = client.events.map(({ event }) => event);
      const shown = client.shown.map((each) => each.revision);
      expect(JSON.stringify(client.known), about).toBe(
        JSON.stringify(shownTo(lobby, told.view(lobby), who)),
      );
      const isChange = names[0] === 'lobby_changed';
      if (isChange) {
        expect([names.length, of], about).toEqual([1, id]);
        expect(revision - claimed, about).toBeLessThan(RING);
      } else {
        expect(names.at(-1), about).toBe('connected');
        expect(names.length === 1 || !changes, about).toBe(true);
        expect(shown, about).toEqual(
          shown.map((_, at) => revision - Math.max(0, shown.length - 2 - at)),
        );
      }
      const back = Math.min(RING + 2, Math.max(-1, revision - claimed));
      for (const name of [names[0] ?? '', ...(isChange ? [`back ${back}`] : [])]) {
        counts.set(name, (counts.get(name) ?? 0) + 1);
      }
    }
  }

  it('is sent the whole lobby or the right changes, whatever it says', async () => {
    for (let seed = 1; seed <= 250; seed += 1) {
      await claims(seed);
    }
    for (const name of [
      'lobby_changed',
      'connected',
      'lobby_updated',
      'back 0',
      'back 1',
      'back 31',
    ]) {
      expect(counts.get(name), name).toBeGreaterThan(5);
    }
  });
});

describe('a lobby that slept', () => {
  it('shows the streams that stayed open the whole lobby, and then changes again', async () => {
    const alone = new Alone();
    await alone.found('ann');
    const heard = await alone.listen('ann', null, { changes: true });
    const patch = async (n: number): Promise<void> => {
      await alone.actor.execute({ type: 'patch_state', player: player('ann'), state: { n } });
      await alone.pass(1_000);
    };
    await patch(1);
    alone.sleep();
    await patch(2);
    await patch(3);
    const [whole, change] = ['lobby_updated', 'lobby_changed'];
    expect(eventsOf(heard)).toEqual(['connected', change, whole, change]);
  });
});

describe('several changes', () => {
  const names = Array.from({ length: 100 }, (_, at) => `p${at}`);
  const crowd = (streams: number, changes: boolean): { told: ToldLobby; clients: Client[] } => {
    const told = new ToldLobby(new Random(1, 66), names);
    for (const who of names) {
      const state = { name: who, ready: false, skin: 'x'.repeat(120) };
      told.command({ type: 'patch_state', player: player(who), state });
    }
    const clients = names.slice(0, streams).flatMap((who) => told.listen(who, changes) ?? []);
    told.pass(1_000);
    clients.forEach(({ events }) => events.splice(0));
    return { told, clients };
  };
  /** A change each `everyMs`. */
  const busy = async (told: ToldLobby, everyMs: number, times: number): Promise<void> => {
    for (let at = 0; at < times; at += 1) {
      const who = player(names[at % 100] ?? '');
      told.command({ type: 'patch_state', player: who, state: { n: at } });
      await Promise.resolve();
      told.pass(everyMs);
    }
  };
  const lateness = (told: ToldLobby, client: Client, from: number): readonly number[] =>
    told.toldAt.slice(from).map(({ at, revision }) => {
      const heard = client.shown.find((each) => each.revision >= revision);
      return (heard?.at ?? Infinity) - at;
    });

  it('of one turn are one event', async () => {
    const { told, clients } = crowd(2, true);
    for (const n of [1, 2, 3]) {
      told.command({ type: 'patch_state', player: player('p5'), state: { n } });
    }
    await Promise.resolve();
    expect(clients.map(({ events }) => events.length)).toEqual([1, 1]);
    expect(clients[0]?.known?.players[5]?.state).toMatchObject({ n: 3 });
  });

  it('are gathered for at most 50 ms where more than twenty streams ask for changes', async () => {
    const { told, clients } = crowd(100, true);
    const from = told.toldAt.length;
    await busy(told, 25, 80);
    told.pass(1_000);
    const [first] = clients;
    const late = first ? lateness(told, first, from) : [];
    expect(late).toHaveLength(80);
    expect(Math.max(...late)).toBeLessThanOrEqual(50);
    // 2 s of them.
    expect(first?.events.length).toBeLessThan(42);
    const bytes = first?.events.reduce((sum, each) => sum + each.bytes, 0) ?? Infinity;
    expect(bytes).toBeLessThan(12_000);
  });

  it('are gathered for at most 250 ms where whole lobbies take the thread', async () => {
    const { told, clients } = crowd(100, false);
    const from = told.toldAt.length;
    await busy(told, 25, 80);
    told.pass(1_000);
    const [first] = clients;
    const late = first ? lateness(told, first, from) : [];
    expect(late).toHaveLength(80);
    expect(Math.max(...late)).toBeLessThanOrEqual(250);
    expect(first?.events.length).toBeLessThan(12);
  });

  it('are each told at once in a small lobby', async () => {
    const told = new ToldLobby(new Random(1, 66));
    const clients = [told.listen('ann', false), told.listen('ben', false)];
    await busy(told, 0, 1);
    clients.forEach((each) => each?.events.splice(0));
    for (const n of [1, 2, 3]) {
      told.command({ type: 'patch_state', player: player('ann'), state: { n } });
    }
    expect(clients.map((each) => each?.events.length)).toEqual([3, 3]);
  });

  it.for([true, false])('never make a status wait; changes: %s', async (changes) => {
    const { told, clients } = crowd(100, changes);
    const host = player('p0');
    for (let round = 0; round < 5; round += 1) {
      await busy(told, 5, 3);
      told.command({ type: 'start', player: host });
      told.report('launching');
      told.report('running');
      told.command({ type: 'end_match', player: host });
    }
    for (const { statuses } of clients) {
      const shown = statuses.filter((status, at) => status !== statuses[at - 1]);
      const all = [
        'waiting',
        ...Array.from({ length: 5 }, () => ['starting', 'in_game', 'waiting']).flat(),
      ];
      expect(shown).toEqual(all);
    }
  });
});
