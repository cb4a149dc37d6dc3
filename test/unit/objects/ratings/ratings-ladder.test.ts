// A ladder is listed in slices of rows, with pauses for other calls, which are few: each can take as long as a slice.

import { expect, it } from 'vitest';
import type { PlayerId } from '../../../../src/common/ids';
import type { Page } from '../../../../src/objects/kit/ports';
import { Ladder, type Row } from '../../../../src/objects/ratings/ladder';
import { fakePorts } from '../../../fleet/ports.ts';

const PLAYERS = 100_000;

it('lists 100,000 players with few pauses, the best first', async () => {
  const rows = Array.from({ length: PLAYERS }, (_, at): [string, Row] => [
    `player:${String(at).padStart(6, '0')}`,
    { mu: 25 + ((at * 7_919) % PLAYERS) / PLAYERS, sigma: 2, games: 1, seq: 1 },
  ]);
  const { ports } = fakePorts({ name: 'p', document: { revision: 0, configs: {}, builds: {} } });
  let pauses = 0;
  const list = <T>(_: string, { after, limit }: Page = { after: '', limit: PLAYERS }) => {
    const from = after === 'player:' ? 0 : Number(after.slice('player:'.length)) + 1;
    return rows.slice(from, from + limit) as unknown as [string, T][];
  };
  const later = (_: number, run: () => void) => {
    pauses += 1;
    queueMicrotask(run);
    return () => {};
  };
  const ladder = new Ladder({ ...ports, later, store: { ...ports.store, list } });
  const sorted = await ladder.sorted();
  expect([sorted.size, pauses <= 25]).toEqual([PLAYERS, true]);
  const best = sorted.slice(0, 2).map(({ mu }) => mu);
  expect(best[0]).toBeGreaterThan(best[1] ?? Infinity);
  expect(await ladder.place(sorted.first?.player as PlayerId)).toBe(1);
});

it('lists the players when they can be read again', async () => {
  const { ports } = fakePorts({ name: 'p', document: { revision: 0, configs: {}, builds: {} } });
  let reads = 0;
  const list = <T>(_: string, { after }: Page = { after: '', limit: 1 }) => {
    reads += 1;
    if (reads === 1) {
      throw new Error('the disk is away');
    }
    const row: Row = { mu: 25, sigma: 2, games: 1, seq: 1 };
    return (after === 'player:' ? [['player:ann', row]] : []) as unknown as [string, T][];
  };
  const later = (_: number, run: () => void) => {
    queueMicrotask(run);
    return () => {};
  };
  const ladder = new Ladder({ ...ports, later, store: { ...ports.store, list } });
  await expect(ladder.sorted()).rejects.toThrow('the disk is away');
  expect((await ladder.sorted()).size).toBe(1);
});
