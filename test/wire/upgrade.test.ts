// Today's service begins on the data of each earlier version, killed in the middle of its work: all is as it was, and
// what waited goes on.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Player, type Lobby } from '../../scripts/player.ts';
import { startService, type Placement, type Service } from '../../scripts/service.ts';
import { eventually } from '../support/eventually.ts';
import { isHere, startEarlier, unpack, type Earlier } from './earlier.ts';

/** Versions whose data must be read, with their commits. A release adds its line. */
const VERSIONS = [['v0.2.0', '8b4dc05eff1d0b50737310c13614b7c89ebcf87e']] as const;
const PLACEMENTS: readonly Placement[] = ['box', 'objects'];

const ARENA = {
  enabled: true,
  heartbeat: false,
  trusted: ['mmr'],
  matchmaking: {
    modes: {
      duel: {
        teams: 2,
        playersPerTeam: 1,
        timeout: 900,
        rating: { system: 'openskill', field: 'elo' },
      },
      asked: {
        teams: 2,
        playersPerTeam: 1,
        timeout: 900,
        matchConfirmation: { enabled: true, timeoutSeconds: 120 },
      },
      three: {
        teams: 2,
        playersPerTeam: 2,
        minPlayersPerTeam: 1,
        timeout: 900,
        backfill: { enabled: true },
        rules: [{ type: 'difference', field: 'mmr', maxDifference: 50, widenTo: 400 }],
      },
    },
  },
};

let folder = '';
let dataDir = '';
let old: Earlier | null = null;
let service: Service | null = null;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'muster-upgrade-'));
  dataDir = join(folder, 'data');
});

afterEach(async () => {
  await old?.kill();
  await service?.stop();
  [old, service] = [null, null];
  await rm(folder, { recursive: true, force: true });
});

/** The players and the operator of a service. */
function at({ url, serverKey }: Pick<Service, 'url' | 'serverKey'>) {
  return {
    operator: new Player(url, 'operator', serverKey),
    player: (id: string) => new Player(url, id),
  };
}

type At = ReturnType<typeof at>;

const ME = '/lobbies/arena/me';

async function found({ player }: At, id: string, more: object = {}): Promise<Lobby> {
  return player(id).ok('POST', '/lobbies/arena', { name: `lobby of ${id}`, ...more });
}

async function search({ player }: At, id: string, mode: string): Promise<void> {
  await player(id).ok('POST', `${ME}/matchmaking`, { mode });
}

function reaches({ player }: At, id: string, status: string): Promise<Lobby> {
  return eventually(`${id} is ${status}`, async () => {
    const lobby = await player(id).ok('GET', ME);
    const isThere = status !== 'in_game' || lobby.server?.status === 'running';
    return lobby.status === status && isThere && lobby;
  });
}

/** What an operator has saved: one of each kind. */
async function saved({ operator }: At): Promise<void> {
  await operator.ok('PUT', '/builds/game', { launch: { command: './game', args: ['--fast'] } });
  await operator.ok('PUT', '/lobby-configs/arena', ARENA);
  await operator.ok('PUT', '/lobby-configs/den', { maxPlayers: { default: 3, max: 5 } });
  await operator.ok('PUT', '/lobby-configs/den', { maxPlayers: { default: 4, max: 5 } });
  await operator.ok('PUT', '/bans/cheat', { reason: 'aims too well' });
  await operator.ok('PUT', '/players/una/attributes', { attributes: { mmr: 1_500, clan: 'owls' } });
  await operator.ok('POST', '/projects/token-secrets', { secret: 's'.repeat(40) });
  await operator.ok('POST', '/projects/seat-keys');
  await operator.ok('PUT', '/projects/hooks', {
    url: 'https://example.invalid/told',
    secret: 'h'.repeat(40),
  });
}

/** A lobby in every status, a search that was given up, and a match that is over. */
async function played(here: At): Promise<string> {
  const { player, operator } = here;
  const { code } = await found(here, 'wil', {
    isPrivate: true,
    maxPlayers: 4,
    settings: { map: 'dust' },
  });
  await player('xia').ok('POST', '/lobbies/arena/join', { code, state: { ready: true } });
  await found(here, 'own');
  await player('own').ok('POST', `${ME}/start`);
  await reaches(here, 'own', 'in_game');
  for (const id of ['ada', 'bo', 'cy', 'di', 'eve', 'fay', 'una', 'quit', 'ann', 'bob']) {
    await found(here, id);
  }
  await search(here, 'quit', 'duel');
  await player('quit').ok('DELETE', `${ME}/matchmaking`);
  for (const id of ['ann', 'bob']) {
    await search(here, id, 'duel');
  }
  const over = await reaches(here, 'ann', 'in_game');
  await operator.ok('POST', `/matches/${over.matchId}/result`, {
    teams: [
      { team: 0, rank: 1 },
      { team: 1, rank: 2 },
    ],
  });
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
  }
  await reaches(here, 'ada', 'in_game');
  await reaches(here, 'bo', 'in_game');
  await reaches(here, 'di', 'match_found');
  await player('cy').ok('POST', `${ME}/confirm-match`);
  return over.matchId ?? '';
}

