// Spectators (record 0108): whatever they do, a lobby is to its players as it would be without them.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InstanceId, MatchId, MemberId, PlayerId, TicketId } from '../../src/common/ids';
import { brokenInLobby } from '../../src/lobby/always';
import { booked, unbooked } from '../../src/lobby/bookings';
import { deletion } from '../../src/lobby/change';
import type { Change, Command, MatchUpdate } from '../../src/lobby/command';
import { defaultConfig } from '../../src/lobby/config';
import { decide, type Given } from '../../src/lobby/decide';
import { attendance, due, hasAsked, listening, streamEnded, streaming } from '../../src/lobby/due';
import { matchUpdated, serverReported, standing } from '../../src/lobby/game';
import { candidatesIn } from '../../src/lobby/hosting';
import type { Lobby } from '../../src/lobby/lobby';
import { admit, entryRefusal, putOut, standAside, withoutKicked } from '../../src/lobby/members';
import { hold, release, ticketFor } from '../../src/lobby/queueing';
import type { Reply } from '../../src/lobby/refusals';
import { isIn, watched, watchRefusal } from '../../src/lobby/spectators';
import { NO_STATS, seatOf, spectatorSeatIn, viewForBrowsing, viewOf } from '../../src/lobby/view';
import { partySnapshot } from '../../src/objects/lobby/game';
import {
  block,
  changeOf,
  codeOf,
  given,
  lobbyOf,
  matchUpdate,
  mode,
  player,
  run,
  T0,
} from '../support/lobbies';

const AROUND = { customProperties: {}, queueStats: NO_STATS };
const PLACES = { max: 2, delaySeconds: 0 };
const POLICY = given().policy;
const [alice, bob, wes, wim] = ['alice', 'bob', 'wes', 'wim'].map(player) as [
  PlayerId,
  PlayerId,
  PlayerId,
  PlayerId,
];
const seated = (id: PlayerId) => ({ id, memberId: `m-${id}` as MemberId });
const newcomer = (id: PlayerId) => ({ ...seated(id), state: null });
const watchedBy = (lobby: Lobby, ...ids: readonly PlayerId[]): Lobby =>
  ids.reduce((so, id) => watched(so, seated(id), T0 + 1), lobby);

