// A match's history and its record: which change makes which entry, and what is left of the match. Without an object around it.

import { describe, expect, it } from 'vitest';

import type { Happening } from '../../../../src/common/happening';
import type { PlayerId } from '../../../../src/common/ids';
import { matchRecordOf, noted, type MatchCause } from '../../../../src/objects/match/history';
import { withParty } from '../../../../src/objects/match/room';
import {
  confirmed,
  declined,
  over,
  served,
  withoutLobby,
  type Match,
} from '../../../../src/objects/match/state';
import { block } from '../../../support/lobbies';
import { A, ASKS, B, duel, serverReport, stayOf } from '../../../support/duel-match.ts';
import { backfill, MATCH, party } from '../../../support/running-match';

const RATED = { rating: { field: 'mmr', system: 'openskill' } } as const;
const OPEN = { allowBackfill: true } as const;
const running = (rules: object = {}): Match => served(duel(rules), serverReport(), 5);
const stopped = (failed = false) => serverReport({ seq: 2, block: block('stopped', 'i'), failed });
const gone = (of: Match, ...ids: readonly string[]): Match => ({
  ...of,
  participants: of.participants.map((who) => ({
    ...who,
    members: who.members.filter((id) => !ids.includes(id)),
  })),
});

describe('the history of a match', () => {
  const yes = confirmed(confirmed(duel(ASKS), A), B);
  const came = withParty(running(OPEN), backfill(party('c', 'cat'), 1), 9) as Match;
  const by = 'player:ann' as const;
  it.each<[string, Match | null, Match, MatchCause, readonly Omit<Happening, 'at'>[]]>([
    [
      'forms and launches',
      null,
      duel(),
      {},
      [{ kind: 'formed', detail: '2 lobbies, 4 players, region us-east' }, { kind: 'launching' }],
    ],
    [
      'forms and asks',
      null,
      duel(ASKS),
      {},
      [{ kind: 'formed', detail: '2 lobbies, 4 players, region us-east' }],
    ],
    [
      'is confirmed by one',
      duel(ASKS),
      confirmed(duel(ASKS), A),
      { by },
      [{ kind: 'confirmed', lobbyId: A, by }],
    ],
    [
      'is confirmed by the last',
      confirmed(duel(ASKS), A),
      yes,
      {},
      [{ kind: 'confirmed', lobbyId: B }, { kind: 'launching' }],
    ],
    [
      'is declined',
      duel(ASKS),
      declined(duel(ASKS), A, 'declined', 7),
      { by, lobbyId: A, reason: 'x' },
      [{ kind: 'failed', reason: 'declined', by, lobbyId: A }],
    ],
    [
      'runs',
      duel(),
      running(),
      { detail: 'term 1' },
      [{ kind: 'server_running', detail: 'term 1' }],
    ],
    ['hears again that it runs', running(), served(running(), serverReport({ seq: 3 }), 6), {}, []],
    [
      'has another host',
      running(),
      served(running(), serverReport({ block: { ...block('running', 'i'), term: 2 } }), 6),
      {},
      [{ kind: 'server_running' }],
    ],
    [
      'ends by its server',
      running(),
      served(running(), stopped(), 6),
      { reason: 'server_stopped' },
      [{ kind: 'server_stopped' }, { kind: 'ended', reason: 'server_stopped' }],
    ],
    [
      'has a server that never ran',
      duel(),
      served(duel(), stopped(true), 6),
      { detail: 'why' },
      [
        { kind: 'server_stopped', detail: 'why' },
        { kind: 'failed', reason: 'launch_failed', detail: 'why' },
      ],
    ],
    [
      'ends for no reason of its own',
      running(),
      over(running(), 'game_ended', 6),
      {},
      [{ kind: 'ended', reason: 'game_ended' }],
    ],
    [
      'is left by a lobby',
      running(),
      withoutLobby(running(), stayOf('a'), 6),
      {},
      [
        { kind: 'left', lobbyId: A, playerId: 'ann' },
        { kind: 'left', lobbyId: A, playerId: 'abe' },
      ],
    ],
    [
      'is left by a lobby that had no places any more',
      gone(running(), 'ben'),
      withoutLobby(gone(running(), 'ben'), stayOf('b'), 6),
      {},
      [{ kind: 'left', lobbyId: B }],
    ],
    [
      'is left by one player',
      running(),
      gone(running(), 'abe'),
      {},
      [{ kind: 'left', lobbyId: A, playerId: 'abe' }],
    ],
    ['is joined', running(OPEN), came, {}, [{ kind: 'joined', lobbyId: 'c' }]],
    ['goes on as it was', running(), { ...running(), offerSeq: 2 }, {}, []],
  ])('says that it %s', (_, ...[before, next, cause, told]) => {
    const after = noted(before, next, cause, 70);
    expect(after.history ?? []).toEqual(told.map((each) => ({ at: 70, ...each })));
    expect(told.length > 0 || after === next).toBe(true);
  });

  it('of who was out says why, and of who is out already nothing', () => {
    const out = (of: Match): Match => ({
      ...of,
      participants: of.participants.map((who, at) =>
        at === 0 ? { ...who, left: true, out: 'declined' as const } : who,
      ),
    });
    const first = noted(duel(ASKS), out(duel(ASKS)), {}, 1);
    expect(first.history?.map(({ reason }) => reason)).toEqual(['declined', 'declined']);
    expect(noted(first, out(first), {}, 2)).toEqual(first);
  });

  it('knows since when the match runs, and keeps the last 160 entries', () => {
    const launched = noted(duel(), running(), {}, 50);
    expect(launched.runningAt).toBe(50);
    let match = launched;
    for (let seq = 2; seq < 200; seq += 1) {
      const next = served(
        match,
        serverReport({ seq, block: { ...block('running', 'i'), term: seq } }),
        seq,
      );
      match = noted(match, next, { detail: `term ${seq}` }, 50 + seq);
    }
    expect(match.history?.length).toBe(160);
    expect(match.history?.at(-1)).toEqual({ at: 249, kind: 'server_running', detail: 'term 199' });
    expect(match.runningAt).toBe(50);
    const launching = served(duel(), serverReport({ block: block('launching', 'i') }), 1);
    expect(noted(duel(), launching, {}, 9).runningAt).toBeNull();
  });
});

