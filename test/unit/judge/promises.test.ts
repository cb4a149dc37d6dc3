// Small histories by hand: for each promise one that keeps it, however odd it looks, and one that breaks it. Each case
// says what in the first makes the second innocent.

import { expect, it } from 'vitest';
import type { Promised } from '../../../proof/judge/findings';
import { PROMISES } from '../../../proof/judge/findings';
import { judge } from '../../../proof/judge/judge';

type Line = Readonly<Record<string, unknown>>;

let calls = 0;

const ME = '/v3/lobbies/arena/me';

/** A call from `at` on. Without an answer, nobody knows whether it happened. */
function call(at: number, who: string | null, does: string, more: Line = {}): readonly Line[] {
  calls += 1;
  const { body, to = at + 1, status = 200, answer } = more;
  const asked = { at, call: calls, who, does, body };
  return answer === undefined ? [asked] : [asked, { at: to, call: calls, status, body: answer }];
}

function player(id: string, state: Line | null = null): Line {
  return { id, state, isHost: id === 'ann' };
}

function lobby(revision: number, more: Line = {}): Line {
  const players = [player('ann')];
  return {
    id: 'one',
    config: 'arena',
    status: 'waiting',
    host: 'ann',
    name: 'a lobby',
    maxPlayers: 2,
    isPrivate: false,
    settings: {},
    players,
    server: null,
    matchId: null,
    revision,
    createdAt: '2026-11-28T00:00:00.000Z',
    ...more,
  };
}

const BOTH = { players: [player('ann'), player('ben')] };
/** As strangers see it. */
const WITH_SUE = { currentSpectators: 1 };
const OTHER = { id: 'two', host: 'ben', players: [player('ben')] };
const GONE = { status: 404, answer: { code: 'LOBBY_NOT_FOUND' } };
const MODES = { matchmaking: { modes: { duel: { playersPerTeam: 1 } } }, trusted: ['tier'] };
const CONFIG = call(0, null, 'PUT /v3/lobby-configs/arena', {
  body: { timeout: 7200, ...MODES },
  answer: {},
});
const REST: readonly Line[] = [{ at: 100, rest: true }];
const PAGE = 'GET /v3/lobbies/arena?limit=100';

/** Of Ann's lobby and Ben. */
const ORDER = [{ lobbies: ['one'] }, { players: ['ben'] }];

function made(at: number, id: string, teams: readonly Line[]): readonly Line[] {
  const { teams: there } = match(id) as { teams: unknown };
  const body = { config: 'arena', mode: 'duel', teams, ref: 'final' };
  return call(at, null, 'POST /v3/matches', { body, answer: { id, ref: 'final', teams: there } });
}

function read(at: number, who: string, shown: Line): readonly Line[] {
  return call(at, who, `GET ${ME}`, { answer: shown });
}

function heard(at: number, stream: number, shown: Line): Line {
  return { at, stream, event: 'lobby_updated', data: shown };
}

function match(id: string, more: Line = {}): Line {
  const lobbies = [{ lobbyId: 'one', players: [{ id: 'ann' }] }];
  const teams = [{ lobbies }, { lobbies: [{ lobbyId: 'two', players: [{ id: 'ben' }] }] }];
  return { id, config: 'arena', mode: 'duel', outcome: 'running', runningAt: 'x', teams, ...more };
}

function playing(revision: number, id: string, server = 'server'): Line {
  return lobby(revision, { status: 'in_game', matchId: id, server: { instance_id: server } });
}

const QUEUES = call(10, 'ann', `POST ${ME}/matchmaking`, {
  answer: lobby(2, { status: 'in_queue' }),
});
const CANCELS = call(20, 'ann', `DELETE ${ME}/matchmaking`, { answer: lobby(3) });
const WRITES = call(10, 'ann', `PATCH ${ME}/settings`, {
  body: { settings: { map: 'ice' } },
  answer: lobby(2, { settings: { map: 'ice' } }),
});
const KICKS = call(10, 'ann', `DELETE ${ME}/players/ben`, { answer: lobby(3) });
const BANS = call(10, null, 'PUT /v3/bans/ben', { body: {}, answer: {} });
const TIER = call(10, null, 'PUT /v3/players/ann/attributes', {
  body: { attributes: { tier: 7 } },
  answer: {},
});
const HOOKS = call(1, null, 'PUT /v3/projects/hooks', { body: {}, answer: {} });
const CALM: readonly Line[] = [
  { at: 30_000, calm: true },
  { at: 90_000, rest: true },
];
const LATE = call(12_000, 'ann', `POST ${ME}/matchmaking`, {
  answer: lobby(2, { status: 'in_queue' }),
});
const RESULT = [{ team: 0, rank: 1 }];

