// The records of players, as a backend changes them (decision 46): what each change makes of a record, and which lobbies hear of
// it. The Players object is real; seats, lobbies, ladders and the project are the test's.

import { describe, expect, it } from 'vitest';
import type { MatchId, PlayerId } from '../../../../src/common/ids';
import type { JsonObject } from '../../../../src/common/json';
import { MAX_ATTRIBUTES_BYTES } from '../../../../src/common/limits';
import { defaultConfig } from '../../../../src/lobby/config';
import type { Reply } from '../../../../src/lobby/refusals';
import type { Attributes } from '../../../../src/lobby/attributes';
import type { RecordChange } from '../../../../src/objects/contracts/players';
import { PlayersActor } from '../../../../src/objects/players/actor';
import { fakePorts, lives } from '../../../fleet/ports.ts';
import { codeOf } from '../../../support/server-rig.ts';

const ANN = 'ann' as PlayerId;
const BEN = 'ben' as PlayerId;
const ZOE = 'zoe' as PlayerId;
const MINUTE_MS = 60_000;

function records(saved?: Map<string, unknown>) {
  /** What lobbies were told, and which ladders had to forget whom. */
  const told: (readonly unknown[])[] = [];
  const forgotten: (readonly unknown[])[] = [];
  const is = {
    /** The lobby of each player, by config. */
    seats: { arena: { ann: 'l1' } } as Readonly<Record<string, Readonly<Record<string, string>>>>,
    trusted: ['mmr'],
    documents: 0,
    /** The project does not answer. */
    away: false,
    /** The floor of the ladders, once they answer. */
    floor: 7 as number | Promise<number>,
  };
  const fake = fakePorts({
    name: 'p',
    document: { revision: 0, configs: {}, builds: {} },
    peers: {
      project: () =>
        ({
          document: async () => {
            is.documents += 1;
            if (is.away) {
              throw new Error('away');
            }
            const arena = { ...defaultConfig('arena'), trusted: is.trusted };
            return { revision: 0, configs: { arena, plain: defaultConfig('plain') }, builds: {} };
          },
        }) as never,
      seat: (_, config) =>
        ({ where: async (id: string) => is.seats[config]?.[id] ?? null }) as never,
      lobby: (id) =>
        ({ attributes: async (...of: readonly unknown[]) => void told.push([id, ...of]) }) as never,
      ratings: (project, field) =>
        ({
          forget: async (id: string) => (forgotten.push([project, field, id]), is.floor),
        }) as never,
    },
    ...(saved && { saved }),
  });
  const actor = new PlayersActor({ ...fake.ports, name: ['p', '0'] });
  const change = async (
    changes: readonly (readonly [RecordChange['act'], PlayerId, JsonObject?])[],
    ifRevision: number | null = null,
  ): Promise<Reply<readonly Attributes[]>> => {
    const all = changes.map(([act, player, attributes = {}]) => ({ player, act, attributes }));
    const reply = await actor.change(all, ifRevision);
    await fake.pass(0);
    return reply;
  };
  const rated = (player: PlayerId, seq: number, field = 'mmr') =>
    actor.rated(player, field, { seq, attributes: { [field]: 1_500 }, floor: 7 });
  const live = (ms: number): Promise<void> => lives(fake, () => actor.alarm(), ms);
  return { ...fake, actor, told, forgotten, is, change, rated, live };
}

/** The attributes at the revision. */
const at = (revision: number, attributes: JsonObject = {}) => ({ revision, attributes });
const all = (...value: readonly Attributes[]) => ({ ok: true, value });