const KEPT = [
  '/lobby-configs/arena',
  '/lobby-configs/den/history',
  '/builds',
  '/bans',
  '/players/una/attributes',
  '/projects/settings',
  '/audit',
  '/ratings?config=arena&mode=duel',
  '/matches?outcome=ended',
];

/** Seat tickets and waits say the time. */
function timeless(key: string, value: unknown): unknown {
  return key === 'ticket' || key === 'queueStats' ? undefined : value;
}

/** Everything that can be read and that no time changes. */
async function reading({ operator, player }: At): Promise<object> {
  const pages = KEPT.map(async (path) => [path, await operator.ok<object>('GET', path)] as const);
  const ids = ['wil', 'xia', 'own', 'ada', 'bo', 'cy', 'di', 'eve', 'una', 'quit', 'ann', 'bob'];
  const lobbies = ids.map(async (id) => [id, await player(id).ok<object>('GET', ME)] as const);
  const read = Object.fromEntries(await Promise.all([...pages, ...lobbies]));
  return JSON.parse(JSON.stringify(read, timeless)) as object;
}

for (const [version, commit] of VERSIONS) {
  it.runIf(isHere(commit)).each(PLACEMENTS)(
    `what ${version} left in the middle of its work goes on, placed as %s`,
    async (placement) => {
      const tree = await mkdtemp(join(folder, 'tree-'));
      await unpack(commit, tree);
      old = await startEarlier(tree, { dataDir, placement });
      await saved(at(old));
      const overId = await played(at(old));
      const before = await reading(at(old));
      await old.kill();
      old = null;

      const env = { FLEET: 'simulated' };
      service = await startService({ port: 0, dataDir, placement, devKeys: true, env });
      const now = at(service);
      expect(await reading(now)).toMatchObject(before);
      expect(await now.operator.ok('GET', `/matches/${overId}`)).toMatchObject({ id: overId });

      // The ban, the code, the search, the question and the game are all in force.
      const banned = await now.player('cheat').call('POST', '/lobbies/arena', { name: 'mine' });
      expect(banned.status).toBe(403);
      const { code } = await now.player('wil').ok('GET', ME);
      const joined = await now.player('zoe').ok('POST', '/lobbies/arena/join', { code });
      expect(joined.players.map(({ id }) => id)).toEqual(['wil', 'xia', 'zoe']);
      await search(now, 'fay', 'duel');
      const [fay, eve] = [
        await reaches(now, 'fay', 'in_game'),
        await reaches(now, 'eve', 'in_game'),
      ];
      expect(fay.matchId).toBe(eve.matchId);
      await now.player('di').ok('POST', `${ME}/confirm-match`);
      await reaches(now, 'cy', 'in_game');
      const { matchId } = await now.player('ada').ok('GET', ME);
      await now.operator.ok('POST', `/matches/${matchId}/result`, {
        teams: [
          { team: 0, rank: 2 },
          { team: 1, rank: 1 },
        ],
      });
      await now.player('ada').ok('POST', `${ME}/end-match`);
      await reaches(now, 'bo', 'waiting');
      await eventually('four players are rated', async () => {
        const ladder = '/ratings?config=arena&mode=duel';
        const { total } = await now.operator.ok<{ total: number }>('GET', ladder);
        return total === 4;
      });
      await now.player('own').ok('POST', `${ME}/end-match`);
      await reaches(now, 'own', 'waiting');
      // Who comes to the search of before: its attributes of before count.
      await found(now, 'vic');
      await now.operator.ok('PUT', '/players/vic/attributes', { attributes: { mmr: 1_520 } });
      await search(now, 'vic', 'three');
      expect((await reaches(now, 'vic', 'in_game')).matchId).toBe(
        (await reaches(now, 'una', 'in_game')).matchId,
      );
    },
  );
}
