// A thing of each kind in each state, made by the API as every version since v0.2.0 has it, and what it answers of them.

import { Player, type Lobby } from '../../scripts/player.ts';
import { eventually } from '../support/eventually.ts';

export interface At {
  /** An answer of JSON lines, to the operator. */
  readonly lines: (path: string) => Promise<readonly object[]>;
  readonly keys: () => Promise<object>;
  readonly operator: Player;
  readonly player: (id: string) => Player;
}

/** The players and the operator of a service. */
export function at(service: { readonly url: string; readonly serverKey: string }): At {
  const { url, serverKey } = service;
  return {
    lines: async (path) => {
      const answer = await fetch(`${url}/v3${path}`, { headers: { 'api-key': serverKey } });
      const lines = (await answer.text()).trimEnd().split('\n');
      return lines.map((line) => JSON.parse(line) as object);
    },
    keys: async () => {
      const answer = await fetch(`${url}/.well-known/jwks.json?project=dev`);
      return (await answer.json()) as object;
    },
    operator: new Player(url, 'operator', serverKey),
    player: (id) => new Player(url, id),
  };
}

export const ME = '/lobbies/arena/me';

const MODE = { teams: 2, playersPerTeam: 1, timeout: 900 };
const RATING = { system: 'openskill', field: 'elo' };

const ARENA = {
  enabled: true,
  heartbeat: false,
  trusted: ['mmr'],
  matchmaking: {
    modes: {
      duel: { ...MODE, rating: RATING },
      asked: { ...MODE, matchConfirmation: { enabled: true, timeoutSeconds: 120 } },
      three: {
        teams: 2,
        playersPerTeam: 2,
        minPlayersPerTeam: 1,
        timeout: 900,
        allowBackfill: true,
        rules: [{ type: 'difference', field: 'mmr', maxDifference: 50 }],
      },
    },
  },
};

/** Every field that v0.2.0 has. */
export const FULL = {
  enabled: true,
  timeout: 4_000,
  serverSettings: { serverSize: 'large', gameBuild: 'game' },
  hostLeaveBehavior: 'delete',
  inviteCodeConfig: { type: 'numeric', length: 8, prefix: 'G-' },
  heartbeat: true,
  heartbeatTimeout: 33,
  queuePresenceSeconds: 44,
  closed: { message: 'We are back at noon.', until: '2099-01-01T12:00:00.000Z' },
  trusted: ['mmr', 'elo'],
  customProperties: { motd: 'hello', deep: { list: [1, null, true] } },
  matchmaking: {
    modes: {
      every: {
        teams: 2,
        playersPerTeam: 3,
        minPlayersPerTeam: 3,
        minTeams: 2,
        timeout: 77,
        maxPartySize: 2,
        allowBackfill: true,
        rules: [
          { type: 'equals', field: 'build' },
          { type: 'not_equals', field: 'clan' },
          { type: 'region', minOverlap: 2 },
          { type: 'expression', cel: 'a.state.mmr - b.state.mmr < 120 || a.waitSeconds > 5' },
          { type: 'difference', field: 'mmr', maxDifference: 5, uncertainty: true },
        ],
        matchConfirmation: { enabled: true, timeoutSeconds: 21 },
        teamComposition: { red: { tank: 1, healer: 2 }, blue: { tank: 1, healer: 2 } },
        excludedFromQueue: ['spectator'],
        useVersionFromState: 'build',
        onDecline: 'requeue',
        explainsWait: false,
        lateJoin: false,
      },
      ranked: { ...MODE, rating: { system: 'openskill', field: 'glory' } },
    },
  },
};

const SLOW = { serverSettings: { gameBuild: 'slow' }, matchmaking: { modes: { duel: MODE } } };

