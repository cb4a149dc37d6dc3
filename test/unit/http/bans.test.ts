// The list of bans (record 0045): what a change leaves, and what it refuses.

import { expect, it } from 'vitest';
import type { ProjectDocument } from '../../../src/objects/contracts/project';
import { checkBans } from '../../../src/http/identity/bans';
import { replied } from '../../support/replied';
import type { Asker } from '../../../src/http/identity/secrets';
import { MOST_BANS, withBan } from '../../../src/objects/project/bans';
import type { Ban, BanList } from '../../../src/objects/contracts/bans';

const T0 = Date.parse('2026-11-23T10:00:00Z');
const EMPTY: BanList = { revision: 0, bans: [] };

function ban(playerId: string, config: string | null, until: string | null = null): Ban {
  const createdAt = '2026-11-23T09:00:00Z';
  return { playerId, config, until, reason: null, createdAt, by: 'operator:1' };
}

function after(before: BanList, ...bans: readonly Ban[]): BanList {
  return bans.reduce((list, each) => {
    const reply = withBan(list, { act: 'ban', ban: each }, T0);
    return reply.ok ? reply.value : list;
  }, before);
}

it('has one ban of a player in each config and one in the project, the newest of each', () => {
  const list = after(
    EMPTY,
    ban('mal', null),
    ban('mal', 'arena'),
    ban('mal', null, '2027-01-01T00:00:00Z'),
  );
  expect(list.revision).toBe(3);
  expect(list.bans.map(({ config, until }) => [config, until])).toEqual([
    ['arena', null],
    [null, '2027-01-01T00:00:00Z'],
  ]);
});

it('drops what is over when it is written, and lifts one ban or all of a player', () => {
  const list = after(EMPTY, ban('mal', 'arena'), ban('mal', null), ban('eve', null));
  const old = { ...list, bans: [ban('old', null, '2026-11-23T10:00:00Z'), ...list.bans] };
  const one = withBan(old, { act: 'lift', playerId: 'mal', config: 'arena' }, T0);
  const all = withBan(old, { act: 'lift', playerId: 'mal', config: null }, T0);
  const none = withBan(old, { act: 'lift', playerId: 'old', config: null }, T0);
  expect(one).toMatchObject({
    value: { bans: [{ playerId: 'mal', config: null }, { playerId: 'eve' }] },
  });
  expect(all).toMatchObject({ value: { bans: [{ playerId: 'eve' }] } });
  expect(none).toMatchObject({ refusal: { code: 'NOT_FOUND' } });
});

it('is bounded, and a full list still takes a change of what it has', () => {
  const bans = Array.from({ length: MOST_BANS }, (_, at) => ban(`p${at}`, null));
  const full = { revision: 7, bans };
  const more = withBan(full, { act: 'ban', ban: ban('one more', null) }, T0);
  expect(more).toMatchObject({ refusal: { code: 'VALIDATION_ERROR' } });
  expect(withBan(full, { act: 'ban', ban: ban('p3', null) }, T0).ok).toBe(true);
});

/** A project with these bans, and how often its list was read. */
function projectWith(project: string, ...bans: readonly Ban[]) {
  const told = { reads: 0 };
  const list = async (): Promise<BanList> => {
    told.reads += 1;
    return { revision: 1, bans };
  };
  const asker = { project, peers: { project: () => ({ bans: list }) } } as unknown as Asker;
  const document: ProjectDocument = { revision: 1, configs: {}, builds: {}, bans: 1 };
  const asked = async (player: string, now: number, config = 'arena', given = document) => {
    const reply = await replied(() => checkBans(asker, given, { player, config }, now));
    return reply.ok ? null : reply;
  };
  return { told, document, asked };
}

it('is over at its time, and of several the one that ends last is told', async () => {
  const { asked } = projectWith(
    'ends',
    ban('mal', 'arena', '2026-11-23T10:00:01Z'),
    ban('mal', null, '2026-11-23T10:00:02Z'),
    ban('eve', 'other'),
  );
  const until = '2026-11-23T10:00:02Z';
  expect(await asked('mal', T0)).toMatchObject({ refusal: { code: 'BANNED', until } });
  expect(await asked('mal', T0 + 1_999)).not.toBeNull();
  expect(await asked('mal', T0 + 2_000)).toBeNull();
  expect(await asked('eve', T0)).toBeNull();
  expect(await asked('eve', T0, 'other')).toMatchObject({ refusal: { until: null } });
});

it('is read once after each change, by all requests together, and never without bans', async () => {
  const { told, document, asked } = projectWith('reads', ban('mal', null));
  const { bans: _, ...none } = document;
  expect(await asked('mal', T0, 'arena', none)).toBeNull();
  expect(told.reads).toBe(0);
  await Promise.all([asked('mal', T0), asked('eve', T0)]);
  await asked('mal', T0);
  expect(told.reads).toBe(1);
  await asked('mal', T0, 'arena', { ...document, bans: 2 });
  expect(told.reads).toBe(2);
});
