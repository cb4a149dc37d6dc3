// What a game may say of its places (record 0067), one table: what is open after it, who holds a place, and what is refused.

import { describe, expect, it } from 'vitest';

import type { PlacesOrder } from '../../../../packages/js/src/journal-types.ts';
import type { PlayerId } from '../../../../src/common/ids';
import {
  asOpened,
  followed,
  gameRoster,
  isPlaying,
  numbered,
  openedAfter,
  placesEnd,
  steer,
  timely,
} from '../../../../src/objects/match/places';
import {
  answerable,
  dueAt,
  duly,
  openPlaces,
  rosterTold,
  withParty,
} from '../../../../src/objects/match/room';
import { served, type Match, type Steered } from '../../../../src/objects/match/state';
import { duel, first, serverReport, stayOf, steps } from '../../../support/duel-match.ts';
import { backfill, MATCH, party } from '../../../support/running-match';
import { codeOf } from '../../../support/server-rig.ts';

const RULES = { allowBackfill: true, reconnectSeconds: 60 } as const;
/** Ann and Abe against Ben: one place is free, and two. */
const running = (rules: object = RULES): Match => followed(served(duel(rules), serverReport(), 5));
const slots = (match: Match) => openPlaces(match).map((team) => team.slots);
const revisionOf = (match: Match) => match.steered?.revision;

function said(match: Match, order: PlacesOrder, now = 1_000): Match {
  const reply = steer(match, order, now);
  if (!reply.ok) {
    throw new Error(reply.refusal.detail);
  }
  return numbered(reply.value);
}

const came = (match: Match, name: string, team: number): Match =>
  numbered(withParty(match, backfill(party(name, `${name}1`), team), 2_000) as Match);
const away = (match: Match, revision: number, ...players: readonly string[]): Match =>
  numbered(
    rosterTold(match, stayOf('a'), {
      revision,
      players: party('a', ...players).players,
      now: 1_000,
    }),
  );

describe('what is open', () => {
  it.each<[string, readonly PlacesOrder[], readonly number[]]>([
    ['all that is free, while the game has not spoken', [{}], [1, 2]],
    ['nothing, once the game says so', [{ open: 0 }], [0, 0]],
    ['in the team with the most room first', [{ open: 1 }], [0, 1]],
    ['then in the first', [{ open: 2 }], [1, 1]],
    ['no more than is free', [{ open: 9 }], [1, 2]],
    ['in one team alone', [{ open: 2, team: 1 }], [0, 2]],
    ['in one team, as far as it is free', [{ open: 2, team: 0 }], [1, 0]],
    [
      'in each team for itself',
      [
        { open: 1, team: 1 },
        { open: 1, team: 0 },
      ],
      [1, 1],
    ],
    [
      'in a team anew',
      [
        { open: 2, team: 1 },
        { open: 1, team: 1 },
      ],
      [0, 1],
    ],
    ['in all teams instead of one', [{ open: 2, team: 1 }, { open: 1 }], [0, 1]],
    ['in one team instead of all', [{ open: 2 }, { open: 1, team: 0 }], [1, 0]],
  ])('is %s', (_, orders, open) => {
    const match = orders.reduce((before, order) => said(before, order), running());
    expect(slots(match)).toEqual(open);
  });

  it('is less with each who comes in, and closed when its time is over', () => {
    const open = said(running(), { open: 2, until: new Date(5_000).toISOString() });
    expect(placesEnd(open)).toBe(5_000);
    const one = came(open, 'c', 1);
    expect(slots(one)).toEqual([1, 0]);
    expect(slots(came(one, 'd', 0))).toEqual([0, 0]);
    expect(timely(one, 4_999)).toBe(one);
    expect([slots(timely(one, 5_000)), placesEnd(timely(one, 5_000))]).toEqual([[0, 0], Infinity]);
    const team = said(running(), { open: 2, team: 1 });
    expect(openedAfter(team, 0, 1)).toEqual({ steered: team.steered });
    expect(openedAfter(team, 1, 5).steered?.open).toMatchObject([{ team: 1, places: 0 }]);
    expect(openedAfter(running(), 0, 1)).toEqual({});
    expect(asOpened(duel(), [])).toEqual([]);
  });

  it('counts who came after the revision that the game knows, in that team alone', () => {
    const before = said(running(), { open: 2, team: 1 });
    const known = revisionOf(before) ?? 0;
    const next = came(before, 'c', 1);
    expect(slots(said(next, { open: 2, team: 1, after: known }))).toEqual([0, 1]);
    expect(slots(said(next, { open: 2, team: 1, after: revisionOf(next) ?? 0 }))).toEqual([0, 1]);
    expect(slots(said(next, { open: 1, team: 1, after: known }))).toEqual([0, 0]);
    expect(slots(said(next, { open: 1, team: 1, after: revisionOf(next) ?? 0 }))).toEqual([0, 1]);
    expect(slots(said(next, { open: 1, team: 0, after: known }))).toEqual([1, 1]);
    // Each player of a party counts, and not who watches.
    const large = running({ ...RULES, playersPerTeam: 9 });
    const pair = backfill(party('c', 'cat', 'cid', 'spectator-cy'), 1);
    const two = numbered(withParty(large, pair, 2_000) as Match);
    expect(slots(said(two, { open: 5, team: 1, after: 0 }))).toEqual([0, 3]);
    // What was said later than that revision stands.
    const later = said(next, { open: 1, team: 1, after: known });
    expect(said(later, { open: 2, team: 1, after: known })).toEqual(later);
    expect(said(later, { open: 2, after: known })).toEqual(later);
    expect(said(later, { open: 2, team: 0, after: known })).not.toEqual(later);
  });
});