function reported(at: number, teams: unknown): readonly Line[] {
  return call(at, null, 'POST /v3/matches/m/result', { body: { teams }, answer: {} });
}

function ladder(games: number): readonly Line[] {
  const answer = { players: [{ player: 'ann', games }] };
  return call(102, null, 'GET /v3/ratings?config=arena&mode=duel', { answer });
}

function recorded(at: number, shown: Line): readonly Line[] {
  return call(at, null, `GET /v3/matches/${String(shown['id'])}`, { answer: shown });
}

const TWO = lobby(4, OTHER);
const WATCHED = lobby(4, { as: 'spectator' });
const REMATCH = recorded(9, match('n', { made_by: 'rematch', ref: 'm' }));

function vote(at: number, who: string, more: Line): readonly Line[] {
  return call(at, who, `POST ${ME}/matches/m/result`, { body: { teams: RESULT }, ...more });
}

/** Two lobbies play where most must say the result. Ann alone has said one. */
const VOTED = [
  call(0, null, 'PUT /v3/lobby-configs/arena', {
    body: { serverSettings: { hosting: 'players', results: 'majority' } },
    answer: {},
  }),
  ...[10, 30].flatMap((at) => [
    read(at, 'ann', playing(4, 'm')),
    read(at, 'ben', { ...playing(4, 'm'), ...OTHER }),
  ]),
  vote(20, 'ann', { answer: {} }),
  QUEUES,
  call(5, 'ben', `POST ${ME}/matchmaking`, { answer: { ...lobby(2), ...OTHER } }),
];

function puts(player: string): readonly Line[] {
  return call(50, null, 'POST /v3/servers/server/places', { body: { kick: player }, answer: {} });
}

interface Pair {
  readonly promise: Promised;
  readonly why: string;
  readonly good: readonly (readonly Line[])[];
  readonly bad: readonly (readonly Line[])[];
  /** What is broken with it. */
  readonly also?: readonly Promised[];
}