describe('a spectator', () => {
  it('is told apart from players in the lobby, and counted alone where lobbies are listed', () => {
    const lobby = watchedBy(lobbyOf('alice', 'bob'), wes, wim);
    const view = viewOf(lobby, AROUND);
    expect(view).toMatchObject({ currentPlayers: 2, currentSpectators: 2 });
    expect(view.players.map(({ id }) => id)).toEqual(['alice', 'bob']);
    expect(view.spectators).toEqual([{ id: 'wes' }, { id: 'wim' }]);
    const row = viewForBrowsing(view);
    expect([row.currentSpectators, row.spectators]).toEqual([2, undefined]);
    const plain = viewOf(lobbyOf('alice'), AROUND);
    expect(Object.keys(plain)).not.toContain('spectators');
    expect(Object.keys(lobbyOf('alice'))).not.toContain('spectators');
  });

  it('comes in while places to watch are left, and in no config without them', () => {
    const lobby = lobbyOf('alice');
    expect(watchRefusal(lobby, wes, undefined)?.code).toBe('LOBBY_NOT_ACCEPTING');
    expect(watchRefusal(watchedBy(lobby, wim), wes, PLACES)).toBeNull();
    expect(watchRefusal(watchedBy(lobby, wim), wes, PLACES, 1)?.code).toBe('LOBBY_FULL');
    expect(watchRefusal(watchedBy(lobby, wim, bob), wes, PLACES)?.code).toBe('LOBBY_FULL');
    const full = { ...lobby, maxPlayers: 1 };
    expect([entryRefusal(full, 0)?.code, watchRefusal(full, wes, PLACES)]).toEqual([
      'LOBBY_FULL',
      null,
    ]);
  });

  it('may leave and say that it is there, and nothing else', () => {
    const lobby = watchedBy(lobbyOf('alice'), wes);
    const bodies: readonly Command[] = [
      { type: 'patch_state', player: wes, state: {} },
      { type: 'confirm', player: wes },
      { type: 'decline', player: wes },
      { type: 'host', player: wes, term: 1, says: 'unreachable' },
      { type: 'settings', player: wes, patch: {} },
      { type: 'kick', player: wes, target: alice },
      { type: 'start', player: wes },
      { type: 'enter', player: wes, mode: 'duel' },
      { type: 'cancel', player: wes },
      { type: 'end_match', player: wes },
    ];
    const codes = bodies.map((each) => codeOf(decide(lobby, each, given())));
    const hosts = ['NOT_HOST', 'NOT_HOST', 'NOT_HOST', 'NOT_HOST', 'NOT_HOST', 'NOT_HOST'];
    const others = ['INVALID_ACTION', 'INVALID_ACTION', 'INVALID_ACTION', 'INVALID_ACTION'];
    expect(codes).toEqual([...others, ...hosts]);
    const beat = changeOf(decide(lobby, { type: 'heartbeat', player: wes }, given()));
    expect(beat).toEqual({ lobby, debts: [], news: [] });
    const left = changeOf(decide(lobby, { type: 'leave', player: wes }, given()));
    expect(left.debts).toEqual([{ to: 'seat', player: wes, memberId: 'm-wes' }]);
    expect(left.news.map(({ kind }) => kind)).toEqual(['left', 'updated']);
    expect(left.lobby?.spectators).toEqual([]);
  });

  it('is put out by the host, by an operator and by the game, and sees the lobby a last time', () => {
    const lobby = watchedBy(lobbyOf('alice', 'bob'), wes);
    const kick = { type: 'kick', player: alice, target: wes } as const;
    for (const change of [
      changeOf(decide(lobby, kick, given())),
      changeOf(putOut(lobby, { player: wes, connected: new Set(), now: T0, by: 'key' })),
    ]) {
      expect(change.lobby && isIn(change.lobby, wes)).toBe(false);
      expect(change.news[0]).toMatchObject({ kind: 'kicked', player: wes });
      expect(change.debts).toEqual([{ to: 'seat', player: wes, memberId: 'm-wes' }]);
      expect(change.lobby?.gone).toBeUndefined();
    }
    const playing = inGame(lobby);
    const part = playing.part && {
      ...playing.part,
      places: { ...playing.part.places, kicked: [wes] },
    };
    const told = { lobby: { ...playing, part } as Lobby, debts: [], news: [] };
    const out = withoutKicked(told, new Set(), T0);
    expect(out.lobby?.spectators).toEqual([]);
    expect(out.lobby && watchRefusal(out.lobby, wes, PLACES)?.code).toBe('LOBBY_NOT_ACCEPTING');
  });

  it('has a ticket for the game that is no seat, and names a match after a direct start too', () => {
    const playing = inGame(watchedBy(lobbyOf('alice', 'bob'), wes));
    const seat = seatOf(playing, 'wes');
    expect(seat).toEqual({
      lobby: 'lobby-1',
      match: 'match-1',
      instance: 'server-1',
      late: false,
      team: null,
      teamName: null,
      role: null,
      spectator: true,
    });
    expect(spectatorSeatIn(playing)).toEqual(seat);
    expect(seatOf(playing, 'alice')).toMatchObject({ team: 0 });
    const started = run(watchedBy(lobbyOf('alice'), wes), { type: 'start', player: alice });
    const instanceId = started.game?.instanceId as InstanceId;
    const report = { instanceId, seq: 1, block: block('running', instanceId) };
    const direct = serverReported(started, report, T0)?.lobby as Lobby;
    expect(seatOf(direct, 'alice')).toMatchObject({ match: null });
    expect(seatOf(direct, 'wes')).toMatchObject({ match: instanceId, team: null, spectator: true });
  });

  it('goes with the lobby, which is empty without players', () => {
    const lobby = watchedBy(lobbyOf('alice'), wes);
    const left = changeOf(decide(lobby, { type: 'leave', player: alice }, given()));
    expect(left.lobby).toBeNull();
    expect(left.debts).toEqual(deletion(lobby).debts);
    expect(left.debts.flatMap((debt) => (debt.to === 'seat' ? [debt.player] : []))).toEqual([
      'alice',
      'wes',
    ]);
  });

  it('who is silent loses the place, heartbeats or not; an open stream is no silence', () => {
    const lobby = watchedBy(lobbyOf('alice', 'bob'), wes);
    const watch = { policy: POLICY, connected: new Set<never>(), hasStreamed: false };
    expect(due(lobby, watch, T0 + 60_000)).toBeNull();
    const gone = due(lobby, watch, T0 + 60_001);
    expect([gone?.reason, gone?.lobby?.spectators]).toEqual(['silent', []]);
    const watching = new Set([wes]);
    expect(due(lobby, { ...watch, watching }, T0 + 299_000)).toBeNull();
    const asked = hasAsked(lobby, wes, watch, T0 + 50_000)?.lobby as Lobby;
    expect(due(asked, watch, T0 + 109_999)).toBeNull();
    // A stream that broke at a restart leaves time to come back.
    const streams = streaming(lobby, { ...watch, watching }, T0 + 100)?.lobby as Lobby;
    const woken = streaming(streams, watch, T0 + 200_000)?.lobby as Lobby;
    expect(due(woken, watch, T0 + 259_999)).toBeNull();
    expect(due(woken, watch, T0 + 260_000)?.lobby?.spectators).toEqual([]);
  });
});