describe('who holds a place', () => {
  const shown = (match: Match, after = 0) =>
    gameRoster(match, MATCH, { open: openPlaces(match), after }).players.map(
      ({ id, status, until }) => [id, status, ...(until === undefined ? [] : [until])],
    );

  it('is numbered by its changes, and told from any of them', () => {
    const match = said(running(), {});
    expect(gameRoster(match, MATCH, { open: openPlaces(match), after: 0 })).toEqual({
      match: 'm',
      revision: 1,
      open: [
        { team: 0, places: 1 },
        { team: 1, places: 2 },
      ],
      players: [
        { id: 'ann', lobby: 'a', team: 0, role: null, status: 'here', revision: 1, state: {} },
        { id: 'abe', lobby: 'a', team: 0, role: null, status: 'here', revision: 1, state: {} },
        { id: 'ben', lobby: 'b', team: 1, role: null, status: 'here', revision: 1, state: {} },
      ],
    });
    expect(numbered(match)).toBe(match);
    expect(numbered(duel())).toEqual(duel());
    expect(followed(match)).toBe(match);
    const kept = away(match, 1, 'abe');
    expect(shown(kept, 1)).toEqual([['ann', 'away', new Date(61_000).toISOString()]]);
    expect(shown(away(kept, 2, 'ann', 'abe'), 2)).toEqual([['ann', 'here']]);
    const lapsed = numbered(timely(kept, 61_000));
    expect([shown(lapsed, 2), first(lapsed).members]).toEqual([[['ann', 'left']], ['abe']]);
    expect(steps(lapsed)).toEqual(steps(kept).map((step, at) => step + (at === 0 ? 1 : 0)));
    expect(shown(came(match, 'c', 1), 1)).toEqual([['c1', 'here']]);
  });

  it('loses it by a release that is not older than the seat, or by a kick, for good', () => {
    const match = said(running(), {});
    const kept = away(match, 1, 'abe');
    const back = away(kept, 2, 'ann', 'abe');
    expect(said(back, { release: 'ann', after: 2 })).toEqual(back);
    expect(shown(said(back, { release: 'ann', after: 3 }), 3)).toEqual([['ann', 'left']]);
    expect(shown(said(back, { release: 'ann' }), 3)).toEqual([['ann', 'left']]);
    const out = said(match, { kick: 'ann' });
    expect([shown(out, 1), first(out).members]).toEqual([[['ann', 'kicked']], ['abe']]);
    expect(steps(out).every((step, at) => step > (steps(match)[at] ?? 0))).toBe(true);
    expect(said(out, { kick: 'ann' })).toEqual(out);
    expect(withParty(out, backfill(party('d', 'ann'), 0), 1)).toBeNull();
    // Whoever never had a place may be put out beforehand.
    expect(said(match, { kick: 'zoe' }).steered?.kicked).toEqual(['zoe']);
  });

  it('is held no longer than its time, also where the game has not spoken, and once given up never again', () => {
    const unsteered = rosterTold(served(duel(RULES), serverReport(), 5), stayOf('a'), {
      revision: 1,
      players: party('a', 'abe').players,
      now: 1_000,
    });
    const steered = away(said(running(), {}), 1, 'abe');
    for (const kept of [unsteered, steered]) {
      expect([placesEnd(kept), first(kept).members]).toEqual([61_000, ['ann', 'abe']]);
      expect(timely(kept, 60_999)).toBe(kept);
      const lapsed = timely(kept, 61_000);
      expect([placesEnd(lapsed), first(lapsed).members]).toEqual([Infinity, ['abe']]);
      expect(first(lapsed).away).toBeUndefined();
    }
    const released = said(steered, { release: 'ann' });
    expect([placesEnd(released), shown(released, 2)]).toEqual([Infinity, [['ann', 'left']]]);
    // Only that player's: the other is still away.
    const both = away(said(running(), {}), 1);
    expect(first(said(both, { release: 'ann' })).away).toEqual([{ id: 'abe', until: 61_000 }]);
  });

  it('is held for ten seconds more where the service was away as its time ended', () => {
    const kept = away(said(running(), {}), 1, 'abe');
    expect(answerable(kept, 50_000)).toBe(kept);
    const later = answerable(kept, 80_000);
    expect(dueAt(later)).toBe(90_000);
    expect(first(duly(later, 89_999)).members).toEqual(['ann', 'abe']);
    expect(first(duly(later, 90_000)).members).toEqual(['abe']);
  });

  it('is told to be there by its lobby', () => {
    const match = said(running(), { present: ['ann'] });
    expect([match.steered?.present, steps(match)]).toEqual([['ann'], [4, 3]]);
    const both = said(match, { present: ['ann', 'ben', 'x'] });
    expect(steps(both)).toEqual([4, 4]);
    expect(steps(said(both, { present: [] }))).toEqual([5, 5]);
    expect(said(both, {}).steered?.present).toEqual(['ann', 'ben', 'x']);
  });
});