/** What an operator saves: one of each kind. Returns a token of the player `tom`. */
export async function saved({ operator }: At, outside: string): Promise<string> {
  await operator.ok('PUT', '/builds/game', { launch: { command: './game', args: ['--fast'] } });
  await operator.ok('PUT', '/builds/game', {
    label: '1.2.3',
    launch: { command: './game', args: ['{port:voice}'], env: { LEVEL: '3' }, ownFolder: true },
    ports: [{ name: 'voice', internal_port: 9_000, protocol: 'tcp' }],
  });
  await operator.ok('PUT', '/builds/gone', { status: 'not_ready', launch: { image: 'game:1' } });
  await operator.ok('DELETE', '/builds/gone');
  await operator.ok('PUT', '/builds/slow', { launch: { fleet: 'slow' } });
  await operator.ok('PUT', '/lobby-configs/arena', ARENA);
  await operator.ok('PUT', '/lobby-configs/full', FULL);
  await operator.ok('PUT', '/lobby-configs/slow', SLOW);
  await operator.ok('PUT', '/lobby-configs/den', { timeout: 400, customProperties: { of: 1 } });
  await operator.ok('PUT', '/lobby-configs/den', { timeout: 500, customProperties: { of: 2 } });
  await operator.ok('PUT', '/bans/cheat', { reason: 'aims too well' });
  await operator.ok('PUT', '/bans/late', { config: 'full', until: '2099-01-01T00:00:00Z' });
  await operator.ok('PUT', '/players/una/attributes', { attributes: { mmr: 1_500, clan: 'owls' } });
  await operator.ok('POST', '/projects/token-secrets', { secret: 's'.repeat(40) });
  await operator.ok('POST', '/projects/seat-keys');
  const steam = { publisherKey: 'f'.repeat(32), appId: 480, identity: 'muster' };
  await operator.ok('PUT', '/projects/logins/steam', steam);
  await operator.ok('PUT', '/projects/hooks', { url: `${outside}/hook`, secret: 'h'.repeat(40) });
  const ladder = 'config=full&mode=ranked';
  await operator.ok('POST', `/ratings/import?${ladder}`, {
    player: 'una',
    mu: 31,
    sigma: 4,
    games: 12,
  });
  const season = { config: 'full', mode: 'ranked', season: 1, factor: 0.5 };
  await operator.ok('POST', '/ratings/seasons', season);
  const { token } = await operator.ok<{ token: string }>('POST', '/players/tom/token', {
    attributes: { mmr: 9 },
    ttl: 86_400,
  });
  return token;
}

export async function found({ player }: At, id: string, more: object = {}): Promise<Lobby> {
  return player(id).ok('POST', '/lobbies/arena', { name: `lobby of ${id}`, ...more });
}

export async function search({ player }: At, id: string, mode: string): Promise<void> {
  await player(id).ok('POST', `${ME}/matchmaking`, { mode });
}

export function reaches({ player }: At, id: string, status: string, me = ME): Promise<Lobby> {
  return eventually(`${id} is ${status}`, async () => {
    const lobby = await player(id).ok('GET', me);
    const isThere = status !== 'in_game' || lobby.server?.status === 'running';
    return lobby.status === status && isThere && lobby;
  });
}

export interface Played {
  /** The match that is over, and the one that runs. */
  readonly over: string;
  readonly runs: string;
  /** A server that belongs to nobody's lobby. */
  readonly server: string;
}

/** Lobbies that wait, play, search and are asked, a search that was given up, and a match that is over. */
export async function played(here: At): Promise<Played> {
  const { player, operator } = here;
  const settings = { map: 'dust' };
  const { code } = await found(here, 'wil', { isPrivate: true, maxPlayers: 4, settings });
  await player('xia').ok('POST', '/lobbies/arena/join', { code, state: { ready: true } });
  await found(here, 'own');
  await player('own').ok('POST', `${ME}/start`);
  for (const id of ['tom', 'ada', 'bo', 'cy', 'di', 'eve', 'fay', 'una', 'quit', 'ann', 'bob']) {
    await found(here, id);
  }
  await search(here, 'quit', 'duel');
  await player('quit').ok('DELETE', `${ME}/matchmaking`);
  for (const id of ['ann', 'bob']) {
    await search(here, id, 'duel');
  }
  const { matchId: over } = await reaches(here, 'ann', 'in_game');
  await operator.ok('POST', `/matches/${over}/result`, won(0));
  await player('ann').ok('POST', `${ME}/end-match`);
  await reaches(here, 'bob', 'waiting');
  for (const [mode, ids] of [
    ['duel', ['ada', 'bo']],
    ['asked', ['cy', 'di']],
    ['three', ['una']],
    ['duel', ['eve']],
  ] as const) {
    for (const id of ids) {
      await search(here, id, mode);
    }
    if (ids.length === 2) {
      await reaches(here, ids[0], mode === 'duel' ? 'in_game' : 'match_found');
    }
  }
  await reaches(here, 'di', 'match_found');
  await player('cy').ok('POST', `${ME}/confirm-match`);
  await reaches(here, 'own', 'in_game');
  const start = { name: 'lone', region: 'eu-west', custom_data: { of: 'ours' } };
  const { instance_id: server } = await operator.ok<{ instance_id: string }>(
    'POST',
    '/servers/start',
    start,
  );
  await eventually('the lone server runs', async () => {
    const { status } = await operator.ok<{ status: string }>('GET', `/servers/${server}`);
    return status === 'running';
  });
  const { matchId: runs } = await reaches(here, 'bo', 'in_game');
  return { over: over ?? '', runs: runs ?? '', server };
}

