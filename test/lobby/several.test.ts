// A search of several modes: one hold whatever queue asks, distinct tickets, and who goes where (record 0065).

import { array, assert, constantFrom, integer, nat, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MatchId, TicketId } from '../../src/common/ids';
import type { Change, Debt } from '../../src/lobby/command';
import { decide } from '../../src/lobby/decide';
import { due, nextDue } from '../../src/lobby/due';
import { matchUpdated, standing } from '../../src/lobby/game';
import type { Lobby } from '../../src/lobby/lobby';
import { comeBack, fitting, hold, release } from '../../src/lobby/queueing';
import { ticketsOf } from '../../src/lobby/tickets';
import { NO_STATS, viewOf } from '../../src/lobby/view';
import { brokenInLobby } from '../../src/lobby/always';
import { after, codeOf, given, lobbyOf, matchUpdate, mode, player } from '../support/lobbies';

const ann = player('ann');
const MATCH = 'match-1' as MatchId;
const FIRST = 'ticket-a' as TicketId;
const FRESH = 'ticket-b' as TicketId;
const MODES = { ranked: mode(), casual: mode({ timeout: 90 }), party: mode({ timeout: 120 }) };
const NOW = given().now;
const ENTER = {
  type: 'enter',
  player: ann,
  mode: 'ranked',
  others: [
    { mode: 'casual', afterSeconds: 0 },
    { mode: 'party', afterSeconds: 30 },
  ],
} as const;

function searching(command: Parameters<typeof decide>[1] = ENTER): Lobby {
  return after(decide(lobbyOf('ann', 'ben'), command, given({ modes: MODES, ticketId: FIRST })));
}

function shown(lobby: Lobby | null | undefined): readonly (readonly [string, number])[] {
  const around = { customProperties: {}, queueStats: NO_STATS };
  const modes = lobby ? viewOf(lobby, around).matchmaking?.modes : undefined;
  return (modes ?? []).map(({ mode: name, since }) => [name, (Date.parse(since) - NOW) / 1000]);
}

function of(lobby: Lobby, name: string): TicketId {
  return ticketsOf(lobby.search).find((each) => each.mode === name)?.ticketId as TicketId;
}

/** `+ranked` for an entry, `-ranked why` for a leave. */
function told(debts: readonly Debt[] | undefined): readonly string[] {
  return (debts ?? []).flatMap((debt) =>
    debt.to !== 'queue'
      ? []
      : debt.act === 'enter'
        ? [`+${debt.mode}${debt.afterMs === undefined ? '' : ` in ${debt.afterMs}`}`]
        : [`-${debt.mode} ${debt.reason}`],
  );
}

function heldFor(name: string, lobby = searching()): Lobby {
  const asked = { ticketId: of(lobby, name), matchId: MATCH, seq: 1 };
  return hold(lobby, asked, NOW + 2_000)?.lobby as Lobby;
}

describe('entering', () => {
  it('enters each mode with a ticket of its own, but a later one when its time has come', () => {
    const reply = decide(lobbyOf('ann'), ENTER, given({ modes: MODES, ticketId: FIRST }));
    expect(told((reply as { value: Change }).value.debts)).toEqual(['+ranked', '+casual']);
    const lobby = searching();
    expect(new Set(ticketsOf(lobby.search).map(({ ticketId }) => ticketId)).size).toBe(3);
    expect(shown(lobby)).toEqual([
      ['ranked', 0],
      ['casual', 0],
      ['party', 30],
    ]);
    const watch = given();
    expect(nextDue(lobby, watch)).toBe(NOW + 30_000);
    expect(due(lobby, watch, NOW + 29_999)).toBeNull();
    const later = due(lobby, watch, NOW + 30_000);
    expect(told(later?.debts)).toEqual(['+party']);
    expect(later?.news).toMatchObject([{ kind: 'updated' }]);
    expect(later?.lobby?.revision).toBe(lobby.revision + 1);
  });

  it('shows the first of them as the mode, and a search by `mode` as ever', () => {
    const around = { customProperties: {}, queueStats: NO_STATS };
    expect(viewOf(heldFor('casual'), around).matchmaking?.mode).toBe('ranked');
    const one = searching({ type: 'enter', player: ann, mode: 'ranked' });
    expect(viewOf(one, around).matchmaking).not.toHaveProperty('modes');
    expect(
      Object.keys(one.search ?? {}).filter((key) => /also|modes|entersAt|waits/.test(key)),
    ).toEqual([]);
  });

  it('is refused as a whole for any of its modes, and says which', () => {
    const ask = (others: readonly string[], modes: object = MODES) =>
      decide(
        lobbyOf('ann', 'ben'),
        { ...ENTER, others: others.map((each) => ({ mode: each, afterSeconds: 5 })) },
        given({ modes: modes as typeof MODES }),
      );
    expect(codeOf(ask(['casual', 'nope']))).toBe('MODE_NOT_FOUND');
    const small = { ...MODES, casual: mode({ maxPartySize: 1 }) };
    const refused = ask(['casual'], small);
    expect(codeOf(refused)).toBe('PARTY_SIZE_EXCEEDED');
    expect(refused).toHaveProperty('refusal.detail', expect.stringMatching(/^mode casual: /));
  });
});