describe('a record', () => {
  it('is put, patched and removed, each time with the next revision', async () => {
    const { actor, change } = records();
    expect(await actor.read(ANN)).toEqual(at(0));
    expect(await change([['put', ANN, { a: 1, b: 2 }]])).toEqual(all(at(1, { a: 1, b: 2 })));
    expect(await change([['patch', ANN, { b: null, c: 3 }]])).toEqual(all(at(2, { a: 1, c: 3 })));
    expect(await change([['put', ANN, { d: 4 }]])).toEqual(all(at(3, { d: 4 })));
    expect(await actor.read(ANN)).toEqual(at(3, { d: 4 }));
    expect(await change([['remove', ANN]])).toEqual(all(at(4)));
    expect(await actor.read(ANN)).toEqual(at(4));
    // No record of anybody counts as older than one that was removed.
    expect(await change([['put', ANN, { a: 1 }]])).toEqual(all(at(5, { a: 1 })));
    expect(await actor.read(ZOE)).toEqual(at(4));
    // The floor does not go back with one that was lower.
    await change([['remove', ANN]]);
    await change([['put', BEN, { a: 1 }]]);
    const old = records(new Map([['record:ben', { revision: 1, attributes: { a: 1 } }]]));
    old.saved.set('floor', 6);
    expect(await old.change([['remove', BEN]])).toEqual(all(at(2)));
    expect(await old.actor.read(ZOE)).toEqual(at(6));
  });

  it('is kept through a crash, and a removed one leaves no row', async () => {
    const { change, saved } = records();
    await change([['put', ANN, { a: 1 }]]);
    await change([
      ['put', BEN, { b: 1 }],
      ['remove', BEN],
      ['put', ZOE, {}],
    ]);
    expect([...saved.keys()].filter((key) => key.startsWith('record:'))).toEqual(['record:ann']);
    expect(await records(saved).actor.read(ANN)).toEqual(at(1, { a: 1 }));
  });

  it('that does not change keeps its revision, and nobody is told', async () => {
    const rig = records();
    const { change, saved, told } = rig;
    await change([['put', ANN, { a: 1 }]]);
    const [before, calls, alarm] = [structuredClone(saved), told.length, rig.alarmAt()];
    expect(await change([['put', ANN, { a: 1 }]])).toEqual(all(at(1, { a: 1 })));
    expect(await change([['patch', ANN, { b: null }]])).toEqual(all(at(1, { a: 1 })));
    expect(await change([['remove', ZOE]])).toEqual(all(at(0)));
    expect(await change([])).toEqual(all());
    expect([saved, told.length, rig.alarmAt()]).toEqual([before, calls, alarm]);
  });

  it('is changed together with others, all or none, and more than once in one call', async () => {
    const { actor, change } = records();
    expect(
      await change([
        ['put', ANN, { a: 1 }],
        ['put', BEN, { b: 1 }],
        ['patch', ANN, { c: 1 }],
      ]),
    ).toEqual(all(at(2, { a: 1, c: 1 }), at(1, { b: 1 }), at(2, { a: 1, c: 1 })));
    const large = { text: 'x'.repeat(MAX_ATTRIBUTES_BYTES) };
    const refused = await change([
      ['remove', ANN],
      ['put', BEN, large],
    ]);
    expect(codeOf(refused)).toBe('VALIDATION_ERROR');
    expect(await actor.read(ANN)).toEqual(at(2, { a: 1, c: 1 }));
  });

  it('is changed only at the revision that the caller knows, if it names one', async () => {
    const { actor, change } = records();
    const put = (value: number, revision: number | null) =>
      change([['put', ANN, { a: value }]], revision);
    expect(codeOf(await put(1, 1))).toBe('PRECONDITION_FAILED');
    expect(codeOf(await put(1, 0))).toBe('ok');
    expect(codeOf(await put(2, 0))).toBe('PRECONDITION_FAILED');
    expect(codeOf(await put(2, 1))).toBe('ok');
    expect(codeOf(await change([], 1))).toBe('PRECONDITION_FAILED');
    expect(codeOf(await change([], 0))).toBe('ok');
    expect(await actor.read(ANN)).toEqual(at(2, { a: 2 }));
  });
});

describe('what a ladder says', () => {
  it('stands over what a backend says, until the record is removed', async () => {
    const rig = records();
    expect(await rig.rated(ANN, 8)).toBe(true);
    expect(await rig.actor.read(ANN)).toEqual(at(1, { mmr: 1_500 }));
    const said = { mmr: 5, tier: 'gold' };
    const shown = { mmr: 1_500, tier: 'gold' };
    expect(await rig.change([['put', ANN, said]])).toEqual(all(at(2, shown)));
    expect(await rig.change([['put', ANN, said]])).toEqual(all(at(2, shown)));
    expect(await rig.rated(ANN, 8)).toBe(true);
    expect(await rig.actor.read(ANN)).toEqual(at(2, shown));
    // One whose backend has said nothing is kept too.
    await rig.change([['put', ANN, {}]]);
    expect(await rig.actor.read(ANN)).toEqual(at(3, { mmr: 1_500 }));
    expect(rig.forgotten).toEqual([]);
  });

  it('is forgotten by each ladder that knows the player, and by no other', async () => {
    const rig = records();
    await rig.rated(ANN, 3, 'mmr');
    await rig.rated(ANN, 9, 'elo');
    await rig.change([['put', BEN, { a: 1 }]]);
    expect(
      await rig.change([
        ['remove', ANN],
        ['remove', BEN],
      ]),
    ).toEqual(all(at(3), at(2)));
    expect(rig.forgotten).toEqual([
      ['p', 'mmr', 'ann'],
      ['p', 'elo', 'ann'],
    ]);
    expect(await rig.actor.read(ANN)).toEqual(at(3));
    expect(await rig.rated(ANN, 10)).toBe(true);
    expect((await rig.actor.read(ANN)).attributes).toEqual({ mmr: 1_500 });
  });

  it('stays where another ladder forgets the player late', async () => {
    const rig = records();
    const answer = Promise.withResolvers<number>();
    rig.is.floor = answer.promise;
    await rig.rated(ANN, 3, 'mmr');
    await rig.change([['remove', ANN]]);
    // The last number before the ladder has forgotten the player is its floor then.
    await rig.rated(ANN, 7, 'mmr');
    await rig.rated(ANN, 5, 'elo');
    answer.resolve(7);
    await rig.pass(0);
    expect(await rig.actor.read(ANN)).toEqual(at(5, { elo: 1_500 }));
    await rig.change([['remove', ANN]]);
    expect(rig.saved.has('record:ann')).toBe(false);
  });
});

