// What members may ask of a lobby, command by command, with every refusal the spec names.

import { describe, expect, it } from 'vitest';
import type { MemberId, TicketId } from '../../src/common/ids';
import { decide } from '../../src/lobby/decide';
import { matchUpdated } from '../../src/lobby/game';
import { admit, entryRefusal } from '../../src/lobby/members';
import { hold } from '../../src/lobby/queueing';
import { become, TRANSITIONS, touch } from '../../src/lobby/change';
import { STATUSES, type Lobby, type Status } from '../../src/lobby/lobby';
import { brokenInLobby } from '../../src/lobby/always';
import { viewOf } from '../../src/lobby/view';
import {
  after,
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

const alice = player('alice');
const bob = player('bob');
const newcomer = (name: string) => ({
  id: player(name),
  memberId: `m-${name}` as MemberId,
  state: null,
});

/** For what looks at the status alone. */
const inStatus = (status: Status): Lobby => ({ ...lobbyOf('alice'), status }) as Lobby;

describe('state', () => {
  // shows: S41, S42
  it('merges into what is there, and null clears a key (spec: Player, state rules)', () => {
    const one = run(lobbyOf('alice'), {
      type: 'patch_state',
      player: alice,
      state: { a: 1, b: 2 },
    });
    const two = run(one, { type: 'patch_state', player: alice, state: { b: null, c: 3 } });
    expect(two.players[0]?.state).toEqual({ a: 1, c: 3 });
  });

  it('treats __proto__ as a key like any other', () => {
    const state = JSON.parse('{"__proto__": {"admin": true}}') as Record<string, never>;
    const lobby = run(lobbyOf('alice'), { type: 'patch_state', player: alice, state });
    expect(Object.getPrototypeOf(lobby.players[0]?.state)).toBe(Object.prototype);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  // shows: D5b
  it('refuses more than 16 KiB once merged, and changes nothing (decision 5)', () => {
    const lobby = run(lobbyOf('alice'), {
      type: 'patch_state',
      player: alice,
      state: { a: 'x'.repeat(9_000) },
    });
    const refused = decide(
      lobby,
      { type: 'patch_state', player: alice, state: { b: 'x'.repeat(9_000) } },
      given(),
    );
    expect(codeOf(refused)).toBe('VALIDATION_ERROR');
  });

  // shows: D13b
  it('while queued refreshes the ticket and keeps its wait (decision 13)', () => {
    const queued = run(lobbyOf('alice'), { type: 'enter', player: alice, mode: 'duel' });
    const change = changeOf(
      decide(queued, { type: 'patch_state', player: alice, state: { mmr: 5 } }, given()),
    );
    const { ticketId, startedAt } = queued.search ?? {};
    expect(change.debts).toEqual([{ to: 'queue', act: 'enter', mode: 'duel', ticketId }]);
    expect(change.lobby?.search?.startedAt).toBe(startedAt);
  });
});

describe('a start', () => {
  it('is refused while the config is disabled (decision 22)', () => {
    const lobby = lobbyOf('alice');
    const closed = decide(lobby, { type: 'start', player: alice }, given({ isClosed: true }));
    expect(codeOf(closed)).toBe('CLOSED');
    const started = run(lobby, { type: 'start', player: alice });
    const again = decide(started, { type: 'start', player: alice }, given({ isClosed: true }));
    expect(codeOf(again)).toBe('GAME_ALREADY_RUNNING');
  });

  it('is refused while the lobby has fewer players than the config asks for', () => {
    const asked = { type: 'start', player: alice } as const;
    const short = decide(lobbyOf('alice'), asked, given({ minPlayers: 2 }));
    expect(codeOf(short)).toBe('INVALID_STATE');
    expect(short).toMatchObject({
      refusal: { detail: 'A game needs 2 players, and the lobby has 1' },
    });
    const enough = decide(lobbyOf('alice', 'bob'), asked, given({ minPlayers: 2 }));
    expect(changeOf(enough).lobby?.status).toBe('starting');
  });
});

describe('revision and updatedAt', () => {
  // shows: S36, D10a
  it('rise strictly with every visible change, even within one millisecond (decision 10)', () => {
    const lobby = lobbyOf('alice');
    const one = touch(lobby, {}, lobby.updatedAt);
    const two = touch(one, {}, lobby.updatedAt - 5_000);
    expect([one.updatedAt, two.updatedAt]).toEqual([lobby.updatedAt + 1, lobby.updatedAt + 2]);
    expect([one.revision, two.revision]).toEqual([lobby.revision + 1, lobby.revision + 2]);
  });

  // shows: S10, S24
  it('knows no transition the table does not have', () => {
    for (const from of STATUSES) {
      for (const to of STATUSES) {
        const known = from === to || Object.hasOwn(TRANSITIONS[from], to);
        const move = (): unknown => become(inStatus(from), inStatus(to), T0);
        if (known) {
          expect(move).not.toThrow();
        } else {
          expect(move).toThrow(`no transition from ${from} to ${to}`);
        }
      }
    }
  });
});

describe('joining', () => {
  // shows: D12b
  it.each(['in_queue', 'starting', 'matched', 'match_found'] as const)(
    'is not possible in %s (decision 12)',
    (status) => {
      expect(entryRefusal(inStatus(status), 0)?.code).toBe('LOBBY_NOT_ACCEPTING');
    },
  );

  it('in game depends on allowLateJoin (spec: Join)', () => {
    const inGame = inStatus('in_game');
    expect(entryRefusal(inGame, 0)).toBeNull();
    expect(entryRefusal({ ...inGame, allowLateJoin: false }, 0)?.code).toBe('LOBBY_NOT_ACCEPTING');
  });

  it('counts places promised to others', () => {
    const lobby = lobbyOf('alice', 'bob');
    expect(entryRefusal(lobby, 1)).toBeNull();
    expect(entryRefusal(lobby, 2)?.code).toBe('LOBBY_FULL');
    const full = after(admit(after(admit(lobby, newcomer('c'), T0)), newcomer('d'), T0));
    expect(codeOf(admit(full, newcomer('e'), T0))).toBe('LOBBY_FULL');
  });
});

describe('leaving and kicking', () => {
  // shows: D16b
  it('promotes the longest-present connected player (decision 16)', () => {
    const lobby = lobbyOf('alice', 'bob', 'carol');
    const plain = run(lobby, { type: 'leave', player: alice });
    expect(plain.host).toBe('bob');
    const connected = new Set([player('carol')]);
    expect(run(lobby, { type: 'leave', player: alice }, { connected }).host).toBe('carol');
  });

  it('deletes the lobby when its host leaves under `delete`', () => {
    const policy = { ...given().policy, hostLeaveBehavior: 'delete' } as const;
    const change = changeOf(
      decide(lobbyOf('alice', 'bob'), { type: 'leave', player: alice }, given({ policy })),
    );
    expect(change.lobby).toBeNull();
    expect(change.news).toEqual([{ kind: 'deleted', id: 'lobby-1' }]);
    expect(change.debts).toContainEqual({ to: 'seat', player: 'bob', memberId: 'm-bob' });
    expect(change.debts).toContainEqual({ to: 'directory', act: 'remove' });
  });

  it('deletes the lobby with its last player, who hears of it (spec: lobby_deleted)', () => {
    const change = changeOf(decide(lobbyOf('alice'), { type: 'leave', player: alice }, given()));
    expect(change.lobby).toBeNull();
    expect(change.news).toEqual([{ kind: 'deleted', id: 'lobby-1' }]);
  });

  // shows: D15d
  it('while queued cancels matchmaking for all (spec: Leave)', () => {
    const queued = run(lobbyOf('alice', 'bob'), { type: 'enter', player: alice, mode: 'duel' });
    const change = changeOf(decide(queued, { type: 'leave', player: bob }, given()));
    expect(change.lobby?.status).toBe('waiting');
    expect(change.news.map(({ kind }) => kind)).toEqual(['left', 'returned', 'updated']);
    expect(change.debts.map(({ to }) => to)).toEqual(['seat', 'queue']);
  });

  it('a host kicks others, not itself, and nobody who is not there', () => {
    const lobby = lobbyOf('alice', 'bob');
    const kick = (who: string, target: string) =>
      decide(lobby, { type: 'kick', player: player(who), target: player(target) }, given());
    expect(codeOf(kick('alice', 'alice'))).toBe('INVALID_ACTION');
    expect(codeOf(kick('alice', 'zoe'))).toBe('PLAYER_NOT_FOUND');
    expect(codeOf(kick('bob', 'alice'))).toBe('NOT_HOST');
    const kinds = changeOf(kick('alice', 'bob')).news.map((news) => news.kind);
    expect(kinds).toEqual(['kicked', 'updated']);
  });
});

describe('settings', () => {
  it('merge, and refuse fewer places than players (decision 14)', () => {
    const lobby = lobbyOf('alice', 'bob');
    const next = run(lobby, {
      type: 'settings',
      player: alice,
      patch: { name: 'New', settings: { map: 'x' }, allowLateJoin: false },
    });
    expect(next).toMatchObject({ name: 'New', settings: { map: 'x' }, allowLateJoin: false });
    const small = decide(
      lobby,
      { type: 'settings', player: alice, patch: { maxPlayers: 1 } },
      given(),
    );
    expect(codeOf(small)).toBe('VALIDATION_ERROR');
  });
});

describe('matchmaking start', () => {
  const ask = (
    lobby = lobbyOf('alice', 'bob'),
    who = 'alice',
    name = 'duel',
    modes = given().modes,
  ) => decide(lobby, { type: 'enter', player: player(who), mode: name }, given({ modes }));

  it('answers each error of the spec', () => {
    expect(codeOf(ask(undefined, 'bob'))).toBe('NOT_HOST');
    expect(codeOf(ask(undefined, 'alice', 'duel', {}))).toBe('NO_MATCHMAKING_MODES');
    expect(codeOf(ask(undefined, 'alice', 'other'))).toBe('MODE_NOT_FOUND');
    expect(codeOf(ask(undefined, 'alice', 'toString'))).toBe('MODE_NOT_FOUND');
    expect(codeOf(ask(lobbyOf('alice', 'bob', 'carol')))).toBe('PARTY_SIZE_EXCEEDED');
    expect(codeOf(ask(after(ask())))).toBe('ALREADY_IN_QUEUE');
    const inGame = run(lobbyOf('alice'), { type: 'start', player: alice });
    expect(codeOf(ask(inGame))).toBe('INVALID_STATE');
  });

  // shows: S44, S45
  it('shows mode, start and statistics while queued (spec: Matchmaking block)', () => {
    const queued = after(ask());
    const queueStats = { playersSearching: 2, lobbiesInQueue: 1, avgWaitSeconds: 0 };
    const view = viewOf(queued, { customProperties: {}, queueStats });
    expect(view.matchmaking).toEqual({
      mode: 'duel',
      startedAt: new Date(T0 + 1_000).toISOString(),
      queueStats,
    });
    expect(brokenInLobby(queued)).toEqual([]);
  });

  it('can be cancelled by the host while queued only', () => {
    const queued = after(ask());
    expect(run(queued, { type: 'cancel', player: alice }).status).toBe('waiting');
    expect(codeOf(decide(queued, { type: 'cancel', player: bob }, given()))).toBe('NOT_HOST');
    expect(codeOf(decide(lobbyOf('alice'), { type: 'cancel', player: alice }, given()))).toBe(
      'INVALID_STATE',
    );
  });

  it('can be cancelled while its match waits in line for a server', () => {
    const queued = after(ask());
    const ticketId = queued.search?.ticketId as TicketId;
    const waiting = { position: 3, since: T0 };
    const told = (patch: object): Lobby => {
      const update = matchUpdate({ ticketId, phase: 'matched', ...patch });
      const held = hold(queued, { ticketId, matchId: update.matchId, seq: 1 }, T0)?.lobby;
      return matchUpdated(held ?? queued, update, T0, 'new' as TicketId).lobby as Lobby;
    };
    const inLine = told({ waiting });
    expect(inLine.status).toBe('matched');
    const { lobby, debts, news } = changeOf(
      decide(inLine, { type: 'cancel', player: alice }, given()),
    );
    expect([lobby?.status, lobby?.part, lobby?.returned]).toEqual(['waiting', null, undefined]);
    const matchId = inLine.part?.matchId;
    expect(debts).toEqual([{ to: 'match', act: 'left', matchId, ticketId, by: alice }]);
    expect(news[0]).toMatchObject({ kind: 'returned', reason: 'cancelled' });
    expect(codeOf(decide(inLine, { type: 'cancel', player: bob }, given()))).toBe('NOT_HOST');
    const cancel = { type: 'cancel', player: alice } as const;
    expect(codeOf(decide(told({}), cancel, given()))).toBe('INVALID_STATE');
  });

  // shows: S78
  it('does not count excluded roles as party (spec: excludedFromQueue)', () => {
    const modes = { duel: mode({ maxPartySize: 1, excludedFromQueue: ['spectator'] }) };
    const lobby = run(lobbyOf('alice', 'bob'), {
      type: 'patch_state',
      player: bob,
      state: { role: 'spectator' },
    });
    expect(codeOf(ask(lobby, 'alice', 'duel', modes))).toBe('ok');
    expect(codeOf(ask(lobbyOf('alice', 'bob'), 'alice', 'duel', modes))).toBe(
      'PARTY_SIZE_EXCEEDED',
    );
  });
});
