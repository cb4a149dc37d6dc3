// A search finds what a plain scan of all rows would, in the same order, however the rows changed before. And whoever goes
// from cursor to cursor while they change sees no lobby twice, and misses none that stayed.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../src/common/json';
import type { LobbyId } from '../../../../src/common/ids';
import { acceptsPlayers } from '../../../../src/lobby/members';
import {
  cursorOf,
  filterOf,
  fits,
  spotOf,
  type Filter,
  type Findable,
  type Sought,
} from '../../../../src/lobby/search';
import type { LobbyView } from '../../../../src/lobby/view';
import type { BrowseQuery, Finding } from '../../../../src/objects/contracts/directory';
import { Listing, SCANNED } from '../../../../src/objects/directory/listing';
import { kept as keptInMemory, type KeptView } from '../../../../src/objects/directory/views';

interface Drawn {
  readonly at: number;
  readonly status: 'waiting' | 'in_queue' | 'in_game';
  readonly region: string;
  readonly players: number;
  readonly isPrivate: boolean;
  readonly map: string | number | null;
  readonly level: number | string;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  at: fc.nat(11),
  status: fc.constantFrom('waiting', 'in_queue', 'in_game'),
  region: fc.constantFrom('eu', 'us'),
  players: fc.integer({ min: 1, max: 4 }),
  isPrivate: fc.boolean(),
  map: fc.constantFrom('dust', 'ice', '1', 1, null),
  level: fc.constantFrom(1, 2, 3, 'hard'),
});

function rowOf({ at, isPrivate, map, level, players, ...rest }: Drawn): KeptView {
  const id = `l${at}` as LobbyId;
  const settings = { ...(map === null ? {} : { map }), level, other: at };
  // Two lobbies in a row are of one millisecond.
  const createdAt = new Date(1_800_000_000_000 + Math.floor(at / 2)).toISOString();
  const view = {
    ...rest,
    id,
    settings,
    createdAt,
    currentPlayers: players,
    maxPlayers: 4,
    allowLateJoin: true,
  };
  const shown = isPrivate ? null : (view as unknown as LobbyView);
  return { lobbyId: id, revision: 1, view: shown, isWhole: true };
}

const filters: fc.Arbitrary<readonly Filter[]> = fc.uniqueArray(
  fc.constantFrom<Filter>(
    { key: 'map', text: 'dust' },
    { key: 'map', text: '1' },
    { key: 'level', from: 2, to: Infinity },
    { key: 'level', from: 1, to: 2 },
    { key: 'level', text: 'hard' },
    { key: 'ranked', text: 'true' },
  ),
  { maxLength: 3, selector: ({ key }) => key },
);

const soughts: fc.Arbitrary<Sought> = fc.record({
  region: fc.option(fc.constantFrom('eu', 'us', 'nowhere')),
  status: fc.option(fc.constantFrom('waiting' as const, 'in_game' as const)),
  places: fc.nat(3),
  where: filters,
  browseBy: fc.constantFrom(['map', 'level', 'ranked'], ['ranked', 'level', 'map', 'other']),
});

/** The plain scan. */
function scan(rows: Iterable<KeptView>, sought: Sought, sort: 'newest' | 'players'): LobbyView[] {
  const lobbies = [...rows].flatMap(({ view }) => {
    if (view === null) {
      return [];
    }
    const { region, status, currentPlayers, maxPlayers, settings } = view;
    const isIn =
      (sought.region === null || sought.region === region) &&
      (sought.status === null || sought.status === status) &&
      (sought.places === 0 ||
        (acceptsPlayers(view) && maxPlayers - currentPlayers >= sought.places)) &&
      sought.where.every((filter) => {
        const value = settings[filter.key];
        return 'text' in filter
          ? value !== undefined && JSON.stringify(value).replaceAll('"', '') === filter.text
          : typeof value === 'number' && value >= filter.from && value <= filter.to;
      });
    return isIn ? [view] : [];
  });
  const age = ({ createdAt, id }: LobbyView): string => `${createdAt} ${id}`;
  const open = (view: LobbyView): number => (acceptsPlayers(view) ? 1 : 0);
  const older = (a: LobbyView, b: LobbyView): number => (age(a) < age(b) ? -1 : 1);
  return lobbies.sort((a, b) =>
    sort === 'newest'
      ? older(b, a)
      : open(b) - open(a) || b.currentPlayers - a.currentPlayers || older(a, b),
  );
}

