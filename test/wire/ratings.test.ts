// Ratings over real sockets: a result that was accepted moves the ladder once, also through SIGKILL of the service.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MusterAdmin, type KeptRating } from '../../packages/js/src/admin.ts';
import { Player } from '../../scripts/player.ts';
import { startService, type Service } from '../../scripts/service.ts';
import { API_KEYS } from '../security/tenant.ts';
import { eventually } from '../support/eventually.ts';

const SERVER_KEY = 'the server key';
const DUEL = { config: 'arena', mode: 'duel' };
const WON = {
  teams: [
    { team: 0, rank: 1 },
    { team: 1, rank: 2 },
  ],
};
const KILLS = 5;

let dataDir: string;
let service: Service;
let operator: Player;
let admin: MusterAdmin;

async function start(): Promise<void> {
  const env = { API_KEYS, FLEET: 'simulated', LIMITS: 'off' };
  service = await startService({ port: 0, dataDir, env });
  operator = new Player(service.url, 'operator', SERVER_KEY);
  admin = new MusterAdmin({ url: service.url, key: SERVER_KEY });
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'muster-ratings-'));
  await start();
  const modes = { duel: { rating: { field: 'mmr', system: 'openskill' } } };
  await operator.ok('PUT', '/lobby-configs/arena', { matchmaking: { modes } });
});

afterAll(async () => {
  await service.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The id of a running match of two new players. */
async function match(round: number): Promise<string> {
  for (const id of [`ann-${round}`, `ben-${round}`]) {
    const who = new Player(service.url, id, 'the client key');
    await who.ok('POST', '/lobbies/arena', { name: 'Den' });
    await who.ok('POST', '/lobbies/arena/me/matchmaking', { mode: 'duel' });
  }
  return eventually('they play', async () => {
    const [latest] = await admin.listMatches({ limit: 1 });
    return latest?.outcome === 'running' ? latest.id : null;
  });
}

async function pairOf(round: number): Promise<readonly KeptRating[]> {
  const all = await admin.exportRatings(DUEL);
  return all.filter(({ player }) => player.endsWith(`-${round}`));
}

it('a result that was accepted before a SIGKILL has moved the ladder once afterwards', async () => {
  for (let round = 0; round < KILLS; round += 1) {
    const id = await match(round);
    await operator.ok('POST', `/matches/${id}/result`, WON);
    await service.kill();
    await start();
    await eventually('the match is rated', async () => {
      return (await admin.getMatch(id)).rating?.changes.length === 2;
    });
    // The same result again is answered as the first.
    await operator.ok('POST', `/matches/${id}/result`, WON);
    const pair = await pairOf(round);
    expect(pair.map(({ games }) => games)).toEqual([1, 1]);
    const skills = pair.map(({ mu }) => mu - 25).toSorted((one, other) => one - other);
    expect(skills[0]).toBeLessThan(-1);
    expect(skills[0]).toBeCloseTo(-(skills[1] ?? 0), 9);
    const { rating } = await admin.getMatch(id);
    for (const { id: player, rating: points } of rating?.changes ?? []) {
      const { attributes } = await admin.getPlayerAttributes(player);
      expect(attributes['mmr']).toBe(points);
    }
  }
  // Each round did the same to its pair, since all were new.
  const first = await pairOf(0);
  const last = await pairOf(KILLS - 1);
  const sorted = (pair: readonly KeptRating[]): readonly number[] =>
    pair.map(({ mu }) => mu).toSorted((one, other) => one - other);
  expect(sorted(last)).toEqual(sorted(first));
  // What the client exports, it imports, and nothing changes.
  expect(await admin.importRatings(DUEL, await admin.exportRatings(DUEL))).toEqual({
    changed: 0,
  });
});

describe('a season that ends', () => {
  const LEAGUE = { config: 'league', mode: 'duel' };
  const FACTOR = 0.5;
  const START = { mu: 25, sigma: 25 / 3 };
  /** How many answers come between a start and the next kill: from none, so in the first slice, to most of the way. */
  const READS = [0, 2, 20, 5];
  const PLAYERS = 3_000;

  const before = Array.from({ length: PLAYERS }, (_, index) => ({
    player: `player-${index}`,
    // Two players have the same place at times.
    mu: 20 + (index % 1_500) / 100,
    sigma: 1 + (index % 7),
    games: 1 + (index % 40),
  }));

  async function isOver(): Promise<boolean> {
    const { status, body } = await operator.call<{ season: number }>(
      'GET',
      `/ratings?config=league&mode=duel&season=1&limit=1`,
    );
    return status === 200 && body.season === 1;
  }

  it('ends once for each player, through a SIGKILL of the service at any step', async () => {
    const modes = { duel: { rating: { field: 'elo', system: 'openskill' } } };
    await operator.ok('PUT', '/lobby-configs/league', { matchmaking: { modes } });
    for (let from = 0; from < PLAYERS; from += 500) {
      const part = before.slice(from, from + 500);
      expect(await admin.importRatings(LEAGUE, part)).toEqual({ changed: part.length });
    }
    await eventually('the records are told', async () => {
      const { attributes } = await admin.getPlayerAttributes('player-2999').catch(() => ({
        attributes: {} as Record<string, unknown>,
      }));
      return attributes['elo'] !== undefined;
    });
    await admin.endRatingSeason({ ...LEAGUE, season: 1, factor: FACTOR });
    let killed = 0;
    for (const reads of READS) {
      for (let read = 0; read < reads; read += 1) {
        await isOver();
      }
      killed += (await isOver()) ? 0 : 1;
      await service.kill();
      await start();
      // The backend is not sure, and says it again: the season ends once.
      await admin.endRatingSeason({ ...LEAGUE, season: 1, factor: FACTOR });
    }
    expect(killed).toBeGreaterThan(2);
    await eventually('the season is over', isOver);
    const after = await admin.exportRatings(LEAGUE);
    const reset = before.map(({ player, mu, sigma }) => ({
      player,
      mu: expect.closeTo(mu + (START.mu - mu) * FACTOR, 9),
      sigma: expect.closeTo(sigma + (START.sigma - sigma) * FACTOR, 9),
      games: 0,
    }));
    expect(after).toEqual(reset.toSorted((a, b) => (a.player < b.player ? -1 : 1)));
    const kept = new Map<string, number>();
    for (let offset = 0; offset < PLAYERS; offset += 100) {
      const page = await admin.getRatings({ ...LEAGUE, season: 1, limit: 100, offset });
      expect([page.season, page.total]).toEqual([1, PLAYERS]);
      page.players.forEach(({ player, games }) => kept.set(player, games));
    }
    expect(kept).toEqual(new Map(before.map(({ player, games }) => [player, games])));
    await eventually('every record has the new number', async () => {
      const shown = await Promise.all(
        after
          .filter((_, index) => index % 300 === 0)
          .map(async ({ player, mu, sigma }) => {
            const { attributes } = await admin.getPlayerAttributes(player);
            return attributes['elo'] === Math.round(1_000 + 48 * (mu - 3 * sigma));
          }),
      );
      return shown.every(Boolean);
    });
    await expect(admin.endRatingSeason({ ...LEAGUE, season: 3, factor: FACTOR })).rejects.toThrow(
      'The current season is 2, not 3',
    );
  });
});
