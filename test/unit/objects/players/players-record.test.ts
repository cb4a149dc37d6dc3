// What a ladder and a backend say of a player, under whatever names.

import { expect, it, vi } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import type { RatingsRpc } from '../../../../src/objects/contracts/ratings';
import { PlayersActor } from '../../../../src/objects/players/actor';
import { fakePorts } from '../../../fleet/ports.ts';

const ANN = 'ann' as PlayerId;

const FIELDS = ['mmr', 'constructor', '__proto__', 'toString'] as const;

/** The records, and a ladder that answers each erasure with the floor. */
function recordsOf(floor: number) {
  const forget = vi.fn(async () => floor);
  const fake = fakePorts({
    name: 'p',
    document: { revision: 0, configs: {}, builds: {} },
    peers: { ratings: () => ({ forget }) as unknown as RatingsRpc },
  });
  const players = new PlayersActor({ ...fake.ports, name: ['p', '0'] });
  const shown = async () => JSON.stringify((await players.read(ANN)).attributes);
  const erased = async () => {
    await players.change([{ player: ANN, act: 'remove', attributes: {} }], null);
    await fake.pass(0);
  };
  return { players, shown, erased, forget, saved: fake.saved };
}

function attributesOf(field: string, value: number) {
  return JSON.parse(`{"${field}":${value}}`) as { readonly [field: string]: number };
}

it.each(FIELDS)(
  'a rating in the field %s is kept, replaced by a newer one, and forgotten',
  async (field) => {
    const { players, shown, erased, forget } = recordsOf(2);
    const attributes = attributesOf(field, 1_500);
    await players.rated(ANN, field, { seq: 1, attributes, floor: 0 });
    expect(await shown()).toBe(`{"${field}":1500}`);
    const newer = attributesOf(field, 1_520);
    await players.rated(ANN, field, { seq: 2, attributes: newer, floor: 0 });
    await players.rated(ANN, field, { seq: 1, attributes, floor: 0 });
    expect(await shown()).toBe(`{"${field}":1520}`);
    await erased();
    expect([await shown(), forget.mock.calls]).toEqual(['{}', [[ANN]]]);
  },
);

it.each(FIELDS)(
  'what was said in the field %s before an erasure brings nothing back, however late it comes',
  async (field) => {
    const { players, shown, erased } = recordsOf(3);
    const attributes = attributesOf(field, 1_500);
    await players.rated(ANN, field, { seq: 1, attributes, floor: 0 });
    await players.rated(ANN, field, { seq: 2, attributes, floor: 0 });
    await erased();
    expect(await players.rated(ANN, field, { seq: 1, attributes, floor: 0 })).toBe(false);
    expect(await shown()).toBe('{}');
    // Somebody else has to be told anew, because the two cannot be told apart.
    const ben = 'ben' as PlayerId;
    expect(await players.rated(ben, field, { seq: 1, attributes, floor: 0 })).toBe(false);
    expect(await players.rated(ben, field, { seq: 1, attributes, floor: 3 })).toBe(true);
    expect((await players.read(ben)).attributes).toEqual(attributes);
    // A result after the erasure counts.
    expect(await players.rated(ANN, field, { seq: 4, attributes, floor: 3 })).toBe(true);
    expect(await shown()).toBe(`{"${field}":1500}`);
  },
);

it('a rating that comes while the ladder has yet to forget the player goes with its answer', async () => {
  const { players, shown, erased, forget, saved } = recordsOf(3);
  const attributes = { mmr: 1_500 };
  await players.rated(ANN, 'mmr', { seq: 1, attributes, floor: 0 });
  const answer = Promise.withResolvers<number>();
  forget.mockReturnValueOnce(answer.promise);
  await erased();
  await players.rated(ANN, 'mmr', { seq: 2, attributes, floor: 0 });
  expect(await shown()).toBe('{"mmr":1500}');
  answer.resolve(3);
  await expect.poll(shown).toBe('{}');
  expect(saved.has('record:ann')).toBe(false);
});

it('of a player that is erased nothing stays: no attribute, no ticket that was spent, no match that was turned down', async () => {
  const { players, erased, saved } = recordsOf(0);
  await players.change([{ player: ANN, act: 'put', attributes: { tier: 1 } }], null);
  expect(await players.spend(ANN, 'the digest of a ticket')).toBe(true);
  expect(await players.spend(ANN, 'the digest of a ticket')).toBe(false);
  await players.turnedDown(ANN, { id: 'm', at: Date.now() } as never);
  await erased();
  expect([...saved.keys()].filter((key) => key.includes(ANN))).toEqual([]);
  // Also where there was nothing else.
  await players.spend(ANN, 'another');
  await erased();
  expect([...saved.keys()].filter((key) => key.includes(ANN))).toEqual([]);
});
