// One ladder from its first result to the end of its seasons (record 0047). The Ratings object is real; the records of its
// players and its matches are the test's.

import { describe, expect, it } from 'vitest';
import type { MatchId, PlayerId } from '../../../../src/common/ids';
import { ratedAttributes, ratedBy, resetBy, type RatedTeam } from '../../../../src/lobby/rating';
import { points, START } from '../../../../src/match/rules/skill';
import type { KeptPlayer, PageQuery } from '../../../../src/objects/contracts/ratings';
import { RatingsActor } from '../../../../src/objects/ratings/actor';
import { fakePorts, lives } from '../../../fleet/ports.ts';
import { codeOf } from '../../../support/server-rig.ts';

const HOUR_MS = 60 * 60_000;

interface Said {
  readonly seq: number;
  readonly attributes: object;
  readonly floor: number;
}

function ladder(saved?: Map<string, unknown>) {
  /** What the records of players were told, in order, and what matches were. */
  const told: (readonly [player: string, Said])[] = [];
  const matches: (readonly unknown[])[] = [];
  const is = {
    /** Nobody answers. */
    away: false,
    /** Players whose records know of a newer erasure. */
    erased: new Set<string>(),
  };
  const answer = (): void => {
    if (is.away) {
      throw new Error('away');
    }
  };
  const fake = fakePorts({
    name: 'p',
    document: { revision: 0, configs: {}, builds: {} },
    peers: {
      players: (project: string) =>
        ({
          rated: async (player: string, field: string, said: Said) => {
            answer();
            expect([project, field]).toEqual(['p', 'mmr']);
            told.push([player, said]);
            return !is.erased.has(player);
          },
        }) as never,
      match: (id: MatchId) =>
        ({
          rated: async (...of: readonly unknown[]) => {
            answer();
            matches.push([id, ...of]);
          },
        }) as never,
    },
    ...(saved && { saved }),
  });
  const actor = new RatingsActor({ ...fake.ports, name: ['p', 'mmr'] });
  /** Lets a call have its pauses. */
  const does = async <T>(call: Promise<T>): Promise<T> => {
    await fake.pass(0);
    return call;
  };
  const read = (query: Partial<PageQuery>) =>
    does(actor.page({ limit: 10, offset: 0, around: null, season: null, ...query }));
  /** The places and players of a page, or why there is none. */
  const page = async (query: Partial<PageQuery> = {}): Promise<string> => {
    const reply = await read(query);
    return reply.ok
      ? reply.value.players.map(({ place, player }) => `${place} ${player}`).join(', ')
      : reply.refusal.code;
  };
  const kept = async (): Promise<readonly KeptPlayer[]> => actor.exported('', 10_000);
  const live = (ms: number): Promise<void> => lives(fake, () => actor.alarm(), ms);
  const marks = (): number =>
    [...fake.saved.keys()].filter((key) => key.startsWith('rated:')).length;
  const lastOf = (player: string) => told.findLast(([id]) => id === player)?.[1];
  return { ...fake, actor, told, matches, is, does, read, page, kept, live, marks, lastOf };
}

/** Teams of one player each, the best first. */
function ranked(...names: readonly string[]): readonly RatedTeam[] {
  return names.map((id, at) => {
    return { rank: at + 1, players: [{ id: id as PlayerId, abandoned: false }] };
  });
}

const match = (name: string, at: number, ...names: readonly string[]) => ({
  matchId: name as MatchId,
  at,
  teams: ranked(...names),
});

function player(id: string, mu: number, games = 1): KeptPlayer {
  return { player: id as PlayerId, mu, sigma: 2, games };
}

/** So many, of whom the first is the best. */
function many(count: number): readonly KeptPlayer[] {
  return Array.from({ length: count }, (_, at) =>
    player(`p${String(at).padStart(4, '0')}`, 40 - at / 100),
  );
}

const FIVE = [
  player('eve', 22),
  player('dan', 24),
  player('cat', 26),
  player('ben', 28),
  player('ann', 30),
];

