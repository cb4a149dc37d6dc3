// A ladder and a record whose player does not play (record 0087).

import { expect, it } from 'vitest';
import type { MatchId, PlayerId } from '../../../../src/common/ids';
import { ratedBy } from '../../../../src/lobby/rating';
import { configOf } from '../../../../src/objects/caches/project';
import { decayed, points } from '../../../../src/match/rules/skill';
import { PlayersActor } from '../../../../src/objects/players/actor';
import { RatingsActor } from '../../../../src/objects/ratings/actor';
import { modeSchema } from '../../../../src/match/rules/schema';
import { fakePorts } from '../../../fleet/ports.ts';

const DAY_MS = 86_400_000;
const DECAY = { afterDays: 30, sigma: 50 };
const [ANN, BEN] = ['ann', 'ben'] as PlayerId[] as [PlayerId, PlayerId];
const SETTLED = { mu: 40, sigma: 80 / 48, games: 300 };
const EMPTY = { revision: 0, configs: {}, builds: {} };

function ladder(decay?: typeof DECAY) {
  const rating = { field: 'mmr', system: 'openskill', ...(decay && { decay }) };
  const duel = modeSchema.parse({ rating });
  const arena = { ...configOf(EMPTY, 'arena'), matchmaking: { modes: { duel } } };
  const document = { ...EMPTY, configs: { arena } };
  const none = { where: async () => null } as never;
  const project = { document: async () => document } as never;
  const record = fakePorts({
    name: 'p',
    document,
    peers: { seat: () => none, project: () => project },
  });
  const players = new PlayersActor({ ...record.ports, name: ['p', '0'] });
  const told: unknown[] = [];
  const match = { rated: async (_: string, changes: unknown) => void told.push(changes) } as never;
  const fake = fakePorts({
    name: 'p',
    document,
    peers: { players: () => players, match: () => match },
  });
  let reads = 0;
  const counted = async () => {
    reads += 1;
    return document;
  };
  const actor = new RatingsActor({ ...fake.ports, document: counted, name: ['p', 'mmr'] });
  const pass = async (days: number): Promise<void> => {
    await fake.pass(days * DAY_MS);
    await record.pass(days * DAY_MS);
  };
  const shown = async () => {
    const page = actor.page({ limit: 10, offset: 0, around: null, season: null });
    await fake.pass(0);
    const reply = await page;
    return reply.ok
      ? reply.value.players.map(({ player, rating, uncertainty }) => [player, rating, uncertainty])
      : reply.refusal;
  };
  const attributes = async (id: PlayerId) => (await players.read(id)).attributes;
  return { ...fake, actor, told, pass, shown, attributes, reads: () => reads };
}

async function withBoth(rig: ReturnType<typeof ladder>): Promise<void> {
  await rig.actor.imported([{ player: ANN, ...SETTLED }]);
  await rig.pass(40);
  await rig.actor.imported([{ player: BEN, ...SETTLED, mu: 39 }]);
  await rig.pass(25);
}

const duel = (at: number) => ({
  matchId: 'm1' as MatchId,
  at,
  teams: [BEN, ANN].map((id, place) => ({
    rank: place + 1,
    players: [{ id, abandoned: false }],
  })),
});

it('shows who was away for 65 days as less certain, and rates by that', async () => {
  const rig = ladder(DECAY);
  await withBoth(rig);
  // Number and place stay on the ladder, so the order holds. The record says what rules compare.
  expect(await rig.shown()).toEqual([
    [ANN, 2_680, 107],
    [BEN, 2_632, 80],
  ]);
  expect(await rig.attributes(ANN)).toEqual({ mmr: 2_600, mmrUncertainty: 107 });
  expect(await rig.attributes(BEN)).toEqual({ mmr: 2_632, mmrUncertainty: 80 });

  const now = rig.ports.now();
  const priors = new Map([
    [ANN, decayed({ ...SETTLED, ratedAt: now - 65 * DAY_MS }, now, DECAY)],
    [BEN, { ...SETTLED, mu: 39 }],
  ]);
  await rig.actor.rate(duel(now));
  await rig.pass(0);
  const after = ratedBy(duel(now).teams, (id) => priors.get(id) ?? SETTLED);
  const before = new Map([
    [ANN, 2_600],
    [BEN, 2_632],
  ]);
  expect(rig.told).toEqual([
    Array.from(after, ([id, skill]) => ({ id, ...points(skill), before: before.get(id) })),
  ]);
  // Whoever has played is as certain as the match left them, also in the export, which has no times.
  const uncertainty = points(after.get(ANN) ?? SETTLED).uncertainty;
  expect(await rig.shown()).toEqual([
    [BEN, expect.any(Number), 80],
    [ANN, expect.any(Number), uncertainty],
  ]);
  const { mu, sigma } = after.get(ANN) ?? SETTLED;
  expect((await rig.actor.exported('', 1))[0]).toEqual({ player: ANN, mu, sigma, games: 301 });
});

it('keeps since when a player was away when a season ends', async () => {
  const rig = ladder(DECAY);
  await withBoth(rig);
  await rig.actor.endSeason(1, 0);
  await rig.pass(0.01);
  expect(await rig.shown()).toMatchObject([
    [ANN, 2_680, 107],
    [BEN, 2_632, 80],
  ]);
});

it('changes nothing where nothing is set, and reads no document for who played within a day', async () => {
  const off = ladder();
  await withBoth(off);
  expect(await off.shown()).toEqual([
    [ANN, 2_680, 80],
    [BEN, 2_632, 80],
  ]);
  expect(await off.attributes(ANN)).toEqual({ mmr: 2_680, mmrUncertainty: 80 });
  const busy = ladder(DECAY);
  await busy.actor.imported([ANN, BEN].map((player) => ({ player, ...SETTLED })));
  await busy.actor.rate(duel(busy.ports.now()));
  await busy.shown();
  expect(busy.reads()).toBe(0);
});

it('does not change players of an earlier release until they are rated again', async () => {
  const rig = ladder(DECAY);
  rig.ports.store.put('player:ann', { ...SETTLED, seq: 3 });
  await rig.pass(400);
  expect(await rig.shown()).toEqual([[ANN, 2_680, 80]]);
  await rig.actor.rate(duel(rig.ports.now()));
  await rig.pass(90);
  expect(await rig.shown()).toMatchObject([
    [ANN, expect.any(Number), 118],
    [BEN, expect.any(Number), 393],
  ]);
});