describe('a hold', () => {
  it('is one, whatever queue asks', () => {
    const lobby = heldFor('casual');
    for (const name of ['ranked', 'casual']) {
      const asked = { ticketId: of(lobby, name), matchId: 'other' as MatchId, seq: 9 };
      expect(hold(lobby, asked, NOW + 2_000)).toBeNull();
    }
    // Nor is a lobby held for a mode whose time has yet to come.
    const early = { ticketId: of(searching(), 'party'), matchId: MATCH, seq: 1 };
    expect(hold(searching(), early, NOW)).toBeNull();
  });

  it('numbers each queue apart', () => {
    const lobby = heldFor('casual');
    const free = release(lobby, { matchId: MATCH, seq: 1 })?.lobby as Lobby;
    const asked = (name: string) => ({ ticketId: of(free, name), matchId: 'm' as MatchId, seq: 1 });
    expect(hold(free, asked('casual'), NOW)).toBeNull();
    expect(hold(free, asked('ranked'), NOW)?.lobby?.search).toMatchObject({ mode: 'ranked' });
  });

  it('that is released lets it enter the other queues one after another, in the same order for all', () => {
    const [a, b] = ['casual', 'ranked'].map((name) =>
      told(release(heldFor(name), { matchId: MATCH, seq: 1 })?.debts),
    );
    expect(a).toEqual(['+casual', '+ranked in 200']);
    expect(b).toEqual(['+ranked', '+casual']);
  });

  it('that becomes a match takes it out of the other queues, not of those that it never entered', () => {
    const lobby = heldFor('casual');
    const update = matchUpdate({
      matchId: MATCH,
      ticketId: of(lobby, 'casual'),
      mode: 'casual',
      phase: 'matched',
    });
    expect(standing(lobby, update)).toBe('apply');
    const change = matchUpdated(lobby, update, NOW, FRESH);
    expect(told(change.debts)).toEqual(['-ranked matched_elsewhere']);
    expect(
      viewOf(change.lobby as Lobby, { customProperties: {}, queueStats: NO_STATS }),
    ).toMatchObject({ matchmaking: { mode: 'casual' } });
  });

  it('goes on in all modes with fresh tickets and as much time, if another lobby declines', () => {
    const lobby = heldFor('casual');
    const base = { matchId: MATCH, ticketId: of(lobby, 'casual'), mode: 'casual' };
    const foundIt = matchUpdate({ ...base, phase: 'match_found', deadline: NOW + 30_000, step: 1 });
    const found = matchUpdated(lobby, foundIt, NOW + 2_000, FRESH).lobby as Lobby;
    const back = matchUpdate({ ...base, phase: 'returned', requeue: true, step: 2 });
    const change = matchUpdated(found, back, NOW + 12_000, FRESH);
    expect(told(change.debts)).toEqual(['+casual', '+ranked']);
    expect(shown(change.lobby)).toEqual([
      ['ranked', 10],
      ['casual', 10],
      ['party', 40],
    ]);
    const ids = ticketsOf(change.lobby?.search).map(({ ticketId }) => ticketId);
    expect(ids).toEqual([FRESH, `${FRESH}-1`, `${FRESH}-2`]);
    expect(ticketsOf(lobby.search).some(({ ticketId }) => ids.includes(ticketId))).toBe(false);
  });
});

describe('the end', () => {
  it.each(['cancelled', 'away'] as const)('%s leaves all', (reason) => {
    const lobby = searching();
    const change = comeBack(lobby, of(lobby, 'ranked'), { reason, now: NOW });
    expect(change?.lobby?.status).toBe('waiting');
    expect(told(change?.debts)).toEqual([`-ranked ${reason}`, `-casual ${reason}`]);
  });

  it('in one mode leaves the others; the next one then comes at once, and the last one ends the search', () => {
    const end = (lobby: Lobby, name: string): Lobby =>
      comeBack(lobby, of(lobby, name), { reason: 'timeout', now: NOW + 5_000 })?.lobby as Lobby;
    const one = end(searching(), 'casual');
    expect(shown(one).map(([name]) => name)).toEqual(['ranked', 'party']);
    const two = end(one, 'ranked');
    expect(shown(two)).toEqual([['party', 5]]);
    const comes = due(two, given(), NOW + 5_000);
    expect(told(comes?.debts)).toEqual(['+party']);
    const three = end(comes?.lobby as Lobby, 'party');
    expect(three).toMatchObject({
      status: 'waiting',
      returned: { mode: 'party', reason: 'timeout' },
    });
  });

  it('of patience is each mode’s own', () => {
    const lobby = searching();
    const times: (readonly [number, string])[] = [];
    for (let now: Lobby | null = lobby; now?.search;) {
      const at = nextDue(now, given()) ?? 0;
      const change = due(now, given(), at);
      times.push([(at - NOW) / 1000, told(change?.debts).join()]);
      now = change?.lobby ?? null;
    }
    expect(times).toEqual([
      [30, '+party'],
      [70, '-ranked timeout'],
      [100, '-casual timeout'],
      [160, '-party timeout'],
    ]);
  });

  it('comes for the modes that the party fits no more', () => {
    const lobby = searching();
    const modes = { ...MODES, casual: mode({ maxPartySize: 1 }) };
    const grown = { ...lobby, settings: { map: 'dust' } };
    const change = fitting(
      { ...lobby, players: lobby.players.slice(0, 1) },
      { lobby: grown, debts: [], news: [] },
      (name) => modes[name as keyof typeof modes],
      NOW,
    );
    expect(told(change.debts)).toEqual(['-casual unmatchable']);
    expect(shown(change.lobby).map(([name]) => name)).toEqual(['ranked', 'party']);
  });
});