describe('who changes sides', () => {
  const aside = (lobby: Lobby, who: PlayerId, policy = POLICY): Reply<Change> =>
    standAside(lobby, { player: who, connected: new Set(), now: T0 }, PLACES, policy);

  it('stands aside in a lobby that waits, in the same seat', () => {
    const lobby = lobbyOf('alice', 'bob');
    const change = changeOf(aside(lobby, alice));
    expect(change.lobby?.players.map(({ id }) => id)).toEqual(['bob']);
    expect(change.lobby).toMatchObject({ host: 'bob', spectators: [{ memberId: 'm-alice' }] });
    expect(change.debts).toEqual([]);
    expect(change.news[0]).toEqual({ kind: 'switched', player: alice });
    expect(change.news.slice(1)).toEqual([{ kind: 'updated', lobby: change.lobby }]);
  });

  it('not where the lobby would end, nor in a search or game, nor without a place', () => {
    const lobby = lobbyOf('alice', 'bob');
    expect(codeOf(aside(lobbyOf('alice'), alice))).toBe('INVALID_STATE');
    const deletes = { ...POLICY, hostLeaveBehavior: 'delete' } as const;
    expect(codeOf(aside(lobby, alice, deletes))).toBe('INVALID_STATE');
    expect(codeOf(aside(lobby, bob, deletes))).toBe('ok');
    expect(codeOf(aside(inGame(lobby), bob))).toBe('INVALID_STATE');
    const queued = run(lobby, { type: 'enter', player: alice, mode: 'duel' });
    expect(codeOf(aside(queued, bob))).toBe('INVALID_STATE');
    expect(codeOf(aside(watchedBy(lobby, wes, wim), bob))).toBe('LOBBY_FULL');
  });

  it('begins to play in the same seat, if a player has room', () => {
    const lobby = watchedBy(lobbyOf('alice'), wes);
    const change = changeOf(admit(lobby, newcomer(wes), T0));
    expect(change.lobby?.players.map(({ memberId }) => memberId)).toEqual(['m-alice', 'm-wes']);
    expect(change.lobby?.spectators).toEqual([]);
    expect(change.news[0]).toEqual({ kind: 'switched', player: wes });
    const full = { ...lobby, maxPlayers: 1 };
    expect(codeOf(admit(full, newcomer(wes), T0))).toBe('LOBBY_FULL');
  });
});

function inGame(lobby: Lobby): Lobby {
  const queued = run(lobby, { type: 'enter', player: alice, mode: 'duel' });
  const { ticketId } = queued.search as { ticketId: TicketId };
  const held = hold(queued, { ticketId, matchId: 'match-1' as MatchId, seq: 1 }, T0)
    ?.lobby as Lobby;
  const places = { team: 0, teamName: null, roles: null, members: [alice, bob], aside: [] };
  const server = { ...block('running'), match_id: 'match-1' };
  const update = matchUpdate({ ticketId, phase: 'in_game', server, places });
  return matchUpdated(held, update, T0, 'again' as TicketId).lobby as Lobby;
}

