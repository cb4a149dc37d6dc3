// A lobby on its way through a match: the fence, numbered updates, returns, and time.

import { describe, expect, it } from 'vitest';
import type { InstanceId, MatchId, TicketId } from '../../src/common/ids';
import { decide } from '../../src/lobby/decide';
import { due, nextDue } from '../../src/lobby/due';
import {
  endMatch,
  launchFailed,
  matchUpdated,
  serverReported,
  standing,
} from '../../src/lobby/game';
import type { Lobby } from '../../src/lobby/lobby';
import { streaming as whoStreams } from '../../src/lobby/due';
import { comeBack, hold, prolonged, release, ticketFor, waitsFrom } from '../../src/lobby/queueing';
import { touch } from '../../src/lobby/change';
import {
  block,
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
const M1 = 'match-1' as MatchId;
const M2 = 'match-2' as MatchId;
const NEW = 'ticket-new' as TicketId;

function queued(): { lobby: Lobby; ticketId: TicketId } {
  const entered = { type: 'enter', player: alice, mode: 'duel', requestId: 'of-search' } as const;
  const lobby = run(lobbyOf('alice', 'bob'), entered);
  return { lobby, ticketId: lobby.search?.ticketId as TicketId };
}

function held(): { lobby: Lobby; ticketId: TicketId } {
  const { lobby, ticketId } = queued();
  const next = hold(lobby, { ticketId, matchId: M1, seq: 1 }, T0 + 2_000)?.lobby;
  return { lobby: next as Lobby, ticketId };
}

describe('the fence', () => {
  // shows: S15
  it('holds only with that very ticket, and is not visible', () => {
    const { lobby, ticketId } = queued();
    expect(hold(lobby, { ticketId: NEW, matchId: M1, seq: 1 }, T0)).toBeNull();
    const change = hold(lobby, { ticketId, matchId: M1, seq: 1 }, T0);
    expect(change?.news).toEqual([]);
    expect(change?.lobby?.revision).toBe(lobby.revision);
    expect(hold(lobbyOf('alice'), { ticketId, matchId: M1, seq: 1 }, T0)).toBeNull();
  });

  it('refuses every hold once the lobby has given up, but keeps one that it has', () => {
    const { lobby, ticketId } = queued();
    const giveUpAt = lobby.search?.giveUpAt ?? 0;
    const asked = { ticketId, matchId: M1, seq: 1 };
    expect(hold(lobby, asked, giveUpAt)).toBeNull();
    const inTime = hold(lobby, asked, giveUpAt - 1)?.lobby as Lobby;
    expect(hold(inTime, asked, giveUpAt)?.lobby).toBe(inTime);
  });

  // shows: S17
  it('refuses a hold that comes late: only younger proposals of the queue count', () => {
    const { lobby, ticketId } = held();
    const free = release(lobby, { matchId: M1, seq: 1 })?.lobby as Lobby;
    expect(hold(free, { ticketId, matchId: M1, seq: 1 }, T0)).toBeNull();
    const again = hold(free, { ticketId, matchId: M2, seq: 2 }, T0)?.lobby as Lobby;
    expect(again.search?.hold?.matchId).toBe(M2);
    expect(release(again, { matchId: M1, seq: 1 })).toBeNull();
  });

  it('a lobby that was bound enters again: a younger proposal may have been told that it does not search', () => {
    const { lobby, ticketId } = held();
    expect(hold(lobby, { ticketId, matchId: M2, seq: 2 }, T0)).toBeNull();
    const mode = lobby.search?.mode;
    expect(release(lobby, { matchId: M1, seq: 1 })?.debts).toEqual([
      { to: 'queue', act: 'enter', mode, ticketId },
    ]);
  });

  it('a release frees no hold but its own, though both be for the same match', () => {
    // The match may have admitted the lobby by the older one, while a queue that died proposed the ticket again.
    const { lobby } = held();
    expect(lobby.search?.hold?.seq).toBe(1);
    expect(release(lobby, { matchId: M1, seq: 2 })).toBeNull();
    expect(release(lobby, { matchId: M1, seq: 1 })?.lobby?.search?.hold).toBeNull();
  });

  it('a younger proposal supersedes an older hold whose release is still under way', () => {
    const { lobby, ticketId } = held();
    expect(hold(lobby, { ticketId, matchId: M2, seq: 2 }, T0)).toBeNull();
    const given = { ticketId, matchId: M2, seq: 2, gaveUp: 1 };
    expect(hold(lobby, given, T0)?.lobby?.search?.hold?.matchId).toBe(M2);
  });

  it('gives nothing back for another ticket', () => {
    const { lobby } = queued();
    expect(comeBack(lobby, NEW, { reason: 'timeout', now: T0 })).toBeNull();
  });
});

describe('updates of a match', () => {
  // shows: S17, S111
  it('apply once, in order, and only to who holds or is in the match', () => {
    const { lobby, ticketId } = held();
    const matched = matchUpdate({ ticketId });
    expect(standing(queued().lobby, matched)).toBe('stranger');
    expect(standing(lobby, matched)).toBe('apply');
    const next = matchUpdated(lobby, matched, T0, NEW).lobby as Lobby;
    expect(next).toMatchObject({ status: 'matched', search: null, part: { matchId: M1 } });
    expect(standing(next, matched)).toBe('known');
  });

  // shows: S112, D25i
  it('show `matched` as an update of its own even when `in_game` comes first (decision 25)', () => {
    const { lobby, ticketId } = held();
    const inGame = matchUpdate({ ticketId, step: 2, phase: 'in_game', server: block('launching') });
    const change = matchUpdated(lobby, inGame, T0, NEW);
    const seen = change.news.map((news) =>
      news.kind === 'updated' ? news.lobby.status : news.kind,
    );
    expect(seen).toEqual(['matched', 'in_game']);
  });

  it('return to waiting with the reason, or with the wait and the id of the request kept when the mode requeues', () => {
    const { lobby, ticketId } = held();
    const foundUpdate = matchUpdate({ ticketId, phase: 'match_found', deadline: T0 + 30_000 });
    const found = matchUpdated(lobby, foundUpdate, T0, NEW).lobby as Lobby;
    const back = matchUpdate({ ticketId, step: 2, phase: 'returned', reason: 'declined' });
    const change = matchUpdated(found, back, T0, NEW);
    expect(change.lobby?.status).toBe('waiting');
    expect(change.news[0]).toMatchObject({ kind: 'returned', reason: 'declined', mode: 'duel' });
    const again = matchUpdated(found, { ...back, requeue: true }, T0, NEW);
    const kept = { startedAt: T0 + 1_000, requestId: 'of-search' };
    expect(again.lobby?.search).toMatchObject({ ticketId: NEW, ...kept });
    expect(again.debts).toEqual([{ to: 'queue', act: 'enter', mode: 'duel', ticketId: NEW }]);
  });

  // decision 59
  describe('go back to the queue after the no of another lobby', () => {
    /** Found after so many seconds of a search for 60, and sent back so many later; as often as there are pairs. */
    function requeued(...rounds: readonly (readonly [after: number, sentBack: number])[]) {
      const begun = queued();
      let [lobby, ticketId, now, matches] = [begun.lobby, begun.ticketId, T0 + 1_000, 0];
      for (const [after, sentBack] of rounds) {
        matches += 1;
        const matchId = `m-${matches}` as MatchId;
        now += after * 1_000;
        lobby = hold(lobby, { ticketId, matchId, seq: 1 }, now)?.lobby as Lobby;
        const found = matchUpdate({ ticketId, matchId, phase: 'match_found', deadline: now + 1 });
        lobby = matchUpdated(lobby, found, now + 20, NEW).lobby as Lobby;
        // The accepts of lobbies show the same match again.
        lobby = matchUpdated(lobby, { ...found, step: 2, confirmed: true }, now + 50, NEW)
          .lobby as Lobby;
        now += sentBack * 1_000;
        const back = { phase: 'returned', reason: 'declined', step: 3, requeue: true } as const;
        ticketId = `again-${matches}` as TicketId;
        lobby = matchUpdated(lobby, { ...found, ...back }, now, ticketId).lobby as Lobby;
      }
      const search = lobby.search as NonNullable<Lobby['search']>;
      const ticket = ticketFor(lobby, mode(), { id: ticketId, startedAt: waitsFrom(search) });
      const queueEnds = (ticket.ok ? ticket.value.startedAt : 0) + 60_000;
      return { search, queueLeft: queueEnds - now, lobbyLeft: search.giveUpAt - now };
    }

    it.each([
      ['with what was left when it was found', [[20, 25]], 40],
      ['also long after its time would have been over', [[45, 600]], 15],
      ['with ten seconds where less was left', [[55, 30]], 10],
      ['with ten seconds where it was found at the last moment', [[60, 1]], 10],
      [
        'several times',
        [
          [20, 30],
          [10, 30],
          [15, 30],
        ],
        15,
      ],
      [
        'several times, in the end with ten seconds each',
        [
          [55, 30],
          [8, 30],
          [9, 30],
        ],
        10,
      ],
      ['at once', [[0, 0]], 60],
    ] as const)('%s', (_, rounds, left) => {
      const { search, queueLeft, lobbyLeft } = requeued(...rounds);
      expect(queueLeft).toBe(left * 1_000);
      // The lobby gives up by itself only if the queue has forgotten it.
      expect(lobbyLeft - queueLeft).toBe(10_000);
      expect(search.startedAt).toBe(T0 + 1_000);
    });

    it('and a longer timeout that is saved then counts from there', () => {
      const { search } = requeued([20, 25]);
      const lobby = { ...queued().lobby, search } as Lobby;
      const longer = prolonged(lobby, mode({ timeout: 100 }))?.lobby as Lobby;
      expect(longer.search?.giveUpAt).toBe(search.giveUpAt + 40_000);
    });
  });

  // shows: D31a
  it('confirm and decline need a match that asks (decision 31)', () => {
    const { lobby } = queued();
    expect(codeOf(decide(lobby, { type: 'confirm', player: alice }, given()))).toBe(
      'INVALID_STATE',
    );
  });
});

describe('a game of its own', () => {
  const started = () => run(lobbyOf('alice', 'bob'), { type: 'start', player: alice });

  // shows: D19a
  it('cannot start twice, and only from waiting (decision 19)', () => {
    const again = decide(started(), { type: 'start', player: alice }, given());
    expect(codeOf(again)).toBe('GAME_ALREADY_RUNNING');
    const inQueue = decide(queued().lobby, { type: 'start', player: alice }, given());
    expect(codeOf(inQueue)).toBe('INVALID_STATE');
    const guest = decide(
      lobbyOf('alice', 'bob'),
      { type: 'start', player: player('bob') },
      given(),
    );
    expect(codeOf(guest)).toBe('NOT_HOST');
  });

  // shows: S120
  it('follows its server by numbered reports', () => {
    const lobby = started();
    const instanceId = lobby.game?.instanceId as InstanceId;
    const report = (status: 'launching' | 'running' | 'stopped', seq: number) => ({
      instanceId,
      seq,
      block: block(status, instanceId),
    });
    const inGame = serverReported(lobby, report('launching', 1), T0)?.lobby as Lobby;
    expect(inGame.status).toBe('in_game');
    const running = serverReported(inGame, report('running', 3), T0)?.lobby as Lobby;
    expect(serverReported(running, report('launching', 2), T0)).toBeNull();
    expect(
      serverReported(running, { ...report('stopped', 9), instanceId: 'x' as InstanceId }, T0),
    ).toBeNull();
    const over = serverReported(running, report('stopped', 4), T0)?.lobby as Lobby;
    expect(over).toMatchObject({ status: 'waiting', game: null });
    expect(over.players).toHaveLength(2);
  });

  it('tells its players when the server ended before it ever ran, and of no other end', () => {
    const lobby = started();
    const instanceId = lobby.game?.instanceId as InstanceId;
    const stopped = (failed: boolean) =>
      serverReported(
        lobby,
        { instanceId, seq: 1, block: block('stopped', instanceId), failed },
        T0,
      )?.news.map((news) => (news.kind === 'returned' ? `${news.mode}${news.reason}` : news.kind));
    expect(stopped(true)).toEqual(['launch_failed', 'updated']);
    expect(stopped(false)).toEqual(['updated']);
  });

  it('says why it came back for as long as it waits', () => {
    const lobby = started();
    const instanceId = lobby.game?.instanceId as InstanceId;
    const back = launchFailed(lobby, instanceId, T0)?.lobby as Lobby;
    expect(back.returned).toEqual({ mode: '', reason: 'launch_failed', at: T0 });
    const renamed = touch(back, { name: 'Again' }, T0);
    expect(renamed.returned).toBe(back.returned);
    expect(run(renamed, { type: 'start', player: alice }).returned).toBeUndefined();
    const cancelled = run(queued().lobby, { type: 'cancel', player: alice });
    expect([cancelled.status, cancelled.returned]).toEqual(['waiting', undefined]);
  });

  // shows: S121
  it('waits again when the fleet would not, and the server is stopped for good measure', () => {
    const lobby = started();
    const instanceId = lobby.game?.instanceId as InstanceId;
    const change = launchFailed(lobby, instanceId, T0);
    expect(change?.lobby?.status).toBe('waiting');
    expect(change?.debts).toEqual([{ to: 'server', act: 'stop', instanceId }]);
  });

  // shows: D19b
  it('ends by end-match in game only', () => {
    expect(codeOf(endMatch(lobbyOf('alice'), T0))).toBe('INVALID_STATE');
    expect(codeOf(endMatch(started(), T0))).toBe('INVALID_STATE');
  });
});

describe('time', () => {
  const watch = (patch = {}) =>
    ({
      policy: {
        timeoutMs: 300_000,
        hostLeaveBehavior: 'promote',
        heartbeatTimeoutMs: null,
        spectatorTimeoutMs: 60_000,
        queuePresenceMs: null,
        hostGraceMs: 5_000,
        gameLimitMs: 7_200_000,
        ...patch,
      },
      connected: new Set<never>(),
      hasStreamed: false,
    }) as const;

  // shows: S55
  it('deletes a waiting lobby at its idle timeout, to the millisecond', () => {
    const lobby = lobbyOf('alice');
    const at = nextDue(lobby, watch()) as number;
    expect(at).toBe(T0 + 300_000);
    expect(due(lobby, watch(), at - 1)).toBeNull();
    expect(due(lobby, watch(), at)?.lobby).toBeNull();
  });

  // shows: D17b
  it('never deletes a queued lobby as idle, and lets it give up after the queue forgot it', () => {
    const { lobby } = queued();
    const change = due(lobby, watch({ timeoutMs: 1 }), T0 + 1_000 + 70_000);
    expect(change?.news[0]).toMatchObject({ kind: 'returned', reason: 'timeout' });
  });

  // shows: S240
  it('ends a game after two hours (decision 18)', () => {
    const lobby = run(lobbyOf('alice'), { type: 'start', player: alice });
    const instanceId = lobby.game?.instanceId as InstanceId;
    const inGame = serverReported(lobby, { instanceId, seq: 1, block: block('running') }, T0)
      ?.lobby as Lobby;
    const at = T0 + 1_000 + 2 * 3_600_000;
    expect(due(inGame, watch(), at - 1)).toBeNull();
    const change = due(inGame, watch(), at);
    expect(change?.lobby).toBeNull();
    expect(change?.debts).toContainEqual({ to: 'server', act: 'stop', instanceId });
  });

  // shows: S61
  it('expels who is silent, and replaces a silent host (decision 16)', () => {
    const lobby = lobbyOf('alice', 'bob');
    const beats = watch({ heartbeatTimeoutMs: 30_000, hostLeaveBehavior: 'delete' });
    const connected = new Set([player('bob')]);
    const change = due(lobby, { ...beats, connected }, T0 + 30_000);
    expect(change?.lobby?.players.map(({ id }) => id)).toEqual(['bob']);
    expect(change?.lobby?.host).toBe('bob');
  });

  it('gives a player whose stream broke at a restart time to come back', () => {
    const lobby = lobbyOf('alice');
    const streaming = { ...lobby, players: lobby.players.map((p) => ({ ...p, streaming: true })) };
    const wokeAt = T0 + 3_600_000;
    const beats = watch({ heartbeatTimeoutMs: 30_000, timeoutMs: 9e9 });
    const noticed = whoStreams(streaming, beats, wokeAt)?.lobby ?? streaming;
    expect(due(noticed, beats, wokeAt + 29_999)).toBeNull();
    // Once noticed, it is no news to an object that wakes later.
    expect(whoStreams(noticed, beats, wokeAt + 20_000)).toBeNull();
    expect(due(noticed, beats, wokeAt + 30_000)?.lobby).toBeNull();
  });
});
