// What is refused by how full the disk of a box is, and what it is told to operators.

import { expect, it } from 'vitest';
import { refusedUnder } from '../../../src/http/gate/ladder';
import type { Route } from '../../../src/http/wire/call';
import { HEALTH, ROUTES } from '../../../src/http/serve/routes';
import { Disk, SET_ASIDE, type DiskReading } from '../../../src/objects/kit/disk';

const MIB = 2 ** 20;
const GIB = 2 ** 30;

/** A disk of 100 GiB with so much free, and a database that has set aside what it should. */
function diskWith(free: number, other: Partial<DiskReading> = {}, used = 20 * MIB): Disk {
  const disk = new Disk(() => {});
  disk.tell({
    total: 100 * GIB,
    free,
    database: 20 * MIB + SET_ASIDE,
    log: 5 * MIB,
    ...other,
  });
  disk.holds(used);
  return disk;
}

function refusedBy({ level: disk }: Disk): readonly string[] {
  const isRefused = (route: Route): boolean => refusedUnder({ disk }, route, false, 0) !== null;
  return ROUTES.filter(isRefused).map(({ line }) => line);
}

it('refuses nothing where nobody tells of a disk, as at the edge', () => {
  const disk = new Disk();
  expect([disk.level, disk.usedShare, refusedBy(disk)]).toEqual(['ok', null, []]);
});

it('tells operators from nine tenths on, and refuses nothing yet', () => {
  expect(diskWith(11 * GIB).notice).toBeNull();
  const disk = diskWith(8 * GIB);
  expect(disk.notice).toEqual({ level: 'filling', usedPercent: 92 });
  expect(refusedBy(disk)).toEqual([]);
});

it('refuses new work first, while there is room for what was accepted', () => {
  const disk = diskWith(200 * MIB);
  expect(disk.level).toBe('low');
  expect(refusedBy(disk)).toEqual([
    'POST /lobbies/:config',
    'POST /lobbies/:config/join',
    'POST /lobbies/:config/me/start',
    'POST /lobbies/:config/me/matchmaking',
    'POST /lobbies/:config/me/move',
    'POST /lobbies/:config/:id/move',
    'POST /matches',
    'POST /lobbies/:config/me/rematch',
    'POST /lobbies/:config/quick-join',
    'POST /servers/start',
  ]);
});

it('takes from a full disk what the database has set aside, for what ends something', () => {
  const disk = diskWith(0);
  expect(disk.level).toBe('full');
  const refused = refusedBy(disk);
  expect(refused).toContain('PATCH /lobbies/:config/me');
  for (const ends of [
    'DELETE /lobbies/:config/me',
    'DELETE /lobbies/:config/me/matchmaking',
    'POST /lobbies/:config/me/end-match',
    'POST /servers/:id/status',
  ]) {
    expect(refused).not.toContain(ends);
  }
});

it.each([
  ['the pages are used up', diskWith(0, {}, 24.5 * MIB)],
  ['the log would have to grow', diskWith(0, { log: 0 })],
])('refuses every write when %s', (_, disk) => {
  expect(disk.level).toBe('spent');
  const writes = ROUTES.filter(({ method }) => method !== 'GET').map(({ line }) => line);
  expect(refusedBy(disk)).toEqual(writes);
  expect(refusedUnder({ disk: disk.level }, HEALTH, false, 0)).toBeNull();
});

it('recovers as soon as there is room', () => {
  const disk = diskWith(0);
  disk.tell({ total: 100 * GIB, free: 50 * GIB, database: 25 * MIB, log: 5 * MIB });
  expect([disk.level, disk.notice]).toEqual(['ok', null]);
});

it('keeps a reserve in proportion to a small disk', () => {
  expect(diskWith(2.2 * MIB, { total: 24 * MIB }).level).toBe('filling');
  expect(diskWith(1.5 * MIB, { total: 24 * MIB }).level).toBe('low');
});