/** Lobbies whose servers the fleet does not answer for: it has 20 seconds. */
export async function launching({ player }: At): Promise<void> {
  const me = '/lobbies/slow/me';
  for (const id of ['gil', 'hal', 'ivy']) {
    await player(id).ok('POST', '/lobbies/slow', { name: `lobby of ${id}` });
  }
  // Its answer comes when the server runs, or never.
  player('gil')
    .call('POST', `${me}/start`)
    .catch(() => undefined);
  for (const id of ['hal', 'ivy']) {
    await player(id).ok('POST', `${me}/matchmaking`, { mode: 'duel' });
  }
  await Promise.all([
    reaches({ player } as At, 'gil', 'starting', me),
    reaches({ player } as At, 'hal', 'matched', me),
    reaches({ player } as At, 'ivy', 'matched', me),
  ]);
}

export function won(winner: 0 | 1): object {
  return { teams: [0, 1].map((team) => ({ team, rank: team === winner ? 1 : 2 })) };
}

const IN_ARENA = 'wil xia own tom ada bo cy di eve fay una quit ann bob'.split(' ');
const IN_SLOW = ['gil', 'hal', 'ivy'];

/** Paths that an operator reads. */
function pathsOf({ over, runs, server }: Played): readonly string[] {
  return [
    '/lobby-configs',
    ...['arena', 'full', 'den', 'slow'].map((name) => `/lobby-configs/${name}`),
    '/lobby-configs/den/history',
    '/builds',
    '/builds/game/history',
    '/bans',
    ...['una', 'ada', 'tom'].flatMap((id) => [`/players/${id}`, `/players/${id}/attributes`]),
    '/projects/settings',
    '/audit',
    ...[
      'config=arena&mode=duel',
      'config=full&mode=ranked',
      'config=full&mode=ranked&season=1',
    ].map((which) => `/ratings?${which}`),
    '/matches',
    `/matches/${over}`,
    `/matches/${runs}?runs`,
    '/servers?include_launching=true&include_stopped=true',
    `/servers/${server}`,
    '/admin/searches?player=quit',
    '/admin/trends?config=arena&mode=duel&hours=1',
  ];
}

/** Without ids. */
function nameOf(path: string): string {
  return path.replace(/[0-9a-f-]{36}/, 'id');
}

/** What the queue of duels has noted down. */
export function journalOf({ lines }: At): Promise<readonly object[]> {
  return lines('/admin/journal?config=arena&mode=duel');
}

export type Answers = Readonly<Record<string, object>>;

/** All that can be read of them. */
export async function reading(
  { operator, player, lines, keys }: At,
  all: Played,
): Promise<Answers> {
  const pages = pathsOf(all).map(
    async (path) => [nameOf(path), await operator.ok<object>('GET', path)] as const,
  );
  const lobbies = [...IN_ARENA, ...IN_SLOW].map(async (id) => {
    const config = IN_SLOW.includes(id) ? 'slow' : 'arena';
    const mine = await player(id).ok('GET', `/lobbies/${config}/me`);
    const history = await operator.ok<object>('GET', `/lobbies/${config}/${mine.id}/history`);
    return [`the lobby of ${id}`, { ...mine, history }] as const;
  });
  return Object.fromEntries([
    ['the keys of tickets', await keys()],
    ['the ladder of full', await lines('/ratings/export?config=full&mode=ranked')],
    ...(await Promise.all([...pages, ...lobbies])),
  ]);
}