describe('the lobbies of a player', () => {
  it('are told of a change, in each config that trusts a field', async () => {
    const rig = records();
    rig.is.seats = { arena: { ann: 'l1' }, plain: { ann: 'l2' } };
    await rig.change([
      ['put', ANN, { mmr: 1 }],
      ['put', BEN, { mmr: 2 }],
    ]);
    expect(rig.told).toEqual([['l1', 'ann', at(1, { mmr: 1 })]]);
    expect(rig.is.documents).toBe(1);
    await rig.change([['remove', ANN]]);
    expect(rig.told.slice(1)).toEqual([['l1', 'ann', at(2)]]);
    // The project may trust another field by now.
    rig.is.trusted = [];
    await rig.change([['put', ANN, { mmr: 3 }]]);
    expect([rig.told.length, rig.is.documents]).toEqual([2, 3]);
    await rig.live(MINUTE_MS);
    expect([rig.told.length, rig.alarmAt()]).toEqual([2, null]);
  });

  it('are told again until they answer, also after a crash', async () => {
    const rig = records();
    rig.is.away = true;
    await rig.change([['put', ANN, { mmr: 1 }]]);
    // Whoever dies now is woken.
    expect(rig.alarmAt()).not.toBeNull();
    await rig.live(4_000);
    expect([rig.told, rig.is.documents]).toEqual([[], 3]);
    const woken = records(rig.saved);
    await woken.live(0);
    expect(woken.told).toEqual([['l1', 'ann', at(1, { mmr: 1 })]]);
    rig.is.away = false;
    await rig.live(MINUTE_MS);
    expect(rig.told).toEqual(woken.told);
  });

  it('are told with the document as it is after the change', async () => {
    const rig = records();
    rig.is.trusted = [];
    rig.is.away = true;
    await rig.change([['put', ANN, { mmr: 1 }]]);
    rig.is.away = false;
    rig.is.trusted = ['mmr'];
    await rig.change([['put', BEN, { mmr: 1 }]]);
    await rig.live(2_000);
    expect(rig.told).toHaveLength(1);
  });
});

describe('a ticket', () => {
  it('is spent once, by one player, and only the newest fifty are remembered', async () => {
    const { actor, saved } = records();
    expect(await actor.spend(ANN, 't0')).toBe(true);
    expect(await actor.spend(ANN, 't0')).toBe(false);
    expect(await actor.spend(BEN, 't0')).toBe(true);
    for (let ticket = 1; ticket < 50; ticket += 1) {
      expect(await actor.spend(ANN, `t${ticket}`)).toBe(true);
    }
    const woken = records(saved).actor;
    expect(await woken.spend(ANN, 't0')).toBe(false);
    expect(await woken.spend(ANN, 't50')).toBe(true);
    expect(await woken.spend(ANN, 't0')).toBe(true);
    expect(await woken.spend(ANN, 't50')).toBe(false);
  });
});

describe('a match that a player turned down', () => {
  const no = (matchId: string, when: number) => ({ matchId: matchId as MatchId, at: when });

  it('makes that player wait, longer with each, and nobody else', async () => {
    const rig = records();
    const { actor, saved } = rig;
    const start = rig.now();
    await actor.turnedDown(ANN, no('m1', start));
    await actor.turnedDown(ANN, no('m1', start));
    expect(await actor.coolsUntil(ANN, 10)).toBe(start + 10_000);
    expect(await actor.coolsUntil(BEN, 10)).toBeNull();
    await actor.turnedDown(ANN, no('m2', start));
    expect(await records(saved).actor.coolsUntil(ANN, 10)).toBe(start + 20_000);
  });

  it('is forgotten with the record, and after an hour with those of the next', async () => {
    const rig = records();
    const { actor, change, saved } = rig;
    const rows = () => [...saved.keys()].filter((key) => key.startsWith('no:'));
    const start = rig.now();
    await actor.turnedDown(ANN, no('m1', start));
    await actor.turnedDown(BEN, no('m1', start + 1));
    await actor.turnedDown(ZOE, no('m2', start + 60 * MINUTE_MS));
    expect(rows()).toEqual(['no:ben', 'no:zoe']);
    await change([['put', ZOE, { a: 1 }]]);
    expect(rows()).toEqual(['no:ben', 'no:zoe']);
    await change([['remove', ZOE]]);
    expect(rows()).toEqual(['no:ben']);
  });
});