describe('a result', () => {
  it('moves both players once, in the ladder, their records and the match', async () => {
    const rig = ladder();
    const ratedAt = rig.ports.now();
    await rig.actor.rate(match('m1', 5, 'ann', 'ben'));
    await rig.pass(0);
    const after = ratedBy(ranked('ann', 'ben'), () => START);
    const first = [...after].map(([id, skill]) => ({ id, ...points(skill), before: 1_000 }));
    expect(rig.matches).toEqual([['m1', 'p', first]]);
    expect(rig.told).toEqual(
      [...after].map(([id, skill]) => [
        id,
        {
          seq: 1,
          attributes: ratedAttributes('mmr', skill),
          kept: { mu: skill.mu, sigma: skill.sigma, ratedAt },
          floor: 0,
        },
      ]),
    );
    expect(await rig.kept()).toEqual(
      [...after].map(([id, { mu, sigma }]) => ({ player: id, mu, sigma, games: 1 })),
    );
    await rig.actor.rate(match('m1', 5, 'ann', 'ben'));
    await rig.pass(0);
    expect([rig.matches.length, rig.told.length]).toEqual([1, 2]);

    await rig.actor.rate(match('m2', 5, 'ben', 'ann'));
    await rig.pass(0);
    const [, , changes] = rig.matches[1] ?? [];
    expect(changes).toMatchObject([
      { id: 'ben', before: points(after.get('ben' as PlayerId) ?? START).rating },
      { id: 'ann', before: points(after.get('ann' as PlayerId) ?? START).rating },
    ]);
    expect(rig.lastOf('ann')?.seq).toBe(2);
    expect((await rig.kept()).map(({ games }) => games)).toEqual([2, 2]);
  });

  it('is remembered for an hour, and as long as its match has not answered, also after a crash', async () => {
    const rig = ladder();
    await rig.actor.rate(match('m1', 5, 'ann', 'ben'));
    await rig.live(HOUR_MS - 1);
    expect(rig.marks()).toBe(1);
    const woken = ladder(rig.saved);
    await woken.actor.alarm();
    await woken.live(HOUR_MS - 1);
    expect(woken.marks()).toBe(1);
    await woken.live(1);
    expect([woken.marks(), woken.alarmAt()]).toEqual([0, null]);
    await rig.live(1);
    expect(rig.marks()).toBe(0);

    const silent = ladder();
    silent.is.away = true;
    await silent.actor.rate(match('m1', 5, 'ann', 'ben'));
    await silent.live(2 * HOUR_MS);
    expect([silent.marks(), silent.matches]).toEqual([1, []]);
    silent.is.away = false;
    await silent.live(2 * HOUR_MS);
    expect([silent.marks(), silent.matches.length, silent.told.length]).toEqual([0, 1, 2]);
    expect(silent.alarmAt()).toBeNull();
  });

  it('is told again to a record that knows of an erasure, until it is said anew', async () => {
    const rig = ladder();
    rig.is.erased.add('ann');
    await rig.actor.rate(match('m1', 5, 'ann', 'ben'));
    await rig.live(1_000);
    expect(rig.told.map(([id]) => id)).toEqual(['ann', 'ben', 'ann']);
    // Of a player who was erased here too, nothing is said any more.
    await rig.does(rig.actor.forget('ann' as PlayerId));
    await rig.live(HOUR_MS / 2);
    expect(rig.told).toHaveLength(3);
  });
});

