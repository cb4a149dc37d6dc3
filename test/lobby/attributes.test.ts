// Attributes (decision 46): what players' bodies hold, what the backend says, and which of both a lobby shows.

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/common/json';
import type { TicketId } from '../../src/common/ids';
import { Random } from '../../proof/sim/random';
import {
  derivedState,
  notYours,
  playersWrite,
  remembering,
  withAttributes,
} from '../../src/lobby/attributes';
import { unseen } from '../../src/lobby/change';
import { decide } from '../../src/lobby/decide';
import type { Lobby } from '../../src/lobby/lobby';
import { after, given, mode, lobbyOf, player, T0 } from '../support/lobbies';

const MMR = new Map([['mmr', null]]);
const KEYS = ['mmr', 'tier', 'ready', '__proto__', 'constructor'];

function someState(random: Random): JsonObject {
  const keys = KEYS.filter(() => random.chance(0.5));
  return Object.fromEntries(keys.map((key) => [key, random.pick([1, 2, 'a', null, [1]])]));
}

describe('a derived state', () => {
  it('has of trusted keys exactly what the backend says, and of others what the player says', () => {
    for (let seed = 1; seed <= 20_000; seed += 1) {
      const random = new Random(seed, 0);
      const keys = KEYS.filter(() => random.chance(0.4));
      const trusted = new Map(keys.map((key) => [key, random.chance(0.3) ? 7 : null]));
      const [own, record, claim] = [someState(random), someState(random), someState(random)];
      const state = derivedState(own, trusted, { revision: 1, record, claim }) ?? {};
      for (const key of KEYS) {
        const says = Object.hasOwn(claim, key) ? claim : record;
        const start = says === record ? (trusted.get(key) ?? null) : null;
        const said = Object.hasOwn(says, key) ? (says[key] ?? null) : start;
        const isOurs = trusted.has(key);
        const wanted = isOurs ? said : Object.hasOwn(own, key) ? own[key] : undefined;
        const is = Object.hasOwn(state, key) ? state[key] : isOurs ? null : undefined;
        if (JSON.stringify(is) !== JSON.stringify(wanted)) {
          expect(is, `seed ${seed}, ${key}`).toEqual(wanted);
        }
      }
      if (derivedState(state, trusted, { revision: 1, record, claim }) !== state) {
        expect.fail(`seed ${seed}: it changes again`);
      }
    }
  });

  it('keeps nothing that a player wrote before the key was trusted', () => {
    expect(derivedState({ mmr: 9_999, ready: true }, MMR, undefined)).toEqual({ ready: true });
  });
});

describe('a body of a player', () => {
  it('is refused whole if it has a trusted key, null too', () => {
    expect(notYours({ ready: true, mmr: null }, MMR)).toMatchObject({
      code: 'FIELD_NOT_YOURS',
      detail: expect.stringContaining('state.mmr') as string,
    });
    expect(notYours({ ready: true }, MMR)).toBeNull();
    const patch = { type: 'patch_state', player: player('ann'), state: { a: 1, mmr: 2 } } as const;
    const lobby = lobbyOf('ann');
    expect(decide(lobby, patch, given({ trusted: MMR }))).toMatchObject({
      ok: false,
      refusal: { code: 'FIELD_NOT_YOURS' },
    });
    expect(decide(lobby, patch, given()).ok).toBe(true);
  });
});

describe('a record that changed', () => {
  const told = (revision: number, mmr: number) =>
    new Map([['ann', { revision, attributes: { mmr } }]]);
  const learnt = (lobby = lobbyOf('ann'), revision = 2, mmr = 1_200) =>
    after({
      ok: true,
      value: withAttributes(remembering(lobby, told(revision, mmr)) ?? unseen(lobby), MMR, T0 + 5),
    });

  it('shows in a lobby that waits, as one visible change', () => {
    const lobby = learnt();
    expect(lobby.players[0]?.state).toEqual({ mmr: 1_200 });
    expect(lobby.revision).toBe(lobbyOf('ann').revision + 1);
  });

  it('never goes back', () => {
    const lobby = learnt();
    expect(remembering(lobby, told(2, 900))).toBeNull();
    expect(remembering(lobby, told(1, 900))).toBeNull();
    expect(learnt(lobby, 3, 900).players[0]?.state).toEqual({ mmr: 900 });
  });

  it('refreshes the ticket of a queued lobby, which keeps its wait; a held lobby keeps its number', () => {
    const ticketId = 't-1' as TicketId;
    const search = { ticketId, mode: 'duel', startedAt: T0, giveUpAt: T0 + 70_000, holdSeq: 0 };
    const queued = {
      ...lobbyOf('ann'),
      status: 'in_queue',
      search: { ...search, hold: null },
    } as Lobby;
    const change = withAttributes(remembering(queued, told(2, 1_300)) ?? unseen(queued), MMR, T0);
    expect(change.debts).toEqual([{ to: 'queue', act: 'enter', mode: 'duel', ticketId }]);
    expect(change.lobby?.search?.startedAt).toBe(T0);
    const held = {
      ...queued,
      search: { ...search, hold: { matchId: 'm', seq: 1, at: T0 } },
    } as Lobby;
    const kept = withAttributes(remembering(held, told(2, 1_300)) ?? unseen(held), MMR, T0);
    expect(kept.lobby?.players[0]).toMatchObject({ state: null, given: { revision: 2 } });
  });
});

it('are the numbers of rules that players can write, unless a list trusts them', () => {
  const rules = [
    { type: 'difference', field: 'mmr', maxDifference: 50 },
    { type: 'difference', field: 'xp', maxDifference: 5, uncertainty: true },
    { type: 'expression', cel: 'a.state.level + 2 >= b.state.level && a.state.team == "x"' },
  ] as const;
  const modes = { duel: mode({ rules }) };
  expect(playersWrite(modes, new Map())).toEqual(['mmr', 'xp', 'level', 'xpUncertainty']);
  expect(playersWrite(modes, MMR)).toEqual(['xp', 'level', 'xpUncertainty']);
});
