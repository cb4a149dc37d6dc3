// The places that a game steers, as a property (record 0067): an order that comes again or late changes nothing, and no more
// players come in than were opened last.

import { array, assert, constantFrom, nat, property, record } from 'fast-check';
import { expect, it } from 'vitest';
import type { PlacesOrder } from '../../../../packages/js/src/journal-types.ts';
import type { PlayerId } from '../../../../src/common/ids';
import { numbered, steer, timely } from '../../../../src/objects/match/places';
import { openPlaces, rosterTold, withParty } from '../../../../src/objects/match/room';
import type { Match } from '../../../../src/objects/match/state';
import { backfill, formedOf, OPEN, party } from '../../../support/running-match';
import { mode } from '../../../match/support/make';

const RULES = { ...mode(OPEN), reconnectSeconds: 5 };

function running(): Match {
  const teams = [
    { name: null, tickets: ['ticket of a'], roles: null },
    { name: null, tickets: ['ticket of b'], roles: null },
  ];
  const parties = [party('a', 'ann'), party('b', 'ben')];
  return { ...formedOf({ rules: RULES, parties, teams }), phase: 'running' };
}

function said(match: Match, order: PlacesOrder, now = 0): Match {
  const reply = steer(match, order, now);
  return reply.ok ? numbered(reply.value) : match;
}

const revisionOf = ({ steered }: Match): number => steered?.revision ?? 0;

it('an order that comes again changes nothing, and what was opened last bounds who comes in', () => {
  const step = record({
    act: constantFrom('open', 'team', 'unheard', 'admit', 'admit', 'again', 'release', 'kick'),
    count: nat(3),
    team: nat(1),
  });
  assert(
    property(array(step, { maxLength: 30 }), (steps) => {
      let match = said(running(), { present: [] });
      let orders: PlacesOrder[] = [];
      let left = Infinity;
      let since = 0;
      let names = 0;
      for (const { act, count, team } of steps) {
        const after = revisionOf(match);
        if (act === 'open' || act === 'team') {
          const order = { open: count, ...(act === 'team' && { team }), after };
          match = said(match, order);
          orders = [...orders, order];
          left = act === 'open' ? count : left + count;
          since = 0;
        } else if (act === 'unheard' && orders.length > 0) {
          // The answer to the last order was lost, and the game says something else of what it knew then.
          const order = { ...orders.at(-1), open: count };
          match = said(match, order);
          orders = [...orders, order];
          left = 'team' in order ? left : Math.min(left, Math.max(0, count - since));
        } else if (act === 'admit') {
          names += 1;
          const came = withParty(match, backfill(party(`l${names}`, `p${names}`), team), 0);
          left -= came === null ? 0 : 1;
          since += came === null ? 0 : 1;
          match = came === null ? match : numbered(came);
        } else if (act === 'again') {
          const before = match;
          for (const order of orders) {
            match = said(match, order);
          }
          expect(match.steered).toEqual(before.steered);
        } else if (act === 'release' || act === 'kick') {
          const who = match.participants.flatMap(({ members }) => members)[count];
          match = who === undefined ? match : said(match, { [act]: who, after });
        }
        expect(left).toBeGreaterThanOrEqual(0);
        const { kicked = [] } = match.steered ?? {};
        const here = match.participants.flatMap(({ members }) => members);
        expect(here.filter((id) => kicked.includes(id))).toEqual([]);
      }
    }),
    { numRuns: 2_000 },
  );
});

it('a game that has not heard the answer can close places, and opens none', () => {
  const before = said(running(), { present: [] });
  const after = revisionOf(before);
  const open = said(before, { open: 2, after });
  const later = { after, until: '1970-01-01T00:01:00.000Z' };
  expect(said(open, { open: 3, after })).toEqual(open);
  expect(openPlaces(said(open, { open: 0, after })).map(({ slots }) => slots)).toEqual([0, 0]);
  const closing = said(open, { open: 1, ...later });
  expect(closing.steered).toMatchObject({
    revision: revisionOf(open) + 1,
    open: [{ places: 1, until: 60_000 }],
  });
  // The first one may come again at any time.
  expect(said(closing, { open: 2, after })).toEqual(closing);
  const over = timely(closing, 60_000);
  expect(said(over, { open: 1, ...later }, 60_000)).toEqual(over);
  // Each team by itself: none has more than was said last.
  const teams = said(said(before, { open: 2, team: 0, after }), { open: 1, team: 1, after: 99 });
  const fewer = said(teams, { open: 1, after: revisionOf(teams) - 1 });
  expect(fewer.steered?.open?.map(({ team, places }) => [team, places])).toEqual([
    [0, 1],
    [1, 0],
  ]);
});

it('a release that is older than the seat frees nothing', () => {
  const match = said(running(), { present: [] });
  const stay = {
    lobbyId: match.participants[0]?.lobbyId,
    ticketId: match.participants[0]?.ticketId,
  };
  const told = (before: Match, revision: number, ...players: string[]): Match =>
    numbered(
      rosterTold(before, stay as Parameters<typeof rosterTold>[1], {
        revision,
        players: players.map((id) => ({ id: id as PlayerId, state: null })),
        now: 1_000,
      }),
    );
  const away = told(match, 1);
  expect(away.participants[0]).toMatchObject({
    members: ['ann'],
    away: [{ id: 'ann', until: 6_000 }],
  });
  const back = told(away, 2, 'ann');
  expect(said(back, { release: 'ann', after: revisionOf(away) })).toEqual(back);
  expect(said(back, { release: 'ann', after: revisionOf(back) }).participants[0]?.members).toEqual(
    [],
  );
});

it('a place is kept until its time is over, and then it is open', () => {
  const match = said(running(), { present: [] });
  const [first] = match.participants;
  const stay = { lobbyId: first?.lobbyId, ticketId: first?.ticketId };
  const away = rosterTold(match, stay as Parameters<typeof rosterTold>[1], {
    revision: 1,
    players: [],
    now: 1_000,
  });
  expect(openPlaces(timely(away, 5_999))[0]?.slots).toBe(2);
  expect(openPlaces(timely(away, 6_000))[0]?.slots).toBe(3);
});