const PAIRS: readonly Pair[] = [
  {
    promise: 'one lobby',
    why: 'she may have moved between the two readings of the first lobby',
    good: [
      read(1, 'ann', lobby(1, BOTH)),
      read(5, 'ben', lobby(1, OTHER)),
      read(9, 'ann', lobby(3, BOTH)),
      call(2, 'ben', `DELETE ${ME}`),
      call(6, 'ben', 'POST /v3/lobbies/arena/join', { body: {} }),
      read(11, 'ann', lobby(3, BOTH)),
    ],
    bad: [
      read(1, 'ann', lobby(1, BOTH)),
      read(5, 'ben', lobby(1, OTHER)),
      read(9, 'ann', lobby(1, BOTH)),
    ],
  },
  {
    promise: 'moved whole',
    why: 'he came between two readings, after which it moved',
    good: [
      read(1, 'ann', lobby(1)),
      call(2, 'ben', 'POST /v3/lobbies/arena/join', { body: {} }),
      call(4, 'ann', `POST ${ME}/move`, { body: { config: 'yard' } }),
      read(9, 'ann', lobby(3, { ...BOTH, config: 'yard' })),
    ],
    bad: [
      read(1, 'ann', lobby(1)),
      call(2, 'ben', 'POST /v3/lobbies/arena/join', { body: {} }),
      call(4, 'ann', `POST ${ME}/move`, { body: { config: 'yard' } }),
      read(9, 'ann', lobby(2, { ...BOTH, config: 'yard' })),
    ],
  },
  {
    promise: 'moved whole',
    why: 'who watched had left before it moved',
    good: [
      read(1, 'ann', lobby(1, WITH_SUE)),
      call(2, 'sue', `DELETE ${ME}`),
      call(4, 'ann', `POST ${ME}/move`, { body: { config: 'yard' } }),
      read(9, 'ann', lobby(3, { config: 'yard' })),
    ],
    bad: [
      read(1, 'ann', lobby(1, WITH_SUE)),
      call(4, 'ann', `POST ${ME}/move`, { body: { config: 'yard' } }),
      read(9, 'ann', lobby(2, { config: 'yard' })),
    ],
  },
  {
    promise: 'one match',
    also: ['one lobby'],
    why: 'the second match is of another config',
    good: [
      QUEUES,
      read(20, 'ann', playing(4, 'm')),
      read(22, 'ben', { ...playing(4, 'n', 's'), id: 'two', config: 'other' }),
      read(26, 'ann', playing(4, 'm')),
      read(28, 'ben', { ...playing(4, 'n', 's'), id: 'two', config: 'other' }),
    ],
    bad: [
      QUEUES,
      read(20, 'ann', playing(4, 'm')),
      read(22, 'ben', { ...playing(4, 'n', 's'), id: 'two' }),
      read(26, 'ann', playing(4, 'm')),
      read(28, 'ben', { ...playing(4, 'n', 's'), id: 'two' }),
    ],
  },
  {
    promise: 'one match a search',
    why: 'a second request to search was never answered',
    good: [
      QUEUES,
      call(12, 'ann', `POST ${ME}/matchmaking`),
      recorded(30, match('m')),
      recorded(31, match('n')),
    ],
    bad: [QUEUES, recorded(30, match('m')), recorded(31, match('n'))],
  },
  {
    promise: 'cancel or match',
    why: 'a second search overlaps the cancel',
    good: [
      QUEUES,
      CANCELS,
      call(20.5, 'ann', `POST ${ME}/matchmaking`),
      read(30, 'ann', playing(5, 'm')),
    ],
    bad: [QUEUES, CANCELS, read(30, 'ann', playing(5, 'm'))],
  },
  {
    promise: 'made once',
    why: 'the same order was sent again',
    good: [made(1, 'm', ORDER), made(5, 'm', ORDER)],
    bad: [made(1, 'm', ORDER), made(5, 'n', ORDER)],
  },
  {
    promise: 'made once',
    why: 'the other player is in the lobby of the first',
    good: [made(1, 'm', ORDER)],
    bad: [made(1, 'm', [...ORDER, { players: ['cid'] }])],
  },
  {
    promise: 'only watches',
    why: 'a spectator is accepted nothing that players do',
    good: [call(2, 'wes', `DELETE ${ME}`, { answer: WATCHED })],
    bad: [call(2, 'wes', `POST ${ME}/matchmaking`, { answer: WATCHED })],
  },
  {
    promise: 'rematch',
    why: 'its host has asked',
    also: ['one match a search'],
    good: [
      call(2, 'ann', `POST ${ME}/rematch`, { answer: lobby(4) }),
      call(2, 'ben', `POST ${ME}/rematch`, { answer: lobby(4, OTHER) }),
      REMATCH,
    ],
    bad: [call(2, 'ann', `POST ${ME}/rematch`, { answer: lobby(4) }), read(3, 'ben', TWO), REMATCH],
  },
  {
    promise: 'one server',
    why: 'two games without a match have a server each',
    good: [
      read(1, 'ann', playing(4, 'm')),
      read(3, 'ann', playing(5, 'm')),
      read(7, 'ann', lobby(8, { status: 'in_game', server: { instance_id: 'b' } })),
    ],
    bad: [read(1, 'ann', playing(4, 'm')), read(3, 'ann', playing(5, 'm', 'second'))],
  },
  {
    promise: 'one result',
    why: 'the same result was reported twice',
    good: [reported(1, RESULT), reported(5, RESULT)],
    bad: [reported(1, RESULT), reported(5, [{ team: 1, rank: 1 }])],
  },
  {
    promise: 'one result',
    why: 'somebody else voted, and that was not answered',
    good: [...VOTED, vote(23, 'ben', {}), recorded(40, match('m', { result: { teams: RESULT } }))],
    bad: [...VOTED, recorded(40, match('m', { result: { teams: RESULT } }))],
  },
  {
    promise: 'one result',
    why: 'a vote that was refused may come again by itself, when the match runs',
    good: [
      vote(1, 'ann', { status: 409, answer: { code: 'INVALID_STATE' } }),
      recorded(40, match('m', { result: { teams: RESULT } })),
    ],
    bad: [recorded(40, match('m', { result: { teams: RESULT } }))],
  },
  {
    promise: 'rated once',
    why: 'nobody read who was in the other match with a result',
    good: [
      reported(1, RESULT),
      call(2, null, 'POST /v3/matches/n/result', { body: { teams: RESULT } }),
      REST,
      recorded(101, match('m')),
      ladder(2),
    ],
    bad: [
      reported(1, RESULT),
      call(2, null, 'POST /v3/matches/n/result', { body: { teams: RESULT } }),
      REST,
      recorded(101, match('m')),
      recorded(101.5, match('n', { teams: [] })),
      ladder(2),
    ],
  },
  {
    promise: 'forward only',
    why: 'another stream may show less',
    good: [
      [
        { at: 0, stream: 1, who: 'ann' },
        { at: 0, stream: 2, who: 'ben' },
        heard(1, 1, lobby(3)),
        heard(2, 2, lobby(2)),
        heard(3, 2, lobby(3)),
      ],
    ],
    bad: [[{ at: 0, stream: 1, who: 'ann' }, heard(1, 1, lobby(3)), heard(2, 1, lobby(2))]],
  },
  {
    promise: 'one state',
    why: 'the numbers of the queue and the server are no part of the state',
    good: [read(1, 'ann', lobby(1)), read(3, 'ann', lobby(1, { server: { instance_id: 'late' } }))],
    bad: [read(1, 'ann', lobby(1)), read(3, 'ann', lobby(1, { status: 'in_queue' }))],
  },
  {
    promise: 'read later',
    why: 'an unanswered request to leave may have been carried out',
    good: [CONFIG, WRITES, call(12, 'ann', `DELETE ${ME}`), call(20, 'ann', `GET ${ME}`, GONE)],
    bad: [CONFIG, WRITES, call(20, 'ann', `GET ${ME}`, GONE)],
  },
  {
    promise: 'read later',
    why: 'both readings were under way at once',
    good: [
      CONFIG,
      call(1, 'ann', `GET ${ME}`, { to: 9, answer: lobby(3) }),
      call(2, 'ann', `GET ${ME}`, { to: 10, answer: lobby(2) }),
    ],
    bad: [
      CONFIG,
      call(1, 'ann', `GET ${ME}`, { to: 5, answer: lobby(3) }),
      call(6, 'ann', `GET ${ME}`, { to: 10, answer: lobby(2) }),
    ],
  },
  {
    promise: 'written is shown',
    why: 'an unanswered change may be carried out at any time',
    good: [
      call(5, 'ann', `PATCH ${ME}/settings`, { body: { settings: { map: null } } }),
      WRITES,
      read(20, 'ann', lobby(3)),
    ],
    bad: [WRITES, read(20, 'ann', lobby(3))],
  },
  {
    promise: 'written is shown',
    why: 'two changes overlap, and the other one came last',
    good: [
      call(9, 'ann', `PATCH ${ME}`, {
        body: { state: { hat: 'red' } },
        to: 15,
        answer: lobby(2, { players: [player('ann', { hat: 'blue' })] }),
      }),
      call(10, 'ann', `PATCH ${ME}`, {
        body: { state: { hat: 'blue' } },
        to: 12,
        answer: lobby(2, { players: [player('ann', { hat: 'blue' })] }),
      }),
    ],
    bad: [
      call(10, 'ann', `PATCH ${ME}`, {
        body: { state: { hat: 'red' } },
        answer: lobby(2, { players: [player('ann', { hat: 'blue' })] }),
      }),
    ],
  },
  {
    promise: 'backend is shown',
    why: 'what it said later was not answered',
    good: [
      CONFIG,
      TIER,
      call(20, null, 'PATCH /v3/players/ann/attributes', { body: { attributes: { tier: 8 } } }),
      REST,
      read(101, 'ann', lobby(4, { players: [player('ann', { tier: 8 })] })),
    ],
    bad: [
      CONFIG,
      TIER,
      REST,
      read(101, 'ann', lobby(4, { players: [player('ann', { tier: 8 })] })),
    ],
  },
  {
    promise: 'capacity',
    why: 'two of two are in',
    good: [read(1, 'ann', lobby(1, BOTH))],
    bad: [read(1, 'ann', lobby(1, { ...BOTH, maxPlayers: 1 }))],
  },
  {
    promise: 'capacity',
    why: 'players who take no place are told with their lobby',
    good: [
      call(0, null, 'PUT /v3/lobby-configs/arena', {
        body: {
          matchmaking: { modes: { duel: { playersPerTeam: 1, excludedFromQueue: ['watcher'] } } },
        },
        answer: {},
      }),
      [
        {
          at: 5,
          told: {
            type: 'match.formed',
            matchId: 'm',
            ...match('m', {
              teams: [{ lobbies: [{ lobbyId: 'one', players: [{ id: 'ann' }, { id: 'ben' }] }] }],
            }),
          },
        },
      ],
    ],
    bad: [
      CONFIG,
      [
        {
          at: 5,
          told: {
            type: 'match.formed',
            matchId: 'm',
            ...match('m', {
              teams: [{ lobbies: [{ lobbyId: 'one', players: [{ id: 'ann' }, { id: 'ben' }] }] }],
            }),
          },
        },
      ],
    ],
  },
  {
    promise: 'kicked',
    why: 'he came again, and that was not answered',
    good: [
      KICKS,
      call(15, 'ben', 'POST /v3/lobbies/arena/join', { body: { lobbyId: 'one' } }),
      read(20, 'ann', lobby(4, BOTH)),
    ],
    bad: [KICKS, read(20, 'ann', lobby(4, BOTH))],
  },
  {
    promise: 'kicked',
    why: 'the game put out somebody else',
    good: [puts('cat'), REST, read(101, 'ann', playing(4, 'm'))],
    bad: [puts('ann'), REST, read(101, 'ann', playing(4, 'm'))],
  },
  {
    promise: 'banned',
    why: 'the ban was being lifted',
    good: [
      BANS,
      call(5_000, 'ben', 'POST /v3/lobbies/arena', {
        body: {},
        status: 403,
        answer: { code: 'BANNED' },
      }),
      call(6_000, null, 'DELETE /v3/bans/ben'),
      call(6_001, 'ben', 'POST /v3/lobbies/arena', { body: {}, answer: lobby(1, OTHER) }),
    ],
    bad: [
      BANS,
      call(6_001, 'ben', 'POST /v3/lobbies/arena', { body: {}, answer: lobby(1, OTHER) }),
    ],
  },
  {
    promise: 'comes to rest',
    why: 'a lobby may search for ever, and play',
    good: [REST, read(101, 'ann', lobby(4, { status: 'in_queue' }))],
    bad: [REST, read(101, 'ann', lobby(4, { status: 'match_found', matchId: 'm' }))],
  },
  {
    promise: 'comes to rest',
    why: 'the match still runs',
    good: [QUEUES, REST, read(101, 'ann', playing(4, 'm')), recorded(103, match('m'))],
    bad: [
      QUEUES,
      REST,
      read(101, 'ann', playing(4, 'm')),
      recorded(103, match('m', { outcome: 'ended' })),
    ],
  },
  {
    promise: 'told is true',
    why: 'it is there',
    good: [
      [{ at: 5, told: { type: 'match.formed', matchId: 'm' } }],
      REST,
      recorded(101, match('m')),
    ],
    bad: [
      [{ at: 5, told: { type: 'match.formed', matchId: 'm' } }],
      REST,
      call(101, null, 'GET /v3/matches/m', { status: 404, answer: { code: 'NOT_FOUND' } }),
    ],
  },
  {
    promise: 'told is true',
    why: 'it was told',
    good: [
      HOOKS,
      LATE,
      read(14_000, 'ann', playing(4, 'm')),
      [{ at: 13_000, told: { type: 'match.formed', ...match('m'), matchId: 'm' } }],
      CALM,
      recorded(90_001, match('m')),
    ],
    bad: [HOOKS, LATE, read(14_000, 'ann', playing(4, 'm')), CALM, recorded(90_001, match('m'))],
  },
  {
    promise: 'browsing finds',
    why: 'a page that is not the last says nothing of who is not on it',
    good: [
      REST,
      read(101, 'ann', lobby(4)),
      call(103, null, PAGE, { answer: { lobbies: [], hasMore: true } }),
      call(105, null, PAGE, { answer: { lobbies: [lobby(2)], hasMore: false } }),
    ],
    bad: [
      REST,
      read(101, 'ann', lobby(4)),
      call(103, null, PAGE, { answer: { lobbies: [], hasMore: false } }),
    ],
  },
];