// The metamorphic test: the same commands with spectators and without.

const PLAYERS = ['alice', 'bob', 'cat', 'dan'].map(player);
const WATCHERS = ['wes', 'wim', 'wyn'].map(player);
const MODES = { duel: mode({ maxPartySize: 4, playersPerTeam: 4, minPlayersPerTeam: 1 }) };

interface Step {
  readonly act: number;
  readonly who: number;
  readonly ms: number;
  readonly streams: number;
}

/** Without spectators, and without what counts visible changes. */
function bare(lobby: Lobby | null): unknown {
  if (lobby === null) {
    return null;
  }
  const { spectators: _, revision: __, updatedAt: ___, players, ...rest } = lobby;
  return {
    ...rest,
    players: players.map(({ returning, ...each }) => [each, returning !== undefined]),
  };
}

function told(change: Change) {
  const isPlayers = (id: string): boolean => PLAYERS.some((each) => each === id);
  return {
    debts: change.debts.filter((debt) => debt.to !== 'seat' || isPlayers(debt.player)),
    news: change.news
      .filter((each) => !('player' in each) || isPlayers(each.player))
      .map((each) => ('lobby' in each ? { ...each, lobby: bare(each.lobby) } : each))
      // A spectator who goes along with players is one more update that shows them the same.
      .filter((each, index, all) => JSON.stringify(each) !== JSON.stringify(all[index - 1])),
  };
}

/** What others ask of the lobby. */
function asked(lobby: Lobby): unknown {
  const {
    revision: _,
    updatedAt: __,
    spectators: ___,
    currentSpectators: ____,
    ...view
  } = viewOf(lobby, AROUND);
  const config = { ...defaultConfig('arena'), matchmaking: { modes: MODES } };
  return {
    view,
    entry: PLAYERS.map((id) => entryRefusal(lobby, 0, id)),
    seats: PLAYERS.map((id) => seatOf(lobby, id)),
    hosts: candidatesIn(lobby, new Set(PLAYERS)),
    ticket: ticketFor(lobby, MODES.duel, { id: 't' as TicketId, startedAt: 0 }),
    party: partySnapshot(lobby, 't' as TicketId, { config, hasHooks: false }),
  };
}

class Twins {
  /** One lobby, which has spectators, and the same without. */
  watched: Lobby | null = { ...lobbyOf('alice', 'bob'), maxPlayers: 4 };
  plain: Lobby | null = this.watched;
  now = T0;
  #ids = 0;
  readonly #policy: Given['policy'];

  constructor(policy: Given['policy']) {
    this.#policy = policy;
  }