describe('the record of a match', () => {
  const history = [
    { at: 1, kind: 'launching' },
    { at: 2, kind: 'ended', reason: 'server_stopped', detail: 'why' },
  ] as const;

  it('has all that is known of it', () => {
    const of = { ...over(running(), 'game_ended', 90), history, runningAt: 40 };
    const formed = {
      ...of,
      formedAt: 5_000,
      roster: { ...of.roster, seen: [{ rule: 'r', values: [1] }] },
    };
    expect(matchRecordOf(formed, MATCH)).toEqual({
      id: 'm',
      project: 'p',
      config: 'arena',
      mode: 'duo',
      outcome: 'ended',
      reason: 'server_stopped',
      detail: 'why',
      formedAt: 5_000,
      runningAt: 40,
      endedAt: 90,
      teams: [
        {
          name: null,
          lobbies: [
            {
              lobbyId: 'a',
              waitedSeconds: 5,
              players: ['ann', 'abe', 'spectator-sue'].map((id) => ({ id, role: null })),
            },
          ],
        },
        {
          name: null,
          lobbies: [{ lobbyId: 'b', waitedSeconds: 5, players: [{ id: 'ben', role: null }] }],
        },
      ],
      tickets: ['ticket of a', 'ticket of b'],
      rules: [{ rule: 'r', values: [1] }],
      instanceId: 'i',
      build: 'default',
      history,
      again: {
        region: 'us-east',
        build: null,
        rated: false,
        names: [null, null],
        lobbies: ['a', 'b'].map((lobbyId, team) => ({
          lobbyId,
          ticketId: `ticket of ${lobbyId}`,
          team,
          players: [],
        })),
      },
    });
    expect(matchRecordOf(duel(ASKS), MATCH)).toMatchObject({
      outcome: 'confirming',
      reason: null,
      detail: null,
      runningAt: null,
      endedAt: null,
      instanceId: null,
      build: null,
      rules: [],
      history: [],
    });
    const hooks = {
      ...of,
      roster: {
        ...of.roster,
        parties: of.roster.parties.map((each, at) =>
          at === 0 ? { ...each, hooks: true as const } : each,
        ),
      },
    };
    expect(matchRecordOf(hooks, MATCH).hooks).toBe(true);
    expect(matchRecordOf({ ...of, result: { at: 1, teams: [] } }, MATCH).result).toEqual({
      at: 1,
      teams: [],
    });
  });

  it.each<[string, Match]>([
    ['confirming', duel(ASKS)],
    ['launching', duel()],
    ['running', running()],
    ['launching', { ...running(), server: serverReport({ block: block('launching', 'i') }) }],
    // It has run: its server begins again.
    [
      'running',
      { ...running(), server: serverReport({ block: block('launching', 'i') }), runningAt: 3 },
    ],
    ['ended', over(running(), 'game_ended', 9)],
    ['failed', over(duel(), 'launch_failed', 9)],
  ])('says %s', (outcome, of) => {
    expect(matchRecordOf(of, MATCH).outcome).toBe(outcome);
  });

  it('names for the ladder who took no place', () => {
    const rated = running(RATED);
    expect(matchRecordOf(rated, MATCH).rating).toEqual({ field: 'mmr', aside: ['spectator-sue'] });
    const changes = [{ id: 'ann' as PlayerId }] as never;
    expect(matchRecordOf({ ...rated, rated: changes }, MATCH).rating?.changes).toBe(changes);
    expect(matchRecordOf(running(), MATCH)).not.toHaveProperty('rating');
    expect(matchRecordOf(duel(RATED), MATCH)).not.toHaveProperty('rating');
  });

  it('counts the wait of who came later from when that began', () => {
    const came = { ...party('c', 'cat'), startedAt: 4_000 };
    const next = withParty(running(OPEN), backfill(came, 0), 9_500) as Match;
    const lobby = matchRecordOf(next, MATCH).teams[0]?.lobbies[1];
    expect(lobby).toEqual({
      lobbyId: 'c',
      waitedSeconds: 5.5,
      players: [{ id: 'cat', role: null }],
    });
    const early = withParty(
      running(OPEN),
      backfill({ ...came, startedAt: 10_000 }, 0),
      9_500,
    ) as Match;
    expect(matchRecordOf(early, MATCH).teams[0]?.lobbies[1]?.waitedSeconds).toBe(0);
  });
});