function judged(lines: readonly (readonly Line[])[]): ReturnType<typeof judge> {
  return judge(
    [{ history: 1, of: 'by hand' }, ...lines.flat()].map((line) => JSON.stringify(line)).join('\n'),
  );
}

it.each(PAIRS)('$promise: $why', ({ promise, good, bad, also = [] }) => {
  const innocent = judged(good);
  expect(innocent.faults).toEqual([]);
  expect(innocent.cases.get(promise) ?? 0).toBeGreaterThan(0);
  expect(new Set(judged(bad).faults.map((fault) => fault.promise))).toEqual(
    new Set([promise, ...also]),
  );
});

it('has such a pair for each promise', () => {
  expect(new Set(PAIRS.map(({ promise }) => promise))).toEqual(new Set(Object.keys(PROMISES)));
});

it('says which line is none of a history', () => {
  const text = (...lines: readonly unknown[]): string =>
    lines.map((line) => JSON.stringify(line)).join('\n');
  expect(() => judge('')).not.toThrow();
  expect(() => judge(text({ at: 1 }))).toThrow('line 1 must have `"history": 1`');
  expect(() => judge(text({ history: 1 }, { at: 1, call: 4, status: 200 }))).toThrow(
    'line 2 answers the call 4, which nobody made',
  );
  expect(() => judge(`${text({ history: 1 })}\n{"at"`)).toThrow('line 2 is no JSON');
  expect(() => judge(text({ history: 1 }, { at: 1, what: 2 }))).toThrow(
    'line 2 is of no known kind',
  );
});