describe('a page', () => {
  it('has the best first, from any place, or around a player', async () => {
    const rig = ladder();
    await rig.actor.imported(FIVE);
    expect(await rig.read({ limit: 1 })).toEqual({
      ok: true,
      value: {
        season: 1,
        total: 5,
        offset: 0,
        players: [{ place: 1, player: 'ann', ...points({ mu: 30, sigma: 2 }), games: 1 }],
      },
    });
    expect(await rig.page()).toBe('1 ann, 2 ben, 3 cat, 4 dan, 5 eve');
    expect(await rig.page({ limit: 2, offset: 1 })).toBe('2 ben, 3 cat');
    const around = (id: string) => ({ around: id as PlayerId });
    expect(await rig.page({ limit: 3, ...around('dan') })).toBe('3 cat, 4 dan, 5 eve');
    expect(await rig.page({ limit: 2, ...around('dan') })).toBe('4 dan, 5 eve');
    expect(await rig.page({ limit: 4, ...around('dan') })).toBe('3 cat, 4 dan, 5 eve');
    expect(await rig.page({ limit: 3, ...around('ann') })).toBe('1 ann, 2 ben, 3 cat');
    expect(await rig.page({ limit: 1, season: 1, ...around('cat') })).toBe('3 cat');
    // As a new player she would stand behind all of them.
    expect(await rig.page({ limit: 3, ...around('zoe') })).toBe('5 eve');
    expect(await ladder().page(around('zoe'))).toBe('');
    expect(await rig.page({ season: 2 })).toBe('NOT_FOUND');
    expect(await rig.page({ season: 2, ...around('ann') })).toBe('VALIDATION_ERROR');
  });

  it('follows each change once it has been read, and has those who are equal by name', async () => {
    const rig = ladder();
    await rig.actor.imported(FIVE);
    await rig.page();
    await rig.actor.imported([player('ann', 25), player('abe', 26), player('zoe', 26)]);
    expect(await rig.page()).toBe('1 ben, 2 abe, 3 cat, 4 zoe, 5 ann, 6 dan, 7 eve');
    await rig.does(rig.actor.forget('cat' as PlayerId));
    expect(await rig.page()).toBe('1 ben, 2 abe, 3 zoe, 4 ann, 5 dan, 6 eve');
    const woken = ladder(rig.saved);
    expect(await woken.page()).toBe('1 ben, 2 abe, 3 zoe, 4 ann, 5 dan, 6 eve');
  });

  it('has a player once who changes while the list is made', async () => {
    const rig = ladder();
    await rig.actor.imported(many(5_001));
    const reading = rig.actor.page({ limit: 2, offset: 4_999, around: null, season: null });
    // The first 5,000 rows have been read.
    await rig.actor.imported([player('p5000', 50)]);
    const reply = await rig.does(reading);
    expect(reply).toMatchObject({ ok: true, value: { total: 5_001, players: [{}, {}] } });
    expect(await rig.page({ limit: 2 })).toBe('1 p5000, 2 p0000');
  });
});

describe('an import', () => {
  it('sets players as given, and tells only those who are others then', async () => {
    const rig = ladder();
    expect(await rig.actor.imported(FIVE)).toEqual({ ok: true, value: 5 });
    await rig.pass(0);
    expect(rig.lastOf('dan')?.attributes).toEqual(ratedAttributes('mmr', { mu: 24, sigma: 2 }));
    expect(await rig.actor.imported(FIVE)).toEqual({ ok: true, value: 0 });
    await rig.pass(0);
    expect(rig.told).toHaveLength(5);
    for (const change of [{ mu: 23 }, { sigma: 3 }, { games: 2 }]) {
      expect(await rig.actor.imported([{ ...player('dan', 24), ...change }])).toEqual({
        ok: true,
        value: 1,
      });
    }
    // Also one who has what everybody has at first.
    const fresh = { player: 'zoe' as PlayerId, ...START, games: 0 };
    expect(await rig.actor.imported([fresh])).toEqual({ ok: true, value: 1 });
    const [one, two] = await rig.actor.exported('', 2);
    expect([one?.player, two?.player]).toEqual(['ann', 'ben']);
    const rest = await rig.actor.exported('ben', 10);
    expect(rest.map((each) => each.player)).toEqual(['cat', 'dan', 'eve', 'zoe']);
    expect(rest[3]).toEqual(fresh);
    expect(await rig.actor.exported('zoe', 10)).toEqual([]);
  });
});

describe('an erased player', () => {
  it('is on no page any more, begins above all numbers of the erased, and is unknown in past seasons', async () => {
    const rig = ladder();
    await rig.actor.imported(FIVE);
    await rig.actor.imported([player('ben', 29)]);
    await rig.does(rig.actor.endSeason(1, 0));
    const seq = rig.lastOf('ben')?.seq;
    expect(seq).toBe(3);
    expect(await rig.does(rig.actor.forget('ben' as PlayerId))).toBe(seq);
    expect(await rig.page()).toBe('1 ann, 2 cat, 3 dan, 4 eve');
    expect(await rig.page({ season: 1 })).toBe('1 ann, 2 erased, 3 cat, 4 dan, 5 eve');
    expect(await rig.does(rig.actor.forget('ben' as PlayerId))).toBe(seq);
    // It rises with each, although her number is no higher.
    expect(await rig.does(rig.actor.forget('eve' as PlayerId))).toBe(4);
    const woken = ladder(rig.saved);
    await woken.actor.rate(match('m1', 5, 'ben', 'ann'));
    await woken.pass(0);
    expect([woken.lastOf('ben')?.seq, woken.lastOf('ben')?.floor]).toEqual([5, 4]);
  });
});

