// One promise for a whole search, against a service that says what the test tells it to.

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isMusterError, MusterPlayer } from '../../packages/js/src/index.ts';
import type { Lobby, Match, MatchOptions } from '../../packages/js/src/index.ts';
import type { Fetch } from '../../packages/js/src/http.ts';
import { Line, lobbyOf, refusalOf, scripted } from './scripted.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

const settle = (ms = 0): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

const queued = lobbyOf(2, { status: 'in_queue' });
const found = lobbyOf(3, {
  status: 'match_found',
  matchmaking: {
    mode: 'duel',
    startedAt: '2026-11-21T09:00:00.000Z',
    confirmation: { deadline: '2026-11-21T09:00:30.000Z', confirmed: false },
  },
});
const playing = lobbyOf(5, {
  status: 'in_game',
  server: {
    ...({} as NonNullable<Lobby['server']>),
    status: 'running',
    network_ports: [
      {
        name: 'game',
        host: '203.0.113.7',
        external_port: 20001,
        internal_port: 20001,
        protocol: 'udp',
        tls_enabled: false,
      },
    ],
  },
});

/** A search under way, its stream in the test's hand. */
class Search {
  readonly calls: string[] = [];
  line: Line | null = null;
  /** Answers to confirm and decline, the next one first; what is left is accepted. */
  readonly answers: Response[] = [];
  /** Instead of the next stream. */
  refuses: Response | null = null;
  /** The match, or what it was rejected with. */
  outcome: unknown = 'waiting';

  constructor(kind: 'play' | 'wait', options: MatchOptions = {}) {
    const { fetch } = scripted(({ method, path }, signal) => {
      if (path.includes('/events?') && this.refuses !== null) {
        return this.refuses;
      }
      if (path.includes('/events?')) {
        this.line = new Line(signal);
        return this.line.response;
      }
      this.calls.push(`${method} ${path.slice(path.indexOf('/me'))}`);
      const isAnswer = path.endsWith('/confirm-match');
      return (isAnswer ? this.answers.shift() : undefined) ?? Response.json(queued);
    });
    const place = { url: 'http://muster.test', key: 'k', config: 'arena', player: 'ann' };
    const player = new MusterPlayer({ ...place, fetch });
    const match =
      kind === 'play' ? player.playMatch('duel', options) : player.waitForMatch(options);
    match.then(
      (value) => {
        this.outcome = value;
      },
      (error: unknown) => {
        this.outcome = error;
      },
    );
  }

  async says(event: string, data: unknown): Promise<void> {
    await settle();
    this.line?.event(event, data, 1);
    await settle();
  }
}

