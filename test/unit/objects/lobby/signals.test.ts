// Signals between the real lobbies of real matches, drawn at random: who hears one is exactly who is in the sender's
// lobby, or once its match has formed in any lobby of it. Nobody else does, and nothing is saved.

import { describe, expect, it } from 'vitest';
import type { LobbyId, MatchId, MemberId, PlayerId, TicketId } from '../../../../src/common/ids';
import type { Heard } from '../../../../src/common/line';
import { defaultConfig } from '../../../../src/lobby/config';
import type { PeerSignal } from '../../../../src/objects/contracts/lobby';
import type { Peers } from '../../../../src/objects/contracts/peers';
import type { Lines, RelayLine } from '../../../../src/objects/kit/ports';
import { LobbyActor } from '../../../../src/objects/lobby/actor';
import { saveLobby } from '../../../../src/objects/lobby/store';
import { MatchActor } from '../../../../src/objects/match/actor';
import { Random } from '../../../../proof/torture/random.ts';
import { fakePorts, type FakePorts } from '../../../fleet/ports.ts';
import { mode, ticket } from '../../../match/support/make';
import { block, lobbyOf, player, run } from '../../../support/lobbies';

const RULES = mode({ teams: 2, playersPerTeam: 3, minPlayersPerTeam: 1, maxPartySize: 3 });
const ASKING = { ...RULES, matchConfirmation: { enabled: true, timeoutSeconds: 60 } };
const CONFIG = { ...defaultConfig('arena'), matchmaking: { modes: { duo: RULES } } };
const DOCUMENT = { revision: 1, configs: { arena: CONFIG }, builds: {} };
const HELD = 'searching, and held for the match';

/** The lobbies of a world, and what each does. Numbers name the match that the lobbies are in. */
const LOBBIES = {
  a: { players: ['ann', 'abe', 'ada'], match: null },
  b: { players: ['bob'], match: null },
  // It waits for the answer of these.
  c: { players: ['cat', 'cal'], match: 'asks' },
  d: { players: ['dan'], match: 'asks' },
  e: { players: ['eve', 'eli'], match: 'launches' },
  f: { players: ['fay'], match: 'launches' },
  g: { players: ['gus', 'gil', 'gia'], match: 'runs' },
  h: { players: ['hal', 'hob'], match: 'runs' },
} as const;
type Name = keyof typeof LOBBIES;
const NAMES = Object.keys(LOBBIES) as Name[];
const MATCHES = ['asks', 'launches', 'runs'] as const;

class World {
  readonly heard: { readonly by: string; readonly said: Heard }[] = [];
  readonly lobbies = new Map<string, LobbyActor>();
  readonly matches = new Map<string, MatchActor>();
  readonly fakes: FakePorts[] = [];

  static async made(): Promise<World> {
    const world = new World();
    NAMES.forEach((name) => world.#found(name));
    for (const id of MATCHES) {
      await world.#form(id);
    }
    for (const name of NAMES) {
      for (const id of LOBBIES[name].players) {
        await world.of(name).events(player(id), null);
      }
    }
    world.heard.length = 0;
    return world;
  }

  of(name: string): LobbyActor {
    const found = this.lobbies.get(name);
    if (found === undefined) {
      throw new Error(`no lobby ${name}`);
    }
    return found;
  }

  readonly peers = {
    lobby: (id: LobbyId) => ({
      signalled: (...told: Parameters<LobbyActor['signalled']>) => this.of(id).signalled(...told),
      matchUpdate: (...told: Parameters<LobbyActor['matchUpdate']>) =>
        this.of(id).matchUpdate(...told),
    }),
    match: (id: MatchId) => this.matches.get(id),
    queue: () => ({ enter: async () => ({}), offer: async () => {}, leave: async () => {} }),
    directory: () => ({ put: async () => {} }),
    server: () => ({ launch: () => new Promise(() => {}), stop: async () => {} }),
    seat: () => ({
      claim: async () => ({ heldBy: null }),
      release: async () => {},
    }),
  } as unknown as Peers;

  #ports(name: string, lines?: Lines): FakePorts {
    const fake = fakePorts({ name, document: DOCUMENT, peers: this.peers });
    Object.assign(fake.ports, lines === undefined ? {} : { lines });
    this.fakes.push(fake);
    return fake;
  }