describe('the end of a season', () => {
  const ended = { ok: true, value: { season: 2, isEnding: false } };

  it('keeps the ladder, and brings everybody back towards the start', async () => {
    const rig = ladder();
    const all = many(501);
    await rig.actor.imported(all);
    await rig.pass(0);
    const ending = { ok: true, value: { season: 2, isEnding: true } };
    expect(await rig.actor.endSeason(1, 0.5)).toEqual(ending);
    expect(await rig.actor.endSeason(1, 0.9)).toEqual(ending);
    expect(codeOf(await rig.actor.imported(FIVE))).toBe('INVALID_STATE');
    expect(await rig.page({ limit: 1 })).toBe('1 p0000');
    await rig.live(1_000);
    expect(await rig.actor.endSeason(1, 0.9)).toEqual(ended);
    expect(codeOf(await rig.actor.endSeason(3, 0.5))).toBe('PRECONDITION_FAILED');
    expect(await rig.kept()).toEqual(
      all.map((each) => ({ ...each, ...resetBy(0.5, each), games: 0 })),
    );
    const last = resetBy(0.5, all[500] ?? START);
    expect(rig.lastOf('p0500')?.attributes).toEqual(ratedAttributes('mmr', last));
    expect(await rig.read({ season: 1, limit: 3, offset: 249 })).toEqual({
      ok: true,
      value: {
        season: 1,
        total: 501,
        offset: 249,
        players: all.slice(249, 252).map(({ player: id, games, ...skill }, at) => {
          return { place: 250 + at, player: id, ...points(skill), games };
        }),
      },
    });
    expect(await rig.page({ season: 1, limit: 2 })).toBe('1 p0000, 2 p0001');
    expect(await rig.read({ limit: 1 })).toMatchObject({ value: { season: 2, total: 501 } });
    // Nothing more is to be done.
    await rig.live(10_000);
    expect([rig.alarmAt(), codeOf(await rig.actor.imported(FIVE))]).toEqual([null, 'ok']);
  });

  it('is waited for by a result, which counts for the next', async () => {
    const rig = ladder();
    await rig.actor.imported(FIVE);
    void rig.actor.endSeason(1, 1);
    const rating = rig.actor.rate(match('m1', 5, 'eve', 'ann'));
    const forgetting = rig.actor.forget('dan' as PlayerId);
    await rig.does(rating);
    await rig.does(forgetting);
    expect((await rig.kept()).map(({ player: id, games }) => `${id} ${games}`)).toEqual([
      'ann 1',
      'ben 0',
      'cat 0',
      'eve 1',
    ]);
    expect(rig.matches[0]).toMatchObject(['m1', 'p', [{ before: 1_000 }, { before: 1_000 }]]);
    expect(await rig.page({ season: 1 })).toBe('1 ann, 2 ben, 3 cat, 4 erased, 5 eve');
  });

  it('goes on after a crash at each step, by the alarm, and brings nobody back twice', async () => {
    const whole = ladder();
    await whole.actor.imported(many(300));
    await whole.does(whole.actor.endSeason(1, 0.5));
    await whole.live(1_000);
    for (let turns = 0; turns < 4; turns += 1) {
      const rig = ladder();
      await rig.actor.imported(many(300));
      await rig.pass(0);
      void rig.actor.endSeason(1, 0.5);
      for (let turn = 0; turn < turns * 3; turn += 1) {
        await Promise.resolve();
      }
      let woken = ladder(rig.saved);
      for (let crash = 0; crash < 3; crash += 1) {
        await woken.actor.alarm();
        woken = ladder(woken.saved);
      }
      await woken.actor.alarm();
      await woken.live(1_000);
      expect(await woken.actor.endSeason(1, 0.5)).toEqual(ended);
      expect(await woken.kept()).toEqual(await whole.kept());
      expect(await woken.page({ season: 1 })).toBe(await whole.page({ season: 1 }));
    }
  });

  it('waits while the records of players do not answer, so that few are owed something', async () => {
    const rig = ladder();
    await rig.actor.imported(many(600));
    await rig.live(1_000);
    rig.is.away = true;
    await rig.does(rig.actor.endSeason(1, 1));
    await rig.live(60_000);
    const owed = (await rig.kept()).filter(({ games }) => games === 0);
    expect(owed).toHaveLength(500);
    expect(codeOf(await rig.actor.imported(FIVE))).toBe('INVALID_STATE');
    rig.is.away = false;
    await rig.live(120_000);
    expect(await rig.actor.endSeason(1, 1)).toEqual(ended);
    expect((await rig.kept()).every(({ games }) => games === 0)).toBe(true);
    expect(new Set(rig.told.slice(600).map(([id]) => id)).size).toBe(600);
  });
});