describe('whatever the queues ask in whatever order', () => {
  it('keeps one hold, distinct tickets, and the modes as asked', () => {
    const step = record({
      act: constantFrom('hold', 'release', 'return', 'due'),
      which: nat(2),
      seq: integer({ min: 1, max: 6 }),
    });
    assert(
      property(array(step, { maxLength: 40 }), (steps) => {
        const start = searching();
        const ids = ['ranked', 'casual', 'party'].map((name) => of(start, name));
        let lobby: Lobby | null = start;
        let now = NOW;
        for (const { act, which, seq } of steps) {
          const ticketId = ids[which] as TicketId;
          const before: Lobby = lobby;
          const held: NonNullable<Lobby['search']>['hold'] = before.search?.hold ?? null;
          const matchId = `match-${which}-${seq}` as MatchId;
          now += 4_000;
          const change: Change | null =
            act === 'hold'
              ? hold(before, { ticketId, matchId, seq }, now)
              : act === 'release'
                ? release(before, held ?? { matchId, seq })
                : act === 'return'
                  ? held === null
                    ? comeBack(before, ticketId, { reason: 'timeout', now })
                    : null
                  : due(before, given(), now);
          lobby = change?.lobby ?? before;
          expect(brokenInLobby(lobby)).toEqual([]);
          if (held !== null && act !== 'release') {
            expect(lobby.search?.hold).toEqual(held);
            expect(lobby.search?.ticketId).toBe(before.search?.ticketId);
          }
          if (lobby.search?.hold) {
            expect(lobby.search.entersAt).toBeUndefined();
          }
          expect(shown(lobby).map(([name]) => name)).toEqual(
            ['ranked', 'casual', 'party'].filter((name) => of(lobby as Lobby, name) !== undefined),
          );
        }
      }),
    );
  });
});

describe('two queues that want the same two lobbies at the same instant', () => {
  /** Each message takes 1 ms; each queue reaches another lobby first. Counts the rounds until a match has both. */
  function rounds(most: number, stagger: boolean): number {
    const make = (name: string): Lobby =>
      after(
        decide(
          lobbyOf(name),
          { ...ENTER, player: player(name), others: [{ mode: 'casual', afterSeconds: 0 }] },
          given({ modes: MODES, ticketId: `ticket-${name}` as TicketId }),
        ),
      );
    const lobbies = [make('ann'), make('ben')];
    /** When each lobby is in each queue again. */
    const since = new Map(['ranked', 'casual'].map((name) => [name, [0, 0]]));
    for (let round = 1; round <= most; round += 1) {
      const at = (name: string): number => Math.max(...(since.get(name) ?? []));
      const first = Math.min(at('ranked'), at('casual'));
      const asking = ['ranked', 'casual'].filter((name) => at(name) < first + 2);
      const matchOf = (name: string) => ({ matchId: `${name}-${round}` as MatchId, seq: round });
      const order = asking.length === 2 ? [0, 1] : [0, 0];
      const holds = new Map(asking.map((name) => [name, new Set<number>()]));
      for (const turn of [0, 1]) {
        asking.forEach((name, index) => {
          const who = ((order[index] ?? 0) + turn) % 2;
          const lobby = lobbies[who] as Lobby;
          const change = hold(lobby, { ticketId: of(lobby, name), ...matchOf(name) }, NOW);
          if (change?.lobby) {
            lobbies[who] = change.lobby;
            holds.get(name)?.add(who);
          }
        });
      }
      if ([...holds.values()].some((who) => who.size === 2)) {
        return round;
      }
      for (const [name, who] of holds) {
        for (const index of who) {
          const change = release(lobbies[index] as Lobby, matchOf(name));
          lobbies[index] = change?.lobby as Lobby;
          for (const debt of change?.debts ?? []) {
            if (debt.to === 'queue') {
              const wait = stagger ? (debt.afterMs ?? 0) : 0;
              (since.get(debt.mode) as number[])[index] = first + 4 + wait;
            }
          }
        }
      }
    }
    return Infinity;
  }

  it('come to a match in the second round, which they never would if all entered again at once', () => {
    expect(rounds(1_000, true)).toBe(2);
    expect(rounds(1_000, false)).toBe(Infinity);
  });
});
