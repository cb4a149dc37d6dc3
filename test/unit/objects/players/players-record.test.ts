// What a ladder and a backend say of a player, under whatever names.

import { expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import { PlayersActor } from '../../../../src/objects/players/actor';
import { fakeHost } from '../../../fleet/host.ts';

const ANN = 'ann' as PlayerId;

it.each(['mmr', 'constructor', '__proto__', 'toString'])(
  'a rating in the field %s is kept, replaced by a newer one, and forgotten',
  async (field) => {
    const fake = fakeHost({ name: 'p', document: { revision: 0, configs: {}, builds: {} } });
    const players = new PlayersActor({ ...fake.host, name: ['p', '0'] });
    const shown = async (): Promise<string> => JSON.stringify((await players.read(ANN)).attributes);
    const attributes = JSON.parse(`{"${field}":1500}`) as { readonly [field: string]: number };
    await players.rated(ANN, field, { seq: 1, attributes });
    expect(await shown()).toBe(`{"${field}":1500}`);
    const newer = JSON.parse(`{"${field}":1520}`) as { readonly [field: string]: number };
    await players.rated(ANN, field, { seq: 2, attributes: newer });
    await players.rated(ANN, field, { seq: 1, attributes });
    expect(await shown()).toBe(`{"${field}":1520}`);
    await players.rated(ANN, field, { seq: 2, attributes: null });
    expect(await shown()).toBe('{}');
  },
);