describe('an order is refused', () => {
  const full: Steered = {
    revision: 1,
    seated: [],
    kicked: Array.from({ length: 100 }, (_, at) => `p${at}` as PlayerId),
    present: [],
  };
  it.each<[string, PlacesOrder, Match]>([
    ['ok', { open: 0 }, running({})],
    ['INVALID_STATE', { open: 1 }, running({})],
    ['ok', { open: 1, team: 1 }, running()],
    ['VALIDATION_ERROR', { open: 1, team: 2 }, running()],
    ['PLAYER_NOT_FOUND', { release: 'zoe' }, said(running(), {})],
    ['INVALID_STATE', { kick: 'zoe' }, { ...running(), steered: full }],
    ['ok', { kick: 'p7' }, { ...running(), steered: full }],
    ['ok', { kick: 'zoe' }, { ...running(), steered: { ...full, kicked: full.kicked.slice(1) } }],
  ])('%s: %j', (code, order, match) => {
    expect(codeOf(steer(match, order, 1_000))).toBe(code);
  });
});

it.each([
  ['confirming', false],
  ['launching', true],
  ['running', true],
  ['over', false],
] as const)('a match that is %s has places: %s', (phase, has) => {
  expect(isPlaying({ ...duel(), phase })).toBe(has);
});