  #found(name: Name): void {
    const [host, ...guests] = LOBBIES[name].players;
    const id = name as string as LobbyId;
    const founded = { ...lobbyOf(host, ...guests), id, maxPlayers: 6 };
    const isIn = LOBBIES[name].match !== null;
    const enter = { type: 'enter', player: player(host), mode: 'duo' } as const;
    const given = { modes: { duo: RULES }, ticketId: `ticket of ${name}` as TicketId };
    const lobby = isIn ? run(founded, enter, { ...given, now: 1_800_000_000_000 }) : founded;
    const fake = this.#ports(name, this.#lines());
    fake.ports.store.put('home', { project: 'dev', config: 'arena', by: 'm' as MemberId });
    saveLobby(fake.ports.store, null, lobby, null);
    this.lobbies.set(name, new LobbyActor(fake.ports));
  }

  #lines(): Lines {
    const open = (by: string): RelayLine => ({
      player: by,
      changes: false,
      say: (said) => void this.heard.push({ by, said }),
      end: (said) => void this.heard.push({ by, said }),
    });
    return {
      open: (by) => ({ line: open(by), far: {} as never }),
      all: () => [],
      watch: () => ({}) as never,
      watchers: () => [],
    };
  }

  async #form(id: (typeof MATCHES)[number]): Promise<void> {
    const those = NAMES.filter((name) => LOBBIES[name].match === id);
    const matchId = id as string as MatchId;
    const parties = [];
    for (const name of those) {
      const ticketId = `ticket of ${name}` as TicketId;
      const reply = await this.of(name).hold({ ticketId, matchId, seq: 1 });
      expect(reply.held, HELD).toBe(true);
      parties.push(...(reply.held ? [reply.party] : []));
    }
    // Its server never launches by itself.
    const document = (): Promise<never> => new Promise(() => {});
    const ports = { ...this.#ports(id).ports, document };
    const match = new MatchActor(ports, async () => {});
    this.matches.set(id, match);
    const rules = id === 'asks' ? ASKING : RULES;
    await match.open({
      matchId,
      project: 'dev',
      config: 'arena',
      mode: 'duo',
      rules,
      region: 'us-east',
      version: null,
      anchor: ticket('a'),
      parties,
      teams: parties.map(({ ticketId }) => ({ name: null, tickets: [ticketId], roles: null })),
    });
    if (id === 'runs') {
      const saved = this.fakes.at(-1)?.saved.get('match') as { readonly instanceId: never };
      const report = { instanceId: saved.instanceId, seq: 1, block: block('running', 'i') };
      await match.serverReport(report);
    }
    await this.pass(500);
  }

  async pass(ms: number): Promise<void> {
    for (const fake of this.fakes) {
      await fake.pass(ms);
    }
  }

  /** All that is saved, as text. */
  get rows(): string {
    return JSON.stringify(this.fakes.map(({ saved }) => [...saved]));
  }

  ticketOf(name: Name): TicketId {
    const head = this.fakes[NAMES.indexOf(name)]?.saved.get('lobby');
    return (head as { readonly search: { readonly ticketId: TicketId } }).search.ticketId;
  }

  async signal(at: Name, from: string, to: string | null, data: PeerSignal['data'] = 1) {
    this.heard.length = 0;
    const target = to as PlayerId | null;
    const reply = await this.of(at).signal({ from: player(from), to: target, data });
    return { reply, by: this.heard.map(({ by }) => by).sort() };
  }
}

/** Who is together with the player of that lobby. */
function together(name: Name, members: Readonly<Record<Name, readonly string[]>>): string[] {
  const { match } = LOBBIES[name];
  const isFormed = match === 'launches' || match === 'runs';
  const those = NAMES.filter((other) => isFormed && LOBBIES[other].match === match);
  return [...new Set([name, ...those])].flatMap((other) => members[other]);
}