class Kept {
  readonly rows = new Map<LobbyId, KeptView>();
  readonly listing = new Listing(this.rows);

  put(one: Drawn): void {
    const row = rowOf(one);
    this.rows.set(row.lobbyId, row);
    this.listing.changed(row.lobbyId);
  }

  remove(at: number): void {
    this.rows.delete(`l${at}` as LobbyId);
    this.listing.changed(`l${at}` as LobbyId);
  }

  apply(all: readonly (Drawn | number)[]): void {
    all.forEach((each) => (typeof each === 'number' ? this.remove(each) : this.put(each)));
  }

  search(
    { region, status, ...what }: Sought,
    how: Partial<Finding & BrowseQuery> = {},
  ): ReturnType<Listing['page']> {
    const { sort = 'newest', after = null, offset = 0, limit = SCANNED } = how;
    return this.listing.page({ region, status, offset, limit }, { ...what, sort, after });
  }
}

const changes = fc.array(fc.oneof(drawn, fc.nat(11)), { maxLength: 40 });
const ANY: Sought = {
  region: null,
  status: null,
  places: 0,
  where: [],
  browseBy: ['map', 'level', 'name', 'on', 'other'],
};
const ONE: Drawn = {
  at: 1,
  status: 'waiting',
  region: 'eu',
  players: 1,
  isPrivate: false,
  map: 'ice',
  level: 5,
};