  given(streams: number): Given {
    const open = <T>(all: readonly T[], from: number): ReadonlySet<T> =>
      new Set(all.filter((_, index) => (streams >> (from + index)) % 2 === 1));
    const connected = open(PLAYERS, 0);
    const how = { policy: this.#policy, connected, watching: open(WATCHERS, 4), modes: MODES };
    const ticketId = `t-${this.#ids}` as TicketId;
    const made = { instanceId: `s-${this.#ids}` as InstanceId };
    return given({ ...how, now: this.now, ticketId, made, hasStreamed: connected.size > 0 });
  }

  /** Both do it, and answer alike. */
  both(of: (lobby: Lobby) => Reply<Change> | Change | null): void {
    const [one, other] = [this.watched, this.plain].map((lobby) => {
      const reply = lobby && of(lobby);
      return reply === null || !('ok' in reply) || reply.ok
        ? { change: reply && 'ok' in reply && reply.ok ? reply.value : reply }
        : { refused: reply.refusal };
    });
    const [said, wanted] = [one, other].map((each) => ({
      refused: each?.refused,
      // A sign of a spectator is saved, and nobody is told of it.
      told: told(each?.change ?? { lobby: null, debts: [], news: [] }),
    }));
    expect(said).toEqual(wanted);
    this.watched = one?.change ? one.change.lobby : this.watched;
    this.plain = other?.change ? other.change.lobby : this.plain;
  }

  /** The one with spectators alone does it. */
  only(of: (lobby: Lobby) => Reply<Change> | Change | null): void {
    const reply = this.watched && of(this.watched);
    if (reply !== null && (!('ok' in reply) || reply.ok)) {
      const change = 'ok' in reply ? reply.value : reply;
      expect(told(change)).toMatchObject({ debts: [] });
      this.watched = change.lobby;
    }
  }

  /** Everything that is due, in each by itself. */
  due(how: Given): void {
    const drained = (start: Lobby | null): [Lobby | null, unknown[]] => {
      const all: unknown[] = [];
      let lobby = start;
      for (;;) {
        const next = lobby && due(lobby, how, this.now);
        if (next === null) {
          return [lobby, all];
        }
        const isSpectators = next.lobby !== null && next.lobby.players === lobby?.players;
        all.push(...(isSpectators && next.reason === 'silent' ? [] : [told(next)]));
        lobby = next.lobby;
      }
    };
    const [one, other] = [drained(this.watched), drained(this.plain)];
    expect(one[1]).toEqual(other[1]);
    [this.watched, this.plain] = [one[0], other[0]];
  }

  /** The match is as far, or lets go of a lobby that is further. */
  #match(
    ticketId: TicketId,
    phase: MatchUpdate['phase'],
    { ms, kicked, how }: { ms: number; kicked: readonly PlayerId[]; how: Given },
  ): void {
    const { part, search, status = 'waiting', players = [] } = this.plain ?? {};
    const matchId = (part?.matchId ?? `match-${this.#ids}`) as MatchId;
    const seq = (search?.holdSeq ?? 0) + 1;
    this.both((lobby) => (search ? hold(lobby, { ticketId, matchId, seq }, this.now) : null));
    const order = ['in_queue', 'match_found', 'matched', 'in_game', 'returned'];
    if (order.indexOf(phase) < order.indexOf(status)) {
      this.both((lobby) => release(lobby, { matchId, seq }));
      return;
    }
    const members = part?.places.members ?? players.map((each) => each.id);
    const places = { team: 0, teamName: null, roles: null, members, aside: [], kicked };
    const server = phase === 'in_game' ? { ...block('running'), match_id: matchId } : null;
    const step = (part?.step ?? 0) + 1;
    const end = { reason: phase === 'returned' ? ('game_ended' as const) : null };
    const news = { ticketId, matchId, phase, step, server, places, ...end };
    const update = matchUpdate({ ...news, backfills: ms % 2 === 0 });
    const again = `again-${this.#ids}` as TicketId;
    this.both((lobby) =>
      standing(lobby, update) === 'apply'
        ? withoutKicked(matchUpdated(lobby, update, this.now, again), how.connected, this.now)
        : null,
    );
  }