describe('a signal', () => {
  it('is heard by those whom it is for in the same lobby or match, and by nobody else: 20,000', async () => {
    const world = await World.made();
    const members = Object.fromEntries(
      NAMES.map((name) => [name, [...LOBBIES[name].players] as string[]]),
    ) as Record<Name, string[]>;
    // One comes late into a lobby that plays, which the match is not told, and one leaves such a lobby.
    const late = { project: 'dev', config: 'arena', player: player('zoe'), state: null };
    expect((await world.of('h').join(late)).ok).toBe(true);
    await world.of('h').events(player('zoe'), null);
    members.h.push('zoe');
    await world.of('g').execute({ type: 'leave', player: player('gia') });
    members.g.splice(members.g.indexOf('gia'), 1);
    await world.pass(1_000);
    const before = world.rows;
    const everybody = [...NAMES.flatMap((name) => LOBBIES[name].players), 'zoe', 'nobody'];
    const random = new Random(70);
    const count = { heard: 0, refused: 0, unheard: 0, across: 0 };
    for (let left = 20_000; left > 0; left -= 1) {
      const at = NAMES[random.whole(0, NAMES.length - 1)] ?? 'a';
      const anybody = everybody[random.whole(0, everybody.length - 1)] ?? '';
      const inside = members[at][random.whole(0, members[at].length - 1)] ?? '';
      const from = random.chance(0.3) ? anybody : inside;
      const to = random.chance(0.2)
        ? null
        : (everybody[random.whole(0, everybody.length - 1)] ?? null);
      const { reply, by } = await world.signal(at, from, to);
      const isMember = members[at].includes(from);
      const expected = isMember
        ? together(at, members).filter((id) => id !== from && (to ?? id) === id)
        : [];
      const label = `${from} by ${at} to ${to}`;
      expect(by, label).toEqual(expected.sort());
      expect(reply.ok, label).toBe(isMember);
      if (reply.ok) {
        expect(reply.value, label).toMatchObject({
          players: expected.length,
          streams: expected.length,
        });
      }
      count.refused += isMember ? 0 : 1;
      count.heard += by.length > 0 ? 1 : 0;
      count.unheard += isMember && by.length === 0 ? 1 : 0;
      count.across += by.some((id) => !members[at].includes(id)) ? 1 : 0;
    }
    expect(world.rows, 'nothing is saved').toBe(before);
    expect(Math.min(...Object.values(count)), JSON.stringify(count)).toBeGreaterThan(1_000);
  });

  it('carries its sender, and its data', async () => {
    const world = await World.made();
    await world.signal('e', 'eve', 'fay', { offer: 'v=0' });
    const said = { event: 'signal', id: null, data: '{"from":"eve","data":{"offer":"v=0"}}' };
    expect(world.heard).toMatchObject([{ by: 'fay', said }]);
  });

  it('reaches a lobby that does not know yet that its match has formed', async () => {
    const world = await World.made();
    const given = { matchId: 'launches' as MatchId, seq: 5 };
    await world.of('b').execute({ type: 'enter', player: player('bob'), mode: 'duo' });
    const ticketId = world.ticketOf('b');
    expect((await world.of('b').hold({ ...given, ticketId })).held).toBe(true);
    const to = { from: player('eve'), to: null, data: 1 };
    expect(await world.of('b').signalled('launches' as MatchId, to)).toMatchObject({ players: 1 });
    expect(await world.of('b').signalled('runs' as MatchId, to)).toMatchObject({ players: 0 });
  });

  it('is passed on by no match that has not formed, and from no lobby outside of it', async () => {
    const world = await World.made();
    const passed = async (match: string, from: Name) => {
      const said = { from: player('x'), to: null, data: 1 };
      return world.matches.get(match)?.signal(from as string as LobbyId, said);
    };
    expect(await passed('launches', 'e')).toEqual({ players: 1, streams: 1, lobbies: 1 });
    for (const [match, from] of [
      ['launches', 'a'],
      ['runs', 'e'],
      ['asks', 'c'],
    ] as const) {
      expect(await passed(match, from)).toEqual({ players: 0, streams: 0, lobbies: 0 });
    }
  });

  it('is counted by how many lobbies were asked, and asks one where the match knows the player', async () => {
    const world = await World.made();
    const asked = async (to: string | null) => {
      const { reply } = await world.signal('g', 'gus', to);
      return reply.ok ? reply.value.lobbies : null;
    };
    expect(await asked('gil')).toBe(1);
    expect(await asked('hal')).toBe(1);
    expect(await asked(null)).toBe(1);
  });

  it('that may be lost is said by the next stream, once', async () => {
    const world = await World.made();
    const opened = async (): Promise<readonly string[]> => {
      world.heard.length = 0;
      await world.of('a').events(player('abe'), null);
      return world.heard.map(({ said }) => (typeof said === 'string' ? said : said.event));
    };
    expect(await opened()).toEqual(['replaced', 'connected']);
    await world.signal('a', 'ann', 'ada');
    expect(await opened()).toEqual(['replaced', 'connected']);
    await world.of('a').lineClosed(player('abe'));
    expect((await world.signal('a', 'ann', 'abe')).reply).toMatchObject({
      value: { players: 1, streams: 0 },
    });
    expect(await opened()).toEqual(['connected', 'signals_lost']);
    expect(await opened()).toEqual(['replaced', 'connected']);
  });
});
