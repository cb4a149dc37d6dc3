// What browsing shows costs what is on a page: however many ask, with whatever offset or filter, a large directory is gone
// through once.

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LobbyId } from '../../../../src/common/ids';
import type { Status } from '../../../../src/lobby/lobby';
import { acceptsPlayers } from '../../../../src/lobby/members';
import type { LobbyView } from '../../../../src/lobby/view';
import { Listing } from '../../../../src/objects/directory/listing';
import type { KeptView } from '../../../../src/objects/directory/views';

const STATUSES: readonly Status[] = ['waiting', 'in_queue', 'in_game'];
const REGIONS = ['eu', 'us'];

/** Counts how often all rows were gone through. */
class Rows extends Map<LobbyId, KeptView> {
  passes = 0;

  override keys(): ReturnType<Map<LobbyId, KeptView>['keys']> {
    this.passes += 1;
    return super.keys();
  }

  override [Symbol.iterator](): ReturnType<Map<LobbyId, KeptView>['entries']> {
    this.passes += 1;
    return super[Symbol.iterator]();
  }
}

function row(at: number, status: Status, region: string, isPrivate = false): KeptView {
  const lobbyId = `l${at}` as LobbyId;
  const createdAt = new Date(1_800_000_000_000 + at).toISOString();
  const view = { id: lobbyId, status, region, currentPlayers: at % 3, maxPlayers: 2, createdAt };
  return {
    lobbyId,
    revision: 1,
    view: isPrivate ? null : (view as unknown as LobbyView),
    isWhole: true,
  };
}

function rowsOf(count: number): Rows {
  const rows = new Rows();
  for (let at = 0; at < count; at += 1) {
    const one = row(at, STATUSES[at % 3] ?? 'waiting', REGIONS[at % 2] ?? '');
    rows.set(one.lobbyId, one);
  }
  return rows;
}

describe('a listing', () => {
  it('shows what a scan of all rows would', () => {
    const one = fc.record({
      status: fc.constantFrom(...STATUSES),
      region: fc.constantFrom(...REGIONS),
      isPrivate: fc.boolean(),
    });
    const filter = fc.record({
      status: fc.option(fc.constantFrom(...STATUSES)),
      region: fc.option(fc.constantFrom(...REGIONS, 'nowhere')),
      offset: fc.nat(12),
      limit: fc.integer({ min: 1, max: 8 }),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), filter, (drawn, asked) => {
        const all = drawn.map((each, at) => row(at, each.status, each.region, each.isPrivate));
        const rows = new Rows(all.map((each) => [each.lobbyId, each]));
        const { status, region, offset, limit } = asked;
        const fits = all.filter(
          ({ view }) =>
            view !== null &&
            (region === null || view.region === region) &&
            (status === null || view.status === status),
        );
        const isShown = ({ view }: KeptView): boolean =>
          status !== null || (view !== null && acceptsPlayers(view));
        const ordered = [
          ...fits.filter(isShown).toReversed(),
          ...fits.filter((each) => !isShown(each)).toReversed(),
        ];
        const { shown, total } = new Listing(rows).page(asked);
        expect(shown).toEqual(ordered.slice(offset, offset + limit).map(({ view }) => view));
        expect(total).toBe(fits.length);
      }),
    );
  });

  it('goes through a large directory once, whatever strangers ask', () => {
    const rows = rowsOf(50_000);
    const listing = new Listing(rows);
    for (let asked = 0; asked < 1_000; asked += 1) {
      const region = asked % 3 === 0 ? null : `nowhere-${asked}`;
      listing.page({ region, status: null, offset: asked * 37, limit: 20 });
      listing.changed(`l${asked}` as LobbyId);
    }
    expect(rows.passes).toBe(1);
  });

  it('shows at once what has changed', () => {
    const rows = rowsOf(100);
    const listing = new Listing(rows);
    listing.page({ region: null, status: null, offset: 0, limit: 20 });
    listing.page({ region: 'eu', status: null, offset: 20, limit: 20 });
    const fresh = row(100, 'waiting', 'eu');
    rows.set(fresh.lobbyId, fresh);
    listing.changed(fresh.lobbyId);
    const first = { region: 'eu', status: 'waiting', offset: 0, limit: 1 } as const;
    expect(listing.page(first).shown).toEqual([fresh.view]);
    rows.delete(fresh.lobbyId);
    listing.changed(fresh.lobbyId);
    expect(listing.page(first).shown).not.toEqual([fresh.view]);
    expect(rows.passes).toBe(1);
  });
});