  step({ act, who, ms, streams }: Step): void {
    this.#ids += 1;
    this.now += ms;
    const how = this.given(streams);
    const id = PLAYERS[who % PLAYERS.length] ?? alice;
    const watcher = WATCHERS[who % WATCHERS.length] ?? wes;
    const host = this.plain?.host ?? alice;
    const command = (given: Command): void => {
      this.both((lobby) => hasAsked(lobby, given.player, how, this.now));
      this.both((lobby) => decide(lobby, given, how));
    };
    const match = (phase: MatchUpdate['phase']): void => {
      const ticketId = this.plain?.part?.ticketId ?? this.plain?.search?.ticketId;
      if (ticketId !== undefined) {
        this.#match(ticketId, phase, { ms, kicked: ms % 3 === 0 ? [id, watcher] : [], how });
      }
    };
    const booking = { matchId: 'made' as MatchId, ticketId: 'b' as TicketId, mode: 'duel' };
    const acts: readonly (() => void)[] = [
      () => command({ type: 'patch_state', player: id, state: { n: ms } }),
      () => command({ type: 'settings', player: host, patch: { maxPlayers: 1 + (ms % 5) } }),
      () => command({ type: 'leave', player: id }),
      () => command({ type: 'heartbeat', player: id }),
      () => command({ type: 'kick', player: host, target: id }),
      () => command({ type: 'enter', player: host, mode: 'duel' }),
      () => command({ type: 'cancel', player: host }),
      () => command({ type: 'start', player: host }),
      () => command({ type: 'end_match', player: host }),
      () => this.both((lobby) => (isIn(lobby, id) ? null : admit(lobby, newcomer(id), this.now))),
      () => this.both((lobby) => (isIn(lobby, id) ? null : admit(lobby, newcomer(id), this.now))),
      () => match('match_found'),
      () => match('matched'),
      () => match('in_game'),
      () => match('in_game'),
      () => match('returned'),
      () =>
        this.both((lobby) => {
          const reply = booked(lobby, { ...booking, seq: this.#ids }, this.now);
          return 'why' in reply ? null : reply;
        }),
      () => this.both((lobby) => unbooked(lobby, booking)),
      () => {
        const { game } = this.plain ?? {};
        const instanceId = game?.instanceId ?? ('none' as InstanceId);
        const report = { instanceId, seq: this.#ids, block: block('running', instanceId) };
        this.both((lobby) => serverReported(lobby, report, this.now));
      },
      () => this.both((lobby) => streamEnded(lobby, id, this.now)),
      () => this.only((lobby) => streamEnded(lobby, watcher, this.now)),
      () => this.only((lobby) => hasAsked(lobby, watcher, how, this.now)),
      () => this.only((lobby) => decide(lobby, { type: 'leave', player: watcher }, how)),
      () => this.only((lobby) => decide(lobby, { type: 'heartbeat', player: watcher }, how)),
      () => this.only((lobby) => decide(lobby, { type: 'start', player: watcher }, how)),
      () =>
        this.only((lobby) =>
          decide(lobby, { type: 'kick', player: lobby.host, target: watcher }, how),
        ),
      ...[1, 2, 3, 4].map(
        () => () =>
          this.only((lobby) =>
            isIn(lobby, watcher) || watchRefusal(lobby, watcher, PLACES) !== null
              ? null
              : { lobby: watched(lobby, seated(watcher), this.now), debts: [], news: [] },
          ),
      ),
    ];
    acts[act % acts.length]?.();
    for (const note of [streaming, listening] as const) {
      this.both((lobby) => note(lobby, how, this.now));
    }
    this.both((lobby) => attendance(lobby, how, this.now, false));
    this.due(how);
  }
}

const step = fc.record({
  act: fc.nat(10_000),
  who: fc.nat(11),
  ms: fc.oneof({ weight: 8, arbitrary: fc.nat(2_000) }, { weight: 1, arbitrary: fc.nat(90_000) }),
  streams: fc.nat(127),
});

/** 200,000 were run once. */
const RUNS = Number(process.env['SPECTATOR_RUNS'] ?? 60);

describe('a lobby with spectators', () => {
  it(`is to its players as the same without, in ${RUNS} sequences`, () => {
    const seen = new Map<string, number>();
    const heartbeats = fc.boolean();
    const property = fc.property(
      fc.array(step, { minLength: 60, maxLength: 60 }),
      heartbeats,
      (steps, beats) => {
        const policy = {
          ...POLICY,
          timeoutMs: 200_000,
          heartbeatTimeoutMs: beats ? 40_000 : null,
          queuePresenceMs: 30_000,
        };
        const twins = new Twins(policy);
        for (const each of steps) {
          twins.step(each);
          const { watched: one, plain } = twins;
          expect(bare(one)).toEqual(bare(plain));
          if (one === null || plain === null) {
            break;
          }
          expect(brokenInLobby(one)).toEqual([]);
          expect(asked(one)).toEqual(asked(plain));
          const count = one.spectators?.length ?? 0;
          const state = `${one.status}, ${count > 0 ? 'watched' : 'alone'}`;
          seen.set(state, (seen.get(state) ?? 0) + 1);
        }
      },
    );
    fc.assert(property, { numRuns: RUNS, seed: 108 });
    const statuses = ['waiting', 'in_queue', 'match_found', 'matched', 'starting', 'in_game'];
    for (const each of statuses) {
      expect(seen.get(`${each}, watched`), each).toBeGreaterThan(RUNS / 10);
    }
  }, 600_000);
});