describe('a search', () => {
  it('finds what a plain scan does, whatever changed before', () => {
    const orders = fc.constantFrom('newest' as const, 'players' as const);
    const windows = fc.record({ offset: fc.nat(4), limit: fc.integer({ min: 1, max: 12 }) });
    const asked = fc.record({ sought: soughts, sort: orders, window: windows });
    fc.assert(
      fc.property(changes, fc.array(fc.tuple(asked, changes), { maxLength: 4 }), (first, then) => {
        const kept = new Kept();
        kept.apply(first);
        for (const [{ sought, sort, window }, later] of then) {
          const wanted = scan(kept.rows.values(), sought, sort);
          const { shown, total, end } = kept.search(sought, { sort, ...window });
          expect(shown).toEqual(wanted.slice(window.offset, window.offset + window.limit));
          expect([total, end]).toEqual([wanted.length, null]);
          const [fullest] = scan(kept.rows.values(), sought, 'players');
          expect(kept.listing.fullest(sought, () => true)).toBe(fullest);
          kept.apply(later);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('goes on after a cursor: nobody comes twice, and none that stayed is left out', () => {
    fc.assert(
      fc.property(changes, fc.array(changes, { maxLength: 6 }), soughts, (first, later, sought) => {
        const kept = new Kept();
        kept.apply(first);
        let stayed = new Set(scan(kept.rows.values(), sought, 'newest').map(({ id }) => id));
        const seen: LobbyView[] = [];
        const shows = (): boolean => {
          const last = seen.at(-1);
          const after = last === undefined ? null : spotOf(cursorOf(last));
          const { shown } = kept.search(sought, { after, limit: 2 });
          seen.push(...shown);
          return shown.length > 0;
        };
        for (const next of later) {
          shows();
          kept.apply(next);
          const still = scan(kept.rows.values(), sought, 'newest').map(({ id }) => id);
          stayed = stayed.intersection(new Set(still));
        }
        while (shows()) {
          // To the end.
        }
        const ids = seen.map(({ id }) => id);
        expect(new Set(ids).size).toBe(ids.length);
        expect([...stayed].filter((id) => !ids.includes(id))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('looks at so many at most, and its end says where to go on', () => {
    const kept = new Kept();
    for (let at = 0; at <= SCANNED; at += 1) {
      kept.put({ ...ONE, at, map: at === 0 ? 'dust' : 'ice' });
    }
    const rare: Sought = { ...ANY, where: [{ key: 'level', from: 5, to: 5 }] };
    const cut = kept.search(rare);
    expect([cut.shown.length, cut.total, cut.end?.id]).toEqual([SCANNED, SCANNED, 'l1']);
    const rest = kept.search(rare, { after: cut.end });
    expect([rest.shown.map(({ id }) => id), rest.end]).toEqual([['l0'], null]);
    // One key has one lobby, so nobody else is looked at.
    const both: Sought = { ...rare, where: [...rare.where, { key: 'map', text: 'dust' }] };
    expect(kept.search(both)).toMatchObject({ total: 1, end: null });
  });
});

const lobbyWith = (settings: JsonObject): Findable => ({
  region: 'eu',
  status: 'waiting',
  currentPlayers: 3,
  maxPlayers: 4,
  allowLateJoin: true,
  settings,
});

describe('what a lobby is found by', () => {
  const finds = (settings: JsonObject, key: string, text: string): boolean | string => {
    const filter = filterOf(key, text);
    return filter.ok
      ? fits(lobbyWith(settings), { ...ANY, where: [filter.value] })
      : filter.refusal;
  };

  it('is a short text, a number or a truth, at the top of its settings', () => {
    const settings = { map: 'x'.repeat(65), level: 3, ranked: false, deep: { map: 1 }, none: null };
    expect(finds(settings, 'map', 'x'.repeat(65))).toBe(false);
    expect(finds(settings, 'none', 'null')).toBe(false);
    expect(finds(settings, 'constructor', String(Object))).toBe(false);
  });

  it('is kept of a lobby that is too large for memory, as far as it is small', () => {
    const view = { settings: { map: 'dust' }, players: ['x'.repeat(9_000)], customProperties: {} };
    const row = { ...rowOf(ONE), view: view as unknown as LobbyView };
    expect(keptInMemory(row)).toMatchObject({
      isWhole: false,
      view: { settings: { map: 'dust' }, players: [] },
    });
    const settings = { map: 'dust', notes: 'y'.repeat(2_000) };
    const large = { ...row, view: { ...view, settings } as unknown as LobbyView };
    expect(keptInMemory(large).view?.settings).toEqual({});
  });

  it('is asked for as it is written, or by a range', () => {
    const settings = { level: 2, on: true, name: '2' };
    expect(finds(settings, 'level', '2')).toBe(true);
    expect(finds(settings, 'level', '1..2')).toBe(true);
    expect(finds(settings, 'level', '2.5..')).toBe(false);
    expect(finds(settings, 'level', '..-1')).toBe(false);
    expect(finds(settings, 'name', '1..3')).toBe(false);
    expect(finds(settings, 'name', '2')).toBe(true);
    expect(finds(settings, 'on', 'true')).toBe(true);
    expect(finds(settings, 'other', '2')).toBe(false);
    for (const bad of ['..', '3..1', 'a..b', '1...3', '1..2..3', '1..x']) {
      expect(finds(settings, 'level', bad)).toMatch(/^must be a value, or a range of numbers/);
    }
  });

  it('is a place to go on from: nothing else is a cursor', () => {
    const spot = { createdAt: '2026-11-28T08:00:00.123Z', id: '0a-b_c' };
    expect(spotOf(cursorOf(spot))).toEqual(spot);
    for (const bad of [
      'start',
      '',
      '.a',
      '1.',
      'zzzzzzzzzzzz.a',
      'A.b',
      '-1.a',
      '1.a b',
      '1.a.b',
    ]) {
      expect(spotOf(bad)).toBeNull();
    }
  });
});