it('queues, confirms once, and resolves with the address; the stream stays open until the game ends', async () => {
  const seen: string[] = [];
  const search = new Search('play', { onLobby: ({ status }) => seen.push(status) });
  await search.says('connected', queued);
  await search.says('lobby_updated', found);
  await search.says('lobby_updated', { ...found, revision: 4 });
  await search.says('lobby_updated', playing);
  const address = { host: '203.0.113.7', port: 20001 };
  expect(search.outcome).toEqual({ lobby: playing, ...address, ticket: null, team: null });
  expect(search.calls).toEqual(['POST /me/matchmaking', 'POST /me/confirm-match']);
  expect(seen).toEqual(['in_queue', 'match_found', 'match_found', 'in_game']);
  expect(search.line?.cancelled).toBe(false);
  const { ended } = search.outcome as Match;
  const over = lobbyOf(6);
  await search.says('lobby_updated', over);
  expect(await ended).toEqual(over);
  await settle();
  expect(search.line?.cancelled).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['another game', 'connected', { ...playing, revision: 9, server: { instance_id: 'another' } }, 9],
  ['another lobby', 'connected', { ...playing, id: 'another', revision: 1 }, 5],
  ['no lobby', 'connected', null, 5],
  ['a lobby that is deleted', 'lobby_deleted', { id: playing.id }, 5],
  ['a lobby without the player', 'lobby_updated', { ...playing, revision: 6, players: [] }, 6],
] as const)('a match is over when the stream shows %s', async (_, event, data, revision) => {
  const search = new Search('play');
  await search.says('connected', playing);
  await search.says('lobby_updated', { ...playing, revision: 5 });
  await search.says(event, data);
  expect(await (search.outcome as Match).ended).toMatchObject({ revision });
  await settle();
  expect(search.line?.cancelled).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

it('a refusal of the stream that waiting cannot mend is told by `ended`, and to nobody else', async () => {
  const search = new Search('play');
  await search.says('connected', playing);
  const { ended } = search.outcome as Match;
  search.refuses = refusalOf(401, 'UNAUTHORIZED');
  search.line?.end();
  await settle(60_000);
  await expect(ended).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(vi.getTimerCount()).toBe(0);
});

it('a dialog that is answered during the game sends nothing', async () => {
  let decide: (accepts: boolean) => void = () => {};
  const confirm = (): Promise<boolean> =>
    new Promise((resolve) => {
      decide = resolve;
    });
  const search = new Search('wait', { confirm });
  await search.says('connected', found);
  await search.says('lobby_updated', playing);
  decide(true);
  await settle();
  expect(search.calls).toEqual([]);
});

it.each([
  [{ team: 1, sub: 'zo\u00e9 \ud83d\ude00' }, 1],
  [{ team: 0 }, 0],
  [{ team: null }, null],
  [{}, null],
])('brings the ticket and the team that is in it: %j', async (claims, team) => {
  const search = new Search('play');
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const ticket = `e30.${payload}.c2ln`;
  const server = { ...playing.server, ticket };
  await search.says('connected', { ...playing, server });
  expect(search.outcome).toMatchObject({ port: 20001, ticket, team });
});

it('brings a ticket that it cannot read', async () => {
  const search = new Search('play');
  await search.says('connected', { ...playing, server: { ...playing.server, ticket: 'x.{.y' } });
  expect(search.outcome).toMatchObject({ ticket: 'x.{.y', team: null });
});

it('resolves when the first thing it hears is the running game', async () => {
  const search = new Search('play');
  await search.says('connected', playing);
  expect(search.outcome).toMatchObject({ port: 20001 });
});

it('rejects with the reason when the search ends without a match', async () => {
  const search = new Search('wait');
  await search.says('connected', lobbyOf(1));
  expect(search.outcome).toBe('waiting');
  await search.says('lobby_updated', queued);
  await search.says('matchmaking_timeout', { id: queued.id, mode: 'duel', reason: 'timeout' });
  await search.says('lobby_updated', lobbyOf(3));
  expect(isMusterError(search.outcome, 'NO_MATCH')).toBe(true);
  expect(search.outcome).toMatchObject({ reason: 'timeout', status: 0 });
});

it('rejects when the search was over before the stream was open', async () => {
  const search = new Search('play');
  await search.says('connected', lobbyOf(3));
  expect(search.outcome).toMatchObject({ code: 'NO_MATCH', reason: null });
});

it('rejects when the lobby is deleted', async () => {
  const search = new Search('play');
  await search.says('connected', queued);
  await search.says('lobby_deleted', { id: queued.id });
  expect(search.outcome).toMatchObject({ code: 'NO_MATCH', reason: 'deleted' });
});

it('declines when the player does, and reads on while the player thinks', async () => {
  let decide: (accepts: boolean) => void = () => {};
  const confirm = (): Promise<boolean> =>
    new Promise((resolve) => {
      decide = resolve;
    });
  const search = new Search('play', { confirm });
  await search.says('connected', found);
  await search.says('queue_stats', { playersSearching: 2, lobbiesInQueue: 2, avgWaitSeconds: 1 });
  decide(false);
  await settle();
  expect(search.calls).toEqual(['POST /me/matchmaking', 'DELETE /me/confirm-match']);
  await search.says('matchmaking_timeout', { id: queued.id, mode: 'duel', reason: 'declined' });
  await search.says('lobby_updated', lobbyOf(4));
  expect(search.outcome).toMatchObject({ code: 'NO_MATCH', reason: 'declined' });
});

it('confirms again after a failure that passes, and rejects after one that does not', async () => {
  const search = new Search('play');
  search.answers.push(refusalOf(500, 'INTERNAL'), refusalOf(409, 'INVALID_STATE'));
  await search.says('connected', found);
  await settle(1_000);
  expect(search.calls.filter((call) => call.endsWith('confirm-match'))).toHaveLength(2);
  expect(search.outcome).toBe('waiting');

  const other = new Search('play');
  other.answers.push(refusalOf(401, 'UNAUTHORIZED'));
  await other.says('connected', found);
  expect(other.outcome).toMatchObject({ code: 'UNAUTHORIZED' });
});

it('rejects with the reason of its signal', async () => {
  const abort = new AbortController();
  const search = new Search('wait', { signal: abort.signal });
  await search.says('connected', queued);
  const reason = new Error('the player closed the screen');
  abort.abort(reason);
  await settle();
  expect(search.outcome).toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
});

it.each([
  ['in no lobby makes one', null, ['GET /me?orNull=true', 'POST ', 'POST /me/matchmaking']],
  ['who hosts searches', lobbyOf(1), ['GET /me?orNull=true', 'POST /me/matchmaking']],
  ['who is a guest waits', lobbyOf(1, { host: 'ben' }), ['GET /me?orNull=true']],
  ['whose lobby searches already waits', queued, ['GET /me?orNull=true']],
] as const)('play: a player %s, and gets the match', async (_, mine, wanted) => {
  const calls: string[] = [];
  const bodies: unknown[] = [];
  let line: Line | null = null;
  const { fetch } = scripted(({ method, path }, signal) => {
    if (path.includes('/events?')) {
      line = new Line(signal);
      return line.response;
    }
    calls.push(`${method} ${path.replace('/v3/lobbies/arena', '')}`);
    const answer = path.endsWith('/arena') ? lobbyOf(1) : queued;
    return Response.json(path.endsWith('?orNull=true') ? mine : answer);
  });
  const player = new MusterPlayer({
    url: 'http://muster.test',
    key: 'k',
    config: 'arena',
    player: 'ann',
    fetch: (url, init) => {
      bodies.push(typeof init.body === 'string' ? JSON.parse(init.body) : null);
      return fetch(url, init);
    },
  });
  const match = player.play('duel', { state: { mmr: 7 } });
  await settle();
  (line as Line | null)?.event('connected', playing, 5);
  expect(await match).toMatchObject({ host: '203.0.113.7', port: 20001 });
  expect(calls).toEqual(wanted);
  const made = { name: 'ann', isPrivate: true, state: { mmr: 7 } };
  const sent = mine === null ? [made] : [];
  expect(bodies.filter((body) => JSON.stringify(body ?? '').includes('name'))).toEqual(sent);
  (line as Line | null)?.event('lobby_updated', lobbyOf(6), 6);
  expect(await (await match).ended).toEqual(lobbyOf(6));
});

it('play: names a lobby by the first of a long id, in whole characters', async () => {
  let named: unknown = null;
  const fetch: Fetch = async (_, { method, body }) => {
    named = method === 'POST' ? JSON.parse(body ?? '{}') : named;
    return method === 'POST' ? refusalOf(400, 'VALIDATION_ERROR') : Response.json(null);
  };
  const place = { url: 'http://muster.test', key: 'k', config: 'arena' };
  const player = new MusterPlayer({ ...place, player: `${'x'.repeat(99)}😀😀`, fetch });
  await expect(player.play('duel')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(named).toEqual({ name: 'x'.repeat(99), isPrivate: true });
});

it('follow: the lobbies of the stream alone, until the lobby is over', async () => {
  let line: Line | null = null;
  const { fetch } = scripted((_, signal) => {
    line = new Line(signal);
    return line.response;
  });
  const place = { url: 'http://muster.test', key: 'k', config: 'arena', player: 'ann' };
  const seen: unknown[] = [];
  const following = (async () => {
    for await (const lobby of new MusterPlayer({ ...place, fetch }).follow()) {
      seen.push(lobby?.revision ?? null);
    }
  })();
  await settle();
  const told = line as Line | null;
  told?.event('connected', null);
  told?.event('connected', lobbyOf(1), 1);
  told?.event('queue_stats', { playersSearching: 2, lobbiesInQueue: 2, avgWaitSeconds: 1 });
  told?.event('lobby_updated', queued, 2);
  told?.event('lobby_deleted', { id: queued.id });
  await following;
  expect(seen).toEqual([null, 1, 2]);
});

it('leave: does nothing without a lobby, and rejects with any other refusal', async () => {
  const answers = [refusalOf(404, 'LOBBY_NOT_FOUND'), refusalOf(401, 'UNAUTHORIZED')];
  const { fetch } = scripted(() => answers.shift() ?? new Error('asked too often'));
  const place = { url: 'http://muster.test', key: 'k', config: 'arena', player: 'ann' };
  const player = new MusterPlayer({ ...place, fetch });
  await player.leave();
  await expect(player.leave()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});
